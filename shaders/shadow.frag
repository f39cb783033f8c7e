// Depth alone.
void main()
{
}
