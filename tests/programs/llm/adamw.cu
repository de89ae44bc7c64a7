// program: tags=llm,math
// Three steps of AdamW, with the parameters passed in a struct by value.

#include "../check.h"

struct Options {
  float rate, beta1, beta2, epsilon, decay;
  int step;
};

__device__ float lerp(float a, float b, float weight) { return fmaf(weight, b, fmaf(-weight, a, a)); }

__global__ void adamw(float* p, const float* g, float* m, float* v, long long count, const Options o) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float mean = m[i] = lerp(g[i], m[i], o.beta1), square = v[i] = lerp(g[i] * g[i], v[i], o.beta2);
  const float corrected = mean / (1.0f - powf(o.beta1, o.step)), scale = square / (1.0f - powf(o.beta2, o.step));
  p[i] -= o.rate * (corrected / (sqrtf(scale) + o.epsilon) + o.decay * p[i]);
}

int main() {
  const int count = 1500;
  Random random(38);
  const auto start = random.floats(count);
  DeviceArray<float> p(start), m(count), v(count);
  std::vector<double> wp(start.begin(), start.end()), wm(count, 0.0), wv(count, 0.0);
  Options options = {1e-2f, 0.9f, 0.999f, 1e-8f, 0.01f, 0};
  for (options.step = 1; options.step <= 3; options.step++) {
    const auto gradient = random.floats(count, 0.1f, 1);
    DeviceArray<float> g(gradient);
    adamw<<<blocks_for(count, 512), 512>>>(p, g, m, v, count, options);
    CHECK_KERNEL();
    for (int i = 0; i < count; i++) {
      wm[i] = options.beta1 * wm[i] + (1 - options.beta1) * gradient[i];
      wv[i] = options.beta2 * wv[i] + (1 - options.beta2) * gradient[i] * gradient[i];
      const double a = wm[i] / (1 - std::pow(double(options.beta1), options.step));
      const double b = wv[i] / (1 - std::pow(double(options.beta2), options.step));
      wp[i] -= options.rate * (a / (std::sqrt(b) + options.epsilon) + options.decay * wp[i]);
    }
  }
  close("parameters", p.host(), wp, 1e-4);
  return finish();
}
