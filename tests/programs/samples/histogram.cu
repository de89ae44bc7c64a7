// program: tags=samples,atomics,shared-memory
// Histograms of bytes: 64 bins with one counter per warp, 256 bins with atomics in shared memory, merged in global memory.

#include "../check.h"

constexpr int WARPS = 4;

__global__ void histogram64(const unsigned char* data, int count, unsigned* bins) {
  __shared__ unsigned local[WARPS][64];
  for (int i = threadIdx.x; i < WARPS * 64; i += blockDim.x) local[i / 64][i % 64] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[threadIdx.x / 32][data[i] >> 2], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < WARPS; warp++) sum += local[warp][i];
    atomicAdd(&bins[i], sum);
  }
}

__global__ void histogram256(const uint4* data, int count, unsigned* bins) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint4 v = data[i];
    const unsigned words[] = {v.x, v.y, v.z, v.w};
    for (unsigned word : words) {
      atomicAdd(&local[word & 255], 1u);
      atomicAdd(&local[word >> 8 & 255], 1u);
      atomicAdd(&local[word >> 16 & 255], 1u);
      atomicAdd(&local[word >> 24], 1u);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main() {
  const int count = 1 << 14;
  Random random(9);
  std::vector<unsigned char> data(count);
  for (auto& byte : data) byte = (random.below(256) * random.below(256)) >> 8;
  std::vector<unsigned> want64(64), want256(256);
  for (auto byte : data) {
    want64[byte >> 2]++;
    want256[byte]++;
  }
  DeviceArray<unsigned char> input(data);
  DeviceArray<unsigned> bins64(64), bins256(256);
  histogram64<<<4, WARPS * 32>>>(input, count, bins64);
  histogram256<<<4, 128>>>(reinterpret_cast<const uint4*>(input.get()), count / 16, bins256);
  CHECK_KERNEL();
  same("64 bins", bins64.host(), want64);
  same("256 bins", bins256.host(), want256);
  return finish();
}
