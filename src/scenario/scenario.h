// scenario - a lesson as its author writes it, and what it asks for at any moment.
//
// Does:     read lesson files; tell target heights, zones and places; follow goals and events.
// Does not: simulate, score or draw. It is told where things are and says what that means.
// Units:    SI and radians inside. Positions in files are [x, z] from the corner of the site, as in
//           site files; scenario_world() turns them into the world's. y is 0 on the site's natural ground.
// Format:   docs/scenarios.md.
// Threads:  a loaded Scenario is const; a ScenarioState belongs to one thread and is plain data.
#ifndef SCENARIO_H
#define SCENARIO_H

#include "base/base_arena.h"
#include "base/base_math.h"
#include "base/base_yaml.h"
#include "score/score.h"
#include "site/site.h"
#include "site/site_def.h"

#define SCENARIO_GOALS_MAX   32
#define SCENARIO_ZONES_MAX   32
#define SCENARIO_OBJECTS_MAX 64
#define SCENARIO_EVENTS_MAX  32
#define SCENARIO_POINTS_MAX  64
#define SCENARIO_ABSENT      -1e30f // of a number that a file left out

static inline bool scenario_absent(float x)
{
    return x < -1e20f; // SCENARIO_ABSENT may have been turned from degrees into radians
}

// --- what is on the site -------------------------------------------------------------------------

typedef enum ScenarioWeatherKind {
    SCENARIO_DRY,
    SCENARIO_MOIST,
    SCENARIO_WET,
    SCENARIO_WEATHERS
} ScenarioWeatherKind;

// Factors on what config/materials.yaml states for moist soil.
typedef struct ScenarioWeather {
    float density, friction, cohesion, steel_friction, steel_adhesion, repose, swell;
} ScenarioWeather;

typedef struct ScenarioWeathers {
    ScenarioWeather dry, moist, wet;
} ScenarioWeathers;

typedef enum ScenarioPattern { SCENARIO_ANY, SCENARIO_ISO, SCENARIO_SAE } ScenarioPattern;

typedef struct ScenarioMachine {
    const char* vehicle;       // name in vehicles/
    float at[2];               // m
    float heading;             // rad, 0 looks along +x, 90 degrees along +z
    float swing;               // rad, of the house
    float boom, stick, bucket; // rad; SCENARIO_ABSENT: as the vehicle file starts
    int pattern;               // ScenarioPattern
} ScenarioMachine;

typedef struct ScenarioPipe {
    float from[2], to[2];
    float depth;    // m, of its top below the ground when the lesson begins
    float diameter; // m
    bool marked;    // shown on the ground
} ScenarioPipe;

typedef struct ScenarioLine { // overhead
    float from[2], to[2];
    float height;    // m above the ground
    float clearance; // m, nearer than this is dangerous
} ScenarioLine;

typedef struct ScenarioSpot { // cone, stake, person
    float at[2];
    float walks_to[2]; // persons; SCENARIO_ABSENT: stands
    float speed;       // m/s
} ScenarioSpot;

typedef struct ScenarioWall {
    float from[2], to[2];
    float height, thickness; // m
} ScenarioWall;

typedef struct ScenarioTruck {
    const char* vehicle;
    float at[2];   // m, where it stands to be loaded
    float heading; // rad
    float load;    // kg it should get
    float from[2]; // m, where it comes from and leaves to; SCENARIO_ABSENT: it is there and stays
    float speed;   // m/s
    int trips;     // how often it comes
    float pause;   // s between leaving full and being there again
    float payload; // kg already on it
} ScenarioTruck;

// Exactly one pointer is not NULL.
typedef struct ScenarioObject {
    const char* name;
    ScenarioPipe *pipe, *cable;
    ScenarioLine* line;
    ScenarioSpot *cone, *stake, *person;
    ScenarioWall* wall;
    ScenarioTruck* truck;
    bool hidden; // until an event lets it appear
} ScenarioObject;

// --- what is to be done --------------------------------------------------------------------------

typedef struct ScenarioPit {
    float from[2], to[2]; // m, corners of its floor
    float depth;          // m below the ground at its middle when the lesson begins
    float sides;          // rad
} ScenarioPit;

