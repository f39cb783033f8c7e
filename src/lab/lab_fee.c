// fee - the equation of earthmoving against a table worked out by hand.
#include "coupling/coupling_fee.h"
#include "lab/lab_experiments.h"

#include "base/base_math.h"
#include "base/base_trig.h"

#include <stdio.h>

#define FEE_LIMIT 0.005

typedef struct FeeRow {
    float rake;                               // deg
    double beta, n_gamma, force, draft, down; // deg, -, kN
} FeeRow;

// phi 35, delta 20 deg, depth 0.5 m, width 1 m, 1800 kg/m3, no cohesion, no adhesion
static const FeeRow table[] = {
    {30, 35.6, 1.714, 7.57, 5.80, 4.86},    {45, 32.8, 1.610, 7.11, 6.44, 3.00},
    {60, 28.1, 1.820, 8.03, 7.91, 1.39},    {75, 22.4, 2.449, 10.81, 10.77, -0.94},
    {90, 16.2, 4.162, 18.37, 17.26, -6.28},
};

#define FEE_ROWS ((int)(sizeof table / sizeof table[0]))

static void near(LabRun* run, int rake, const char* what, const char* unit, double value,
                 double target, double limit)
{
    char key[LAB_NAME_MAX];
    snprintf(key, sizeof key, "rake_%d.%s", rake, what);
    lab_report_near(run->report, key, unit, value, target, limit);
}

void lab_fee_run(LabRun* run)
{
    const float degree = (float)BASE_DEG;
    CouplingFeeSoil sand = {35 * degree, 20 * degree, 0}, sticky = {35 * degree, 20 * degree, 5000};
    CouplingFeeTable steps, sticky_steps;
    coupling_fee_table(&sand, &steps);
    coupling_fee_table(&sticky, &sticky_steps);
    lab_table_columns(&run->report->table, "rake,beta,n_gamma,draft,down");
    for (int n = 0; n < FEE_ROWS; ++n) {
        const FeeRow* r = &table[n];
        CouplingFeeFactors f = coupling_fee_factors(&sand, r->rake * degree);
        CouplingFeeCut cut = {r->rake * degree, 0.5f, 1800, 0, 0, 9.81f};
        CouplingFeeForce force = coupling_fee_force(&steps, &cut);
        double draft = (double)force.draft / 1000.0, down = (double)force.down / 1000.0;
        double beta = (double)f.failure / BASE_DEG;
        near(run, (int)r->rake, "beta", "deg", beta, r->beta, 0.1); // the minimum is flat
        near(run, (int)r->rake, "n_gamma", "", (double)f.weight, r->n_gamma,
             FEE_LIMIT * r->n_gamma);
        // the tool reads a table of 64 rakes: both must hold
        near(run, (int)r->rake, "draft", "kN", draft, r->draft, FEE_LIMIT * r->force);
        near(run, (int)r->rake, "down", "kN", down, r->down, FEE_LIMIT * r->force);
        const double row[5] = {(double)r->rake, beta, (double)f.weight, draft, down};
        lab_table_row(&run->report->table, row);
    }
    // 10 kPa of cohesion, 5 kPa of adhesion: 25.14 kN across the blade
    CouplingFeeCut cut = {60 * degree, 0.5f, 1800, 10000, 0, 9.81f};
    CouplingFeeFactors f = coupling_fee_factors(&sticky, 60 * degree);
    double weight = 1800 * 9.81 * 0.25 * (double)f.weight;
    double total = weight + 10000 * 0.5 * (double)f.cohesion + 5000 * 0.5 * (double)f.adhesion;
    lab_report_near(run->report, "sticky.force", "kN", total / 1000.0, 25.14, FEE_LIMIT * 25.14);
    // draft and down hold that force and the adhesion along the blade
    CouplingFeeForce force = coupling_fee_force(&sticky_steps, &cut);
    double bite = 80 * BASE_DEG, stick = 5000 * 0.5;
    double draft = total * (double)base_sinf((float)bite) +
                   stick / ((double)base_sinf(60 * degree) / (double)base_cosf(60 * degree));
    lab_report_near(run->report, "sticky.draft", "kN", (double)force.draft / 1000.0, draft / 1000.0,
                    FEE_LIMIT * draft / 1000.0);
    // continuous at any attitude, and never a push forwards
    double worst = 0.0, least = 0.0, last = 0.0;
    for (int k = 0; k <= 1800; ++k) {
        cut.rake = 0.1f * (float)k * degree;
        force = coupling_fee_force(&sticky_steps, &cut);
        double size = (double)vec3_length(vec3(force.draft, force.down, 0.0f));
        double jump = k > 0 ? (size - last) / size : 0.0;
        worst = jump > worst ? jump : -jump > worst ? -jump : worst;
        least = k == 0 || (double)force.draft < least ? (double)force.draft : least;
        last = size;
    }
    lab_report_most(run->report, "largest_jump_in_0.1_deg", "", worst, 0.02);
    lab_report_least(run->report, "least_draft", "kN", least / 1000.0, 0.0);
}
