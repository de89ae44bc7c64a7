// program: tags=samples,math
// Prices of European options in closed form, by erfcf in float and by erfc in double.

#include "../check.h"

template <class T>
__host__ __device__ T normal(T x) {
  return T(0.5) * T(erfc(-x * T(0.70710678118654752)));
}

template <class T>
__host__ __device__ void price(T& call, T& put, T spot, T strike, T years, T rate, T volatility) {
  const T root = sqrt(years);
  const T d1 = (log(spot / strike) + (rate + T(0.5) * volatility * volatility) * years) / (volatility * root);
  const T d2 = d1 - volatility * root;
  const T discounted = strike * exp(-rate * years);
  call = spot * normal(d1) - discounted * normal(d2);
  put = discounted * (T(1) - normal(d2)) - spot * (T(1) - normal(d1));
}

template <class T>
__global__ void prices(T* call, T* put, const float* spot, const float* strike, const float* years, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) price<T>(call[i], put[i], spot[i], strike[i], years[i], T(0.02), T(0.3));
}

template <class T>
void run(const char* name, double tolerance) {
  const int count = 2000;
  Random random(12);
  const std::vector<float> spot = random.floats(count, 5, 30), strike = random.floats(count, 1, 100),
                           years = random.floats(count, 0.25f, 10);
  std::vector<double> calls(count), puts(count);
  for (int i = 0; i < count; i++) price<double>(calls[i], puts[i], spot[i], strike[i], years[i], 0.02, 0.3);
  DeviceArray<float> dspot(spot), dstrike(strike), dyears(years);
  DeviceArray<T> call(count), put(count);
  prices<T><<<blocks_for(count, 128), 128>>>(call, put, dspot, dstrike, dyears, count);
  CHECK_KERNEL();
  close(name, call.host(), calls, tolerance);
  close(name, put.host(), puts, tolerance);
}

int main() {
  run<float>("float", 2e-4);
  run<double>("double", 1e-8);
  return finish();
}