typedef struct ScenarioTrench {
    float from[2], to[2]; // m, ends of the middle line of its floor
    float width, depth;   // m; depth below the ground at `from`
    float grade;          // fall from `from` to `to`, m per m
    float sides;          // rad
} ScenarioTrench;

typedef struct ScenarioSlope { // a plane that rises to the left of its toe, seen from -> to
    float from[2], to[2];      // m, toe
    float toe;                 // m, height of the toe
    float angle;               // rad
    float length;              // m, horizontal
} ScenarioSlope;

typedef struct ScenarioPad {
    float* outline; // [outline_count] x, z, x, z, ... m
    int outline_count;
    float height; // m
} ScenarioPad;

typedef struct ScenarioFill {
    float from[2], to[2]; // m, ends of the middle line
    float width;          // m
    float height;         // m, of the finished ground
    float compaction;     // 0..1 asked for; 0: none
    float lift;           // m, thickness of one layer, for the hints
} ScenarioFill;

typedef struct ScenarioPose {
    float swing, boom, stick, bucket; // rad; SCENARIO_ABSENT: anywhere
    float tolerance;                  // rad
    float hold;                       // s
} ScenarioPose;

typedef struct ScenarioReach { // with the middle of the cutting edge
    float* points;             // [points_count] x, y, z, ... m
    int points_count;
    float radius, hold; // m, s
} ScenarioReach;

typedef struct ScenarioTrace { // the same along a line
    float* points;             // x, y, z, ... m
    int points_count;
    float radius; // m: where it begins, ends, and is left
    float level;  // rad, asked of the bucket floor; SCENARIO_ABSENT: anything
} ScenarioTrace;

typedef struct ScenarioDrive { // with the middle of the undercarriage
    float* points;             // x, z, ... m
    int points_count;
    float radius; // m
} ScenarioDrive;

typedef struct ScenarioLoad {
    int trucks;
} ScenarioLoad;

typedef struct ScenarioPile {
    const char* zone;
    float mass; // kg
} ScenarioPile;

// Exactly one pointer is not NULL.
typedef struct ScenarioGoal {
    const char* name;
    const char* hint; // shown while it is the next one; may be NULL
    float tolerance;  // m, of surfaces
    float done;       // 0..1 of the area that must be in tolerance
    ScenarioPit* pit;
    ScenarioTrench* trench;
    ScenarioSlope* slope;
    ScenarioPad* pad;
    ScenarioFill* fill;
    ScenarioPose* pose;
    ScenarioReach* reach;
    ScenarioTrace* trace;
    ScenarioDrive* drive;
    ScenarioLoad* load;
    ScenarioPile* pile;
} ScenarioGoal;

typedef enum ScenarioZoneKind {
    SCENARIO_ZONE_DIG,
    SCENARIO_ZONE_DUMP,
    SCENARIO_ZONE_SPOIL,
    SCENARIO_ZONE_HAUL,
    SCENARIO_ZONE_KEEP_OUT,
    SCENARIO_ZONE_SWING, // where people may not be while the machine works
} ScenarioZoneKind;

typedef struct ScenarioZone {
    const char* name;
    int kind; // ScenarioZoneKind
    float* outline;
    int outline_count;
    float center[2], radius; // a circle when radius > 0
} ScenarioZone;

typedef enum ScenarioEventKind {
    SCENARIO_SAY,
    SCENARIO_ALARM, // everybody stops until it is over
    SCENARIO_APPEAR,
    SCENARIO_LEAVE,
    SCENARIO_CHANGE_WEATHER,
    SCENARIO_FAULT,
} ScenarioEventKind;

typedef enum ScenarioFaultKind {
    SCENARIO_FAULT_NONE,
    SCENARIO_FAULT_SLOW_PUMP,  // half the flow
    SCENARIO_FAULT_WEAK_BOOM,  // relief of the boom at two thirds
    SCENARIO_FAULT_ENGINE_HOT, // engine at half its power
} ScenarioFaultKind;

