// program: tags=language,rounding,vectors,inline-ptx except=fast-math
// Rounding modes, conversions that saturate, special values, vector types, inline PTX and the dimensions of launches.

#include "../check.h"
#include <cfenv>
#include <cstring>

__global__ void rounded(const float* a, const float* b, float* out, int* ints) {
  const int i = threadIdx.x;
  out[i * 6] = __fadd_rd(a[i], b[i]), out[i * 6 + 1] = __fadd_ru(a[i], b[i]), out[i * 6 + 2] = __fmul_rz(a[i], b[i]);
  out[i * 6 + 3] = __fdiv_rn(a[i], b[i]), out[i * 6 + 4] = __fsqrt_ru(fabsf(a[i])), out[i * 6 + 5] = __fmaf_rd(a[i], b[i], 1.0f);
  ints[i * 4] = __float2int_rd(a[i] * 100), ints[i * 4 + 1] = __float2int_rn(a[i] * 100);
  ints[i * 4 + 2] = __float2int_rz(a[i] * 1e20f), ints[i * 4 + 3] = static_cast<int>(__float2uint_ru(b[i] * 10));
}

__global__ void indices(int3* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int lane;
  unsigned sum;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("{ .reg .u32 t; mul.lo.u32 t, %1, 3; add.u32 %0, t, %2; }" : "=r"(sum) : "r"(block), "r"(thread));
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = make_int3(lane, static_cast<int>(sum), block);
}

__global__ void special(float* out) {
  const float zero = out[0], inf = 1.0f / zero;
  out[1] = isnan(inf - inf), out[2] = isinf(-inf), out[3] = signbit(-zero) != 0, out[4] = fminf(inf - inf, 2.0f), out[5] = copysignf(3, -zero);
  out[6] = nextafterf(1.0f, 2.0f), out[7] = rintf(2.5f), out[8] = roundf(2.5f), out[9] = ldexpf(1.5f, -130), out[10] = __saturatef(1.5f);
}

int main() {
  const int count = 48;
  Random random(88);
  const auto a = random.floats(count, -3, 3), b = random.floats(count, 0.1f, 3);
  std::vector<float> want(count * 6);
  std::vector<int> ints(count * 4);
  auto in_mode = [](int mode, auto f) {
    std::fesetround(mode);
    volatile float result = f();
    std::fesetround(FE_TONEAREST);
    return static_cast<float>(result);
  };
  for (int i = 0; i < count; i++) {
    volatile float x = a[i], y = b[i], positive = std::fabs(a[i]), one = 1;
    want[i * 6] = in_mode(FE_DOWNWARD, [&] { return x + y; });
    want[i * 6 + 1] = in_mode(FE_UPWARD, [&] { return x + y; });
    want[i * 6 + 2] = in_mode(FE_TOWARDZERO, [&] { return x * y; });
    want[i * 6 + 3] = x / y;
    want[i * 6 + 4] = in_mode(FE_UPWARD, [&] { return std::sqrt(float(positive)); });
    want[i * 6 + 5] = in_mode(FE_DOWNWARD, [&] { return std::fma(float(x), float(y), float(one)); });
    const float hundred = x * 100, ten = y * 10, far = x * 1e20f;
    ints[i * 4] = static_cast<int>(std::floor(hundred)), ints[i * 4 + 1] = static_cast<int>(std::nearbyint(hundred));
    ints[i * 4 + 2] = far > 0 ? 0x7fffffff : -0x7fffffff - 1, ints[i * 4 + 3] = static_cast<int>(std::ceil(ten));
  }
  DeviceArray<float> da(a), db(b), out(count * 6), odd(16);
  DeviceArray<int> di(count * 4);
  rounded<<<1, count>>>(da, db, out, di);
  CHECK_KERNEL();
  same("rounded", out.host(), want);
  same("integers", di.host(), ints);

  const dim3 grid(3, 2, 2), block(4, 3, 5);
  DeviceArray<int3> places(12 * 60);
  indices<<<grid, block>>>(places);
  CHECK_KERNEL();
  const auto got = places.host();
  std::vector<int> x, y;
  for (int i = 0; i < 12 * 60; i++) {
    x.insert(x.end(), {got[i].x, got[i].y, got[i].z});
    y.insert(y.end(), {i % 60 % 32, i / 60 * 3 + i % 60, i / 60});
  }
  same("indices", x, y);

  special<<<1, 1>>>(odd);
  CHECK_KERNEL();
  same("special values", odd.host(),
       std::vector<float>{0, 1, 1, 1, 2, -3, std::nextafter(1.0f, 2.0f), 2, 3, std::ldexp(1.5f, -130), 1, 0, 0, 0, 0, 0});
  return finish();
}
