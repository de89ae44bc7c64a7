/* The yardstick of the compile pool: threads that do nothing but call nvPTXCompiler, on PTX that is in memory before the
 * clock starts. Usage: bare_loop ARCH THREADS JOBS FILE...; job i compiles file i modulo the number of files. With the variable
 * BARE_LOOP_DRAFT, it compiles as the effort `draft` does. Prints JSON. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nvPTXCompiler.h"

typedef struct text {
  char *bytes;
  size_t size;
} text;

static text *texts;
static int text_count;
static int job_count;
static char gpu_name[64];
static const char *effort;
static double *milliseconds;
static atomic_int next_job;
static pthread_barrier_t ready;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void fail(const char *what) {
  fprintf(stderr, "bare_loop: %s\n", what);
  exit(1);
}

static text read_file(const char *path) {
  text result = {NULL, 0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("a file cannot be opened");
  fseek(file, 0, SEEK_END);
  result.size = (size_t)ftell(file);
  rewind(file);
  result.bytes = malloc(result.size + 1);
  if (result.bytes == NULL || fread(result.bytes, 1, result.size, file) != result.size) fail("a file cannot be read");
  fclose(file);
  return result;
}

/* Does what the pool does for a job, without the pool: same options, and it fetches the cubin and the log. */
static void compile(const text *ptx) {
  const char *options[] = {gpu_name, "--verbose", effort};
  nvPTXCompilerHandle compiler;
  size_t size = 0;
  if (nvPTXCompilerCreate(&compiler, ptx->size, ptx->bytes) != NVPTXCOMPILE_SUCCESS) fail("create failed");
  if (nvPTXCompilerCompile(compiler, 3, options) != NVPTXCOMPILE_SUCCESS) fail("compile failed");
  if (nvPTXCompilerGetCompiledProgramSize(compiler, &size) != NVPTXCOMPILE_SUCCESS) fail("no size");
  void *cubin = malloc(size);
  if (nvPTXCompilerGetCompiledProgram(compiler, cubin) != NVPTXCOMPILE_SUCCESS) fail("no cubin");
  nvPTXCompilerGetInfoLogSize(compiler, &size);
  char *log = malloc(size + 1);
  if (size > 0) nvPTXCompilerGetInfoLog(compiler, log);
  free(log);
  free(cubin);
  nvPTXCompilerDestroy(&compiler);
}

static void *work(void *unused) {
  compile(&texts[0]);
  pthread_barrier_wait(&ready);
  for (int job = atomic_fetch_add(&next_job, 1); job < job_count; job = atomic_fetch_add(&next_job, 1)) {
    const double start = now();
    compile(&texts[job % text_count]);
    milliseconds[job] = now() - start;
  }
  return unused;
}

static int by_value(const void *a, const void *b) {
  const double left = *(const double *)a;
  const double right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int argc, char **argv) {
  if (argc < 5) fail("expected ARCH THREADS JOBS FILE...");
  snprintf(gpu_name, sizeof gpu_name, "--gpu-name=%s", argv[1]);
  const int threads = atoi(argv[2]);
  job_count = atoi(argv[3]);
  effort = getenv("BARE_LOOP_DRAFT") == NULL ? "-O3" : "--Ofast-compile=max";
  text_count = argc - 4;
  if (threads < 1 || job_count < 1) fail("expected at least one thread and one job");
  texts = malloc((size_t)text_count * sizeof *texts);
  milliseconds = calloc((size_t)job_count, sizeof *milliseconds);
  pthread_t *ids = malloc((size_t)threads * sizeof *ids);
  if (texts == NULL || milliseconds == NULL || ids == NULL) fail("out of memory");
  for (int i = 0; i < text_count; i++) texts[i] = read_file(argv[4 + i]);
  pthread_barrier_init(&ready, NULL, (unsigned)threads + 1);
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&ids[i], NULL, work, NULL) != 0) fail("a thread cannot be started");
  }
  pthread_barrier_wait(&ready);
  const double start = now();
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  const double total = now() - start;
  qsort(milliseconds, (size_t)job_count, sizeof *milliseconds, by_value);
  printf("{\"jobs\":%d,\"threads\":%d,\"milliseconds\":%.3f,\"perJob\":{\"min\":%.4f,\"median\":%.4f,\"max\":%.4f}}\n",
         job_count, threads, total, milliseconds[0], milliseconds[job_count / 2], milliseconds[job_count - 1]);
  return 0;
}
