// nvcc -arch=sm_80
// Warps add by shuffles, then the first warp adds the sums of the warps.
__inline__ __device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step >>= 1) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}
extern "C" __global__ void sum(const int* in, int* out, int n) {
  __shared__ int sums[32];
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) value += in[i];
  value = warp_sum(value);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? sums[lane] : 0;
  if (warp == 0) value = warp_sum(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}
extern "C" __global__ void butterfly(const float* in, float* out) {
  float value = in[threadIdx.x];
  for (int mask = 1; mask < 32; mask <<= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, mask));
  out[threadIdx.x] = value + __shfl_sync(0xffffffff, in[threadIdx.x], 5, 8);
}
extern "C" __global__ void redux(const unsigned* in, unsigned* out) {
  const unsigned value = in[threadIdx.x];
  const unsigned odd = threadIdx.x & 1 ? 0xaaaaaaaau : 0x55555555u;
  out[threadIdx.x] = __reduce_add_sync(odd, value) ^ __reduce_max_sync(odd, value) ^ __reduce_xor_sync(odd, value);
}
