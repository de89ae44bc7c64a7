// program: tags=hashes,atomics,integers
// CRC-32 by a table in shared memory, MurmurHash3, FNV-1a, and a hash table with open addressing by atomicCAS.

#include "../check.h"
#include <algorithm>

__host__ __device__ unsigned murmur(const unsigned* words, int count, unsigned seed) {
  unsigned h = seed;
  for (int i = 0; i < count; i++) {
    unsigned k = words[i] * 0xcc9e2d51u;
    k = (k << 15 | k >> 17) * 0x1b873593u;
    h ^= k;
    h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
  }
  h ^= count * 4;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

__host__ __device__ unsigned long long fnv(const unsigned char* bytes, int count) {
  unsigned long long h = 0xcbf29ce484222325ull;
  for (int i = 0; i < count; i++) h = (h ^ bytes[i]) * 0x100000001b3ull;
  return h;
}

__host__ __device__ unsigned crc_entry(unsigned i) {
  for (int bit = 0; bit < 8; bit++) i = i & 1 ? i >> 1 ^ 0xedb88320u : i >> 1;
  return i;
}

__global__ void hashes(const unsigned* data, unsigned* crc, unsigned* murmurs, unsigned long long* fnvs, int words) {
  __shared__ unsigned table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = crc_entry(i);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* mine = data + i * words;
  unsigned c = ~0u;
  for (int w = 0; w < words; w++)
    for (int b = 0; b < 4; b++) c = table[(c ^ mine[w] >> (8 * b)) & 255] ^ c >> 8;
  crc[i] = ~c;
  murmurs[i] = murmur(mine, words, 1);
  fnvs[i] = fnv(reinterpret_cast<const unsigned char*>(mine), words * 4);
}

constexpr unsigned EMPTY = 0xffffffff;

__global__ void insert(unsigned* keys, unsigned* counts, const unsigned* values, int count, unsigned capacity) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned key = values[i];
  for (unsigned slot = murmur(&key, 1, 0) % capacity;; slot = (slot + 1) % capacity) {
    const unsigned old = atomicCAS(&keys[slot], EMPTY, key);
    if (old == EMPTY || old == key) {
      atomicAdd(&counts[slot], 1u);
      return;
    }
  }
}

int main() {
  const int count = 256, words = 6;
  Random random(65);
  std::vector<unsigned> data(count * words), crc(count), murmurs(count);
  std::vector<unsigned long long> fnvs(count);
  for (unsigned& word : data) word = random.next();
  for (int i = 0; i < count; i++) {
    unsigned c = ~0u;
    for (int j = 0; j < words * 4; j++) c = crc_entry((c ^ data[i * words + j / 4] >> (j % 4 * 8)) & 255) ^ c >> 8;
    crc[i] = ~c;
    murmurs[i] = murmur(&data[i * words], words, 1);
    fnvs[i] = fnv(reinterpret_cast<unsigned char*>(&data[i * words]), words * 4);
  }
  DeviceArray<unsigned> dd(data), dc(count), dm(count);
  DeviceArray<unsigned long long> df(count);
  hashes<<<count / 64, 64>>>(dd, dc, dm, df, words);
  CHECK_KERNEL();
  same("crc", dc.host(), crc);
  same("murmur", dm.host(), murmurs);
  same("fnv", df.host(), fnvs);

  const unsigned capacity = 512;
  std::vector<unsigned> values(2000), want(300, 0), got(300, 0);
  for (unsigned& value : values) want[value = random.below(300)]++;
  DeviceArray<unsigned> dv(values), keys(std::vector<unsigned>(capacity, EMPTY)), counts(capacity);
  insert<<<blocks_for(2000, 128), 128>>>(keys, counts, dv, 2000, capacity);
  CHECK_KERNEL();
  const auto k = keys.host(), c = counts.host();
  for (unsigned i = 0; i < capacity; i++)
    if (k[i] != EMPTY && expect(k[i] < 300, "keys that were inserted")) got[k[i]] += c[i];
  same("counts", got, want);
  return finish();
}
