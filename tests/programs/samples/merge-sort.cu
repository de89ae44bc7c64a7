// program: tags=samples,sorting,divergence
// Merge sort: insertion sort of short runs, then merges where each element finds its place by binary search.

#include "../check.h"
#include <algorithm>

__global__ void sort_runs(int* data, int run) {
  int* mine = data + (blockIdx.x * blockDim.x + threadIdx.x) * run;
  for (int i = 1; i < run; i++) {
    const int value = mine[i];
    int j = i;
    for (; j > 0 && mine[j - 1] > value; j--) mine[j] = mine[j - 1];
    mine[j] = value;
  }
}

/** The number of elements below `value`, or not above it. */
template <bool UPPER>
__device__ int bound(const int* run, int length, int value) {
  int low = 0;
  while (length > 0) {
    const int half = length / 2;
    if (run[low + half] < value || (UPPER && run[low + half] == value)) {
      low += half + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  return low;
}

__global__ void merge(int* out, const int* in, int run) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, pair = i / (2 * run) * 2 * run, at = i - pair;
  const int value = in[i];
  const int place = at < run ? at + bound<false>(in + pair + run, run, value) : at - run + bound<true>(in + pair, run, value);
  out[pair + place] = value;
}

int main() {
  const int count = 2048, run = 8;
  Random random(19);
  std::vector<int> data(count);
  for (int& value : data) value = static_cast<int>(random.below(1000)) - 500;
  DeviceArray<int> a(data), b(count);
  int *from = a, *to = b;
  sort_runs<<<count / run / 64, 64>>>(from, run);
  for (int length = run; length < count; length *= 2) {
    merge<<<count / 128, 128>>>(to, from, length);
    std::swap(from, to);
  }
  CHECK_KERNEL();
  std::vector<int> got(count);
  CHECK(cudaMemcpy(got.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost));
  std::sort(data.begin(), data.end());
  same("sorted", got, data);
  return finish();
}
