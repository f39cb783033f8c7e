#include "lab/lab_mjcf.h"

#include "base/base_log.h"
#include "base/base_text.h"
#include "lab/lab_args.h"

#include <string.h>

#define MJCF_ARENA (64u << 20)

static void put(FILE* file, const char* name, const float* values, int count)
{
    fprintf(file, " %s=\"", name);
    for (int i = 0; i < count; ++i) {
        char text[BASE_TEXT_NUMBER];
        fprintf(file, "%s%s", i > 0 ? " " : "", base_text_from_double(text, (double)values[i]));
    }
    fprintf(file, "\"");
}

static void put_one(FILE* file, const char* name, double value)
{
    char text[BASE_TEXT_NUMBER];
    fprintf(file, " %s=\"%s\"", name, base_text_from_double(text, value));
}

static double motor_inertia(const MachineDef* def, int body)
{
    double sum = 0.0;
    for (int i = 0; i < def->motor_count; ++i)
        if (def->motors[i].body == body)
            sum += (double)def->motors[i].inertia;
    return sum;
}

static void write_joint(const MachineDef* def, int i, FILE* file, int indent)
{
    const MachineBody* body = &def->bodies[i];
    fprintf(file, "%*s", indent, "");
    if (body->joint == MACHINE_FREE) {
        fprintf(file, "<freejoint name=\"%s\"/>\n", body->name);
        return;
    }
    fprintf(file, "<joint name=\"%s\" type=\"%s\"", body->name,
            body->joint == MACHINE_SLIDE ? "slide" : "hinge");
    put(file, "axis", &body->axis.x, 3);
    put_one(file, "damping", (double)body->damping);
    put_one(file, "armature", motor_inertia(def, i));
    fprintf(file, "/>\n");
}

static void write_body(const MachineDef* def, int i, FILE* file, int indent)
{
    const MachineBody* body = &def->bodies[i];
    fprintf(file, "%*s<body name=\"%s\"", indent, "", body->name);
    put(file, "pos", &body->pin.x, 3);
    fprintf(file, ">\n%*s<inertial", indent + 2, "");
    put(file, "pos", &body->com.x, 3);
    put_one(file, "mass", body->mass);
    put(file, "fullinertia", body->inertia, 6);
    fprintf(file, "/>\n");
    write_joint(def, i, file, indent + 2);
    for (int k = i + 1; k < def->body_count; ++k)
        if (def->bodies[k].parent == i)
            write_body(def, k, file, indent + 2);
    fprintf(file, "%*s</body>\n", indent, "");
}

bool lab_mjcf_write(const MachineDef* def, FILE* file)
{
    fprintf(file,
            "<mujoco model=\"%s\">\n"
            "  <compiler angle=\"radian\" coordinate=\"local\"/>\n"
            "  <option gravity=\"0 -9.81 0\" timestep=\"0.0005\" integrator=\"RK4\"/>\n"
            "  <worldbody>\n",
            def->title);
    write_body(def, 0, file, 4);
    fprintf(file, "  </worldbody>\n</mujoco>\n");
    return fflush(file) == 0 && !ferror(file);
}

static int export(const char* path)
{
    BaseArena arena;
    BaseYamlError error;
    MachineDef def;
    if (!base_arena_init(&arena, MJCF_ARENA)) {
        base_error("not enough memory for the vehicle's file");
        return LAB_EXIT_MEMORY;
    }
    int status = LAB_EXIT_FILE;
    if (!machine_load(path, &arena, &def, &error))
        base_error("%s", error.text);
    else if (lab_mjcf_write(&def, stdout))
        status = LAB_EXIT_FINE;
    base_arena_free(&arena);
    return status;
}

int lab_mjcf_main(int argc, char** argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf("usage: mattock lab mjcf VEHICLE > FILE\n\n"
               "Writes the vehicle's bodies and joints in MuJoCo's format.\n");
        return LAB_EXIT_FINE;
    }
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "mattock: lab mjcf needs one vehicle file, as in "
                        "`mattock lab mjcf vehicles/excavator_22t.yaml`\n");
        return LAB_EXIT_USAGE;
    }
    return export(argv[1]);
}
