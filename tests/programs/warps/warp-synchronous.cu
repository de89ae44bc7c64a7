// program: tags=warps,reductions lockstep except=races,debug
// A reduction from before Volta: the last warp adds through volatile shared memory without synchronizing, which is only right
// if its threads run in step.

#include "../check.h"

__global__ void reduce(const int* in, int* out) {
  __shared__ int values[128];
  const unsigned tid = threadIdx.x;
  values[tid] = in[blockIdx.x * 256 + tid] + in[blockIdx.x * 256 + tid + 128];
  __syncthreads();
  if (tid < 64) values[tid] += values[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int* warp = values;
    warp[tid] += warp[tid + 32];
    warp[tid] += warp[tid + 16];
    warp[tid] += warp[tid + 8];
    warp[tid] += warp[tid + 4];
    warp[tid] += warp[tid + 2];
    warp[tid] += warp[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

int main() {
  const int blocks = 6, count = blocks * 256;
  Random random(80);
  std::vector<int> in(count), want(blocks, 0);
  for (int i = 0; i < count; i++) want[i / 256] += in[i] = static_cast<int>(random.below(1000));
  DeviceArray<int> input(in), out(blocks);
  reduce<<<blocks, 128>>>(input, out);
  CHECK_KERNEL();
  same("sums", out.host(), want);
  return finish();
}
