// program: tags=graphs,shared-memory
// PageRank by pulling over the edges, and all shortest paths by Floyd and Warshall.

#include "graph.h"

__global__ void pull(const int* rows, const int* edges, const double* rank, double* next, int vertices, const double* lost) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  double sum = *lost / vertices;
  for (int e = rows[v]; e < rows[v + 1]; e++) sum += rank[edges[e]] / (rows[edges[e] + 1] - rows[edges[e]]);
  next[v] = 0.15 / vertices + 0.85 * sum;
}

/** What vertices without edges hold. */
__global__ void loss(const int* rows, const double* rank, int vertices, double* lost) {
  __shared__ double sums[128];
  double mine = 0;
  for (int v = threadIdx.x; v < vertices; v += 128) mine += rows[v] == rows[v + 1] ? rank[v] : 0;
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *lost = sums[0];
}

__global__ void through(float* d, int n, int k) {
  const int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  // Row and column k do not change in step k.
  if (j < n && i != k && j != k) d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

int main() {
  const Graph graph = random_graph(300, 900, 68);
  const int n = graph.vertices(), rounds = 8;
  std::vector<double> rank(n, 1.0 / n);
  DeviceArray<int> rows(graph.rows), edges(graph.edges);
  DeviceArray<double> a(rank), b(n), lost(1);
  double *from = a, *to = b;
  for (int i = 0; i < rounds; i++, std::swap(from, to)) {
    loss<<<1, 128>>>(rows, from, n, lost);
    pull<<<blocks_for(n, 128), 128>>>(rows, edges, from, to, n, lost);
  }
  CHECK_KERNEL();
  for (int i = 0; i < rounds; i++) {
    std::vector<double> next(n);
    double held = 0;
    for (int v = 0; v < n; v++) held += graph.rows[v] == graph.rows[v + 1] ? rank[v] : 0;
    for (int v = 0; v < n; v++) {
      double sum = held / n;
      for (int e = graph.rows[v]; e < graph.rows[v + 1]; e++) {
        const int w = graph.edges[e];
        sum += rank[w] / (graph.rows[w + 1] - graph.rows[w]);
      }
      next[v] = 0.15 / n + 0.85 * sum;
    }
    rank.swap(next);
  }
  std::vector<double> got(n);
  CHECK(cudaMemcpy(got.data(), from, n * sizeof(double), cudaMemcpyDeviceToHost));
  close("rank", got, rank, 1e-14);

  const int m = 48;
  Random random(69);
  std::vector<float> d(m * m, INFINITY);
  for (int i = 0; i < m; i++) {
    d[i * m + i] = 0;
    for (int e = 0; e < 4; e++) d[i * m + random.below(m)] = static_cast<float>(1 + random.below(20));
    d[i * m + i] = 0;
  }
  DeviceArray<float> device(d);
  for (int k = 0; k < m; k++) through<<<dim3(1, m), 64>>>(device, m, k);
  CHECK_KERNEL();
  for (int k = 0; k < m; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) d[i * m + j] = std::fmin(d[i * m + j], d[i * m + k] + d[k * m + j]);
  same("distances", device.host(), d);
  return finish();
}
