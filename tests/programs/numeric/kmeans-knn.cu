// program: tags=numeric,atomics,shared-memory
// k-means with sums in fixed point, so that they don't depend on the order, and the nearest neighbours of queries.

#include "../check.h"
#include <algorithm>

constexpr int K = 5, D = 3, NEAREST = 4;

__host__ __device__ int closest(const int* point, const int* centers) {
  int best = 0;
  long long least = 1ll << 62;
  for (int k = 0; k < K; k++) {
    long long square = 0;
    for (int d = 0; d < D; d++) {
      const long long apart = point[d] - centers[k * D + d];
      square += apart * apart;
    }
    if (square < least) least = square, best = k;
  }
  return best;
}

__global__ void assign(const int* points, int count, const int* centers, unsigned long long* sums, int* counts) {
  __shared__ unsigned long long local[K * D];
  __shared__ int in_cluster[K];
  if (threadIdx.x < K * D) local[threadIdx.x] = 0;
  if (threadIdx.x < K) in_cluster[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const int k = closest(points + i * D, centers);
    for (int d = 0; d < D; d++) atomicAdd(&local[k * D + d], static_cast<unsigned long long>(static_cast<long long>(points[i * D + d])));
    atomicAdd(&in_cluster[k], 1);
  }
  __syncthreads();
  if (threadIdx.x < K * D) atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
  if (threadIdx.x < K) atomicAdd(&counts[threadIdx.x], in_cluster[threadIdx.x]);
}

__global__ void move(int* centers, unsigned long long* sums, int* counts) {
  const int i = threadIdx.x;
  if (counts[i / D] > 0) centers[i] = static_cast<int>(static_cast<long long>(sums[i]) / counts[i / D]);
  __syncthreads();
  sums[i] = 0;
  if (i % D == 0) counts[i / D] = 0;
}

/** Keeps the nearest so far in a sorted local array. */
__global__ void neighbours(const int* points, int count, const int* queries, int* out) {
  const int* query = queries + threadIdx.x * D;
  long long distances[NEAREST];
  int indices[NEAREST];
  for (int i = 0; i < NEAREST; i++) distances[i] = 1ll << 62, indices[i] = -1;
  for (int i = 0; i < count; i++) {
    long long square = 0;
    for (int d = 0; d < D; d++) square += static_cast<long long>(points[i * D + d] - query[d]) * (points[i * D + d] - query[d]);
    int at = NEAREST;
    while (at > 0 && distances[at - 1] > square) at--;
    if (at == NEAREST) continue;
    for (int j = NEAREST - 1; j > at; j--) distances[j] = distances[j - 1], indices[j] = indices[j - 1];
    distances[at] = square, indices[at] = i;
  }
  for (int i = 0; i < NEAREST; i++) out[threadIdx.x * NEAREST + i] = indices[i];
}

int main() {
  const int count = 700, rounds = 4, queries = 32;
  Random random(74);
  std::vector<int> points(count * D);
  for (int i = 0; i < count * D; i++) points[i] = static_cast<int>(random.below(2000)) - 1000 + (i / D % K) * 1500;
  std::vector<int> centers(points.begin(), points.begin() + K * D);
  DeviceArray<int> dp(points), dc(centers), counts(K);
  DeviceArray<unsigned long long> sums(K * D);
  for (int r = 0; r < rounds; r++) {
    assign<<<blocks_for(count, 128), 128>>>(dp, count, dc, sums, counts);
    move<<<1, K * D>>>(dc, sums, counts);
    CHECK_KERNEL();
    std::vector<long long> total(K * D, 0), n(K, 0);
    for (int i = 0; i < count; i++) {
      const int k = closest(&points[i * D], centers.data());
      n[k]++;
      for (int d = 0; d < D; d++) total[k * D + d] += points[i * D + d];
    }
    for (int i = 0; i < K * D; i++)
      if (n[i / D] > 0) centers[i] = static_cast<int>(total[i] / n[i / D]);
  }
  same("centers", dc.host(), centers);

  std::vector<int> query(points.end() - queries * D, points.end()), want;
  for (int& value : query) value += 3;
  for (int q = 0; q < queries; q++) {
    std::vector<std::pair<long long, int>> all;
    for (int i = 0; i < count; i++) {
      long long square = 0;
      for (int d = 0; d < D; d++) square += static_cast<long long>(points[i * D + d] - query[q * D + d]) * (points[i * D + d] - query[q * D + d]);
      all.push_back({square, i});
    }
    std::sort(all.begin(), all.end());
    for (int i = 0; i < NEAREST; i++) want.push_back(all[i].second);
  }
  DeviceArray<int> dq(query), out(queries * NEAREST);
  neighbours<<<1, queries>>>(dp, count, dq, out);
  CHECK_KERNEL();
  same("neighbours", out.host(), want);
  return finish();
}
