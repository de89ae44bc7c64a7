// program: tags=graphs,atomics
// Breadth-first search with a queue of vertices, and shortest paths by relaxing edges until nothing changes.

#include "graph.h"
#include <queue>

__global__ void visit(const int* rows, const int* edges, int* depth, const int* queue, int length, int* next, int* next_length, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int v = queue[i];
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (atomicCAS(&depth[edges[e]], -1, level) == -1) next[atomicAdd(next_length, 1)] = edges[e];
}

__global__ void relax(const int* rows, const int* edges, const int* weights, int* distance, int vertices, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  const int mine = atomicAdd(&distance[v], 0);
  if (mine == INT_MAX) return;
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (atomicMin(&distance[edges[e]], mine + weights[e]) > mine + weights[e]) atomicExch(changed, 1);
}

int main() {
  const Graph graph = random_graph(600, 1500, 66);
  const int n = graph.vertices(), source = 0;
  DeviceArray<int> rows(graph.rows), edges(graph.edges), weights(graph.weights), a(n), b(n), length(1), changed(1);

  std::vector<int> depth(n, -1);
  depth[source] = 0;
  DeviceArray<int> device_depth(depth);
  int *from = a, *to = b, in_queue = 1;
  CHECK(cudaMemcpy(from, &source, sizeof(int), cudaMemcpyHostToDevice));
  for (int level = 1; in_queue > 0; level++, std::swap(from, to)) {
    CHECK(cudaMemset(length, 0, sizeof(int)));
    visit<<<blocks_for(in_queue, 64), 64>>>(rows, edges, device_depth, from, in_queue, to, length, level);
    CHECK_KERNEL();
    in_queue = length.host()[0];
  }
  std::queue<int> queue({source});
  for (; !queue.empty(); queue.pop())
    for (int e = graph.rows[queue.front()]; e < graph.rows[queue.front() + 1]; e++)
      if (int& d = depth[graph.edges[e]]; d == -1) d = depth[queue.front()] + 1, queue.push(graph.edges[e]);
  same("depth", device_depth.host(), depth);

  std::vector<int> distance(n, INT_MAX);
  distance[source] = 0;
  DeviceArray<int> device_distance(distance);
  for (int round = 0; round < n; round++) {
    CHECK(cudaMemset(changed, 0, sizeof(int)));
    relax<<<blocks_for(n, 128), 128>>>(rows, edges, weights, device_distance, n, changed);
    CHECK_KERNEL();
    if (changed.host()[0] == 0) break;
  }
  std::priority_queue<std::pair<int, int>> heap;
  heap.push({0, source});
  while (!heap.empty()) {
    const auto [d, v] = heap.top();
    heap.pop();
    if (-d > distance[v]) continue;
    for (int e = graph.rows[v]; e < graph.rows[v + 1]; e++)
      if (distance[v] + graph.weights[e] < distance[graph.edges[e]])
        distance[graph.edges[e]] = distance[v] + graph.weights[e], heap.push({-distance[graph.edges[e]], graph.edges[e]});
  }
  same("distance", device_distance.host(), distance);
  return finish();
}
