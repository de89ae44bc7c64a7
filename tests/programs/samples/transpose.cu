// program: tags=samples,shared-memory
// Four ways to transpose a matrix: directly, through a tile, through a padded tile, and with blocks in diagonal order.

#include "../check.h"

constexpr int TILE = 32, ROWS = 8;

__global__ void direct(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) out[x * height + y + i] = in[(y + i) * width + x];
}

template <int PADDING, bool DIAGONAL>
__global__ void tiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE + PADDING];
  int bx = blockIdx.x, by = blockIdx.y;
  if (DIAGONAL) {
    const int index = blockIdx.x + gridDim.x * blockIdx.y;
    by = index % gridDim.y;
    bx = (index / gridDim.y + by) % gridDim.x;
  }
  int x = bx * TILE + threadIdx.x, y = by * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = by * TILE + threadIdx.x;
  y = bx * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  const int width = 128, height = 96;
  Random random(3);
  const std::vector<float> in = random.floats(width * height);
  std::vector<float> want(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) want[x * height + y] = in[y * width + x];

  using Kernel = void (*)(float*, const float*, int, int);
  const Kernel kernels[] = {direct, tiled<0, false>, tiled<1, false>, tiled<1, true>};
  const char* names[] = {"direct", "tiled", "padded", "diagonal"};
  DeviceArray<float> source(in);
  for (int i = 0; i < 4; i++) {
    DeviceArray<float> out(width * height);
    kernels[i]<<<dim3(width / TILE, height / TILE), dim3(TILE, ROWS)>>>(out, source, width, height);
    CHECK_KERNEL();
    same(names[i], out.host(), want);
  }
  return finish();
}
