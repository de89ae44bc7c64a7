// program: tags=llm,math
// GELU forward and backward: by erf, and by the approximation with tanh.

#include "../check.h"

__global__ void gelu(float* exact, float* fast, float* gradient, const float* x, const float* dout, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float v = x[i];
  exact[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  const float inner = 0.79788456f * (v + 0.044715f * v * v * v), t = tanhf(inner);
  fast[i] = 0.5f * v * (1.0f + t);
  const float c = coshf(inner), sech = 1.0f / (c * c);
  gradient[i] = (0.5f * (1.0f + t) + v * 0.5f * sech * 0.79788456f * (1.0f + 3.0f * 0.044715f * v * v)) * dout[i];
}

int main() {
  const int count = 4000;
  Random random(33);
  const auto x = random.floats(count, -5, 5), dout = random.floats(count);
  std::vector<double> exact(count), fast(count), gradient(count);
  for (int i = 0; i < count; i++) {
    const double v = x[i], k = std::sqrt(2 / 3.14159265358979), inner = k * (v + 0.044715 * v * v * v), t = std::tanh(inner);
    exact[i] = 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
    fast[i] = 0.5 * v * (1 + t);
    gradient[i] = (0.5 * (1 + t) + v * 0.5 * (1 - t * t) * k * (1 + 3 * 0.044715 * v * v)) * dout[i];
  }
  DeviceArray<float> px(x), pd(dout), pe(count), pf(count), pg(count);
  gelu<<<blocks_for(count, 256), 256>>>(pe, pf, pg, px, pd, count);
  CHECK_KERNEL();
  close("exact", pe.host(), exact, 1e-5);
  close("fast", pf.host(), fast, 1e-5);
  close("gradient", pg.host(), gradient, 1e-5);
  return finish();
}
