#include "sim/sim_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAYER_LAG 6  // steps that the picture may be behind while it plays: late is not skipped
#define PLAYER_FEW 20 // steps that are sooner simulated than a key frame is unpacked

const double sim_player_speeds[SIM_PLAYER_SPEEDS] = {-16.0, -8.0, -4.0, -2.0, -1.0, 0.25,
                                                     0.5,   1.0,  2.0,  4.0,  8.0,  16.0};

static const RecordInfo* player_info(const SimPlayer* p)
{
    return record_info(sim_replay_reader(p->replay));
}

static double player_end(const SimPlayer* p)
{
    return (double)player_info(p)->steps;
}

static bool player_back(const SimPlayer* p)
{
    return p->playing && sim_player_speeds[p->speed] < 0.0;
}

bool sim_player_init(SimPlayer* p, SimReplay* replay)
{
    *p = (SimPlayer){.replay = replay, .speed = SIM_PLAYER_NORMAL, .bad_key = -1};
    p->marks = calloc(1, sizeof *p->marks);
    if (!p->marks) {
        return false;
    }
    RecordReader* reader = sim_replay_reader(replay);
    uint32_t end = player_info(p)->steps;
    uint32_t key = record_key_step(reader, record_key_before(reader, end));
    p->looking = p->look_back = end - key <= SIM_PLAYER_LOOK && end > 0;
    p->marks->total = -1.0;
    return true;
}

void sim_player_free(SimPlayer* p)
{
    free(p->marks);
    *p = (SimPlayer){0};
}

static bool player_jump(SimPlayer* p, int key)
{
    bool fine = sim_replay_jump(p->replay, key);
    p->jumped = true;
    if (!fine) {
        p->bad_key = key;
    }
    return fine;
}

static int player_key(const SimPlayer* p, uint32_t step)
{
    int key = record_key_before(sim_replay_reader(p->replay), step);
    return p->bad_key >= 0 && key >= p->bad_key ? p->bad_key - 1 : key;
}

static uint32_t player_key_step(const SimPlayer* p, int key)
{
    return key < 0 ? 0 : record_key_step(sim_replay_reader(p->replay), key);
}

// --- what is wanted ------------------------------------------------------------------------------

static void player_gather(SimPlayer* p)
{
    sim_marks_gather(p->replay, p->marks);
    p->marked = true;
}

// Incidents of nearly everything are known there; false when it has been there.
static bool player_to_last_key(SimPlayer* p)
{
    int key = player_key(p, player_info(p)->steps);
    if (sim_replay_steps(p->replay) >= player_key_step(p, key) || !player_jump(p, key)) {
        return false;
    }
    player_gather(p);
    return true;
}

// Somebody wants something else than to wait for the marks of the last seconds.
static void player_stop_looking(SimPlayer* p)
{
    if (p->looking) {
        p->looking = false;
        player_to_last_key(p);
        player_gather(p);
    }
}

void sim_player_play(SimPlayer* p, bool on)
{
    player_stop_looking(p);
    if (sim_player_speeds[p->speed] < 0.0) {
        p->speed = SIM_PLAYER_NORMAL;
    }
    if (on && p->at >= player_end(p)) {
        p->at = 0.0;
    }
    p->playing = on;
}

void sim_player_set_speed(SimPlayer* p, int speed)
{
    player_stop_looking(p);
    p->speed = speed < 0 ? 0 : speed >= SIM_PLAYER_SPEEDS ? SIM_PLAYER_SPEEDS - 1 : speed;
}

void sim_player_seek(SimPlayer* p, double step)
{
    player_stop_looking(p);
    double end = player_end(p);
    p->at = !(step > 0.0) ? 0.0 : step > end ? end : (double)(uint32_t)(step + 0.5);
}

void sim_player_to_mark(SimPlayer* p, int by)
{
    const SimMarks* m = p->marks;
    double now = p->at / WORLD_RATE, found = -1.0;
    for (int k = 0; k < m->count; ++k) {
        double time = m->mark[k].time;
        // a little before it, as sim_player_to_mark() goes there
        bool after = by > 0 && time > now + 1.05 && found < 0.0;
        bool before = by < 0 && time < now + 0.95;
        if (after || before) {
            found = time;
        }
    }
    if (found >= 0.0) {
        sim_player_seek(p, (found - 1.0) * WORLD_RATE);
    } else {
        sim_player_seek(p, by > 0 ? player_end(p) : 0.0);
    }
}

void sim_player_advance(SimPlayer* p, double seconds)
{
    if (!p->playing || p->looking) {
        return;
    }
    double speed = sim_player_speeds[p->speed], end = player_end(p);
    double now = (double)sim_replay_steps(p->replay);
    double at = p->at + seconds * speed * WORLD_RATE;
    if (speed > 0.0) {
        // every step is simulated while it plays; a slow computer plays slower
        double most = now + PLAYER_LAG + speed;
        at = p->at > now + PLAYER_LAG + speed ? p->at : at > most ? most : at;
    }
    p->at = at < 0.0 ? 0.0 : at > end ? end : at;
    if (p->at <= 0.0 || p->at >= end) {
        p->playing = speed > 0.0 ? p->at < end : p->at > 0.0;
    }
}