typedef struct ScenarioEvent {
    const char* name;
    int does;         // ScenarioEventKind
    float time;       // s; SCENARIO_ABSENT: by progress
    float progress;   // 0..1 of `goal`, or of the lesson when that is NULL
    const char* goal; //
    float duration;   // s; of alarms, faults, and how long words stay
    const char* say;  // may be NULL, except for kind say
    const char* object;
    int weather; // ScenarioWeatherKind
    int fault;   // ScenarioFaultKind
} ScenarioEvent;

// --- how it is judged and shown ------------------------------------------------------------------

typedef struct ScenarioCriterion {
    const char* measure;
    float at_least, at_most; // in the measure's unit; -+SCORE_UNBOUNDED
    float margin, weight;
    int pillar, severity;
} ScenarioCriterion;

typedef struct ScenarioPillars {
    float safety, quality, economy;
} ScenarioPillars;

typedef enum ScenarioProgram {
    SCENARIO_IDLE,
    SCENARIO_DIG_PIT,
    SCENARIO_DIG_TRENCH,
    SCENARIO_LOAD_TRUCKS,
    SCENARIO_STOCKPILE,
    SCENARIO_BACKFILL,
    SCENARIO_FOLLOW, // poses, points, lines
    SCENARIO_FINISH_SLOPE,
} ScenarioProgram;

typedef struct ScenarioOperator {
    int program;       // ScenarioProgram
    const char* goal;  // which; NULL: all in turn
    const char* dump;  // zone
    const char* truck; // object
    float cut;         // m, thickness of a pass; 0: its own choice
} ScenarioOperator;

typedef struct Scenario {
    const char* title;
    const char* description;
    const char* instructions; // read before the start, several lines
    int level;                // 0 first steps, 1 basic, 2 advanced
    float time_limit;         // s
    bool free;                // no result: practice
    const char* site;         // name in config/sites, or a path beside the file; or
    SiteDef* own_site;
    int weather; // ScenarioWeatherKind
    int seed;
    ScenarioMachine machine;
    ScenarioObject* objects;
    int object_count;
    ScenarioGoal* goals;
    int goal_count;
    ScenarioZone* zones;
    int zone_count;
    ScenarioEvent* events;
    int event_count;
    ScenarioCriterion* criteria;
    int criterion_count;
    ScenarioPillars pillars;
    float pass; // points
    ScenarioOperator operator;

    ScoreRules rules; // the criteria, as score takes them
} Scenario;

// --- reading -------------------------------------------------------------------------------------

// Finds a shipped file, "config/sites/flat.yaml" or "vehicles/x.yaml"; false when there is none:
// base_path_find(), or a test's own.
typedef bool ScenarioFind(const char* name, char* path, size_t size);

// False when something is wrong, with file:line:column: key: what; what is allowed. The site itself
// is not built; see scenario_build_site().
bool scenario_load(const char* path, ScenarioFind* find, BaseArena* arena, Scenario* out,
                   BaseYamlError* error);
bool scenario_read(const char* name, const char* text, size_t length, BaseArena* arena,
                   Scenario* out, BaseYamlError* error); // without looking for other files

// The ground, and whether everything that is placed lies on it. Materials must be those of the
// weather: scenario_weather_apply(). NULL with the reason in error.
Terrain* scenario_build_site(const Scenario* scenario, const char* path, ScenarioFind* find,
                             const MaterialSet* materials, BaseArena* arena, SiteInfo* info,
                             BaseYamlError* error);

// A lesson has goals, criteria or instructions at its top level.
bool scenario_recognise(const char* path);

bool scenario_weather_load(const char* path, BaseArena* arena, ScenarioWeathers* out,
                           BaseYamlError* error);
const ScenarioWeather* scenario_weather(const ScenarioWeathers* weathers, int kind);
// Changes materials in place, and the grains that go with them by the calibration's curve.
void scenario_weather_apply(const ScenarioWeather* weather, MaterialSet* materials,
                            MaterialCalibration* calibration);

// --- geometry ------------------------------------------------------------------------------------

// All below is measured from the corner of the site and from its natural height, as in files.
Vec3 scenario_world(const TerrainDef* site, Vec3 from_corner);
Vec3 scenario_from_corner(const TerrainDef* site, Vec3 world);
// Files turn to the right, from +x to +z; the world turns about +y, to the left. Also for swing.
float scenario_world_angle(float angle);
bool scenario_in_outline(const float* outline, int count, float x, float z);
bool scenario_in_zone(const ScenarioZone* zone, float x, float z);
bool scenario_is_surface(const ScenarioGoal* goal);

