// program: tags=samples,divergence
// How long points take to leave the Mandelbrot set, with integers in fixed point so that the CPU agrees exactly.

#include "../check.h"

constexpr int BITS = 24, LIMIT = 64;

__host__ __device__ inline int multiply(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> BITS); }

__host__ __device__ int steps(int cx, int cy) {
  int x = 0, y = 0;
  for (int i = 0; i < LIMIT; i++) {
    const int xx = multiply(x, x), yy = multiply(y, y);
    if (xx + yy > 4 << BITS) return i;
    y = 2 * multiply(x, y) + cy;
    x = xx - yy + cx;
    if (x > 3 << BITS || x < -(3 << BITS) || y > 3 << BITS || y < -(3 << BITS)) return i;
  }
  return LIMIT;
}

__host__ __device__ int coordinate(int i, int size, int low, int high) { return low + (high - low) / size * i; }

__global__ void mandelbrot(unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = steps(coordinate(x, width, -2 * (1 << BITS), 1 << (BITS - 1)),
                             coordinate(y, height, -(1 << BITS), 1 << BITS));
}

int main() {
  const int width = 100, height = 60;
  std::vector<unsigned char> want(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      want[y * width + x] = steps(coordinate(x, width, -2 * (1 << BITS), 1 << (BITS - 1)),
                                  coordinate(y, height, -(1 << BITS), 1 << BITS));
  DeviceArray<unsigned char> out(width * height);
  mandelbrot<<<dim3(blocks_for(width, 16), blocks_for(height, 8)), dim3(16, 8)>>>(out, width, height);
  CHECK_KERNEL();
  same("steps", out.host(), want);
  return finish();
}
