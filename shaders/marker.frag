// 0 plain, 1 a grid of half metres, 2 slanting stripes: never told apart by colour alone.
in vec3 world;
in vec4 paint;
in vec3 weave;
out vec4 color;
uniform float faint;

void main()
{
    float cover = paint.a;
    vec2 at = weave.xy;
    if (weave.z > 1.5) {
        float stripe = fract((at.x + at.y) * 1.25);
        cover *= stripe < 0.5 ? 1.0 : 0.35;
    } else if (weave.z > 0.5) {
        vec2 line = abs(fract(at * 2.0) - 0.5), wide = fwidth(at * 2.0);
        vec2 near = smoothstep(0.5 - 0.03 - wide * 1.2, vec2(0.5) - 0.03, line);
        cover *= 0.30 + 0.70 * max(near.x, near.y);
    }
    vec3 linear = paint.rgb * paint.rgb;
    color = vec4(screen(hazed(linear * 1.6, world)), cover * faint);
}
