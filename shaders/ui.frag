in vec2 at;
in vec4 paint;
out vec4 color;
uniform sampler2D atlas;

void main()
{
    color = vec4(paint.rgb, paint.a * texture(atlas, at).r);
}
