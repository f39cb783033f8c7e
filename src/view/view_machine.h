// view_machine - a machine as the picture shows it: poses of its parts, cameras that ride on it.
//
// Does:     copy a machine's state into a ViewState after a step.
// Does not: make triangles (view_mesh.h) or draw.
// Units:    SI, +y up.
#ifndef VIEW_MACHINE_H
#define VIEW_MACHINE_H

#include "machine/machine.h"
#include "view/view_mesh.h"
#include "view/view_state.h"

// `model` is the number under which the renderer knows the set; call it once for the near and once
// for the far one. False when the state has no room.
bool view_machine_fill(ViewState* state, const Machine* machine, const ViewMeshSet* set, int model,
                       ViewDetail detail);
// The named cameras follow this machine.
ViewAnchor view_machine_anchor(const Machine* machine);
// Ground that its tracks or tyres stand on is flattened.
void view_machine_press(ViewGroundTrack* track, const Machine* machine);

#endif
