// sim_lesson_internal - what the files of sim_lesson share; nobody else includes it.
#ifndef SIM_LESSON_INTERNAL_H
#define SIM_LESSON_INTERNAL_H

#include "sim/sim_lesson.h"

#define LESSON_PATH 4096

typedef struct LessonDrive { // of the machine, as its file has it: faults change it
    MachinePump pump[MACHINE_PUMPS_MAX];
    MachineTorquePoint torque[MACHINE_TORQUE_POINTS];
    float power, boom[2], relief; // W; Pa, of the boom's ports and of the circuit
} LessonDrive;

struct SimLesson {
    SimLessonDef def;
    char path[LESSON_PATH];
    BaseArena arena;
    Scenario scenario;
    ScenarioWeathers weathers;
    MaterialSet materials, moist; // in use; as the file has them
    MaterialCalibration calibration;
    SiteInfo site;
    ScenarioFloors floors;
    World* world;
    const TerrainDef* ground;
    OperatorArm arm;
    LessonDrive drive;
    int fault, weather; // those that are in force
    float tail;         // m, radius that the house needs
    float under[2];     // m, half the length and width of the undercarriage

    float *start, *bank;                    // [nz][nx] m, surface and undisturbed soil
    uint8_t* map;                           // [nz][nx] ScorePlace
    int64_t place_start[SCORE_PLACE_COUNT]; // mg
    double zone_start[SCENARIO_ZONES_MAX];  // kg
    int trucks;                             // machines 1 .. trucks
    RecordFile file[4];                     // scenario, site, vehicle, materials
    ScenarioYardstick yardstick;
    bool measured; // there is one

    SimLessonState state;
    RecordWriter* writer;
    unsigned char *save, *base; // snapshots of the world
    size_t save_size, base_bytes;
    SimLessonState base_state;
};

// trucks
bool sim_lesson_truck_place(const SimLesson* l, const ScenarioTruck* t, const MachineDef* def,
                            WorldPlace* out);
void sim_lesson_trucks_begin(SimLesson* l);
void sim_lesson_trucks_drive(SimLesson* l, InputFrame* input); // their levers
void sim_lesson_trucks_follow(SimLesson* l, const InputFrame* frame);
int sim_lesson_trucks_full(const SimLesson* l);
float sim_lesson_trucks_part(const SimLesson* l); // 0.. of the loads that stand there unfinished

// What no single line of the file shows: false, told with its place.
bool sim_lesson_check(const SimLesson* l, BaseYamlError* error);

// samples
void sim_lesson_look(const SimLesson* l, ScenarioNow* out);
void sim_lesson_sample(SimLesson* l, const InputFrame* frame, ScoreSample* out);
void sim_lesson_books(const SimLesson* l, int64_t out[SCORE_PLACE_COUNT]); // mg at each place now

void sim_lesson_event(SimLesson* l, SimEventKind kind, double a, double b, const char* text);
// After a step, before which `known` was counted: did numbers go bad, is soil missing?
void sim_lesson_mend(SimLesson* l, const WorldFaults* known);
const char* sim_lesson_given_up(const SimLesson* l); // why; NULL: it is not

uint64_t sim_lesson_steps(const SimLesson* l);

#endif
