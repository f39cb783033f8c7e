#include "lab/lab_args.h"

#include "base/base_text.h"

#include <stdio.h>
#include <string.h>

#define ARGS_MAX 32

void lab_args_unknown(const char* what, const char* word, const char* const* words)
{
    const char* nearest = base_text_nearest(word, words);
    fprintf(stderr, "mattock: unknown %s \"%s\"", what, word);
    if (nearest)
        fprintf(stderr, ", did you mean \"%s\"?", nearest);
    fprintf(stderr, "%s", nearest ? " Allowed:" : "; allowed:");
    for (int i = 0; words[i]; ++i)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", words[i]);
    fprintf(stderr, "\n");
}

static const LabArg* find(const LabArg* args, const char* name)
{
    for (; args->name; ++args)
        if (strcmp(args->name, name) == 0)
            return args;
    return NULL;
}

static bool unknown_option(const LabArg* args, const char* word)
{
    const char* names[ARGS_MAX + 1];
    int count = 0;
    while (count < ARGS_MAX && args[count].name) {
        names[count] = args[count].name;
        ++count;
    }
    names[count] = NULL;
    lab_args_unknown("option", word, names);
    return false;
}

static bool take_int(const LabArg* arg, const char* text)
{
    int value;
    if (!base_text_int(text, &value) || value < arg->min || value > arg->max) {
        fprintf(stderr, "mattock: %s cannot be \"%s\"; allowed: a whole number from %d to %d\n",
                arg->name, text, arg->min, arg->max);
        return false;
    }
    *(int*)arg->value = value;
    return true;
}

static bool take_word(const LabArg* arg, const char* text)
{
    for (int i = 0; arg->words[i]; ++i) {
        if (strcmp(arg->words[i], text) == 0) {
            *(int*)arg->value = i;
            return true;
        }
    }
    lab_args_unknown(arg->name + 2, text, arg->words);
    return false;
}

static bool take_text(const LabArg* arg, const char* text)
{
    if (text[0] == '\0') {
        fprintf(stderr, "mattock: %s needs a name; allowed: any that is not empty\n", arg->name);
        return false;
    }
    *(const char**)arg->value = text;
    return true;
}

static bool take(const LabArg* arg, const char* text)
{
    switch (arg->kind) {
    case LAB_ARG_INT: return take_int(arg, text);
    case LAB_ARG_WORD: return take_word(arg, text);
    case LAB_ARG_TEXT: return take_text(arg, text);
    default: return false;
    }
}

bool lab_args_parse(const LabArg* args, int argc, char** argv)
{
    for (int i = 0; i < argc; ++i) {
        const LabArg* arg = find(args, argv[i]);
        if (!arg)
            return unknown_option(args, argv[i]);
        if (arg->kind == LAB_ARG_FLAG) {
            *(bool*)arg->value = true;
            continue;
        }
        if (i + 1 >= argc) {
            fprintf(stderr, "mattock: %s needs a value: %s\n", arg->name, arg->help);
            return false;
        }
        if (!take(arg, argv[++i]))
            return false;
    }
    return true;
}

void lab_args_help(const LabArg* args)
{
    static const char* const shape[] = {"", " N", " NAME", " FILE"};
    for (; args->name; ++args) {
        char left[48];
        snprintf(left, sizeof left, "%s%s%s", args->name, args->what ? " " : shape[args->kind],
                 args->what ? args->what : "");
        printf("  %-18s %s", left, args->help);
        for (int i = 0; args->kind == LAB_ARG_WORD && args->words[i]; ++i)
            printf("%s%s", i > 0 ? ", " : ": ", args->words[i]);
        printf("\n");
    }
}
