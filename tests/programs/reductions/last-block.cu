// program: tags=reductions,atomics,fences ci
// One launch reduces an array: the last block to finish, found by an atomic counter, adds the sums of all blocks.

#include "../check.h"

__device__ unsigned finished = 0;

__device__ float block_sum(float value) {
  __shared__ float warps[8];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (int i = 0; i < 8; i++) value += warps[i];
  __syncthreads();
  return value;
}

__global__ void sum(const float* in, int count, volatile float* partial, float* out) {
  __shared__ bool last;
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) mine += in[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  const float total = block_sum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) {
    *out = total;
    finished = 0;
  }
}

int main() {
  const int count = 20000, blocks = 24;
  Random random(5);
  const std::vector<float> in = random.floats(count, 0, 1);
  double want = 0;
  for (float value : in) want += value;
  DeviceArray<float> input(in), partial(blocks), out(1);
  for (int round = 0; round < 2; round++) {
    sum<<<blocks, 256>>>(input, count, partial, out);
    CHECK_KERNEL();
    close("sum", out.host()[0], want, 1e-5);
  }
  return finish();
}
