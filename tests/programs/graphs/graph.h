// A random graph in compressed rows: the edges of vertex v are edges[rows[v]] to edges[rows[v + 1] - 1].
#pragma once

#include "../check.h"
#include <algorithm>
#include <climits>

struct Graph {
  std::vector<int> rows, edges, weights;
  int vertices() const { return static_cast<int>(rows.size()) - 1; }
};

/** Without loops and repeated edges, each edge in both directions; some vertices have no edge. */
inline Graph random_graph(int vertices, int edges, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < edges; i++) {
    const int a = random.below(vertices), b = (a + 1 + random.below(vertices / 8)) % vertices;
    if (a == b || a % 11 == 3 || b % 11 == 3) continue;
    pairs.push_back({a, b});
    pairs.push_back({b, a});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Graph graph;
  graph.rows.assign(vertices + 1, 0);
  for (const auto& [from, to] : pairs) {
    graph.rows[from + 1]++;
    graph.edges.push_back(to);
    graph.weights.push_back(1 + (from * 7 + to * 7) % 13);
  }
  for (int i = 0; i < vertices; i++) graph.rows[i + 1] += graph.rows[i];
  return graph;
}
