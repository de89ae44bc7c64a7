// nvcc -arch=sm_80
// 16 x 8 results a warp from tensor core instructions; the left matrix comes through ldmatrix.
#include <cuda_fp16.h>
extern "C" __global__ void gemm(const __half* a, const __half* b, float* c, int k) {
  __shared__ __align__(16) __half tile[16 * 16];
  const int lane = threadIdx.x, group = lane >> 2, pair = (lane & 3) * 2;
  float d[4] = {0, 0, 0, 0};
  for (int base = 0; base < k; base += 16) {
    for (int i = lane; i < 256; i += 32) tile[i] = a[(i / 16) * k + base + i % 16];
    __syncwarp();
    unsigned x[4], y[2];
    const unsigned address = __cvta_generic_to_shared(&tile[(lane & 15) * 16 + (lane >> 4) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(address));
    for (int i = 0; i < 2; i++) {
      const __half2 v = __halves2half2(b[(base + pair + 8 * i) * 8 + group], b[(base + pair + 8 * i + 1) * 8 + group]);
      y[i] = *reinterpret_cast<const unsigned*>(&v);
    }
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncwarp();
  }
  c[group * 8 + pair] = d[0];
  c[group * 8 + pair + 1] = d[1];
  c[(group + 8) * 8 + pair] = d[2];
  c[(group + 8) * 8 + pair + 1] = d[3];
}
extern "C" __global__ void bytes(const unsigned* a, const unsigned* b, int* c) {
  const int lane = threadIdx.x, group = lane >> 2, quad = lane & 3;
  int d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3) : "r"(a[group * 4 + quad]), "r"(a[(group + 8) * 4 + quad]), "r"(b[group * 4 + quad]));
  c[group * 8 + quad * 2] = d0;
  c[group * 8 + quad * 2 + 1] = d1;
  c[(group + 8) * 8 + quad * 2] = d2;
  c[(group + 8) * 8 + quad * 2 + 1] = d3;
}
