/* The implementation of mmptxc.h on top of the static nvPTXCompiler library. */
#include "mmptxc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "nvPTXCompiler.h"

#ifndef MMPTXC_COMPILER_VERSION
#error "MMPTXC_COMPILER_VERSION must name the version of the linked compiler"
#endif

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
  mmptxc_argument_list list;
  nvPTXCompilerHandle compiler = NULL;
  nvPTXCompileResult status = NVPTXCOMPILE_SUCCESS;
  if (!mmptxc_list_arguments(arguments, &list)) {
    result->status = MMPTXC_INVALID_ARGUMENT;
  } else {
    list.items[list.count++] = "--verbose";
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
