// Round shadows of grains.
in vec2 corner;

void main()
{
    if (dot(corner, corner) > 0.85)
        discard;
}
