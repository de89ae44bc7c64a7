// program: tags=cub,reductions,scan,sorting except=uninitialized
// CUB's device-wide algorithms: reduce, scan, radix sort of pairs, select, run lengths and histograms.

#include "../check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

template <class F>
void in_two_steps(F f) {
  size_t bytes = 0;
  CHECK(f(nullptr, bytes));
  DeviceArray<char> scratch(bytes + 1);
  CHECK(f(static_cast<void*>(scratch.get()), bytes));
  CHECK(cudaDeviceSynchronize());
}

struct Even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

int main() {
  const int count = 3000;
  Random random(90);
  std::vector<int> in(count), values(count);
  for (int& value : in) value = static_cast<int>(random.below(1000)) - 500;
  std::iota(values.begin(), values.end(), 0);
  DeviceArray<int> input(in), payload(values), out(count), out_payload(count), chosen(1);

  in_two_steps([&](void* s, size_t& b) { return cub::DeviceReduce::Sum(s, b, input.get(), out.get(), count); });
  same("sum", out.host()[0], std::accumulate(in.begin(), in.end(), 0));
  in_two_steps([&](void* s, size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, input.get(), out.get(), count); });
  std::vector<int> want(count);
  std::exclusive_scan(in.begin(), in.end(), want.begin(), 0);
  same("scan", out.host(), want);
  in_two_steps([&](void* s, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(s, b, input.get(), out.get(), payload.get(), out_payload.get(), count);
  });
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return in[a] < in[b]; });
  same("sorted values", out_payload.host(), values);
  std::vector<int> sorted = in;
  std::sort(sorted.begin(), sorted.end());
  same("sorted keys", out.host(), sorted);

  in_two_steps([&](void* s, size_t& b) { return cub::DeviceSelect::If(s, b, input.get(), out_payload.get(), chosen.get(), count, Even()); });
  std::vector<int> even;
  std::copy_if(in.begin(), in.end(), std::back_inserter(even), Even());
  same("chosen", chosen.host()[0], static_cast<int>(even.size()));
  auto got = out_payload.host();
  got.resize(even.size());
  same("even", got, even);

  DeviceArray<int> lengths(count), unique(count);
  in_two_steps([&](void* s, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(s, b, out.get(), unique.get(), lengths.get(), chosen.get(), count);
  });
  std::vector<int> runs;
  for (int i = 0; i < count; i++)
    if (i == 0 || sorted[i] != sorted[i - 1]) runs.push_back(1);
    else runs.back()++;
  got = lengths.host();
  got.resize(chosen.host()[0]);
  same("runs", got, runs);

  DeviceArray<int> bins(10);
  in_two_steps([&](void* s, size_t& b) { return cub::DeviceHistogram::HistogramEven(s, b, input.get(), bins.get(), 11, -500, 500, count); });
  std::vector<int> histogram(10, 0);
  for (int value : in) histogram[(value + 500) / 100]++;
  same("histogram", bins.host(), histogram);
  return finish();
}
