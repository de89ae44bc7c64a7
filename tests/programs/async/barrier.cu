// program: tags=barriers,async-copies,warps arch=80
// cuda::barrier: arrive and wait apart, producers and consumers by warps, copies that complete on a barrier.

#include "../check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <utility>
namespace cg = cooperative_groups;

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void split(const int* in, int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int values[128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = in[threadIdx.x];
  for (int r = 0; r < rounds; r++) {
    values[threadIdx.x] = value;
    auto token = barrier.arrive();
    value *= 3;
    barrier.wait(std::move(token));
    value += values[(threadIdx.x + r + 1) % blockDim.x];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = value;
}

/** Warp 0 fills two buffers in turns, the others use them. */
__global__ void warps(int* out, int batches) {
  __shared__ Barrier filled[2], emptied[2];
  __shared__ int buffers[2][32];
  if (threadIdx.x < 2) {
    init(&filled[threadIdx.x], blockDim.x);
    init(&emptied[threadIdx.x], blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int i = 0; i < batches; i++) {
      emptied[i % 2].arrive_and_wait();
      buffers[i % 2][threadIdx.x] = i * 100 + threadIdx.x;
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)emptied[0].arrive();
    (void)emptied[1].arrive();
    int sum = 0;
    for (int i = 0; i < batches; i++) {
      filled[i % 2].arrive_and_wait();
      sum += buffers[i % 2][threadIdx.x % 32];
      (void)emptied[i % 2].arrive();
    }
    out[threadIdx.x - 32] = sum;
  }
}

__global__ void copied(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int first[64], second[64];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, first, in, sizeof(first), barrier);
  cg::memcpy_async(block, second, in + 64, sizeof(second));
  barrier.arrive_and_wait();
  cg::wait(block);
  out[threadIdx.x] = first[63 - threadIdx.x] * 2 + second[threadIdx.x];
}

int main() {
  const int count = 128, rounds = 4, batches = 6;
  Random random(94);
  std::vector<int> in(count), want(64), sums(64);
  for (int& value : in) value = random.below(100);
  DeviceArray<int> input(in), out(count), from_warps(64), copies(64);
  split<<<1, count>>>(input, out, rounds);
  warps<<<1, 96>>>(from_warps, batches);
  copied<<<1, 64>>>(input, copies);
  CHECK_KERNEL();
  for (int t = 0; t < 64; t++) {
    want[t] = in[63 - t] * 2 + in[64 + t];
    for (int i = 0; i < batches; i++) sums[t] += i * 100 + t % 32;
  }
  for (int r = 0; r < rounds; r++) {
    const auto old = in;
    for (int t = 0; t < count; t++) in[t] = old[t] * 3 + old[(t + r + 1) % count];
  }
  same("split", out.host(), in);
  same("warps", from_warps.host(), sums);
  same("copied", copies.host(), want);
  return finish();
}
