// nvcc -arch=sm_90
// Philox-4x32-10, four words a thread.
extern "C" __global__ void philox(uint4* out, unsigned seed_low, unsigned seed_high, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 c = {i, 0, 0x12345678u, ~i};
  unsigned k0 = seed_low, k1 = seed_high;
#pragma unroll
  for (int round = 0; round < 10; round++) {
    const unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    const unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = {h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0};
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  out[i] = c;
}
