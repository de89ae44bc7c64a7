// program: tags=warps,shuffle ci
// Every shuffle, with sub-warp widths, with lanes out of range, and for 4- and 8-byte types.

#include "../check.h"

template <class T>
__global__ void shuffles(const T* in, T* out, int width) {
  const unsigned lane = threadIdx.x % 32;
  const T value = in[threadIdx.x];
  T* mine = out + threadIdx.x * 6;
  mine[0] = __shfl_sync(0xffffffff, value, (lane * 7 + 3) % 32, width);
  mine[1] = __shfl_up_sync(0xffffffff, value, 3, width);
  mine[2] = __shfl_down_sync(0xffffffff, value, 5, width);
  mine[3] = __shfl_xor_sync(0xffffffff, value, 9, width);
  // The even lanes alone take part.
  mine[4] = T(0);
  if (lane % 2 == 0) mine[4] = __shfl_down_sync(0x55555555, value, 2, width);
  mine[5] = __shfl_sync(0xffffffff, value, 0, width);
}

template <class T>
void run(const char* name, int width) {
  const int count = 64;
  std::vector<T> in(count), want(count * 6);
  for (int i = 0; i < count; i++) in[i] = T(i * 1000 + 7);
  for (int i = 0; i < count; i++) {
    const int warp = i / 32 * 32, lane = i % 32, base = lane / width * width, in_group = lane % width;
    auto at = [&](int source) { return in[warp + source]; };
    T* mine = &want[i * 6];
    mine[0] = at(base + (lane * 7 + 3) % 32 % width);
    mine[1] = at(in_group >= 3 ? lane - 3 : lane);
    mine[2] = at(in_group + 5 < width ? lane + 5 : lane);
    // A source below the group is allowed for xor, a source above it gives the own value.
    mine[3] = at((lane ^ 9) <= base + width - 1 ? (lane ^ 9) : lane);
    mine[4] = lane % 2 == 0 ? at(in_group + 2 < width ? lane + 2 : lane) : T(0);
    mine[5] = at(base);
  }
  DeviceArray<T> input(in), out(count * 6);
  shuffles<T><<<1, count>>>(input, out, width);
  CHECK_KERNEL();
  same(name, out.host(), want);
}

int main() {
  for (int width : {32, 16, 8}) {
    run<int>("int", width);
    run<float>("float", width);
    run<double>("double", width);
    run<unsigned long long>("unsigned long long", width);
  }
  return finish();
}
