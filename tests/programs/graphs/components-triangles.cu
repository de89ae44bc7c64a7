// program: tags=graphs,atomics
// Connected components by hooking and pointer jumping, and the number of triangles by merging sorted neighbours.

#include "graph.h"
#include <functional>
#include <numeric>

__global__ void hook(const int* rows, const int* edges, int* parent, int vertices, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    const int mine = atomicAdd(&parent[v], 0), other = atomicAdd(&parent[edges[e]], 0);
    if (other < mine && atomicMin(&parent[mine], other) > other) atomicExch(changed, 1);
  }
}

__global__ void jump(int* parent, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  int root = atomicAdd(&parent[v], 0);
  for (int up = atomicAdd(&parent[root], 0); up != root; up = atomicAdd(&parent[root], 0)) root = up;
  atomicExch(&parent[v], root);
}

__global__ void triangles(const int* rows, const int* edges, int vertices, unsigned long long* total) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = 0;
  if (v < vertices)
    for (int e = rows[v]; e < rows[v + 1]; e++) {
      const int w = edges[e];
      if (w <= v) continue;
      for (int i = rows[v], j = rows[w]; i < rows[v + 1] && j < rows[w + 1];) {
        if (edges[i] == edges[j]) mine += edges[i] > w;
        const bool left = edges[i] <= edges[j], right = edges[j] <= edges[i];
        i += left, j += right;
      }
    }
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xffffffff, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(mine));
}

int main() {
  const Graph graph = random_graph(400, 1600, 67);
  const int n = graph.vertices();
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  DeviceArray<int> rows(graph.rows), edges(graph.edges), device(parent), changed(1);
  for (int round = 0; round < n; round++) {
    CHECK(cudaMemset(changed, 0, sizeof(int)));
    hook<<<blocks_for(n, 128), 128>>>(rows, edges, device, n, changed);
    jump<<<blocks_for(n, 128), 128>>>(device, n);
    CHECK_KERNEL();
    if (changed.host()[0] == 0) break;
  }
  const std::function<int(int)> find = [&](int v) { return parent[v] == v ? v : parent[v] = find(parent[v]); };
  for (int v = 0; v < n; v++)
    for (int e = graph.rows[v]; e < graph.rows[v + 1]; e++) {
      const int a = find(v), b = find(graph.edges[e]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (int v = 0; v < n; v++) find(v);
  same("components", device.host(), parent);

  std::vector<char> matrix(n * n, 0);
  for (int v = 0; v < n; v++)
    for (int e = graph.rows[v]; e < graph.rows[v + 1]; e++) matrix[v * n + graph.edges[e]] = 1;
  unsigned long long want = 0;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      if (matrix[a * n + b])
        for (int c = b + 1; c < n; c++) want += matrix[a * n + c] && matrix[b * n + c];
  DeviceArray<unsigned long long> total(1);
  triangles<<<blocks_for(n, 64), 64>>>(rows, edges, n, total);
  CHECK_KERNEL();
  same("triangles", total.host()[0], want);
  return finish();
}
