// nvcc -arch=sm_80
// Memory that calls take while they run: alloca in kernels, in recursive functions and in loops, and cache policies,
// which have no effect.
#include <alloca.h>
__device__ __noinline__ int mixed(int n) {
  int* values = (int*)alloca(n * sizeof(int));
  for (int i = 0; i < n; i++) values[i] = i * i;
  const int below = n > 1 ? mixed(n / 2) : 0;
  int sum = below;
  for (int i = 0; i < n; i++) sum += values[(i * 7) % n];
  return sum;
}
extern "C" __global__ void takes(const int* counts, int* out) {
  const int n = counts[threadIdx.x];
  short* reversed = (short*)alloca(n * sizeof(short));
  for (int i = 0; i < n; i++) reversed[n - 1 - i] = (short)(i * threadIdx.x);
  int sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 3 + reversed[i];
  for (int round = 0; round < 3; round++) {
    volatile int* one = (volatile int*)alloca(8);
    *one = round;
    sum += *one;
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void recurses(int* out) { out[threadIdx.x] = mixed(threadIdx.x + 1); }
extern "C" __global__ void policies(const float* in, float* out) {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(policy));
  float value;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(in + threadIdx.x), "l"(policy));
  out[threadIdx.x] = 2 * value;
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(out));
}
