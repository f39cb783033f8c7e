// Marks, told apart by patterns and never by colour alone; the numbers are those of ViewWeave.
in vec3 world;
in vec4 paint;
in vec3 weave;
out vec4 color;
uniform float faint;

// 1 inside a box around the middle, with soft edges.
float box(vec2 p, vec2 half_, vec2 soft)
{
    vec2 in_ = smoothstep(half_ + soft, half_ - soft, abs(p));
    return in_.x * in_.y;
}

void main()
{
    float cover = paint.a;
    vec2 at = weave.xy;
    int kind = int(weave.z + 0.5);
    if (kind == 1 || kind == 3 || kind == 4) {
        vec2 cell = at * 2.0, wide = fwidth(cell), p = fract(cell) - 0.5;
        vec2 near = smoothstep(0.5 - 0.03 - wide * 1.2, vec2(0.5) - 0.03, abs(p));
        float ink = max(near.x, near.y);
        vec2 soft = min(wide, vec2(0.1));
        if (kind >= 3)
            ink = max(ink, box(p, vec2(0.20, 0.045), soft));
        if (kind == 3)
            ink = max(ink, box(p, vec2(0.045, 0.20), soft));
        cover *= 0.26 + 0.74 * ink;
    } else if (kind == 2) {
        cover *= fract((at.x + at.y) * 1.25) < 0.5 ? 1.0 : 0.35;
    } else if (kind == 5) {
        vec2 p = fract(vec2(at.x + at.y, at.x - at.y) * 0.9);
        cover *= p.x < 0.22 || p.y < 0.22 ? 1.0 : 0.28;
    } else if (kind == 6) {
        float p = fract(at.x * 0.7);
        cover *= p < 0.55 || (p > 0.70 && p < 0.85) ? 1.0 : 0.15;
    } else if (kind == 7) {
        vec2 p = vec2((fract(at.x * 2.2) - 0.5) * 2.0, at.y);
        cover *= dot(p, p) < 0.6 ? 1.0 : 0.12;
    }
    vec3 linear = paint.rgb * paint.rgb;
    color = vec4(screen(hazed(linear * 1.6, world)), cover * faint);
}
