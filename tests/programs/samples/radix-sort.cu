// program: tags=samples,sorting,warps,scan ci
// A stable radix sort, four bits a pass: count digits per block, scan the counts, scatter with ranks from warp ballots.

#include "../check.h"
#include <algorithm>

constexpr int BLOCK = 128, DIGITS = 16, WARPS = BLOCK / 32;

__global__ void count_digits(const unsigned* keys, unsigned* counts, int shift) {
  __shared__ unsigned local[DIGITS];
  if (threadIdx.x < DIGITS) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[keys[blockIdx.x * BLOCK + threadIdx.x] >> shift & (DIGITS - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void scan(unsigned* counts, int count) {
  extern __shared__ unsigned sums[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) sums[i] = counts[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
      const unsigned value = sums[i];
      sums[i] = sum;
      sum += value;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) counts[i] = sums[i];
}

__global__ void scatter(const unsigned* keys, unsigned* out, const unsigned* offsets, int shift) {
  __shared__ unsigned of_warp[WARPS][DIGITS];
  const unsigned key = keys[blockIdx.x * BLOCK + threadIdx.x], digit = key >> shift & (DIGITS - 1);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned peers = 0xffffffff;
  for (int bit = 0; bit < 4; bit++) {
    const unsigned ones = __ballot_sync(0xffffffff, digit >> bit & 1);
    peers &= digit >> bit & 1 ? ones : ~ones;
  }
  if (lane < DIGITS) of_warp[warp][lane] = 0;
  __syncwarp();
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  if (rank == 0) of_warp[warp][digit] = __popc(peers);
  __syncthreads();
  unsigned before = 0;
  for (unsigned w = 0; w < warp; w++) before += of_warp[w][digit];
  out[offsets[digit * gridDim.x + blockIdx.x] + before + rank] = key;
}

int main() {
  const int count = 2048, blocks = count / BLOCK;
  Random random(16);
  std::vector<unsigned> keys(count);
  for (unsigned& key : keys) key = random.next();
  DeviceArray<unsigned> a(keys), b(count), counts(DIGITS * blocks);
  unsigned *from = a, *to = b;
  for (int shift = 0; shift < 32; shift += 4) {
    count_digits<<<blocks, BLOCK>>>(from, counts, shift);
    scan<<<1, 64, DIGITS * blocks * sizeof(unsigned)>>>(counts, DIGITS * blocks);
    scatter<<<blocks, BLOCK>>>(from, to, counts, shift);
    std::swap(from, to);
  }
  CHECK_KERNEL();
  std::sort(keys.begin(), keys.end());
  same("keys", a.host(), keys);
  return finish();
}
