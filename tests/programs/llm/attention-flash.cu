// program: tags=llm,attention,shared-memory,math
// Attention in one kernel: tiles of keys and values in shared memory, a running softmax in registers.

#include "../check.h"

constexpr int T = 48, D = 32, TILE = 16;

__global__ void flash(float* out, const float* q, const float* k, const float* v) {
  __shared__ float qs[TILE][D], ks[TILE][D + 1], vs[TILE][D], ps[TILE][TILE];
  const float* base_q = q + blockIdx.y * T * D;
  const float* base_k = k + blockIdx.y * T * D;
  const float* base_v = v + blockIdx.y * T * D;
  const int row = threadIdx.y, column = threadIdx.x, at = blockIdx.x * TILE + row;
  for (int d = column; d < D; d += TILE) qs[row][d] = base_q[at * D + d] * rsqrtf(float(D));
  float most = -INFINITY, sum = 0, total[D / TILE] = {};
  for (int start = 0; start <= blockIdx.x * TILE; start += TILE) {
    __syncthreads();
    for (int d = column; d < D; d += TILE) {
      ks[row][d] = base_k[(start + row) * D + d];
      vs[row][d] = base_v[(start + row) * D + d];
    }
    __syncthreads();
    float score = -INFINITY;
    if (start + column <= at) {
      score = 0;
      for (int d = 0; d < D; d++) score += qs[row][d] * ks[column][d];
    }
    float tile_most = score;
    for (int offset = TILE / 2; offset > 0; offset /= 2)
      tile_most = fmaxf(tile_most, __shfl_xor_sync(0xffffffff, tile_most, offset, TILE));
    const float next = fmaxf(most, tile_most), kept = most == -INFINITY ? 0.0f : expf(most - next);
    const float p = score == -INFINITY ? 0.0f : expf(score - next);
    float tile_sum = p;
    for (int offset = TILE / 2; offset > 0; offset /= 2) tile_sum += __shfl_xor_sync(0xffffffff, tile_sum, offset, TILE);
    ps[row][column] = p;
    __syncthreads();
    sum = sum * kept + tile_sum;
    most = next;
    for (int i = 0; i < D / TILE; i++) {
      total[i] *= kept;
      for (int j = 0; j < TILE; j++) total[i] += ps[row][j] * vs[j][column + i * TILE];
    }
  }
  for (int i = 0; i < D / TILE; i++) out[(blockIdx.y * T + at) * D + column + i * TILE] = total[i] / sum;
}

int main() {
  const int heads = 2, count = heads * T * D;
  Random random(35);
  const auto q = random.floats(count, -2, 2), k = random.floats(count, -2, 2), v = random.floats(count);
  std::vector<double> want(count, 0.0);
  for (int h = 0; h < heads; h++)
    for (int t = 0; t < T; t++) {
      std::vector<double> p(t + 1);
      double most = -1e30, sum = 0;
      for (int j = 0; j <= t; j++) {
        for (int d = 0; d < D; d++) p[j] += double(q[(h * T + t) * D + d]) * k[(h * T + j) * D + d] / std::sqrt(double(D));
        most = std::fmax(most, p[j]);
      }
      for (double& x : p) sum += x = std::exp(x - most);
      for (int j = 0; j <= t; j++)
        for (int d = 0; d < D; d++) want[(h * T + t) * D + d] += p[j] / sum * v[(h * T + j) * D + d];
    }
  DeviceArray<float> dq(q), dk(k), dv(v), out(count);
  flash<<<dim3(T / TILE, heads), dim3(TILE, TILE)>>>(out, dq, dk, dv);
  CHECK_KERNEL();
  close("out", out.host(), want, 1e-4);
  return finish();
}