// Where floors lie: fixed when the lesson begins.
typedef struct ScenarioFloors {
    float level[SCENARIO_GOALS_MAX]; // m, height that a goal's depth is counted from
} ScenarioFloors;

void scenario_place_goals(const Scenario* scenario, const Terrain* start, ScenarioFloors* out);
// Height that a goal wants at a place; false where it wants nothing.
bool scenario_target(const Scenario* scenario, const ScenarioFloors* floors, int goal, float x,
                     float z, float* height);
// The same of all goals, the later one where they overlap.
bool scenario_target_at(const Scenario* scenario, const ScenarioFloors* floors, float x, float z,
                        float* height);
// Where soil at this place counts for the score.
ScorePlace scenario_place(const Scenario* scenario, const ScenarioFloors* floors, float x, float z);
// The same for every column; out is [nz][nx].
void scenario_place_map(const Scenario* scenario, const ScenarioFloors* floors,
                        const TerrainDef* site, uint8_t* out);

// Soil in the ground at each place, mg. What is in buckets, trucks and the air is the caller's.
void scenario_places(const uint8_t* map, const Terrain* now, int64_t out[SCORE_PLACE_COUNT]);
// Soil in the ground of each zone, kg; for goals of kind pile.
void scenario_zone_masses(const Scenario* scenario, const Terrain* now,
                          double out[SCENARIO_ZONES_MAX]);

// The ground against its targets. `start` is the height of every column when the lesson began, `bank` that of its
// undisturbed soil. Too slow for a step on a large site: call it once a second, and at the end.
typedef struct ScenarioSurvey {
    ScoreSurvey score;
    float progress[SCENARIO_GOALS_MAX]; // 0..1, of surfaces
    float in_tolerance[SCENARIO_GOALS_MAX];
} ScenarioSurvey;

void scenario_survey(const Scenario* scenario, const ScenarioFloors* floors, const Terrain* now,
                     const float* start, const float* bank, ScenarioSurvey* out);
// Height above target per column, SCENARIO_ABSENT where there is none; for pictures.
void scenario_error_map(const Scenario* scenario, const ScenarioFloors* floors, const Terrain* now,
                        float* out);

// --- running -------------------------------------------------------------------------------------

// What the world tells once a step.
typedef struct ScenarioNow {
    double time;       // s since the start
    double h;          // s, of this step
    Vec3 edge;         // m, middle of the cutting edge, from the site's corner; y as in the file
    float edge_angle;  // rad, bucket floor against level
    Vec3 base;         // m, middle of the undercarriage, from the corner
    float joint[4];    // rad, swing, boom, stick, bucket
    int trucks_full;   // trucks that got their load so far
    float trucks_part; // 0.. of the loads of those that still stand there
    const double* zone_mass;      // [zone_count] kg more than at the start; NULL: unknown
    const ScenarioSurvey* survey; // the last one; NULL: none yet
} ScenarioNow;

typedef struct ScenarioState {
    float progress[SCENARIO_GOALS_MAX]; // 0..1
    float hold[SCENARIO_GOALS_MAX];     // s
    int16_t point[SCENARIO_GOALS_MAX];  // next one of reach, trace and drive
    bool done[SCENARIO_GOALS_MAX];
    double fired[SCENARIO_EVENTS_MAX]; // s, when; < 0: not yet
    bool present[SCENARIO_OBJECTS_MAX];
    double alarm_until; // s
    double fault_until;
    int fault;     // ScenarioFaultKind
    int weather;   // ScenarioWeatherKind
    float total;   // 0..1
    int next;      // the goal to do; -1: all are done
    bool finished; // all goals done
    bool timed_out;
    bool tracing;
    float trace_error, trace_level; // m, rad
} ScenarioState;

void scenario_begin(const Scenario* scenario, ScenarioState* out);
// Events that fire in this step are written to `fired` (room for SCENARIO_EVENTS_MAX numbers); returns
// how many.
int scenario_step(const Scenario* scenario, ScenarioState* state, const ScenarioNow* now,
                  int* fired);

#endif
