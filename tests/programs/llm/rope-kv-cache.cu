// program: tags=llm,attention,math
// Decoding token by token: rotary embeddings, a cache of keys and values, and grouped-query attention over it.

#include "../check.h"

constexpr int HEADS = 4, GROUPS = 2, D = 16, LONGEST = 12;

__global__ void rotate_and_store(float* q, const float* k, const float* v, float* keys, float* values, int position) {
  const int i = threadIdx.x * 2, d = i % D;
  const float angle = position * powf(10000.0f, -float(d) / D), c = cosf(angle), s = sinf(angle);
  const float a = q[i], b = q[i + 1];
  q[i] = a * c - b * s;
  q[i + 1] = a * s + b * c;
  if (i < GROUPS * D) {
    float* key = keys + position * GROUPS * D + i;
    key[0] = k[i] * c - k[i + 1] * s;
    key[1] = k[i] * s + k[i + 1] * c;
    reinterpret_cast<float2*>(values)[(position * GROUPS * D + i) / 2] = reinterpret_cast<const float2*>(v)[i / 2];
  }
}

__global__ void attend(float* out, const float* q, const float* keys, const float* values, int length) {
  __shared__ float weights[LONGEST];
  const int head = blockIdx.x, group = head / (HEADS / GROUPS), lane = threadIdx.x;
  float score = -INFINITY;
  if (lane < length) {
    score = 0;
    for (int d = 0; d < D; d++) score += q[head * D + d] * keys[(lane * GROUPS + group) * D + d];
    score *= 0.25f;
  }
  float most = score;
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, offset));
  const float weight = lane < length ? expf(score - most) : 0.0f;
  float sum = weight;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane < length) weights[lane] = weight / sum;
  __syncwarp();
  if (lane < D) {
    float total = 0;
    for (int t = 0; t < length; t++) total += weights[t] * values[(t * GROUPS + group) * D + lane];
    out[head * D + lane] = total;
  }
}

int main() {
  Random random(36);
  DeviceArray<float> keys(LONGEST * GROUPS * D), values(LONGEST * GROUPS * D), out(HEADS * D);
  std::vector<double> all_keys, all_values;
  for (int position = 0; position < LONGEST; position++) {
    const auto q = random.floats(HEADS * D), k = random.floats(GROUPS * D), v = random.floats(GROUPS * D);
    auto rotated = [&](const std::vector<float>& x) {
      std::vector<double> y(x.size());
      for (size_t i = 0; i < x.size(); i += 2) {
        const double angle = position * std::pow(10000.0, -double(i % D) / D);
        y[i] = x[i] * std::cos(angle) - x[i + 1] * std::sin(angle);
        y[i + 1] = x[i] * std::sin(angle) + x[i + 1] * std::cos(angle);
      }
      return y;
    };
    const auto rq = rotated(q), rk = rotated(k);
    all_keys.insert(all_keys.end(), rk.begin(), rk.end());
    all_values.insert(all_values.end(), v.begin(), v.end());
    std::vector<double> want(HEADS * D, 0.0);
    for (int h = 0; h < HEADS; h++) {
      const int g = h / (HEADS / GROUPS);
      std::vector<double> p(position + 1);
      double sum = 0;
      for (int t = 0; t <= position; t++) {
        for (int d = 0; d < D; d++) p[t] += rq[h * D + d] * all_keys[(t * GROUPS + g) * D + d] / 4;
        sum += p[t] = std::exp(p[t]);
      }
      for (int t = 0; t <= position; t++)
        for (int d = 0; d < D; d++) want[h * D + d] += p[t] / sum * all_values[(t * GROUPS + g) * D + d];
    }
    DeviceArray<float> dq(q), dk(k), dv(v);
    rotate_and_store<<<1, HEADS * D / 2>>>(dq, dk, dv, keys, values, position);
    attend<<<HEADS, 32>>>(out, dq, keys, values, position + 1);
    CHECK_KERNEL();
    close("out", out.host(), want, 1e-4);
  }
  return finish();
}
