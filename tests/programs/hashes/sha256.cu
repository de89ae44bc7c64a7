// program: tags=hashes,integers
// SHA-256 of messages of several blocks, and proof of work: the first nonce whose digest starts with zero bits.

#include "../check.h"
#include <cstring>

__constant__ unsigned round_constants[64];
unsigned host_constants[64];

__host__ __device__ inline unsigned right(unsigned x, int n) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(x, x, n);
#else
  return x >> n | x << (32 - n);
#endif
}

__host__ __device__ void block(unsigned* state, const unsigned char* bytes) {
#ifdef __CUDA_ARCH__
  const unsigned* constants = round_constants;
#else
  const unsigned* constants = host_constants;
#endif
  unsigned w[64];
  for (int i = 0; i < 16; i++)
    w[i] = unsigned(bytes[4 * i]) << 24 | unsigned(bytes[4 * i + 1]) << 16 | unsigned(bytes[4 * i + 2]) << 8 | bytes[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const unsigned s0 = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3;
    const unsigned s1 = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  unsigned s[8];
  for (int i = 0; i < 8; i++) s[i] = state[i];
  for (int i = 0; i < 64; i++) {
    const unsigned t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
    const unsigned t2 = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

__host__ __device__ void sha256(unsigned* state, const unsigned char* message, unsigned length) {
  const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 8; i++) state[i] = start[i];
  unsigned char last[64];
  for (unsigned at = 0;; at += 64) {
    if (at + 64 <= length) {
      block(state, message + at);
      continue;
    }
    const bool has_end = length >= at || length % 64 == 0;
    for (unsigned i = 0; i < 64; i++) last[i] = at + i < length ? message[at + i] : has_end && at + i == length ? 0x80 : 0;
    if (length + 9 <= at + 64) {
      for (int i = 0; i < 4; i++) last[63 - i] = static_cast<unsigned char>((length * 8) >> (8 * i));
      block(state, last);
      return;
    }
    block(state, last);
  }
}

__global__ void hash_all(const unsigned char* messages, const int* lengths, unsigned* digests, int stride, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sha256(digests + i * 8, messages + i * stride, lengths[i]);
}

__host__ __device__ bool works(unsigned nonce, int bits) {
  unsigned char message[8] = {'b', 'l', 'o', 'c'};
  for (int i = 0; i < 4; i++) message[4 + i] = static_cast<unsigned char>(nonce >> (8 * i));
  unsigned digest[8];
  sha256(digest, message, 8);
  return digest[0] >> (32 - bits) == 0;
}

__global__ void mine(unsigned* best, int bits) {
  const unsigned nonce = blockIdx.x * blockDim.x + threadIdx.x;
  if (works(nonce, bits)) atomicMin(best, nonce);
}

int main() {
  // The fractional parts of the cube roots of the first 64 primes.
  for (int found = 0, n = 2; found < 64; n++) {
    bool prime = true;
    for (int d = 2; d * d <= n; d++) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double root = std::cbrt(static_cast<long double>(n));
    host_constants[found++] = static_cast<unsigned>((root - std::floor(root)) * 4294967296.0L);
  }
  CHECK(cudaMemcpyToSymbol(round_constants, host_constants, sizeof(host_constants)));

  const int count = 130, stride = 136;
  Random random(64);
  std::vector<unsigned char> messages(count * stride);
  for (auto& byte : messages) byte = static_cast<unsigned char>(random.next());
  std::vector<int> lengths(count);
  for (int i = 0; i < count; i++) lengths[i] = i;
  std::vector<unsigned> want(count * 8);
  for (int i = 0; i < count; i++) sha256(&want[i * 8], &messages[i * stride], lengths[i]);
  DeviceArray<unsigned char> dm(messages);
  DeviceArray<int> dl(lengths);
  DeviceArray<unsigned> digests(count * 8), best(std::vector<unsigned>{0xffffffff});
  hash_all<<<blocks_for(count, 64), 64>>>(dm, dl, digests, stride, count);
  const int bits = 7;
  mine<<<8, 64>>>(best, bits);
  CHECK_KERNEL();
  same("digests", digests.host(), want);
  unsigned first = 0;
  while (first < 512 && !works(first, bits)) first++;
  same("nonce", best.host()[0], first < 512 ? first : 0xffffffffu);
  unsigned abc[8];
  sha256(abc, reinterpret_cast<const unsigned char*>("abc"), 3);
  same("abc", abc[0], 0xba7816bfu);
  return finish();
}
