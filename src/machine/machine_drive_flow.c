#include "machine/machine_drive_internal.h"

static double least(double a, double b)
{
    return a < b ? a : b;
}

// The same share for all who draw from one of the pumps alone, or (pumps = 3) from both.
static void give(MachineDemand* demand, int count, int pumps, double share)
{
    for (int i = 0; i < count; ++i)
        if (demand[i].pumps == pumps)
            demand[i].share = share;
}

static double part(double have, double want)
{
    return want > have ? have / want : 1.0;
}

// want[k]: from the first alone, the second alone, both. All get the share of the whole, unless one
// pump is so much in demand that its own users get less; then the rest has the other pump.
static void share_flow(MachineDemand* demand, int count, MachineSupply* supply,
                       const double want[4])
{
    const double* have = supply->flow;
    double all = part(have[0] + have[1], want[1] + want[2] + want[3]);
    double first = part(have[0], want[1]), second = part(have[1], want[2]), both = all;
    supply->is_short = all < 1.0 || first < 1.0 || second < 1.0;
    if (first < all) {
        both = part(have[1], want[2] + want[3]);
        second = both;
    } else if (second < all) {
        both = part(have[0], want[1] + want[3]);
        first = both;
    } else {
        first = all;
        second = all;
    }
    give(demand, count, 1, first);
    give(demand, count, 2, second);
    give(demand, count, 3, both);
}

// What each pump gives, and against which pressure: that of its heaviest user.
static double load_pumps(const MachineDemand* demand, int count, MachineSupply* supply,
                         double standby)
{
    double given[4] = {0}, power = 0.0;
    for (int k = 0; k < MACHINE_PUMPS_MAX; ++k)
        supply->pressure[k] = standby;
    for (int i = 0; i < count; ++i) {
        given[demand[i].pumps & 3] += demand[i].share * demand[i].flow;
        for (int k = 0; k < MACHINE_PUMPS_MAX; ++k)
            if ((demand[i].pumps >> k & 1) && demand[i].flow > 0.0 &&
                demand[i].pressure > supply->pressure[k])
                supply->pressure[k] = demand[i].pressure;
    }
    // who draws from both takes from each what it has left
    double left = supply->flow[0] - given[1], left2 = supply->flow[1] - given[2];
    double sum = left + left2, from_first = sum > 0.0 ? given[3] * left / sum : 0.0;
    supply->flow[0] = least(supply->flow[0], given[1] + from_first);
    supply->flow[1] = least(supply->flow[1], given[2] + given[3] - from_first);
    for (int k = 0; k < MACHINE_PUMPS_MAX; ++k)
        power += supply->flow[k] * supply->pressure[k];
    return power;
}

void machine_drive_share(MachineDemand* demand, int count, MachineSupply* supply)
{
    double want[4] = {0}, standby = supply->pressure[0];
    for (int i = 0; i < count; ++i)
        want[demand[i].pumps & 3] += demand[i].flow;
    share_flow(demand, count, supply, want);
    double power = load_pumps(demand, count, supply, standby);
    supply->scale = part(supply->power, power);
}

void machine_drive_scale(MachineDemand* demand, int count, MachineSupply* supply, double scale)
{
    for (int i = 0; i < count; ++i)
        demand[i].share *= scale;
    for (int k = 0; k < MACHINE_PUMPS_MAX; ++k)
        supply->flow[k] *= scale;
}
