/* The implementation of mmptxc.h on top of the static nvPTXCompiler library, whose option parser would read any file it is told
 * to and print to stdout: every argument is checked against a closed list first. */
#include "mmptxc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvPTXCompiler.h"

#ifndef MMPTXC_COMPILER_VERSION
#error "MMPTXC_COMPILER_VERSION must name the version of the linked compiler"
#endif

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define MAX_ARGUMENTS 32

/* The arguments in memory of their own, as the compiler takes them. */
typedef struct argument_list {
  char text[MMPTXC_ARGUMENTS_SIZE];
  const char *items[MAX_ARGUMENTS];
  int count;
} argument_list;

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

/* False for an argument that is not on the list or is there twice (the compiler would take the last one), and where there is
 * no architecture. */
static int build_arguments(const char *arguments, argument_list *list) {
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
    if (known < 0 || seen[known]++ || list->count == MAX_ARGUMENTS - 1) return 0;
    list->items[list->count++] = argument;
  }
  list->items[list->count++] = "--verbose";
  return seen[GPU_NAME];
}

/* The flow callback: a non-zero result ends the compile. */
static int should_stop(void *cancel, void *unused) {
  (void)unused;
  return cancel != NULL && __atomic_load_n((const volatile int32_t *)cancel, __ATOMIC_RELAXED) != 0;
}

static int32_t status_of(nvPTXCompileResult status) {
  switch (status) {
    case NVPTXCOMPILE_SUCCESS:
      return MMPTXC_OK;
    case NVPTXCOMPILE_ERROR_COMPILATION_FAILURE:
    case NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC:
      return MMPTXC_FAILED;
    case NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION:
      return MMPTXC_UNSUPPORTED_VERSION;
    case NVPTXCOMPILE_ERROR_CANCELLED:
      return MMPTXC_CANCELLED;
    case NVPTXCOMPILE_ERROR_OUT_OF_MEMORY:
      return MMPTXC_OUT_OF_MEMORY;
    default:
      return MMPTXC_INTERNAL;
  }
}

typedef nvPTXCompileResult (*log_size_function)(nvPTXCompilerHandle, size_t *);
typedef nvPTXCompileResult (*log_function)(nvPTXCompilerHandle, char *);

/* A log that cannot be read counts as empty: what matters is the status of the compile. */
static char *read_log(nvPTXCompilerHandle compiler, log_size_function size_of, log_function get, size_t *size) {
  size_t length = 0;
  *size = 0;
  if (compiler == NULL || size_of(compiler, &length) != NVPTXCOMPILE_SUCCESS) length = 0;
  char *text = malloc(length + 1);
  if (text == NULL) return NULL;
  text[0] = '\0';
  if (length > 0 && get(compiler, text) != NVPTXCOMPILE_SUCCESS) text[0] = '\0';
  text[length] = '\0';
  *size = strlen(text);
  return text;
}

static nvPTXCompileResult read_cubin(nvPTXCompilerHandle compiler, mmptxc_result *result) {
  size_t size = 0;
  nvPTXCompileResult status = nvPTXCompilerGetCompiledProgramSize(compiler, &size);
  if (status != NVPTXCOMPILE_SUCCESS) return status;
  result->cubin = malloc(size == 0 ? 1 : size);
  if (result->cubin == NULL) return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  result->cubin_size = size;
  return nvPTXCompilerGetCompiledProgram(compiler, result->cubin);
}

int32_t mmptxc_abi(void) { return MMPTXC_ABI; }

const char *mmptxc_version(void) { return MMPTXC_COMPILER_VERSION; }

size_t mmptxc_ptx_versions(int32_t (*pairs)[2], size_t capacity) {
  int count = 0;
  if (nvPTXCompilerGetNumSupportedVersions(&count) != NVPTXCOMPILE_SUCCESS || count <= 0) return 0;
  int(*found)[2] = calloc((size_t)count, sizeof *found);
  if (found == NULL) return 0;
  if (nvPTXCompilerGetSupportedVersions(found) != NVPTXCOMPILE_SUCCESS) count = 0;
  for (size_t i = 0; i < (size_t)count && i < capacity; i++) {
    pairs[i][0] = found[i][0];
    pairs[i][1] = found[i][1];
  }
  free(found);
  return (size_t)count;
}

int32_t mmptxc_compile(const char *ptx, size_t size, const char *arguments, const volatile int32_t *cancel,
                       mmptxc_result *result) {
  memset(result, 0, sizeof *result);
  argument_list list;
  nvPTXCompilerHandle compiler = NULL;
  nvPTXCompileResult status = NVPTXCOMPILE_SUCCESS;
  if (!build_arguments(arguments, &list)) {
    result->status = MMPTXC_INVALID_ARGUMENT;
  } else {
    status = nvPTXCompilerCreate(&compiler, size, ptx);
    if (status == NVPTXCOMPILE_SUCCESS && cancel != NULL) {
      status = nvPTXCompilerSetFlowCallback(compiler, should_stop, (void *)cancel);
    }
    if (status == NVPTXCOMPILE_SUCCESS) status = nvPTXCompilerCompile(compiler, list.count, list.items);
    if (status == NVPTXCOMPILE_SUCCESS) status = read_cubin(compiler, result);
    result->status = status_of(status);
  }
  result->native_status = (int32_t)status;
  result->info_log =
      read_log(compiler, nvPTXCompilerGetInfoLogSize, nvPTXCompilerGetInfoLog, &result->info_log_size);
  result->error_log =
      read_log(compiler, nvPTXCompilerGetErrorLogSize, nvPTXCompilerGetErrorLog, &result->error_log_size);
  if (compiler != NULL) nvPTXCompilerDestroy(&compiler);
  if (result->info_log == NULL || result->error_log == NULL) result->status = MMPTXC_OUT_OF_MEMORY;
  if (result->status != MMPTXC_OK) {
    free(result->cubin);
    result->cubin = NULL;
    result->cubin_size = 0;
  }
  return result->status;
}

void mmptxc_release(mmptxc_result *result) {
  free(result->cubin);
  free(result->info_log);
  free(result->error_log);
  memset(result, 0, sizeof *result);
}
