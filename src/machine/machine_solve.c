// The projected solve: the velocity v that minimises
//
//     1/2 (v - v0)' M (v - v0) + sum over rows of a potential of the miss J v - target,
//
// whose slope is the row's impulse: proportional to the miss, cut off at the row's bounds. Newton's
// method with an exact search along each direction finds it in a handful of steps, whatever the
// ratio of masses (Todorov, "Convex and analytically-invertible dynamics", 2014). Bounds of friction
// follow the impulses of their normals from pass to pass.
#include "machine/machine_internal.h"

#define STEPS       48    // Newton steps, at most
#define EARLY       5     // steps after each of which bounds of friction follow their normals
#define MOVES       8     // times that they may follow
#define TOLERANCE   1e-14 // J per kg that a step must still gain
#define SEARCHES    20    // looks along a direction, at most
#define SEARCH_FINE 0.03  // part of the first slope that may be left at its end
#define SLIP        2e-6  // m/s, at which friction is fully awake
#define BOUND_MOVES 0.01  // part of all normals by which bounds may still move

#define DOFS MACHINE_DOFS_MAX

typedef struct Solve {
    MachineSolveRow* row;
    int rows, dofs;
    const double (*mass)[DOFS];
    const double* drift;
    double (*factor)[DOFS];
    double* v;
    double momentum[DOFS];           // M v - drift
    double way[DOFS];                // Newton's direction
    double miss[MACHINE_SOLVE_ROWS]; // J v - target
    double rate[MACHINE_SOLVE_ROWS]; // J way
    double stiff[MACHINE_SOLVE_ROWS];
} Solve;

// --- rows ------------------------------------------------------------------------------------------

static double along_row(const MachineSolveRow* row, const double* v)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; ++k)
        sum += row->jacobian[k] * v[row->dof[k]];
    return sum;
}

static double box_impulse(const MachineSolveRow* row, double stiff, double miss)
{
    double impulse = -miss * stiff;
    return impulse < row->lo ? row->lo : impulse > row->hi ? row->hi : impulse;
}

// Power-like miss of a friction pair: below `rho` it holds, above it slides.
typedef struct Slide {
    double wa, wc, size, rho;
} Slide;

static Slide pair_slide(const MachineSolveRow* row, double miss_a, double miss_c)
{
    Slide s = {row[0].hi * miss_a, row[1].hi * miss_c, 0.0, 0.0};
    s.size = __builtin_sqrt(s.wa * s.wa + s.wc * s.wc);
    s.rho = SLIP * (row[0].hi > row[1].hi ? row[0].hi : row[1].hi);
    return s;
}

static void pair_impulse(const MachineSolveRow* row, double miss_a, double miss_c, double* a,
                         double* c)
{
    Slide s = pair_slide(row, miss_a, miss_c);
    double size = s.size > s.rho ? s.size : s.rho;
    double scale = size > 0.0 ? 1.0 / size : 0.0;
    *a = -row[0].hi * s.wa * scale;
    *c = -row[1].hi * s.wc * scale;
}

static void answer(Solve* s)
{
    for (int i = 0; i < s->rows; ++i) {
        MachineSolveRow* row = &s->row[i];
        if (row->kind == MACHINE_ROW_BOX)
            row->impulse = box_impulse(row, s->stiff[i], s->miss[i]);
        else if (row->kind == MACHINE_ROW_PAIR)
            pair_impulse(row, s->miss[i], s->miss[i + 1], &row[0].impulse, &row[1].impulse);
    }
}

// Bounds from the impulses of the rows they hang on. Returns how far they moved, as part of the sum.
static double follow_limiters(Solve* s)
{
    double moved = 0.0, all = 1e-9;
    for (int i = 0; i < s->rows; ++i) {
        MachineSolveRow* row = &s->row[i];
        if (row->limiter < 0)
            continue;
        double load = 0.0;
        for (int k = 0; k < row->limiters; ++k) {
            double one = s->row[row->limiter + k].impulse;
            load += one < 0.0 ? -one : one;
        }
        double bound = load * row->friction, change = bound - row->hi;
        moved += change < 0.0 ? -change : change;
        all += bound;
        row->hi = bound;
        row->lo = -bound;
    }
    return moved / all;
}

// --- one Newton step -------------------------------------------------------------------------------

