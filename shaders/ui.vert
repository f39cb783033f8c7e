// Panels and text, in pixels from the upper left corner.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 tint;
uniform vec2 pixel; // 2 / size of the window
out vec2 at;
out vec4 paint;

void main()
{
    at = uv, paint = tint;
    gl_Position = vec4(position.x * pixel.x - 1.0, 1.0 - position.y * pixel.y, 0.0, 1.0);
}
