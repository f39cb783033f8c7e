// view_world - keeps the picture of a world in step with it.
//
// Does:     own what a picture must remember from step to step (looks of the ground, marks of
//           tracks, dust) and the meshes of all machines; fill in ViewStates.
// Does not: change anything in the world, or draw.
// Threads:  the simulation thread.
//
//     ViewWorld* vw = view_world_create(world, &arena);
//     for (int k = 0; k < view_world_models(vw); ++k)
//         render_add_model(render, view_world_model(vw, k));  // in this order
//     each step: world_step(world, input); view_world_follow(vw, world);
//                view_world_fill(vw, world, view_exchange_begin(x)); view_exchange_publish(x);
#ifndef VIEW_WORLD_H
#define VIEW_WORLD_H

#include "view/view_machine.h"
#include "world/world.h"

typedef struct ViewWorld ViewWorld;

// NULL when out of memory. Meshes lie in the arena.
ViewWorld* view_world_create(World* world, BaseArena* arena);
void view_world_destroy(ViewWorld* vw);

int view_world_models(const ViewWorld* vw); // two of each machine: near, far
const ViewMeshSet* view_world_model(const ViewWorld* vw, int model);
int view_world_poses(const ViewWorld* vw); // of all models together
const ViewGround* view_world_ground(const ViewWorld* vw);
ViewGroundTrack* view_world_track(ViewWorld* vw);

void view_world_follow(ViewWorld* vw, World* world); // after every step
void view_world_jump(ViewWorld* vw, World* world);   // after a jump in time
// Everything but readings and lesson's marks; cameras follow machine `seat`, or the site when there
// is none of this number.
void view_world_fill(ViewWorld* vw, World* world, int seat, ViewState* state);
ViewAnchor view_world_anchor(World* world, int seat);

#endif