static void mass_times(const Solve* s, const double* v, double* out)
{
    for (int i = 0; i < s->dofs; ++i) {
        double sum = s->mass[i][i] * v[i];
        for (int k = 0; k < i; ++k) {
            sum += s->mass[i][k] * v[k];
            out[k] += s->mass[i][k] * v[i];
        }
        out[i] = sum;
    }
}

static void add_outer(double (*h)[DOFS], const MachineSolveRow* row, const double* j, int count,
                      double weight)
{
    for (int a = 0; a < count; ++a) {
        double scaled = weight * j[a];
        int da = row->dof[a];
        for (int b = 0; b <= a; ++b) {
            int db = row->dof[b];
            if (da >= db)
                h[da][db] += scaled * j[b];
            else
                h[db][da] += scaled * j[b];
        }
    }
}

static void add_pair(double (*h)[DOFS], const MachineSolveRow* row, double miss_a, double miss_c)
{
    Slide s = pair_slide(row, miss_a, miss_c);
    if (s.rho <= 0.0)
        return;
    if (s.size <= s.rho) {
        add_outer(h, &row[0], row[0].jacobian, row[0].count, row[0].hi * row[0].hi / s.rho);
        add_outer(h, &row[1], row[1].jacobian, row[1].count, row[1].hi * row[1].hi / s.rho);
        return;
    }
    // sliding bends only across the way it slides
    double cross[DOFS], pa = -s.wc / s.size * row[0].hi, pc = s.wa / s.size * row[1].hi;
    for (int k = 0; k < row[0].count; ++k)
        cross[k] = pa * row[0].jacobian[k] + (k < row[1].count ? pc * row[1].jacobian[k] : 0.0);
    add_outer(h, &row[0], cross, row[0].count, 1.0 / s.size);
}

static void build_hessian(Solve* s)
{
    for (int i = 0; i < s->dofs; ++i)
        for (int k = 0; k <= i; ++k)
            s->factor[i][k] = s->mass[i][k];
    for (int i = 0; i < s->rows; ++i) {
        const MachineSolveRow* row = &s->row[i];
        if (row->kind == MACHINE_ROW_PAIR) {
            add_pair(s->factor, row, s->miss[i], s->miss[i + 1]);
        } else if (row->kind == MACHINE_ROW_BOX) {
            double impulse = -s->miss[i] * s->stiff[i];
            if (impulse > row->lo && impulse < row->hi)
                add_outer(s->factor, row, row->jacobian, row->count, s->stiff[i]);
        }
    }
}

// L L' in place. A pivot lost to rounding leaves its dof where it is for this step.
static void factorise(double (*m)[DOFS], int n)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            double sum = m[i][k];
            for (int j = 0; j < k; ++j)
                sum -= m[i][j] * m[k][j];
            m[i][k] = sum * m[k][k]; // the diagonal holds 1 / L
        }
        double square = m[i][i];
        for (int j = 0; j < i; ++j)
            square -= m[i][j] * m[i][j];
        m[i][i] = square > 0.0 ? 1.0 / __builtin_sqrt(square) : 0.0;
    }
}

