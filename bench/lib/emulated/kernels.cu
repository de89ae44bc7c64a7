extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void chain(int n, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = in[i], b = a + 0.5f;
  #pragma unroll
  for (int k = 0; k < 33; k++) { a = a * b + 0.25f; b = b - a; b = b * 0.75f; }
  out[i] = a + b;
}
extern "C" __global__ void philox(int n, unsigned k0, unsigned k1, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0;
  #pragma unroll
  for (int r = 0; r < 10; r++) {
    unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
    unsigned h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
    c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0;
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  out[i * 4] = c0; out[i * 4 + 1] = c1; out[i * 4 + 2] = c2; out[i * 4 + 3] = c3;
}
extern "C" __global__ void mandel(int w, int h, float x0, float y0, float dx, float dy, int limit, int* out) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = x0 + px * dx, cy = y0 + py * dy, x = 0, y = 0;
  int k = 0;
  while (k < limit && x * x + y * y < 4.0f) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; k++; }
  out[py * w + px] = k;
}
extern "C" __global__ void matmul(int n, const float* a, const float* b, float* c) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n / 16; t++) {
    as[ty][tx] = a[row * n + t * 16 + tx];
    bs[ty][tx] = b[(t * 16 + ty) * n + col];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
extern "C" __global__ void reduce(int n, const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
