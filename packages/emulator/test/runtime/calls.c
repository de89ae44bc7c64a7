// A program with calls that fail.
#include <stddef.h>

extern int cudaMalloc(void**, size_t), cudaFree(void*), cudaSetDevice(int), cudaGetLastError(void);
extern int cudaFreeAsync_ptsz(void*, void*);

static int choose(int device) { return cudaSetDevice(device); }

int main(void) {
  void* memory = NULL;
  cudaMalloc(&memory, (size_t)1 << 50);
  for (int i = 0; i < 3; i++) choose(7);
  cudaFreeAsync_ptsz(&memory, NULL);
  cudaMalloc(&memory, 16);
  cudaFree(memory);
  return cudaGetLastError() == 0 ? 3 : 0;
}
