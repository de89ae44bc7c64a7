// nvcc -arch=sm_90
extern "C" __global__ void words(unsigned* u, int* s, unsigned long long* l, float* f, double* d) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&u[0], i); atomicSub(&u[1], i); atomicMin(&u[2], 1000u - i); atomicMax(&u[3], i * 7 % 101);
  atomicAnd(&u[4], ~(1u << i % 29)); atomicOr(&u[5], 1u << i % 31); atomicXor(&u[6], i * 2654435761u);
  atomicInc(&u[7], 36u); atomicDec(&u[8], 24u);
  atomicMin(&s[0], -(int)i); atomicMax(&s[1], -(int)i);
  atomicAdd(&l[0], 0x100000001ull * i); atomicMax(&l[1], (unsigned long long)i << 40); atomicXor(&l[2], 0x0123456789abcdefull * i);
  atomicAdd(&f[0], 0.25f * i); atomicAdd(&d[0], 0.125 * i);
}
extern "C" __global__ void values(unsigned* u, unsigned* old) {
  const unsigned i = threadIdx.x;
  old[4 * i] = atomicAdd(&u[0], 3u);
  old[4 * i + 1] = atomicExch(&u[1], i);
  old[4 * i + 2] = atomicCAS(&u[2], i, i + 1);
  unsigned seen = u[3], expected;
  do { expected = seen; seen = atomicCAS(&u[3], expected, expected * 3u + i); } while (seen != expected);
  old[4 * i + 3] = expected;
}
