// nvcc -arch=sm_90
// A row a block.
extern "C" __global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float warps[32];
  const float* row = in + (size_t)blockIdx.x * columns;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, count = blockDim.x / 32;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  for (int step = 16; step; step >>= 1) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
  if (lane == 0) warps[warp] = largest;
  __syncthreads();
  for (int w = 0; w < count; w++) largest = fmaxf(largest, warps[w]);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += __expf(row[i] - largest);
  for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < count; w++) sum += warps[w];
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[(size_t)blockIdx.x * columns + i] = __fdividef(__expf(row[i] - largest), sum);
}
