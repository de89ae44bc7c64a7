// nvcc -arch=sm_80
// Named barriers between producers and consumers, threads that left before the barrier, and reductions at barriers.
extern "C" __global__ void pipeline(const int* in, int* out, int rounds) {
  __shared__ int box[32];
  const int i = threadIdx.x;
  if (i < 32) {
    for (int round = 0; round < rounds; round++) {
      asm volatile("bar.sync 2, 64;" ::: "memory");
      box[i] = in[round * 32 + i] * 2;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  } else {
    int sum = 0;
    asm volatile("bar.arrive 2, 64;" ::: "memory");
    for (int round = 0; round < rounds; round++) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      sum += box[95 - i - 32];
      if (round + 1 < rounds) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
    out[i - 32] = sum;
  }
}
extern "C" __global__ void early(int* out, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if ((int)threadIdx.x >= n) return;
  atomicAdd(&total, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = total;
}
extern "C" __global__ void votes(const int* in, int* out) {
  const int v = in[threadIdx.x];
  out[threadIdx.x] = __syncthreads_count(v > 10) * 4 + (__syncthreads_and(v >= 0) != 0) * 2 + (__syncthreads_or(v > 98) != 0);
}
