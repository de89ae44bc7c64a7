#include "arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* What may follow an argument's name and `=`: nothing where all of this is zero, else one of the words, separated by
 * spaces, or a number in decimal digits, or the name of an architecture. */
typedef struct known_argument {
  const char *name;
  const char *words;
  int least, most;
  int is_arch;
} known_argument;

enum { GPU_NAME = 0 };

/* The options of the compiler that decide about machine code and its log. None of them names a file or prints. */
static const known_argument known_arguments[] = {
    [GPU_NAME] = {.name = "--gpu-name", .is_arch = 1},
    {.name = "--opt-level", .most = 3},
    {.name = "--Ofast-compile", .words = "0 min mid max"},
    {.name = "--allow-expensive-optimizations", .words = "true false"},
    {.name = "--compile-only"},
    {.name = "--def-load-cache", .words = "ca cg cs lu cv"},
    {.name = "--def-store-cache", .words = "wb cg cs wt"},
    {.name = "--device-debug"},
    {.name = "--device-stack-protector", .words = "true false"},
    {.name = "--disable-optimizer-constants"},
    {.name = "--dont-merge-basicblocks"},
    {.name = "--extensible-whole-program"},
    {.name = "--fmad", .words = "true false"},
    {.name = "--force-load-cache", .words = "ca cg cs lu cv"},
    {.name = "--force-store-cache", .words = "wb cg cs wt"},
    {.name = "--generate-line-info"},
    {.name = "--make-errors-visible-at-exit"},
    {.name = "--maxntid", .least = 1, .most = 1024},
    {.name = "--maxrregcount", .least = 1, .most = 255},
    {.name = "--minnctapersm", .least = 1, .most = 32},
    {.name = "--optimize-float-atomics"},
    {.name = "--override-directive-values"},
    {.name = "--position-independent-code", .words = "true false"},
    {.name = "--preserve-relocs"},
    {.name = "--register-usage-level", .most = 10},
    {.name = "--return-at-end"},
    {.name = "--sp-bounds-check"},
    {.name = "--split-compile", .most = 1024},
    {.name = "--warn-on-double-precision-use"},
    {.name = "--warn-on-local-memory-usage"},
    {.name = "--warn-on-spills"},
};

/* `sm_` and letters or digits, at most 15 characters. */
static int is_arch(const char *value) {
  const size_t length = strlen(value);
  if (strncmp(value, "sm_", 3) != 0 || length < 5 || length > 15) return 0;
  for (size_t i = 3; i < length; i++) {
    if (!isalnum((unsigned char)value[i])) return 0;
  }
  return 1;
}

static int is_number(const char *value, int least, int most) {
  const size_t length = strlen(value);
  if (length < 1 || length > 5 || strspn(value, "0123456789") != length) return 0;
  const int number = atoi(value);
  return number >= least && number <= most;
}

static int is_word(const char *value, const char *words) {
  const size_t length = strlen(value);
  for (const char *word = words;; word++) {
    const size_t end = strcspn(word, " ");
    if (end == length && strncmp(word, value, length) == 0) return 1;
    word += end;
    if (*word == '\0') return 0;
  }
}

/* `value` is NULL where the argument has no `=`. */
static int is_value(const known_argument *known, const char *value) {
  const int takes_value = known->is_arch || known->words != NULL || known->most != 0;
  if (value == NULL || !takes_value) return value == NULL && !takes_value;
  if (known->is_arch) return is_arch(value);
  return known->words != NULL ? is_word(value, known->words) : is_number(value, known->least, known->most);
}

/* The index in the list, or -1. */
static int find_argument(const char *argument) {
  const size_t length = strcspn(argument, "=");
  const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
  for (size_t i = 0; i < LENGTH(known_arguments); i++) {
    const char *name = known_arguments[i].name;
    if (strlen(name) == length && strncmp(name, argument, length) == 0) {
      return is_value(&known_arguments[i], value) ? (int)i : -1;
    }
  }
  return -1;
}

int mmptxc_list_arguments(const char *arguments, mmptxc_argument_list *list) {
  unsigned char seen[LENGTH(known_arguments)] = {0};
  list->count = 0;
  const size_t length = arguments == NULL ? 0 : strlen(arguments);
  if (length == 0 || length >= sizeof list->text) return 0;
  memcpy(list->text, arguments, length + 1);
  for (char *next = list->text; next != NULL;) {
    char *argument = next;
    next = strchr(argument, ' ');
    if (next != NULL) *next++ = '\0';
    const int known = find_argument(argument);
    if (known < 0 || seen[known]++ || list->count == MMPTXC_MAX_ARGUMENTS - 1) return 0;
    list->items[list->count++] = argument;
  }
  return seen[GPU_NAME];
}
