// program: tags=samples,monte-carlo,math
// Normal numbers by xorshift128 and Box-Muller, one state per thread kept in memory between launches.

#include "../check.h"

struct State {
  unsigned x, y, z, w;
};

__host__ __device__ unsigned next(State& s) {
  unsigned t = s.x ^ (s.x << 11);
  s.x = s.y, s.y = s.z, s.z = s.w;
  return s.w = s.w ^ (s.w >> 19) ^ t ^ (t >> 8);
}

template <class T>
__host__ __device__ void normals(State& s, T& a, T& b) {
  const T u = (T(next(s) >> 8) + T(0.5)) / T(16777216), v = T(next(s) >> 8) / T(16777216);
  const T radius = sqrt(T(-2) * log(u));
  a = radius * cos(T(6.283185307179586) * v);
  b = radius * sin(T(6.283185307179586) * v);
}

__global__ void fill(State* states, float* out, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s = states[i];
  for (int j = 0; j < each; j += 2) normals<float>(s, out[i * each + j], out[i * each + j + 1]);
  states[i] = s;
}

int main() {
  const int threads = 256, each = 8;
  Random random(13);
  std::vector<State> states(threads);
  for (State& s : states) s = {random.next(), random.next(), random.next(), random.next() | 1};
  DeviceArray<State> device(states);
  DeviceArray<float> out(threads * each);
  for (int launch = 0; launch < 3; launch++) {
    std::vector<double> want(threads * each);
    for (int i = 0; i < threads; i++)
      for (int j = 0; j < each; j += 2) normals<double>(states[i], want[i * each + j], want[i * each + j + 1]);
    fill<<<threads / 64, 64>>>(device, out, each);
    CHECK_KERNEL();
    close("normals", out.host(), want, 2e-4);
  }
  return finish();
}
