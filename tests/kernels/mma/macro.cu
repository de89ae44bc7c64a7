// A tensor core product with an epilogue: one warp multiplies tiles of 16 x 16 and 16 x 8 halves along k with mma.sync
// (sm_80), then the site `epilogue` sees each of a thread's four sums and the bias of its column.
#include <ptx_inject.h>

extern "C" __global__ void product(const unsigned* a, const unsigned* b, const float* bias, float* d, unsigned steps) {
  const unsigned lane = threadIdx.x % 32;
  float sums[4] = {};
  for (unsigned k = 0; k < steps; k++) {
    unsigned x[4];
    unsigned y[2];
    for (unsigned j = 0; j < 4; j++) x[j] = a[(4 * k + j) * 32 + lane];
    for (unsigned j = 0; j < 2; j++) y[j] = b[(2 * k + j) * 32 + lane];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  }
#pragma unroll
  for (unsigned j = 0; j < 4; j++) {
    const unsigned row = lane / 4 + j / 2 * 8;
    const unsigned column = lane % 4 * 2 + j % 2;
    PTX_INJECT("epilogue", PTX_MOD(F32, sum, sums[j]), PTX_IN(F32, bias, bias[column]), PTX_IN(U32, row),
               PTX_IN(U32, column));
    d[row * 8 + column] = sums[j];
  }
}
