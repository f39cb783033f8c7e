// lab_args - strict reading of a command line by a table.
//
// Does:     take whole, finite numbers inside their range, words out of a list; answer a wrong one
//           with one sentence, what is allowed, and what was probably meant.
// Does not: exit; the caller returns LAB_EXIT_USAGE.
#ifndef LAB_ARGS_H
#define LAB_ARGS_H

#include <stdbool.h>

// Exit codes of the whole program.
#define LAB_EXIT_FINE    0
#define LAB_EXIT_FAILED  1 // a check or a lesson failed
#define LAB_EXIT_USAGE   2
#define LAB_EXIT_DISPLAY 3 // none, or an OpenGL that is too old
#define LAB_EXIT_MEMORY  4
#define LAB_EXIT_FILE    5

typedef enum LabArgKind {
    LAB_ARG_FLAG, // bool*
    LAB_ARG_INT,  // int*, min..max
    LAB_ARG_WORD, // int*, index into words
    LAB_ARG_TEXT, // const char**, not empty
} LabArgKind;

typedef struct LabArg {
    const char* name; // with its dashes
    LabArgKind kind;
    void* value;
    int min, max;
    const char* const* words; // ends with NULL
    const char* help;
    const char* what; // LAB_ARG_TEXT: what stands for it in the help; NULL: FILE
} LabArg;

// argv without the program's and subcommand's names. `args` ends with a NULL name.
bool lab_args_parse(const LabArg* args, int argc, char** argv);
void lab_args_help(const LabArg* args); // on stdout

// One sentence for a word that is not in the list (which ends with NULL), on stderr.
void lab_args_unknown(const char* what, const char* word, const char* const* words);

#endif
