// A program that does not free its memory, which it allocates through a function of CUDA's headers.
#include <stddef.h>

extern int cudaMalloc(void**, size_t), cudaMallocManaged(void**, size_t, unsigned);

static size_t doubled(size_t bytes) { return 2 * bytes; }

#line 870 "/usr/local/cuda/include/cuda_runtime.h"
static int allocate(void** pointer, size_t bytes) { return cudaMalloc(pointer, bytes); }
#line 11 "leaks.c"

static void* make(size_t bytes) {
  void* made = NULL;
  allocate(&made, doubled(bytes));
  return made;
}

int main(void) {
  make(16);
  void* managed = make(32);
  return cudaMallocManaged(&managed, 4096, 1);
}
