// program: tags=fp8,half arch=89
// The two formats of 8-bit floats: conversions with saturation, and a product of scaled matrices.

#include "../check.h"
#include <cuda_fp8.h>

template <class T>
__global__ void convert(const float* in, T* out, float* back, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = T(in[i]);
  back[i] = static_cast<float>(out[i]);
}

__global__ void multiply(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, float* c, float scale, int n) {
  const int row = blockIdx.x, column = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += float(a[row * n + k]) * float(b[k * n + column]);
  c[row * n + column] = sum * scale;
}

template <class T>
void run(const char* name, float most) {
  const int count = 512;
  Random random(96);
  auto in = random.floats(count, -2 * most, 2 * most);
  for (int i = 0; i < count / 2; i++) in[i] /= float(1 << (i % 24));
  DeviceArray<float> input(in), back(count);
  DeviceArray<T> out(count);
  convert<T><<<count / 64, 64>>>(input, out, back, count);
  CHECK_KERNEL();
  std::vector<int> got, want;
  std::vector<float> numbers;
  for (float value : in) {
    const T wanted(value);
    want.push_back(wanted.__x);
    numbers.push_back(float(wanted));
  }
  for (const T& value : out.host()) got.push_back(value.__x);
  same(name, got, want);
  same(name, back.host(), numbers);
}

int main() {
  run<__nv_fp8_e4m3>("e4m3", 448);
  run<__nv_fp8_e5m2>("e5m2", 57344);
  const int n = 24;
  Random random(97);
  std::vector<__nv_fp8_e4m3> a, b;
  for (int i = 0; i < n * n; i++) a.push_back(__nv_fp8_e4m3(random.uniform(-4, 4))), b.push_back(__nv_fp8_e4m3(random.uniform(-4, 4)));
  std::vector<double> want(n * n, 0.0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) want[i * n + j] += double(float(a[i * n + k])) * float(b[k * n + j]) * 0.25;
  DeviceArray<__nv_fp8_e4m3> da(a), db(b);
  DeviceArray<float> c(n * n);
  multiply<<<n, n>>>(da, db, c, 0.25f, n);
  CHECK_KERNEL();
  close("product", c.host(), want, 1e-5);
  return finish();
}
