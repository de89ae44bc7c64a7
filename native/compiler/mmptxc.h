/* The compiler library: nvPTXCompiler behind a small C interface. To load it you need only this header, and neither
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

/* Raised whenever a struct or the meaning of a function changes; loaders reject any other number. */
#define MMPTXC_ABI 3

enum {
  MMPTXC_OK = 0,
  /* The compiler rejected the PTX or gave up on it: the error log says why. */
  MMPTXC_FAILED = 1,
  /* The PTX version is newer than the compiler: the error log has the line. */
  MMPTXC_UNSUPPORTED_VERSION = 2,
  /* The cancel flag was set between two phases. */
  MMPTXC_CANCELLED = 3,
  /* An argument is not in the list of arguments.c; the compiler was not called. */
  MMPTXC_INVALID_ARGUMENT = 4,
  MMPTXC_OUT_OF_MEMORY = 5,
  /* The compiler library failed without an explanation; `native_status` is its own status. */
  MMPTXC_INTERNAL = 6
};

/* The size of the longest arguments of a compile, with the terminating NUL. */
#define MMPTXC_ARGUMENTS_SIZE 512

/* Owned by the caller from a compile until mmptxc_release. Logs are NUL-terminated and never NULL. Each buffer comes from
 * `malloc`, so the caller may keep one: set its pointer to NULL and `free` it later. */
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

/* Writes up to `capacity` pairs (major, minor) of the supported PTX ISA versions, oldest first; returns their number. */
MMPTXC_API size_t mmptxc_ptx_versions(int32_t (*pairs)[2], size_t capacity);

/* Compiles `size` bytes of PTX, which need no terminating NUL. `arguments` are the compiler's, each at most once, separated
 * by one space: `--gpu-name=sm_90 --opt-level=3`. `cancel` (may be NULL) is polled between the compiler's phases, a few
 * times per kernel; a non-zero value ends the compile. Returns `result->status`. */
MMPTXC_API int32_t mmptxc_compile(const char *ptx, size_t size, const char *arguments, const volatile int32_t *cancel,
                                  mmptxc_result *result);

/* Frees the contents of a result and clears it. */
MMPTXC_API void mmptxc_release(mmptxc_result *result);

#ifdef __cplusplus
}
#endif

#endif
