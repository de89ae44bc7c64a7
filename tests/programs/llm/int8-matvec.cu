// program: tags=llm,quantised,integers,dp4a ci
// A matrix of int8 in groups with a scale each, times a vector that is quantised on the device, by __dp4a; and 4-bit weights.

#include "../check.h"

constexpr int GROUP = 32;

__global__ void quantise(int8_t* q, float* scales, const float* x) {
  const float value = x[blockIdx.x * GROUP + threadIdx.x];
  float most = fabsf(value);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, offset));
  const float scale = most / 127.0f;
  q[blockIdx.x * GROUP + threadIdx.x] = static_cast<int8_t>(__float2int_rn(value / scale));
  if (threadIdx.x == 0) scales[blockIdx.x] = scale;
}

__global__ void matvec8(float* out, const int* w, const float* ws, const int* x, const float* xs, int width) {
  const int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int g = lane; g < width / GROUP; g += 32) {
    int dot = 0;
    for (int i = 0; i < GROUP / 4; i++) dot = __dp4a(w[(row * width + g * GROUP) / 4 + i], x[g * GROUP / 4 + i], dot);
    sum += dot * ws[row * (width / GROUP) + g] * xs[g];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) out[row] = sum;
}

/** The low half of each byte holds weights 0 to 15 of a group, the high half 16 to 31; both are offset by 8. */
__global__ void matvec4(float* out, const uint8_t* w, const float* ws, const int8_t* x, const float* xs, int width) {
  const int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int g = 0; g < width / GROUP; g++) {
    const uint8_t byte = w[(row * width + g * GROUP) / 2 + lane % 16];
    const int weight = (lane < 16 ? byte & 15 : byte >> 4) - 8;
    const int dot = weight * x[g * GROUP + lane];
    sum += dot * ws[row * (width / GROUP) + g] * xs[g];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) out[row] = sum;
}

int main() {
  const int rows = 24, width = 512, groups = width / GROUP;
  Random random(40);
  const auto x = random.floats(width), scales = random.floats(rows * groups, 0.001f, 0.01f);
  std::vector<int8_t> w8(rows * width);
  std::vector<uint8_t> w4(rows * width / 2);
  for (auto& w : w8) w = static_cast<int8_t>(random.below(255)) ;
  for (auto& w : w4) w = static_cast<uint8_t>(random.below(256));

  DeviceArray<float> dx(x), ds(scales), xs(groups), out8(rows), out4(rows);
  DeviceArray<int8_t> xq(width), d8(w8);
  DeviceArray<uint8_t> d4(w4);
  quantise<<<groups, GROUP>>>(xq, xs, dx);
  matvec8<<<rows, 32>>>(out8, reinterpret_cast<int*>(d8.get()), ds, reinterpret_cast<int*>(xq.get()), xs, width);
  matvec4<<<rows, 32>>>(out4, d4, ds, xq, xs, width);
  CHECK_KERNEL();

  const auto q = xq.host();
  const auto qs = xs.host();
  for (int i = 0; i < width; i++) {
    const double error = std::fabs(q[i] * double(qs[i / GROUP]) - x[i]);
    if (!expect(error <= qs[i / GROUP] * 0.5001, "quantised values within half a step")) break;
  }
  std::vector<double> want8(rows, 0.0), want4(rows, 0.0);
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < width; i++) {
      const int g = i / GROUP, in_group = i % GROUP;
      const double scale = double(scales[r * groups + g]) * qs[g] * q[i];
      want8[r] += w8[r * width + i] * scale;
      const uint8_t byte = w4[(r * width + g * GROUP) / 2 + in_group % 16];
      want4[r] += ((in_group < 16 ? byte & 15 : byte >> 4) - 8) * scale;
    }
  close("8 bits", out8.host(), want8, 1e-4);
  close("4 bits", out4.host(), want4, 1e-4);
  return finish();
}
