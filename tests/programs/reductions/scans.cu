// program: tags=scan,shared-memory,fences
// Prefix sums: Hillis and Steele, Blelloch, by warps, and over all blocks in one pass with look-back.

#include "../check.h"

constexpr int BLOCK = 128;

__global__ void hillis_steele(const int* in, int* out) {
  __shared__ int values[2][BLOCK];
  int from = 0;
  const int t = threadIdx.x, at = blockIdx.x * BLOCK + t;
  values[0][t] = in[at];
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    values[from ^ 1][t] = values[from][t] + (t >= offset ? values[from][t - offset] : 0);
    from ^= 1;
    __syncthreads();
  }
  out[at] = values[from][t];
}

__global__ void blelloch_exclusive(const int* in, int* out) {
  __shared__ int values[BLOCK];
  const int t = threadIdx.x, at = blockIdx.x * BLOCK + t;
  values[t] = in[at];
  for (int stride = 1; stride < BLOCK; stride *= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * stride - 1;
    if (i < BLOCK) values[i] += values[i - stride];
  }
  __syncthreads();
  if (t == 0) values[BLOCK - 1] = 0;
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * stride - 1;
    if (i < BLOCK) {
      const int left = values[i - stride];
      values[i - stride] = values[i];
      values[i] += left;
    }
  }
  __syncthreads();
  out[at] = values[t];
}

struct Tile {
  int state;  // 0: nothing yet, 1: the sum of this block, 2: the sum up to this block
  int sum, inclusive;
};

__device__ unsigned next_tile;

__global__ void look_back(const int* in, int* out, volatile Tile* tiles) {
  __shared__ unsigned tile;
  __shared__ int warps[BLOCK / 32], before;
  if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1u);
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = tile * BLOCK + threadIdx.x;
  int sum = in[at];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(0xffffffff, sum, offset);
    if (lane >= offset) sum += other;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; w++) sum += warps[w];
  if (threadIdx.x == BLOCK - 1) {
    tiles[tile].sum = sum;
    __threadfence();
    tiles[tile].state = 1;
    int total = 0;
    for (int i = static_cast<int>(tile) - 1; i >= 0; i--) {
      int state;
      while ((state = tiles[i].state) == 0) {
      }
      __threadfence();
      if (state == 2) {
        total += tiles[i].inclusive;
        break;
      }
      total += tiles[i].sum;
    }
    tiles[tile].inclusive = total + sum;
    __threadfence();
    tiles[tile].state = 2;
    before = total;
  }
  __syncthreads();
  out[at] = before + sum;
}

int main() {
  const int count = 24 * BLOCK;
  Random random(76);
  std::vector<int> in(count), inclusive(count), exclusive(count), all(count);
  for (int& value : in) value = static_cast<int>(random.below(100)) - 30;
  for (int i = 0; i < count; i++) {
    exclusive[i] = i % BLOCK == 0 ? 0 : exclusive[i - 1] + in[i - 1];
    inclusive[i] = exclusive[i] + in[i];
    all[i] = (i == 0 ? 0 : all[i - 1]) + in[i];
  }
  DeviceArray<int> input(in), a(count), b(count), c(count);
  DeviceArray<Tile> tiles(count / BLOCK);
  hillis_steele<<<count / BLOCK, BLOCK>>>(input, a);
  blelloch_exclusive<<<count / BLOCK, BLOCK>>>(input, b);
  look_back<<<count / BLOCK, BLOCK>>>(input, c, tiles);
  CHECK_KERNEL();
  same("Hillis and Steele", a.host(), inclusive);
  same("Blelloch", b.host(), exclusive);
  same("look-back", c.host(), all);
  return finish();
}
