// sim_stance - how far a machine is from tipping over.
//
// Does:     centre of pressure of what carries a machine, and its way to the edge of the outline.
// Does not: know machines or ground: it gets places and forces.
// Units:    SI, in the plane of the tracks.
// Threads:  no shared state.
#ifndef SIM_STANCE_H
#define SIM_STANCE_H

#define SIM_STANCE_MAX 80 // supports

typedef struct SimSupport {
    double x, z;  // m
    double force; // N that it carries now; 0: it could, when the machine leans that way
} SimSupport;

// m from the centre of pressure to the nearest edge of the outline of all supports. The ground's answer goes
// through that centre: it is where gravity, the load, the tool's pull and what is accelerated meet the ground.
// 0: on the edge, it tips, or there is no outline. -1: nothing carries it now.
double sim_stance_margin(const SimSupport* support, int count);

#endif
