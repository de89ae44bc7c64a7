// nvcc -arch=sm_90
// Two warps make what two others use, over two buffers and named barriers; then barriers that count, with threads that are gone.
#define ARRIVE(barrier) asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory")
#define SYNC(barrier) asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory")
extern "C" __global__ void pipeline(const unsigned* in, unsigned* out, unsigned* votes) {
  __shared__ unsigned buffer[2][64];
  const unsigned t = threadIdx.x % 64, rounds = 6;
  for (unsigned k = 0; k < rounds; k++) {
    const unsigned full = 1 + k % 2, empty = 3 + k % 2;
    if (threadIdx.x < 64) {
      if (k >= 2) SYNC(empty);
      buffer[k % 2][t] = in[k * 64 + t] * 3;
      ARRIVE(full);
    } else {
      SYNC(full);
      out[k * 64 + t] = buffer[k % 2][63 - t] + t;
      if (k + 2 < rounds) ARRIVE(empty);
    }
  }
  const unsigned value = in[threadIdx.x];
  const unsigned odd = __syncthreads_count(value & 1), all = __syncthreads_and(value != 12345), any = __syncthreads_or(value == in[5]);
  if (value % 5 == 0) return;
  const unsigned left = __syncthreads_count(value & 2);
  votes[threadIdx.x] = odd + 1000 * (all != 0) + 2000 * (any != 0) + 10000 * left;
}
