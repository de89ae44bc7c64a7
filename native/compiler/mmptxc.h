/* The compiler library: nvPTXCompiler behind a small C interface. Whoever loads it needs this header alone, neither
 * NVIDIA's header nor Node. Every function may be called from any thread at any time. */
#ifndef MMPTXC_H
#define MMPTXC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(MMPTXC_BUILD) && defined(_WIN32)
#define MMPTXC_API __declspec(dllexport)
#elif defined(MMPTXC_BUILD)
#define MMPTXC_API __attribute__((visibility("default")))
#else
#define MMPTXC_API
#endif

/* Raised whenever a struct or the meaning of a function changes; a loader refuses any other number. */
#define MMPTXC_ABI 2

enum {
  MMPTXC_OK = 0,
  /* The compiler refused the PTX or gave up on it: the error log says why. */
  MMPTXC_FAILED = 1,
  /* The PTX is newer than the compiler: the error log has the line. */
  MMPTXC_UNSUPPORTED_VERSION = 2,
  /* The cancel flag was seen between two phases. */
  MMPTXC_CANCELLED = 3,
  /* An option outside of its range; the compiler was not asked. */
  MMPTXC_INVALID_OPTION = 4,
  MMPTXC_OUT_OF_MEMORY = 5,
  /* The compiler library failed in a way it does not explain; `native_status` is its own number. */
  MMPTXC_INTERNAL = 6
};

enum { MMPTXC_EFFORT_FINAL = 0, MMPTXC_EFFORT_BALANCED = 1, MMPTXC_EFFORT_DRAFT = 2 };

enum {
  /* Line numbers of the PTX, or of its .loc directives, in the cubin. */
  MMPTXC_LINE_INFO = 1,
  /* Debug information and no optimisation, whatever the effort. */
  MMPTXC_DEBUG = 2,
  /* Multiplications and additions stay two instructions where the PTX says `mul` and `add`. */
  MMPTXC_NO_FMAD = 4
};

typedef struct mmptxc_options {
  /* `sm_` and letters or digits, at most 15 characters. */
  const char *arch;
  int32_t effort;
  /* 0: the compiler's own limit. */
  int32_t max_registers;
  /* MMPTXC_LINE_INFO, MMPTXC_DEBUG, MMPTXC_NO_FMAD. */
  uint32_t flags;
} mmptxc_options;

/* Owned by the caller from a compile until mmptxc_release. Logs are NUL-terminated, never NULL. Each buffer is from
 * `malloc`, so a caller may keep one: set its pointer to NULL and `free` it later. */
typedef struct mmptxc_result {
  int32_t status;
  int32_t native_status;
  void *cubin;
  size_t cubin_size;
  char *info_log;
  size_t info_log_size;
  char *error_log;
  size_t error_log_size;
} mmptxc_result;

MMPTXC_API int32_t mmptxc_abi(void);

/* The full version of the linked compiler, for example "13.0.88". */
MMPTXC_API const char *mmptxc_version(void);

/* Writes up to `capacity` pairs (major, minor) of the PTX ISA versions taken, oldest first; returns how many there are. */
MMPTXC_API size_t mmptxc_ptx_versions(int32_t (*pairs)[2], size_t capacity);

/* Compiles `size` bytes of PTX, which need no NUL. `cancel` (may be NULL) is polled between the compiler's phases, that
 * is a few times per kernel; a non-zero value ends the compile. Returns `result->status`. */
MMPTXC_API int32_t mmptxc_compile(const char *ptx, size_t size, const mmptxc_options *options,
                                  const volatile int32_t *cancel, mmptxc_result *result);

/* Frees what a result holds and clears it. */
MMPTXC_API void mmptxc_release(mmptxc_result *result);

#ifdef __cplusplus
}
#endif

#endif
