// nvcc -arch=sm_80 -std=c++17 -diag-suppress=20054
// Pipelines of libcu++: of a block, with producers and consumers, and of a thread.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void pipe(const float* in, float* out, int n) {
  constexpr int stages = 2;
  __shared__ float buf[stages][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto p = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int c = 0, f = 0; c < n; c++) {
    for (; f < n && f < c + stages; f++) {
      p.producer_acquire();
      cuda::memcpy_async(block, buf[f % stages], in + f * 128, cuda::aligned_size_t<4>(sizeof(float) * 128), p);
      p.producer_commit();
    }
    p.consumer_wait();
    sum += buf[c % stages][(threadIdx.x * 5 + c) % 128];
    p.consumer_release();
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void roles(const float* in, float* out, int n) {
  constexpr int stages = 2;
  __shared__ float buf[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto p = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int f = 0; f < n; f++) {
      p.producer_acquire();
      cuda::memcpy_async(&buf[f % stages][threadIdx.x], in + f * 64 + threadIdx.x, 4, p);
      cuda::memcpy_async(&buf[f % stages][threadIdx.x + 32], in + f * 64 + threadIdx.x + 32, 4, p);
      p.producer_commit();
    }
  } else {
    float sum = 0;
    for (int c = 0; c < n; c++) {
      p.consumer_wait();
      sum += buf[c % stages][(threadIdx.x * 5 + c) % 64];
      p.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}
extern "C" __global__ void own(const float* in, float* out) {
  __shared__ float buf[128];
  auto p = cuda::make_pipeline();
  p.producer_acquire();
  cuda::memcpy_async(buf + threadIdx.x, in + threadIdx.x, 4, p);
  p.producer_commit();
  p.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = buf[127 - threadIdx.x];
  p.consumer_release();
}
