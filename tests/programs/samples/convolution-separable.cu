// program: tags=samples,constant-memory,shared-memory
// A separable convolution: rows, then columns, the filter in constant memory, the borders taken as zero.

#include "../check.h"

constexpr int RADIUS = 4, LENGTH = 2 * RADIUS + 1, BX = 32, BY = 8;
__constant__ float filter[LENGTH];

__global__ void rows(float* out, const float* in, int width, int height) {
  __shared__ float tile[BY][BX + 2 * RADIUS];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  for (int i = threadIdx.x; i < BX + 2 * RADIUS; i += BX) {
    const int from = blockIdx.x * BX + i - RADIUS;
    tile[threadIdx.y][i] = from >= 0 && from < width ? in[y * width + from] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < LENGTH; k++) sum += filter[k] * tile[threadIdx.y][threadIdx.x + k];
  out[y * width + x] = sum;
}

__global__ void columns(float* out, const float* in, int width, int height) {
  __shared__ float tile[BY + 2 * RADIUS][BX + 1];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  for (int i = threadIdx.y; i < BY + 2 * RADIUS; i += BY) {
    const int from = blockIdx.y * BY + i - RADIUS;
    tile[i][threadIdx.x] = from >= 0 && from < height ? in[from * width + x] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < LENGTH; k++) sum += filter[k] * tile[threadIdx.y + k][threadIdx.x];
  out[y * width + x] = sum;
}

int main() {
  const int width = 96, height = 64;
  Random random(10);
  const std::vector<float> in = random.floats(width * height), weights = random.floats(LENGTH, 0, 0.3f);
  std::vector<double> middle(width * height, 0.0), want(width * height, 0.0);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (x + k >= 0 && x + k < width) middle[y * width + x] += double(weights[k + RADIUS]) * in[y * width + x + k];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (y + k >= 0 && y + k < height) want[y * width + x] += weights[k + RADIUS] * middle[(y + k) * width + x];

  CHECK(cudaMemcpyToSymbol(filter, weights.data(), sizeof(filter)));
  DeviceArray<float> a(in), b(width * height), c(width * height);
  const dim3 grid(width / BX, height / BY), block(BX, BY);
  rows<<<grid, block>>>(b, a, width, height);
  columns<<<grid, block>>>(c, b, width, height);
  CHECK_KERNEL();
  close("out", c.host(), want, 1e-5);
  return finish();
}
