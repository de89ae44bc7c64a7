// program: tags=half,bfloat16,math
// Arithmetic of half, half2 and bfloat16, their conversions, and sums by atomics.

#include "../check.h"
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const half2* a, const half2* b, half2* out, float* checks, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = __hfma2(a[i], b[i], __float2half2_rn(0.5f));
  const half x = __low2half(a[i]), y = __high2half(a[i]);
  checks[i * 4] = __half2float(__hmax(x, y)), checks[i * 4 + 1] = __hlt(x, y);
  checks[i * 4 + 2] = __half2float(__hadd(x, y)), checks[i * 4 + 3] = __half2float(hsqrt(__habs(x)));
}

__global__ void brains(const float* a, __nv_bfloat16* out, float* back, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = __float2bfloat16(a[i]);
  back[i] = __bfloat162float(out[i] * __float2bfloat16(2.0f) + __float2bfloat16(1.0f));
}

__global__ void add(half2* sum, half* single, float* brain_free) {
  atomicAdd(sum, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(single, __float2half(0.25f));
  atomicAdd(brain_free, 0.125f);
}

float as_bfloat16(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, 4);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
  std::memcpy(&value, &bits, 4);
  return value;
}

int main() {
  const int count = 300;
  Random random(95);
  std::vector<half2> a(count), b(count);
  std::vector<float> want(count * 2), checks(count * 4);
  for (int i = 0; i < count; i++) {
    const float x = random.uniform(-2, 2), y = random.uniform(-2, 2), z = random.uniform(-2, 2), w = random.uniform(-2, 2);
    a[i] = __floats2half2_rn(x, y), b[i] = __floats2half2_rn(z, w);
    const float lx = __low2float(a[i]), ly = __high2float(a[i]);
    // Products of halves plus a half are exact in float, so rounding happens once, as in the device's fma.
    want[2 * i] = __half2float(__float2half(lx * __low2float(b[i]) + 0.5f));
    want[2 * i + 1] = __half2float(__float2half(ly * __high2float(b[i]) + 0.5f));
    checks[4 * i] = std::fmax(lx, ly), checks[4 * i + 1] = lx < ly;
    checks[4 * i + 2] = __half2float(__float2half(lx + ly)), checks[4 * i + 3] = __half2float(__float2half(std::sqrt(std::fabs(lx))));
  }
  DeviceArray<half2> da(a), db(b), out(count), sum(1);
  DeviceArray<float> dc(count * 4), back(count), number(1);
  DeviceArray<half> single(1);
  halves<<<blocks_for(count, 64), 64>>>(da, db, out, dc, count);
  CHECK_KERNEL();
  std::vector<float> got;
  for (const half2& value : out.host()) got.insert(got.end(), {__low2float(value), __high2float(value)});
  close("fma", got, want, 1e-3);
  close("checks", dc.host(), checks, 1e-3);

  const auto floats = random.floats(count, -100, 100);
  DeviceArray<float> df(floats);
  DeviceArray<__nv_bfloat16> brain(count);
  brains<<<blocks_for(count, 64), 64>>>(df, brain, back, count);
  CHECK_KERNEL();
  std::vector<float> rounded, doubled, brain_got;
  for (float value : floats) rounded.push_back(as_bfloat16(value)), doubled.push_back(as_bfloat16(as_bfloat16(value) * 2 + 1));
  for (const __nv_bfloat16& value : brain.host()) brain_got.push_back(__bfloat162float(value));
  same("bfloat16", brain_got, rounded);
  close("doubled", back.host(), doubled, 8e-3);

  add<<<2, 64>>>(sum, single, number);
  CHECK_KERNEL();
  same("half2 sum", __low2float(sum.host()[0]) + 1000 * __high2float(sum.host()[0]), 128.0f + 64000.0f);
  same("half sum", __half2float(single.host()[0]), 32.0f);
  same("float sum", number.host()[0], 16.0f);
  return finish();
}
