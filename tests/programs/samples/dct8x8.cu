// program: tags=samples,constant-memory,shared-memory
// The 8x8 cosine transform of an image, there and back.

#include "../check.h"

__constant__ float basis[64];

template <bool INVERSE>
__global__ void transform(float* image, int width) {
  __shared__ float in[8][9], middle[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  float* pixel = image + (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
  in[y][x] = *pixel;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += in[y][k] * (INVERSE ? basis[k * 8 + x] : basis[x * 8 + k]);
  middle[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; k++) sum += middle[k][x] * (INVERSE ? basis[k * 8 + y] : basis[y * 8 + k]);
  *pixel = sum;
}

int main() {
  const int width = 48, height = 32;
  Random random(20);
  const std::vector<float> image = random.floats(width * height, 0, 255);
  std::vector<float> c(64);
  for (int u = 0; u < 8; u++)
    for (int x = 0; x < 8; x++)
      c[u * 8 + x] = static_cast<float>((u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * 3.14159265358979 / 16));
  CHECK(cudaMemcpyToSymbol(basis, c.data(), sizeof(basis)));
  std::vector<double> want(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          want[y * width + x] += double(image[(y / 8 * 8 + i) * width + x / 8 * 8 + j]) * c[y % 8 * 8 + i] * c[x % 8 * 8 + j];
  DeviceArray<float> device(image);
  transform<false><<<dim3(width / 8, height / 8), dim3(8, 8)>>>(device, width);
  CHECK_KERNEL();
  close("coefficients", device.host(), want, 1e-4);
  transform<true><<<dim3(width / 8, height / 8), dim3(8, 8)>>>(device, width);
  CHECK_KERNEL();
  close("image", device.host(), image, 1e-3);
  return finish();
}
