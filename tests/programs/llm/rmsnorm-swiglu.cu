// program: tags=llm,math,vectors
// RMS normalization with float4 loads, and the gated activation SwiGLU.

#include "../check.h"

__global__ void rmsnorm(float* out, const float* x, const float* weight, int width) {
  __shared__ float warps[4];
  const float4* row = reinterpret_cast<const float4*>(x + blockIdx.x * width);
  float sum = 0;
  for (int i = threadIdx.x; i < width / 4; i += blockDim.x) {
    const float4 v = row[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  const float scale = rsqrtf((warps[0] + warps[1] + warps[2] + warps[3]) / width + 1e-6f);
  for (int i = threadIdx.x; i < width / 4; i += blockDim.x) {
    const float4 v = row[i], w = reinterpret_cast<const float4*>(weight)[i];
    reinterpret_cast<float4*>(out + blockIdx.x * width)[i] =
        make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
  }
}

__global__ void swiglu(float* out, const float* gate, const float* up, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

int main() {
  const int rows = 6, width = 512;
  Random random(31);
  const auto x = random.floats(rows * width, -3, 3), weight = random.floats(width), up = random.floats(rows * width);
  std::vector<double> norm(rows * width), gated(rows * width);
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = 0; i < width; i++) sum += double(x[r * width + i]) * x[r * width + i];
    for (int i = 0; i < width; i++) norm[r * width + i] = x[r * width + i] / std::sqrt(sum / width + 1e-6) * weight[i];
  }
  for (int i = 0; i < rows * width; i++) gated[i] = norm[i] / (1 + std::exp(-norm[i])) * up[i];
  DeviceArray<float> px(x), pw(weight), pu(up), pn(rows * width), pg(rows * width);
  rmsnorm<<<rows, 128>>>(pn, px, pw, width);
  swiglu<<<blocks_for(rows * width, 256), 256>>>(pg, pn, pu, rows * width);
  CHECK_KERNEL();
  close("norm", pn.host(), norm, 1e-5);
  close("gated", pg.host(), gated, 1e-5);
  return finish();
}