// --- what is done --------------------------------------------------------------------------------

// What is behind the last key frame, then back to where one begins.
static bool player_look(SimPlayer* p)
{
    uint32_t end = player_info(p)->steps, now = sim_replay_steps(p->replay);
    if (player_to_last_key(p) || (now < end && sim_replay_step(p->replay))) {
        return true;
    }
    player_stop_looking(p);
    return true;
}

static bool player_rewind(SimPlayer* p, uint32_t target)
{
    int key = player_key(p, target);
    return player_key_step(p, key) != sim_replay_steps(p->replay) && player_jump(p, key) && false;
}

bool sim_player_work(SimPlayer* p)
{
    uint32_t target = (uint32_t)p->at, now = sim_replay_steps(p->replay);
    if (p->looking) {
        return player_look(p);
    }
    if (player_back(p)) {
        return player_rewind(p, target);
    }
    if (now == target) {
        return false;
    }
    int key = player_key(p, target);
    uint32_t from = player_key_step(p, key);
    if (now > target || (!p->playing && from > now + PLAYER_FEW) ||
        (p->playing && from > now + 2 * PLAYER_LAG + 32)) {
        player_jump(p, key);
        return sim_replay_steps(p->replay) != target;
    }
    if (!sim_replay_step(p->replay)) {
        p->at = (double)now; // a second that cannot be unpacked is the end
        return false;
    }
    // what is known of incidents grows with what was simulated
    if ((now + 1) % WORLD_RATE == 0 && (double)(now + 1) / WORLD_RATE > p->marks->known + 0.5) {
        player_gather(p);
    }
    return sim_replay_steps(p->replay) != target;
}

bool sim_player_there(const SimPlayer* p)
{
    return !p->looking && sim_replay_steps(p->replay) == (uint32_t)p->at;
}

// --- what is told --------------------------------------------------------------------------------

void sim_player_frame(SimPlayer* p, InputFrame* out)
{
    uint32_t step = sim_replay_steps(p->replay);
    memset(out, 0, sizeof *out);
    if (step > 0 && !record_input(sim_replay_reader(p->replay), step - 1, out)) {
        memset(out, 0, sizeof *out);
    }
}

static void player_proof(const SimPlayer* p, SimPlayerNews* out)
{
    bool leading = true;
    out->different = UINT32_MAX;
    for (uint32_t s = 0; s < out->seconds; ++s) {
        int proved = sim_replay_proved(p->replay, s);
        leading = leading && proved == 1;
        out->proved += leading;
        out->checked += proved == 1;
        if (proved == 2 && out->different == UINT32_MAX) {
            out->different = s;
        }
    }
}

// For a bar: a part is as good as the worst second in it.
static void player_parts(const SimPlayer* p, SimPlayerNews* out)
{
    for (uint32_t k = 0; k < SIM_PLAYER_PARTS && out->seconds > 0; ++k) {
        uint32_t from = k * out->seconds / SIM_PLAYER_PARTS;
        uint32_t to = (k + 1) * out->seconds / SIM_PLAYER_PARTS;
        int worst = 1;
        for (uint32_t s = from; s < to || s == from; ++s) {
            int proved = sim_replay_proved(p->replay, s);
            worst = proved == 2 || worst == 2 ? 2 : proved == 0 ? 0 : worst;
        }
        out->part[k] = (uint8_t)worst;
    }
}

void sim_player_news(const SimPlayer* p, SimPlayerNews* out)
{
    const RecordInfo* info = player_info(p);
    const RecordDifference* d = sim_replay_difference(p->replay);
    *out = (SimPlayerNews){.on = true,
                           .now = sim_replay_steps(p->replay),
                           .at = (uint32_t)p->at,
                           .steps = info->steps,
                           .speed = p->speed,
                           .playing = p->playing,
                           .looking = p->looking,
                           .complete = info->complete,
                           .site = sim_replay_site(p->replay) != NULL,
                           .seconds = info->hashed};
    out->key = player_key_step(p, player_key(p, out->at));
    player_proof(p, out);
    player_parts(p, out);
    if (d->kind != RECORD_SAME) {
        snprintf(out->trouble, sizeof out->trouble, "%s", d->text);
    } else if (p->bad_key >= 0) {
        uint32_t s = record_key_step(sim_replay_reader(p->replay), p->bad_key) / WORLD_RATE;
        snprintf(out->trouble, sizeof out->trouble,
                 "the key frame at %u:%02u is not the state that was recorded there", s / 60,
                 s % 60);
    } else if (info->damage[0]) {
        snprintf(out->trouble, sizeof out->trouble, "%s", info->damage);
    }
}