static void substitute(const double (*m)[DOFS], int n, double* x)
{
    for (int i = 0; i < n; ++i) {
        double sum = x[i];
        for (int k = 0; k < i; ++k)
            sum -= m[i][k] * x[k];
        x[i] = sum * m[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double value = x[i] * m[i][i];
        x[i] = value;
        for (int k = 0; k < i; ++k)
            x[k] -= m[i][k] * value;
    }
}

// Slope of the potential at v + part x way, and its bend.
typedef struct Slope {
    double slope, bend;
} Slope;

static void add_pair_slope(const Solve* s, int i, double part, Slope* out)
{
    const MachineSolveRow* row = &s->row[i];
    double ra = row[0].hi * s->rate[i], rc = row[1].hi * s->rate[i + 1];
    Slide p =
        pair_slide(row, s->miss[i] + part * s->rate[i], s->miss[i + 1] + part * s->rate[i + 1]);
    if (p.rho <= 0.0)
        return;
    double size = p.size > p.rho ? p.size : p.rho, scale = 1.0 / size;
    double along = (p.wa * ra + p.wc * rc) * scale;
    out->slope += along;
    out->bend += (ra * ra + rc * rc - (p.size > p.rho ? along * along : 0.0)) * scale;
}

static Slope slope_at(const Solve* s, double part, double linear, double square)
{
    Slope out = {linear + part * square, square};
    for (int i = 0; i < s->rows; ++i) {
        const MachineSolveRow* row = &s->row[i];
        double rate = s->rate[i];
        if (row->kind == MACHINE_ROW_BOX) {
            double impulse = -(s->miss[i] + part * rate) * s->stiff[i];
            if (impulse < row->lo) {
                impulse = row->lo;
            } else if (impulse > row->hi) {
                impulse = row->hi;
            } else {
                out.bend += s->stiff[i] * rate * rate;
            }
            out.slope -= impulse * rate;
        } else if (row->kind == MACHINE_ROW_PAIR) {
            add_pair_slope(s, i, part, &out);
        }
    }
    return out;
}

// How far to go: to where little of the slope is left. From the right a Newton step finds the kink of
// a stiff row at once; from the left false position (Illinois) does.
static double search(const Solve* s, double first)
{
    double linear = 0.0, square = 0.0, product[DOFS];
    mass_times(s, s->way, product);
    for (int i = 0; i < s->dofs; ++i) {
        linear += s->momentum[i] * s->way[i];
        square += s->way[i] * product[i];
    }
    double lo = 0.0, hi = 0.0, at_lo = first, at_hi = 0.0; // no hi yet
    double part = 1.0, enough = -SEARCH_FINE * first;
    for (int i = 0; i < SEARCHES; ++i) {
        Slope at = slope_at(s, part, linear, square);
        if (at.slope <= enough && at.slope >= -enough)
            break;
        double next = part - at.slope / at.bend;
        if (at.slope > 0.0) {
            hi = part, at_hi = at.slope;
            at_lo *= 0.5;
        } else {
            lo = part, at_lo = at.slope;
            at_hi *= 0.5;
        }
        if (hi <= 0.0)
            part *= 2.0;
        else
            part = next > lo && next < hi ? next : lo + (hi - lo) * at_lo / (at_lo - at_hi);
    }
    return part;
}

// False when there is nothing left to gain.
static bool newton_step(Solve* s, double tolerance)
{
    double gradient[DOFS], gain = 0.0;
    answer(s);
    for (int i = 0; i < s->dofs; ++i)
        gradient[i] = s->momentum[i];
    for (int i = 0; i < s->rows; ++i)
        for (int k = 0; k < s->row[i].count; ++k)
            gradient[s->row[i].dof[k]] -= s->row[i].jacobian[k] * s->row[i].impulse;
    build_hessian(s);
    factorise(s->factor, s->dofs);
    for (int i = 0; i < s->dofs; ++i)
        s->way[i] = -gradient[i];
    substitute((const double(*)[DOFS])s->factor, s->dofs, s->way);
    for (int i = 0; i < s->dofs; ++i)
        gain -= gradient[i] * s->way[i];
    if (!(gain > tolerance))
        return false;

    for (int i = 0; i < s->rows; ++i)
        s->rate[i] = along_row(&s->row[i], s->way);
    double part = search(s, -gain);
    for (int i = 0; i < s->dofs; ++i)
        s->v[i] += part * s->way[i];
    for (int i = 0; i < s->rows; ++i)
        s->miss[i] += part * s->rate[i];
    mass_times(s, s->v, s->momentum);
    for (int i = 0; i < s->dofs; ++i)
        s->momentum[i] -= s->drift[i];
    return true;
}

void machine_solve(Machine* machine, double* velocity)
{
    MachineWork* work = machine->work;
    Solve s = {.row = work->row,
               .rows = work->row_count,
               .dofs = machine->def->dof_count,
               .mass = (const double(*)[DOFS])work->mass,
               .drift = work->drift,
               .factor = work->factor,
               .v = velocity};
    for (int i = 0; i < s.rows; ++i) {
        s.stiff[i] = 1.0 / s.row[i].soft;
        s.miss[i] = along_row(&s.row[i], velocity) - s.row[i].target;
    }
    mass_times(&s, velocity, s.momentum);
    for (int i = 0; i < s.dofs; ++i)
        s.momentum[i] -= s.drift[i];

    // bounds follow after every step, later only when the rest has settled, at last no more
    double tolerance = TOLERANCE * machine->def->mass;
    int budget = MOVES;
    answer(&s);
    follow_limiters(&s);
    for (work->iterations = 0; work->iterations < STEPS; ++work->iterations) {
        bool gained = newton_step(&s, tolerance);
        if (budget > 0 && (!gained || work->iterations < EARLY)) {
            --budget;
            answer(&s);
            if (follow_limiters(&s) < BOUND_MOVES && !gained)
                break;
        } else if (!gained) {
            break;
        }
    }
    answer(&s);
}
