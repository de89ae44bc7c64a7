// nvcc -arch=sm_80
// Keeps what is positive: lanes agree by votes inside of a branch, one of them takes the places.
extern "C" __global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] <= 0) return;
  const unsigned active = __activemask();
  const unsigned lane = threadIdx.x & 31, leader = __ffs(active) - 1;
  int at = 0;
  if (lane == leader) at = atomicAdd(count, __popc(active));
  at = __shfl_sync(active, at, leader);
  out[at + __popc(active & ((1u << lane) - 1))] = in[i];
}
