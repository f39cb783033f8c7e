// coupling_hold - grains never pass through steel, however hard they are pressed or struck.
//
// Does:     judge the straight way of a grain from one look to the next, in the steel's own frame, against
//           the middle of plates and the faces of solids; say where a grain goes whose way is barred.
// Does not: contacts; they stop nearly all grains before (coupling_steel).
// Units:    SI.
// Why it is exact: in the body's frame steel stands still, the ways of a grain join end to end, and no
//           way that is let pass crosses a middle; so a grain stays on its side for ever.
#ifndef COUPLING_HOLD_H
#define COUPLING_HOLD_H

#include "coupling/coupling_steel.h"

// A SoilHoldFn; context: CouplingSteel*.
bool coupling_hold_steel(const void* context, Vec3 from, Vec3 to, float radius, Vec3* held);

// A box around the origin of its own frame. False when the way does not lead into it from outside; else
// `to` is moved out, to where it touches the face through which it came.
bool coupling_hold_box(Vec3 half, Vec3 from, Vec3* to, float radius);

#endif
