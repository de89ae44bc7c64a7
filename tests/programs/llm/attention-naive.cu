// program: tags=llm,attention,math
// Causal attention in three kernels: scores, softmax, weighted sum of values.

#include "../check.h"

constexpr int B = 2, T = 24, H = 2, D = 16;

__global__ void scores(float* s, const float* q, const float* k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= B * H * T * T) return;
  const int to = i % T, from = i / T % T, h = i / (T * T) % H, b = i / (T * T * H);
  if (to > from) {
    s[i] = -INFINITY;
    return;
  }
  float sum = 0;
  for (int d = 0; d < D; d++) sum += q[((b * T + from) * H + h) * D + d] * k[((b * T + to) * H + h) * D + d];
  s[i] = sum * rsqrtf(float(D));
}

__global__ void softmax(float* s) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= B * H * T) return;
  float* x = s + row * T;
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < T; i++) most = fmaxf(most, x[i]);
  for (int i = 0; i < T; i++) sum += x[i] = expf(x[i] - most);
  for (int i = 0; i < T; i++) x[i] /= sum;
}

__global__ void weighted(float* out, const float* s, const float* v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= B * T * H * D) return;
  const int d = i % D, h = i / D % H, t = i / (D * H) % T, b = i / (D * H * T);
  float sum = 0;
  for (int j = 0; j <= t; j++) sum += s[((b * H + h) * T + t) * T + j] * v[((b * T + j) * H + h) * D + d];
  out[i] = sum;
}

int main() {
  const int count = B * T * H * D;
  Random random(34);
  const auto q = random.floats(count, -2, 2), k = random.floats(count, -2, 2), v = random.floats(count);
  std::vector<double> want(count, 0.0);
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++) {
        std::vector<double> p(t + 1);
        double most = -1e30, sum = 0;
        for (int j = 0; j <= t; j++) {
          for (int d = 0; d < D; d++) p[j] += double(q[((b * T + t) * H + h) * D + d]) * k[((b * T + j) * H + h) * D + d];
          p[j] /= std::sqrt(double(D));
          most = std::fmax(most, p[j]);
        }
        for (double& x : p) sum += x = std::exp(x - most);
        for (int j = 0; j <= t; j++)
          for (int d = 0; d < D; d++) want[((b * T + t) * H + h) * D + d] += p[j] / sum * v[((b * T + j) * H + h) * D + d];
      }
  DeviceArray<float> dq(q), dk(k), dv(v), ds(B * H * T * T), out(count);
  scores<<<blocks_for(B * H * T * T, 128), 128>>>(ds, dq, dk);
  softmax<<<blocks_for(B * H * T, 32), 32>>>(ds);
  weighted<<<blocks_for(count, 128), 128>>>(out, ds, dv);
  CHECK_KERNEL();
  close("out", out.host(), want, 1e-4);
  return finish();
}
