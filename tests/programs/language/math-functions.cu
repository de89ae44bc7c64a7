// program: tags=language,math,double except=fast-math
// The functions of the math library in float and double, against the host's, within a few units in the last place.

#include "../check.h"

constexpr int FUNCTIONS = 24;

template <class T>
__host__ __device__ void evaluate(T x, T y, T* r) {
  r[0] = sin(x), r[1] = cos(x), r[2] = tan(x / 4), r[3] = asin(x / 6), r[4] = acos(x / 6), r[5] = atan2(x, y);
  r[6] = exp(x), r[7] = exp2(x), r[8] = expm1(x), r[9] = log(y), r[10] = log2(y), r[11] = log10(y), r[12] = log1p(y);
  r[13] = pow(y, x), r[14] = sqrt(y), r[15] = cbrt(x), r[16] = sinh(x), r[17] = tanh(x), r[18] = erf(x), r[19] = tgamma(y + T(0.5));
  r[20] = hypot(x, y), r[21] = fmod(x * T(10), y), r[22] = lgamma(y + T(2.5)), r[23] = atan(x);
}

template <class T>
__global__ void all(const double* xs, const double* ys, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) evaluate<T>(T(xs[i]), T(ys[i]), out + i * FUNCTIONS);
}

template <class T>
void run(const char* name, double tolerance) {
  const int count = 200;
  Random random(87);
  std::vector<double> xs(count), ys(count), want(count * FUNCTIONS);
  for (int i = 0; i < count; i++) {
    xs[i] = random.uniform(-5, 5);
    ys[i] = random.uniform(0.01f, 5);
    evaluate<double>(xs[i], ys[i], &want[i * FUNCTIONS]);
  }
  DeviceArray<double> dx(xs), dy(ys);
  DeviceArray<T> out(count * FUNCTIONS);
  all<T><<<blocks_for(count, 64), 64>>>(dx, dy, out, count);
  CHECK_KERNEL();
  close(name, out.host(), want, tolerance);
}

int main() {
  run<float>("float", 2e-6);
  run<double>("double", 1e-14);
  return finish();
}
