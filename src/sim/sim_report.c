#include "sim/sim_internal.h"

#include <stdio.h>

static const char* report_hands(const Sim* sim)
{
    return sim->scripted ? sim->def.script : operator_kind_words[sim->def.kind];
}

void sim_line(const Sim* sim, double wall, char* out, size_t size)
{
    const WorldProfile* p = world_profile(sim->world);
    const OperatorState* hands = &sim->hands.state;
    double time = world_time(sim->world);
    const CouplingToolState* tool = coupling_fleet_tool(world_fleet(sim->world), 0, 0);
    snprintf(out, size, "%6.1f s, %4.1f x real time, cycle %d %s, %d grains, %.0f kg in the tool",
             time, wall > 0.0 ? time / wall : 0.0, hands->cycles + 1,
             sim->scripted ? "script" : operator_phase_name((OperatorPhase)hands->phase), p->grains,
             tool->payload);
}

static void report_times(BaseJson* j, const char* key, const SimTimes* t)
{
    base_json_begin_object(j, key);
    base_json_double(j, "median_ms", 1e3 * sim_times_quantile(t, 0.5));
    base_json_double(j, "p95_ms", 1e3 * sim_times_quantile(t, 0.95));
    base_json_double(j, "p99_ms", 1e3 * sim_times_quantile(t, 0.99));
    base_json_double(j, "max_ms", 1e3 * t->max);
    base_json_double(j, "sum_s", t->sum);
    base_json_end(j);
}

static void report_setup(const Sim* sim, BaseJson* j)
{
    const SimDef* d = &sim->def;
    base_json_string(j, "site", d->site);
    base_json_string(j, "vehicle", d->vehicle);
    base_json_string(j, "truck", d->truck);
    base_json_string(j, "operator", report_hands(sim));
    base_json_string(j, "program", operator_program_words[d->program]);
    base_json_int(j, "threads", world_threads(sim->world));
    base_json_double(j, "radius_mm", 1e3 * (double)d->radius);
    base_json_int(j, "pool", d->pool);
    base_json_int(j, "seed", (int64_t)d->seed);
}

static void report_state(Sim* sim, double wall, BaseJson* j)
{
    World* w = sim->world;
    WorldHash hash = world_hash(w);
    base_json_int(j, "ledger_imbalance_mg", world_imbalance(w));
    base_json_bool(j, "ledger_audit", world_audit(w));
    base_json_hex(j, "hash", hash.total);
    base_json_hex(j, "hash_soil", hash.soil);
    base_json_hex(j, "hash_terrain", hash.terrain);
    base_json_hex(j, "hash_machines", hash.machines);
    base_json_int(j, "steps", (int64_t)world_steps(w));
    base_json_double(j, "seconds", world_time(w));
    base_json_double(j, "wall_s", wall);
    base_json_double(j, "realtime_factor", wall > 0.0 ? world_time(w) / wall : 0.0);
    base_json_int(j, "deadline_misses", (int64_t)sim->misses);
}

static void report_phases(const Sim* sim, BaseJson* j)
{
    base_json_begin_object(j, "phases");
    report_times(j, "step", &sim->step);
    for (int k = 0; k < WORLD_PHASE_COUNT; ++k) {
        report_times(j, world_phase_name((WorldPhase)k), &sim->phase[k]);
    }
    base_json_end(j);
}

static void report_cycle(const SimCycle* c, bool settled, BaseJson* j)
{
    const OperatorCycle* p = &c->part;
    base_json_begin_object(j, NULL);
    base_json_double(j, "end_s", c->at);
    base_json_double(j, "time_s", p->dig + p->haul + p->dump + p->back);
    base_json_double(j, "dig_s", p->dig);
    base_json_double(j, "swing_loaded_s", p->haul);
    base_json_double(j, "dump_s", p->dump);
    base_json_double(j, "swing_empty_s", p->back);
    base_json_double(j, "payload_kg", p->payload);
    base_json_double(j, "fill_percent", 100.0 * p->fill);
    base_json_double(j, "left_kg", p->left);
    if (settled) {
        base_json_double(j, "landed_kg", c->landed);
        base_json_double(j, "spill_kg", c->spill);
    }
    base_json_double(j, "deepest_m", p->deepest);
    base_json_int(j, "stalled_frames", p->stalls);
    base_json_end(j);
}

