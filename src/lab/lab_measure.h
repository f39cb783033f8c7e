// lab_measure - slopes, fronts and heights of heaps, from the grains' positions alone.
//
// Does:     turn a heap into a surface profile and fit what the experiments report.
// Method:   the surface of a column of ground one grain wide is the top of its highest grain;
//           columns are averaged across the slope, and a straight line is fitted by least squares
//           to the part between 20 and 80 % of the height. Columns have equal area everywhere, so
//           that the bias of "highest" is the same along the slope and drops out of the angle.
// Units:    SI; angles in degrees, since they go straight into reports.
#ifndef LAB_MEASURE_H
#define LAB_MEASURE_H

#include "soil/soil.h"

#define LAB_PROFILE_MAX 512

// Height over distance: x along the channel, or radius from the axis.
typedef struct LabProfile {
    int count;
    double at[LAB_PROFILE_MAX];     // m, middle of the column
    double height[LAB_PROFILE_MAX]; // m, mean of the columns at that distance
} LabProfile;

typedef struct LabSlope {
    double degrees;
    double height;             // m, of the heap
    double line[2];            // m: height = line[0] + line[1] * distance
    double span[2];            // m, distances between which the line was fitted
    double center_x, center_z; // m, axis of a cone
    int points;                // columns in the fit; 0 for a cliff, whose angle is a lower bound
} LabSlope;

// A heap around an upright axis, which is found as the centre of mass.
LabSlope lab_measure_cone(const SoilState* soil, float radius, LabProfile* profile);
// A heap that falls off along +x, as wide as z in [-width/2, width/2].
LabSlope lab_measure_wedge(const SoilState* soil, float radius, float width, LabProfile* profile);
// Angle (degrees) of the same stretch of a heap, later. A new fit would take a column more or less
// when one at its end has moved by a hair, and turn by a degree.
double lab_measure_again(const LabProfile* profile, const LabSlope* slope);

// Outer edge of a round deposit around the y axis: the radius at which a ring one grain wide is
// covered by half as many grains as a single loose layer would need. Strays do not count.
double lab_measure_front(const SoilState* soil, float radius);
// Height at the axis: mean top of the columns within two diameters of it.
double lab_measure_summit(const SoilState* soil, float radius);

// Least squares; false when all x are equal or fewer than two points.
bool lab_measure_line(const double* x, const double* y, int count, double* offset, double* slope);

#endif
