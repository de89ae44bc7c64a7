// program: tags=hashes,integers,constant-memory
// MD5 of many short messages, and the search for a number with a given digest.

#include "../check.h"
#include <cstring>
#include <string>

struct Digest {
  unsigned v[4];
};

__host__ __device__ unsigned rotated(unsigned x, int n) { return x << n | x >> (32 - n); }

/** Of a message of up to 55 bytes. `sines[i]` is floor(2^32 * |sin(i + 1)|). */
__host__ __device__ Digest md5(const unsigned char* message, int length, const unsigned* sines) {
  unsigned block[16] = {};
  for (int i = 0; i < length; i++) block[i / 4] |= unsigned(message[i]) << (i % 4 * 8);
  block[length / 4] |= 0x80u << (length % 4 * 8);
  block[14] = length * 8;
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  for (int i = 0; i < 64; i++) {
    unsigned f;
    int g;
    if (i < 16) f = (b & c) | (~b & d), g = i;
    else if (i < 32) f = (d & b) | (~d & c), g = (5 * i + 1) % 16;
    else if (i < 48) f = b ^ c ^ d, g = (3 * i + 5) % 16;
    else f = c ^ (b | ~d), g = 7 * i % 16;
    const unsigned next = b + rotated(a + f + sines[i] + block[g], shifts[i / 16][i % 4]);
    a = d, d = c, c = b, b = next;
  }
  return {{a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476}};
}

__constant__ unsigned device_sines[64];

__device__ __host__ int digits(unsigned char* out, unsigned number) {
  int length = 0;
  for (unsigned n = number; length == 0 || n > 0; n /= 10) length++;
  for (int i = length - 1; i >= 0; i--, number /= 10) out[i] = '0' + number % 10;
  return length;
}

__global__ void search(Digest wanted, unsigned* found, Digest* all) {
  const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char text[12];
  const Digest d = md5(text, digits(text, number), device_sines);
  all[number] = d;
  if (d.v[0] == wanted.v[0] && d.v[1] == wanted.v[1] && d.v[2] == wanted.v[2] && d.v[3] == wanted.v[3]) *found = number;
}

int main() {
  unsigned sines[64];
  for (int i = 0; i < 64; i++) sines[i] = static_cast<unsigned>(std::floor(4294967296.0 * std::fabs(std::sin(i + 1.0))));
  CHECK(cudaMemcpyToSymbol(device_sines, sines, sizeof(sines)));
  const unsigned secret = 777, count = 1024;
  unsigned char text[12];
  const Digest wanted = md5(text, digits(text, secret), sines);
  DeviceArray<unsigned> found(1);
  DeviceArray<Digest> all(count);
  search<<<count / 128, 128>>>(wanted, found, all);
  CHECK_KERNEL();
  same("found", found.host()[0], secret);
  const auto got = all.host();
  for (unsigned i = 0; i < count; i++)
    if (!same("digest", got[i].v[0] ^ got[i].v[3], md5(text, digits(text, i), sines).v[0] ^ md5(text, digits(text, i), sines).v[3])) break;
  // The digest of "abc" in RFC 1321 starts with the bytes 90 01 50 98.
  same("abc", md5(reinterpret_cast<const unsigned char*>("abc"), 3, sines).v[0], 0x98500190u);
  return finish();
}
