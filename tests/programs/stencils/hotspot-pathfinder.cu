// program: tags=stencils,dynamic-programming,shared-memory
// Two kernels with shrinking tiles: heat on a chip, several steps a launch, and the cheapest path down a grid.

#include "../check.h"
#include <algorithm>

constexpr int TILE = 16, STEPS = 2;

__global__ void hotspot(const float* power, const float* in, float* out, int size) {
  __shared__ float now[TILE][TILE], next[TILE][TILE];
  const int inner = TILE - 2 * STEPS;
  const int x = static_cast<int>(blockIdx.x) * inner - STEPS + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * inner - STEPS + static_cast<int>(threadIdx.y);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const bool inside = x >= 0 && x < size && y >= 0 && y < size;
  now[ty][tx] = inside ? in[y * size + x] : 0.0f;
  next[ty][tx] = 0;
  __syncthreads();
  for (int s = 1; s <= STEPS; s++) {
    if (inside && tx >= s && tx < TILE - s && ty >= s && ty < TILE - s) {
      const float here = now[ty][tx];
      const float north = y > 0 ? now[ty - 1][tx] : here, south = y < size - 1 ? now[ty + 1][tx] : here;
      const float west = x > 0 ? now[ty][tx - 1] : here, east = x < size - 1 ? now[ty][tx + 1] : here;
      next[ty][tx] = here + 0.1f * (north + south - 2 * here) + 0.1f * (west + east - 2 * here) + 0.05f * power[y * size + x];
    }
    __syncthreads();
    now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (inside && tx >= STEPS && tx < TILE - STEPS && ty >= STEPS && ty < TILE - STEPS) out[y * size + x] = now[ty][tx];
}

__global__ void pathfinder(const int* costs, int* result, int width, int rows) {
  extern __shared__ int buffers[];
  int *from = buffers, *to = buffers + width;
  for (int x = threadIdx.x; x < width; x += blockDim.x) from[x] = costs[x];
  __syncthreads();
  for (int row = 1; row < rows; row++) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      int least = from[x];
      if (x > 0) least = min(least, from[x - 1]);
      if (x < width - 1) least = min(least, from[x + 1]);
      to[x] = least + costs[row * width + x];
    }
    __syncthreads();
    int* t = from;
    from = to, to = t;
  }
  for (int x = threadIdx.x; x < width; x += blockDim.x) result[x] = from[x];
}

int main() {
  Random random(62);
  {
    const int size = 36, launches = 3, blocks = blocks_for(size, TILE - 2 * STEPS);
    const auto power = random.floats(size * size, 0, 1);
    std::vector<float> heat = random.floats(size * size, 20, 30);
    DeviceArray<float> p(power), a(heat), b(size * size);
    float *from = a, *to = b;
    for (int i = 0; i < launches; i++, std::swap(from, to)) hotspot<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(p, from, to, size);
    CHECK_KERNEL();
    std::vector<double> now(heat.begin(), heat.end()), next(size * size);
    for (int s = 0; s < launches * STEPS; s++, now.swap(next))
      for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
          auto at = [&](int px, int py) { return now[std::clamp(py, 0, size - 1) * size + std::clamp(px, 0, size - 1)]; };
          const double here = at(x, y);
          next[y * size + x] = here + 0.1 * (at(x, y - 1) + at(x, y + 1) - 2 * here) + 0.1 * (at(x - 1, y) + at(x + 1, y) - 2 * here) +
                               0.05 * power[y * size + x];
        }
    std::vector<float> got(size * size);
    CHECK(cudaMemcpy(got.data(), from, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    close("hotspot", got, now, 1e-5);
  }
  const int width = 300, rows = 20;
  std::vector<int> costs(width * rows);
  for (int& cost : costs) cost = random.below(10);
  std::vector<int> best(costs.begin(), costs.begin() + width);
  for (int row = 1; row < rows; row++) {
    const auto old = best;
    for (int x = 0; x < width; x++)
      best[x] = std::min({old[x], old[std::max(x - 1, 0)], old[std::min(x + 1, width - 1)]}) + costs[row * width + x];
  }
  DeviceArray<int> dc(costs), result(width);
  pathfinder<<<1, 128, 2 * width * sizeof(int)>>>(dc, result, width, rows);
  CHECK_KERNEL();
  same("path", result.host(), best);
  return finish();
}
