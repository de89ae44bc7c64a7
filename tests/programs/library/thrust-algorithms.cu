// program: tags=thrust,sorting,reductions,scan except=uninitialized
// Thrust: vectors, transform and reduce, sorts by key, reduce by key, unique, searches, and fancy iterators.

#include "../check.h"
#include <algorithm>
#include <map>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

struct Square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};

template <class T>
std::vector<T> to_host(const thrust::device_vector<T>& v, size_t count) {
  std::vector<T> result(count);
  thrust::copy(v.begin(), v.begin() + count, result.begin());
  return result;
}

int main() {
  const int count = 2000;
  Random random(92);
  std::vector<int> keys(count), values(count);
  for (int i = 0; i < count; i++) keys[i] = random.below(50), values[i] = static_cast<int>(random.below(1000));
  thrust::device_vector<int> dk(keys.begin(), keys.end()), dv(values.begin(), values.end());

  long long squares = 0;
  std::map<int, int> sums;
  for (int i = 0; i < count; i++) squares += static_cast<long long>(values[i]) * values[i], sums[keys[i]] += values[i];
  same("squares", thrust::transform_reduce(dv.begin(), dv.end(), Square(), 0ll, thrust::plus<long long>()), squares);
  same("maximum", static_cast<int>(*thrust::max_element(dv.begin(), dv.end())), *std::max_element(values.begin(), values.end()));
  auto counted = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  same("counted", thrust::reduce(counted, counted + 100), 338350ll);

  thrust::stable_sort_by_key(dk.begin(), dk.end(), dv.begin());
  std::vector<int> order(count);
  for (int i = 0; i < count; i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::vector<int> want;
  for (int i : order) want.push_back(values[i]);
  same("sorted", to_host(dv, count), want);

  thrust::device_vector<int> unique(count), totals(count);
  const auto ends = thrust::reduce_by_key(dk.begin(), dk.end(), dv.begin(), unique.begin(), totals.begin());
  const size_t groups = ends.first - unique.begin();
  std::vector<int> wanted_keys, wanted_sums;
  for (const auto& [key, sum] : sums) wanted_keys.push_back(key), wanted_sums.push_back(sum);
  same("groups", groups, sums.size());
  same("keys", to_host(unique, groups), wanted_keys);
  same("sums", to_host(totals, groups), wanted_sums);

  thrust::device_vector<int> places(10);
  thrust::lower_bound(dk.begin(), dk.end(), thrust::make_counting_iterator(20), thrust::make_counting_iterator(30), places.begin());
  std::sort(keys.begin(), keys.end());
  std::vector<int> wanted_places;
  for (int k = 20; k < 30; k++) wanted_places.push_back(static_cast<int>(std::lower_bound(keys.begin(), keys.end(), k) - keys.begin()));
  same("places", to_host(places, 10), wanted_places);
  const auto end = thrust::unique(dk.begin(), dk.end());
  same("unique", static_cast<size_t>(end - dk.begin()), sums.size());
  return finish();
}
