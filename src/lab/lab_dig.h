// lab_dig - a machine with its levers on a small site: the whole simulation, for experiments.
//
// Does:     make a world of one vehicle on level ground; step it by levers; let the built-in operator
//           dig a bucket; weigh the bucket's load by the arm's cylinders; draw a section with steel.
// Units:    SI.
#ifndef LAB_DIG_H
#define LAB_DIG_H

#include "lab/lab_world.h"
#include "operator/operator.h"
#include "world/world.h"

typedef struct LabDigDef {
    const char* site;    // beside the program
    const char* vehicle; // the same; --vehicle goes before it
    float x, z;          // m, where it stands, looking along +x
    float radius;        // m, of grains; --radius goes before it
    int pool;
} LabDigDef;

typedef struct LabDig {
    World* world;
    Machine* machine;
    const MachineDef* def;
    InputFrame input; // what the hands do
    Operator hands;   // after lab_dig_hands()
} LabDig;

// False after lab_fail().
bool lab_dig_make(LabRun* run, LabDig* out, const LabDigDef* def);
// Hash, counts and books into the report. Then destroys it.
void lab_dig_finish(LabRun* run, LabDig* dig);

void lab_dig_lever(LabDig* dig, InputFunction function, double value);
void lab_dig_neutral(LabDig* dig);
void lab_dig_step(LabDig* dig);
void lab_dig_wait(LabDig* dig, double seconds);

// An expert who digs a pit before the machine and sets the soil aside. False after lab_fail().
bool lab_dig_hands(LabRun* run, LabDig* dig, float depth);
// He works until the phase, for at most `seconds`; then levers are neutral. False when he did not get
// there.
bool lab_dig_until(LabDig* dig, OperatorPhase phase, double seconds);
// A joint of the arm towards an angle (rad) by its lever; returns the miss.
double lab_dig_steer(LabDig* dig, OperatorJoint joint, double angle);

// kg of soil in and on the bucket by the books, also what leans over its lip: all that is within a
// bucket's size of it. Only in the air.
double lab_dig_held(const LabDig* dig);
// N, by which grains press down on the steel of the whole machine.
double lab_dig_contact(const LabDig* dig);
// Moment about a joint of the arm that its cylinder holds, less that of the steel, N m.
double lab_dig_moment(const LabDig* dig, OperatorJoint joint);
// kg: what the cylinders of boom and stick hold between them, over the way between their pins. It
// needs no guess of where the load's middle is.
double lab_dig_weighed(const LabDig* dig);

// Lines of steel and what rides on it, over a section that was drawn.
PlotView lab_dig_draw(LabRun* run, PlotRect area, const LabDig* dig, LabSection section);
// Row of columns through a z.
int lab_dig_row(const LabDig* dig, float z);

#endif
