// Kernels of kinds that once ran many times slower than C++. cliffs.ptx is their PTX:
// nvcc -ptx -arch=sm_80 cliffs.cu
#include <cuda_fp16.h>
#include <mma.h>

#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x

extern "C" __global__ void sine(int n, const float* in, float* out) {
  INDEX;
  if (i < n) out[i] = sinf(in[i]);
}
extern "C" __global__ void exponential(int n, const float* in, float* out) {
  INDEX;
  if (i < n) out[i] = expf(in[i]);
}
extern "C" __global__ void logarithm(int n, const float* in, float* out) {
  INDEX;
  if (i < n) out[i] = logf(in[i]);
}
extern "C" __global__ void power(int n, const float* in, float* out) {
  INDEX;
  if (i < n) out[i] = powf(in[i], 1.7f);
}
extern "C" __global__ void histogram(int n, const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] & 255], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
extern "C" __global__ void histogramGlobal(int n, const unsigned* in, unsigned* out) {
  INDEX;
  if (i < n) atomicAdd(&out[in[i] & 255], 1);
}
extern "C" __global__ void gather(int n, const unsigned* index, const float* in, float* out) {
  INDEX;
  if (i < n) out[i] = in[index[i]];
}
extern "C" __global__ void digits(int n, const unsigned* in, unsigned* out) {
  INDEX;
  if (i >= n) return;
  unsigned counts[16];
  for (int k = 0; k < 16; k++) counts[k] = 0;
  unsigned word = in[i];
  for (int k = 0; k < 8; k++) counts[word >> 4 * k & 15]++;
  unsigned most = 0;
  for (int k = 0; k < 16; k++) most = max(most, counts[k] * 16 + k);
  out[i] = most;
}
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  INDEX;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void reduction(int n, const float* in, float* out) {
  __shared__ float s[256];
  INDEX;
  int t = threadIdx.x;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void stencil(int w, int h, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int at = y * w + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - w] + in[at + w]);
}
extern "C" __global__ void gemm(int n, const float* a, const float* b, float* c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
extern "C" __global__ void shuffles(int n, const float* in, float* out) {
  INDEX;
  float v = i < n ? in[i] : 0.0f;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if ((threadIdx.x & 31) == 0) out[i >> 5] = v;
}
extern "C" __global__ void wmma(int n, const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  int row = blockIdx.y * 16, col = blockIdx.x * 16;
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(fa, a + row * n + k, n);
    load_matrix_sync(fb, b + k * n + col, n);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c + row * n + col, fc, n, mem_row_major);
}
extern "C" __global__ void wmmaDouble(int n, const double* a, const double* b, double* c) {
  using namespace nvcuda::wmma;
  int row = blockIdx.y * 8, col = blockIdx.x * 8;
  fragment<matrix_a, 8, 8, 4, double, row_major> fa;
  fragment<matrix_b, 8, 8, 4, double, row_major> fb;
  fragment<accumulator, 8, 8, 4, double> fc;
  fill_fragment(fc, 0.0);
  for (int k = 0; k < n; k += 4) {
    load_matrix_sync(fa, a + row * n + k, n);
    load_matrix_sync(fb, b + k * n + col, n);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c + row * n + col, fc, n, mem_row_major);
}
