// nvcc -arch=sm_90 -std=c++17 -diag-suppress=20054
// Barrier objects of libcu++: arrivals and waits, copies that a barrier waits for, by bulk copies and thread by thread.
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void arrive_wait(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int data[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  int t = threadIdx.x;
  for (int r = 0; r < 3; r++) {
    data[t] = t * (r + 1);
    auto token = bar.arrive();
    int own = t + r;
    bar.wait(std::move(token));
    out[blockIdx.x * 256 + t] = (r ? out[blockIdx.x * 256 + t] : 0) + data[(t + 17) % 256] + own;
    bar.arrive_and_wait();
  }
}
extern "C" __global__ void copies(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) int data[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, data, in + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof(int) * 256), bar);
  bar.arrive_and_wait();
  out[blockIdx.x * 256 + threadIdx.x] = data[255 - threadIdx.x] * 2;
}
extern "C" __global__ void unaligned(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int data[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(data + threadIdx.x, in + blockIdx.x * 256 + threadIdx.x, sizeof(int), bar);
  bar.arrive_and_wait();
  out[blockIdx.x * 256 + threadIdx.x] = data[255 - threadIdx.x] * 3;
}
extern "C" __global__ void groups(const int* in, int* out) {
  __shared__ int data[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, data, in, sizeof(int) * 256);
  cg::wait(block);
  out[threadIdx.x] = data[threadIdx.x ^ 5];
}
