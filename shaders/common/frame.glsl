// What all passes know of a picture; filled in by render_frame.c in the same order.
layout(std140) uniform Frame {
    mat4 view_proj;
    mat4 shadow_proj; // world to shadow map, 0..1
    vec4 eye;         // m; w: time, s
    vec4 right;       // across half the picture at distance 1; w: the nearest that is seen, m
    vec4 over;        // up half the picture at distance 1; w: the farthest, m
    vec4 forward;     // unit
    vec4 sun;         // unit, towards it; w: width of a texel of the shadow map, 0..1
    vec4 light;       // of the sun, linear; w: exposure
    vec4 sky;         // light from above; w: haze, 1/m
    vec4 bounce;      // light from below; w: radius of the shadow map, m
    vec4 site;        // x, z of its corner, m; z w: columns per m over columns along x and z
    vec4 focus;       // middle of the shadow map, m; w: width of a column, m
    vec4 road;        // x, z of the gate; x, z of the way out, 0 without one
    vec4 bank[9];     // linear; w: part that is stones
    vec4 loose[9];    // linear; w: how cloddy
    vec4 finish[9];   // x: gloss of a fresh cut, y: bears grass; zw of the first: layers' lowest, m, and numbers per m
};
