// nvcc -arch=sm_80
extern "C" __global__ void dot(const int* a, const int* b, int* c, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < words; k++) sum = __dp4a(a[i * words + k], b[k], sum);
  unsigned mixed = __dp4a((unsigned)a[i * words], (unsigned)b[0], 7u) + __dp2a_lo(a[i * words], b[1], 3) + __dp2a_hi(a[i * words], b[1], 3);
  c[2 * i] = sum;
  c[2 * i + 1] = mixed;
}
extern "C" __global__ void video(const unsigned* a, const unsigned* b, unsigned* c) {
  const int i = threadIdx.x;
  c[i] = __vadd4(a[i], b[i]) ^ __vabsdiffu4(a[i], b[i]) ^ __vmaxs2(a[i], b[i]) ^ __sad((int)a[i], (int)b[i], 9u) ^ __vcmpgtu4(a[i], b[i]);
}
