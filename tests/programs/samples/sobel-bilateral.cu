// program: tags=samples,images,math
// Two filters of images with uchar4 pixels: edges by Sobel's operator, and a bilateral filter.

#include "../check.h"

__host__ __device__ inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

__host__ __device__ int gray(uchar4 p) { return (p.x * 77 + p.y * 150 + p.z * 29) >> 8; }

__host__ __device__ unsigned char sobel_at(const uchar4* image, int width, int height, int x, int y) {
  auto at = [&](int dx, int dy) { return gray(image[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)]); };
  const int horizontal = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
  const int vertical = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
  return clamp((horizontal < 0 ? -horizontal : horizontal) + (vertical < 0 ? -vertical : vertical), 0, 255);
}

template <class T>
__host__ __device__ T bilateral_at(const uchar4* image, int width, int height, int x, int y) {
  const int middle = gray(image[y * width + x]);
  T sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      const int value = gray(image[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)]);
      const T apart = T(value - middle) / T(40);
      const T weight = exp(-T(dx * dx + dy * dy) / T(8) - apart * apart / T(2));
      sum += weight * T(value);
      weights += weight;
    }
  return sum / weights;
}

__global__ void filters(const uchar4* image, unsigned char* edges, float* smooth, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  edges[y * width + x] = sobel_at(image, width, height, x, y);
  smooth[y * width + x] = bilateral_at<float>(image, width, height, x, y);
}

int main() {
  const int width = 45, height = 37;
  Random random(21);
  std::vector<uchar4> image(width * height);
  for (uchar4& p : image) {
    const unsigned r = random.next();
    p = make_uchar4(r, r >> 8, r >> 16, 255);
  }
  std::vector<unsigned char> edges(width * height);
  std::vector<double> smooth(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      edges[y * width + x] = sobel_at(image.data(), width, height, x, y);
      smooth[y * width + x] = bilateral_at<double>(image.data(), width, height, x, y);
    }
  DeviceArray<uchar4> input(image);
  DeviceArray<unsigned char> out(width * height);
  DeviceArray<float> filtered(width * height);
  filters<<<dim3(blocks_for(width, 16), blocks_for(height, 16)), dim3(16, 16)>>>(input, out, filtered, width, height);
  CHECK_KERNEL();
  same("edges", out.host(), edges);
  close("smooth", filtered.host(), smooth, 1e-4);
  return finish();
}
