// program: tags=llm,reductions,cooperative-groups
// Layer normalization, forward and backward, a warp for each row.

#include "../check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void forward(float* out, float* means, float* scales, const float* x, const float* weight, const float* bias,
                        int rows, int width) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  x += row * width;
  float sum = 0;
  for (int i = warp.thread_rank(); i < width; i += 32) sum += x[i];
  const float mean = cg::reduce(warp, sum, cg::plus<float>{}) / width;
  sum = 0;
  for (int i = warp.thread_rank(); i < width; i += 32) sum += (x[i] - mean) * (x[i] - mean);
  const float scale = rsqrtf(cg::reduce(warp, sum, cg::plus<float>{}) / width + 1e-5f);
  for (int i = warp.thread_rank(); i < width; i += 32) out[row * width + i] = (x[i] - mean) * scale * weight[i] + bias[i];
  if (warp.thread_rank() == 0) means[row] = mean, scales[row] = scale;
}

__global__ void backward(float* dx, float* dweight, float* dbias, const float* dout, const float* x, const float* weight,
                         const float* means, const float* scales, int rows, int width) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float mean = means[row], scale = scales[row];
  float sum = 0, sum_with_norm = 0;
  for (int i = warp.thread_rank(); i < width; i += 32) {
    const float norm = (x[row * width + i] - mean) * scale, d = weight[i] * dout[row * width + i];
    sum += d;
    sum_with_norm += d * norm;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{}) / width;
  sum_with_norm = cg::reduce(warp, sum_with_norm, cg::plus<float>{}) / width;
  for (int i = warp.thread_rank(); i < width; i += 32) {
    const float d = dout[row * width + i], norm = (x[row * width + i] - mean) * scale;
    atomicAdd(&dbias[i], d);
    atomicAdd(&dweight[i], norm * d);
    dx[row * width + i] = scale * (weight[i] * d - sum - norm * sum_with_norm);
  }
}

int main() {
  const int rows = 10, width = 96;
  Random random(30);
  const auto x = random.floats(rows * width), weight = random.floats(width, 0.5f, 1.5f), bias = random.floats(width),
             dout = random.floats(rows * width);
  std::vector<double> out(rows * width), dx(rows * width), dweight(width), dbias(width);
  for (int r = 0; r < rows; r++) {
    double mean = 0, variance = 0, a = 0, b = 0;
    for (int i = 0; i < width; i++) mean += x[r * width + i] / double(width);
    for (int i = 0; i < width; i++) variance += (x[r * width + i] - mean) * (x[r * width + i] - mean) / width;
    const double scale = 1 / std::sqrt(variance + 1e-5);
    for (int i = 0; i < width; i++) {
      const double norm = (x[r * width + i] - mean) * scale, d = dout[r * width + i];
      out[r * width + i] = norm * weight[i] + bias[i];
      a += weight[i] * d / width;
      b += weight[i] * d * norm / width;
      dbias[i] += d;
      dweight[i] += norm * d;
    }
    for (int i = 0; i < width; i++) {
      const double norm = (x[r * width + i] - mean) * scale;
      dx[r * width + i] = scale * (weight[i] * dout[r * width + i] - a - norm * b);
    }
  }
  DeviceArray<float> px(x), pw(weight), pb(bias), pd(dout), po(rows * width), pm(rows), ps(rows), pdx(rows * width), pdw(width),
      pdb(width);
  forward<<<blocks_for(rows, 4), 128>>>(po, pm, ps, px, pw, pb, rows, width);
  backward<<<blocks_for(rows, 4), 128>>>(pdx, pdw, pdb, pd, px, pw, pm, ps, rows, width);
  CHECK_KERNEL();
  close("out", po.host(), out, 1e-4);
  close("dx", pdx.host(), dx, 1e-4);
  close("dweight", pdw.host(), dweight, 1e-4);
  close("dbias", pdb.host(), dbias, 1e-4);
  return finish();
}
