// program: tags=samples,sorting,shared-memory
// Bitonic sort of keys with values: within shared memory where the distance allows it, in global memory otherwise.

#include "../check.h"
#include <algorithm>
#include <numeric>

constexpr int BLOCK = 128, TILE = 2 * BLOCK;

__device__ inline void order(unsigned& ka, unsigned& va, unsigned& kb, unsigned& vb, bool ascending) {
  if ((ka > kb) == ascending) {
    unsigned t = ka;
    ka = kb, kb = t;
    t = va, va = vb, vb = t;
  }
}

__global__ void sort_tiles(unsigned* keys, unsigned* values) {
  __shared__ unsigned k[TILE], v[TILE];
  const int base = blockIdx.x * TILE, t = threadIdx.x;
  for (int i = t; i < TILE; i += BLOCK) k[i] = keys[base + i], v[i] = values[base + i];
  for (int size = 2; size <= TILE; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int i = 2 * t - (t & (stride - 1));
      order(k[i], v[i], k[i + stride], v[i + stride], ((base + i) & size) == 0);
    }
  __syncthreads();
  for (int i = t; i < TILE; i += BLOCK) keys[base + i] = k[i], values[base + i] = v[i];
}

__global__ void merge_global(unsigned* keys, unsigned* values, int size, int stride) {
  const int t = blockIdx.x * BLOCK + threadIdx.x, i = 2 * t - (t & (stride - 1));
  order(keys[i], values[i], keys[i + stride], values[i + stride], (i & size) == 0);
}

__global__ void merge_tiles(unsigned* keys, unsigned* values, int size) {
  __shared__ unsigned k[TILE], v[TILE];
  const int base = blockIdx.x * TILE, t = threadIdx.x;
  for (int i = t; i < TILE; i += BLOCK) k[i] = keys[base + i], v[i] = values[base + i];
  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int i = 2 * t - (t & (stride - 1));
    order(k[i], v[i], k[i + stride], v[i + stride], ((base + i) & size) == 0);
  }
  __syncthreads();
  for (int i = t; i < TILE; i += BLOCK) keys[base + i] = k[i], values[base + i] = v[i];
}

int main() {
  const int count = 2048;
  std::vector<unsigned> keys(count), values(count);
  Random random(14);
  for (int i = 0; i < count; i++) keys[i] = random.next() / 16 * 16 + i % 16, values[i] = i;
  DeviceArray<unsigned> dk(keys), dv(values);
  sort_tiles<<<count / TILE, BLOCK>>>(dk, dv);
  for (int size = 2 * TILE; size <= count; size *= 2) {
    for (int stride = size / 2; stride >= TILE; stride /= 2) merge_global<<<count / TILE, BLOCK>>>(dk, dv, size, stride);
    merge_tiles<<<count / TILE, BLOCK>>>(dk, dv, size);
  }
  CHECK_KERNEL();
  std::stable_sort(values.begin(), values.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
  std::sort(keys.begin(), keys.end());
  same("keys", dk.host(), keys);
  // Equal keys may come in any order, so the value only has to lead to the key.
  const std::vector<unsigned> got = dv.host();
  std::vector<unsigned> sorted = got;
  std::sort(sorted.begin(), sorted.end());
  std::sort(values.begin(), values.end());
  same("values", sorted, values);
  return finish();
}
