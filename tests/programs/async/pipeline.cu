// program: tags=async-copies,pipeline,barriers arch=80
// cuda::pipeline with two stages for a block, and for each thread alone.

#include "../check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

constexpr int STAGES = 2, BLOCK = 64;

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void staged(const int* in, int* out, int batches) {
  __shared__ int buffers[STAGES][BLOCK];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int base = blockIdx.x * batches * BLOCK;
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < batches; compute++) {
    for (; fetch < batches && fetch < compute + STAGES; fetch++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffers[fetch % STAGES], in + base + fetch * BLOCK, cuda::aligned_size_t<4>(sizeof(int) * BLOCK), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += buffers[compute % STAGES][(threadIdx.x + compute) % BLOCK];
    pipeline.consumer_release();
  }
  out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

__global__ void alone(const int4* in, int* out) {
  __shared__ int4 buffer[BLOCK];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<16>(sizeof(int4)), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  const int4 v = buffer[threadIdx.x];
  pipeline.consumer_release();
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  const int blocks = 3, batches = 5, count = blocks * batches * BLOCK;
  Random random(93);
  std::vector<int> in(count), want(blocks * BLOCK, 0), sums(BLOCK);
  for (int& value : in) value = random.below(1000);
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < BLOCK; t++)
      for (int i = 0; i < batches; i++) want[b * BLOCK + t] += in[(b * batches + i) * BLOCK + (t + i) % BLOCK];
  for (int t = 0; t < BLOCK; t++) sums[t] = in[t * 4] + in[t * 4 + 1] + in[t * 4 + 2] + in[t * 4 + 3];
  DeviceArray<int> input(in), out(blocks * BLOCK), second(BLOCK);
  staged<<<blocks, BLOCK>>>(input, out, batches);
  alone<<<1, BLOCK>>>(reinterpret_cast<const int4*>(input.get()), second);
  CHECK_KERNEL();
  same("staged", out.host(), want);
  same("alone", second.host(), sums);
  return finish();
}
