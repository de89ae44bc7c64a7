// program: tags=stencils,shared-memory
// Heat in a plate: Jacobi iteration from tiles with a halo in shared memory, until the largest change is small.

#include "../check.h"
#include <cstring>

constexpr int BX = 16, BY = 8;

__global__ void step(const float* in, float* out, int width, int height, unsigned* largest) {
  __shared__ float tile[BY + 2][BX + 2];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  auto at = [&](int px, int py) { return in[min(max(py, 0), height - 1) * width + min(max(px, 0), width - 1)]; };
  tile[threadIdx.y + 1][threadIdx.x + 1] = at(x, y);
  if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = at(x - 1, y);
  if (threadIdx.x == BX - 1) tile[threadIdx.y + 1][BX + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = at(x, y - 1);
  if (threadIdx.y == BY - 1) tile[BY + 1][threadIdx.x + 1] = at(x, y + 1);
  __syncthreads();
  if (x >= width || y >= height) return;
  const float old = tile[threadIdx.y + 1][threadIdx.x + 1];
  float value = old;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    value = 0.25f * (tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1] +
                     tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2]);
  out[y * width + x] = value;
  atomicMax(largest, __float_as_uint(fabsf(value - old)));
}

int main() {
  const int width = 40, height = 30;
  std::vector<float> plate(width * height, 0.0f);
  for (int x = 0; x < width; x++) plate[x] = 100;
  DeviceArray<float> a(plate), b(plate);
  DeviceArray<unsigned> largest(1);
  float *from = a, *to = b;
  int steps = 0;
  for (;; steps++) {
    CHECK(cudaMemset(largest, 0, sizeof(unsigned)));
    step<<<dim3(blocks_for(width, BX), blocks_for(height, BY)), dim3(BX, BY)>>>(from, to, width, height, largest);
    CHECK_KERNEL();
    std::swap(from, to);
    const unsigned bits = largest.host()[0];
    float change;
    memcpy(&change, &bits, sizeof(change));
    if (change < 0.5f || steps == 200) break;
  }
  expect(steps < 200, "the iteration to converge");
  std::vector<float> next = plate;
  for (int s = 0; s <= steps; s++) {
    for (int y = 1; y < height - 1; y++)
      for (int x = 1; x < width - 1; x++)
        next[y * width + x] = 0.25f * (plate[(y - 1) * width + x] + plate[(y + 1) * width + x] + plate[y * width + x - 1] +
                                       plate[y * width + x + 1]);
    plate.swap(next);
  }
  std::vector<float> got(width * height);
  CHECK(cudaMemcpy(got.data(), from, width * height * sizeof(float), cudaMemcpyDeviceToHost));
  close("plate", got, plate, 1e-5);
  return finish();
}
