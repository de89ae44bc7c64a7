// nvcc -arch=sm_75 -fmad=false
// Rows, then columns; the weights are in constant memory and the last of them is set at load time.
#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1] = {0.03125f, 0.109375f, 0.21875f, 0.28125f, 0.21875f, 0.109375f, 0.03125f};
extern "C" __global__ void rows(const float* in, float* out, int width, int height) {
  __shared__ float line[64 + 2 * RADIUS];
  const int y = blockIdx.y, x0 = blockIdx.x * 64;
  for (int i = threadIdx.x; i < 64 + 2 * RADIUS; i += blockDim.x) {
    const int x = x0 + i - RADIUS;
    line[i] = x >= 0 && x < width ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  const int x = x0 + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * line[threadIdx.x + k];
  out[y * width + x] = sum;
}
extern "C" __global__ void columns(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    if (y + k >= 0 && y + k < height) sum += weights[k + RADIUS] * in[(y + k) * width + x];
  out[y * width + x] = sum;
}
