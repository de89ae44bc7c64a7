// nvcc -arch=sm_80
#include <cstdio>
extern "C" __global__ void print(float scale) {
  if (threadIdx.x % 2 == 0)
    printf("block %d thread %2u: %.3f %s %c %x %lld %%\n", (int)blockIdx.x, threadIdx.x, scale * threadIdx.x,
           threadIdx.x ? "later" : "first", 'a' + (int)threadIdx.x, 0xbeef0u + threadIdx.x, -5000000000ll);
}