static void report_work(const Sim* sim, BaseJson* j)
{
    double time = 0.0, fill = 0.0;
    base_json_begin_array(j, "cycles");
    for (int k = 0; k < sim->cycles; ++k) {
        const OperatorCycle* p = &sim->cycle[k].part;
        report_cycle(&sim->cycle[k], k < sim->settled, j);
        time += p->dig + p->haul + p->dump + p->back;
        fill += p->fill;
    }
    base_json_end(j);
    int n = sim->cycles > 0 ? sim->cycles : 1;
    base_json_int(j, "cycle_count", sim->cycles);
    base_json_double(j, "cycle_time_s", time / n);
    base_json_double(j, "fill_percent", 100.0 * fill / n);
    base_json_double(j, "lifted_kg", sim->lifted);
    base_json_double(j, "landed_kg", sim->landed);
    base_json_double(j, "spill_kg", sim->spill);
    base_json_double(j, "spill_percent",
                     sim->lifted > 0.0 ? 100.0 * sim->spill / sim->lifted : 0.0);
}

static void report_machine(const Sim* sim, BaseJson* j)
{
    const MachineDriveState* drive = &machine_state(world_machine(sim->world, 0))->drive;
    base_json_begin_object(j, "machine");
    base_json_double(j, "fuel_l", 1e3 * drive->fuel);
    base_json_double(j, "resistance_max_kn", 1e-3 * sim->resistance_max);
    base_json_double(j, "grain_force_max_kn", 1e-3 * sim->force_max);
    base_json_double(j, "pump_pressure_max_mpa", 1e-6 * sim->pressure_max);
    base_json_double(j, "tilt_max_deg", sim->tilt_max / (double)BASE_DEG);
    base_json_int(j, "relief_steps", (int64_t)sim->stalled);
    base_json_end(j);
}

static void report_faults(const Sim* sim, BaseJson* j)
{
    const WorldFaults* f = world_faults(sim->world);
    base_json_begin_object(j, "faults");
    base_json_int(j, "unbalanced_steps", f->lost);
    base_json_int(j, "bad_grains", f->bad_grains);
    base_json_int(j, "machine_resets", f->machine_resets);
    base_json_int(j, "input", f->input);
    base_json_int(j, "pool_full", f->pool_full);
    base_json_int(j, "hasty_steps", f->hasty);
    base_json_int(j, "crowded_steps", f->crowded);
    base_json_end(j);
}

static void report_series(const Sim* sim, BaseJson* j)
{
    base_json_int(j, "grains_max", sim->grains_max);
    base_json_begin_object(j, "over_time");
    for (int column = 0; column < 6; ++column) {
        static const char* const name[6] = {"time_s",     "grains",        "contacts",
                                            "payload_kg", "resistance_kn", "pump_mpa"};
        base_json_begin_array(j, name[column]);
        for (int k = 0; k < sim->series.count; ++k) {
            const SimSample* s = &sim->sample[k];
            const double value[6] = {
                s->time, s->grains, s->contacts, s->payload, 1e-3 * s->resistance, 1e-6 * s->pump};
            base_json_double(j, NULL, value[column]);
        }
        base_json_end(j);
    }
    base_json_end(j);
}

void sim_report(Sim* sim, double wall, bool interrupted, BaseJson* j)
{
    base_json_begin_object(j, NULL);
    report_setup(sim, j);
    base_json_bool(j, "finished", sim->finished);
    base_json_bool(j, "interrupted", interrupted);
    report_state(sim, wall, j);
    report_work(sim, j);
    report_machine(sim, j);
    report_faults(sim, j);
    report_phases(sim, j);
    report_series(sim, j);
    base_json_end(j);
}
