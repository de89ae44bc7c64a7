// Kernels for the checks of the emulator. checks.ptx: nvcc -arch=sm_75 -ptx checks.cu
template <int B> __device__ void mm(float *C, const float *A, const float *Bm, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * B * by, aEnd = aBegin + wA - 1, aStep = B, bBegin = B * bx, bStep = B * wB;
  float sum = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[B][B]; __shared__ float Bs[B][B];
    As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = Bm[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < B; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * B * by + B * bx + wB * ty + tx] = sum;
}
extern "C" __global__ void matmul(float *C, const float *A, const float *B, int wA, int wB) { mm<32>(C, A, B, wA, wB); }
extern "C" __global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[256]; int t = threadIdx.x; float v = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) v += in[i];
  s[t] = v; __syncthreads();
  for (int d = 128; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void histogram(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned h[256]; h[threadIdx.x] = 0; __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[in[i] & 255], 1);
  __syncthreads(); atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
extern "C" __global__ void stencil(const float *in, float *out, int n) {
  __shared__ float s[256 + 6]; int g = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
  s[t + 3] = g < n ? in[g] : 0; if (t < 3) { s[t] = g >= 3 ? in[g - 3] : 0; s[t + 259] = g + 256 < n ? in[g + 256] : 0; }
  __syncthreads(); float r = 0;
  for (int o = -3; o <= 3; o++) r += s[t + 3 + o];
  if (g < n) out[g] = r;
}
extern "C" __global__ void sort(unsigned *d) {
  __shared__ unsigned s[512]; int t = threadIdx.x; unsigned *p = d + blockIdx.x * 512;
  s[t] = p[t]; s[t + 256] = p[t + 256];
  for (unsigned k = 2; k <= 512; k <<= 1) for (unsigned j = k >> 1; j; j >>= 1) {
    __syncthreads(); unsigned i = 2 * t - (t & (j - 1)); bool up = !(i & k);
    unsigned a = s[i], b = s[i + j]; if ((a > b) == up) { s[i] = b; s[i + j] = a; }
  }
  __syncthreads(); p[t] = s[t]; p[t + 256] = s[t + 256];
}
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }
