// A matrix product over any semiring: `times` joins an element of a row with one of a column, `plus` gathers them. A
// thread keeps 4 x 4 sums in registers and unrolls 8 steps, so each site stands 128 times in the PTX.

extern "C" __global__ void semiring(const float* a, const float* b, float* c, unsigned size) {
  __shared__ float rows[8][64];
  __shared__ float columns[8][64];
  const unsigned x = threadIdx.x % 16;
  const unsigned y = threadIdx.x / 16;
  float sums[4][4] = {};
  for (unsigned k = 0; k < size; k += 8) {
    for (unsigned i = threadIdx.x; i < 8 * 64; i += 256) {
      rows[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * size + k + i % 8];
      columns[i / 64][i % 64] = b[(k + i / 64) * size + blockIdx.x * 64 + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (unsigned step = 0; step < 8; step++) {
#pragma unroll
      for (unsigned i = 0; i < 4; i++) {
#pragma unroll
        for (unsigned j = 0; j < 4; j++) {
          float product;
          /* PTX_INJECT times
            in  f32 rows[step][4 * y + i] as left
            in  f32 columns[step][4 * x + j] as right
            out f32 product
          */
          /* PTX_INJECT plus
            mod f32 sums[i][j] as sum
            in  f32 product
          */
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned i = 0; i < 4; i++) {
#pragma unroll
    for (unsigned j = 0; j < 4; j++) {
      c[(blockIdx.y * 64 + 4 * y + i) * size + blockIdx.x * 64 + 4 * x + j] = sums[i][j];
    }
  }
}
