// nvcc -arch=sm_75
// Counts of bytes: in shared memory by atomics, then added to those of the grid.
extern "C" __global__ void histogram(const unsigned char* data, unsigned* counts, unsigned n) {
  __shared__ unsigned bins[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i]], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) if (bins[i]) atomicAdd(&counts[i], bins[i]);
}
