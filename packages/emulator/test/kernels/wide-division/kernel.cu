// nvcc -arch=sm_80
typedef unsigned __int128 u128;
typedef __int128 s128;
typedef ulonglong2 Words;  // the lower word, then the upper one
__device__ static u128 join(Words w) { return (u128)w.y << 64 | w.x; }
__device__ static Words split(u128 v) { return make_ulonglong2((unsigned long long)v, (unsigned long long)(v >> 64)); }
extern "C" __global__ void divide(const Words* in, Words* out, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const u128 a = join(in[2 * i]), b = join(in[2 * i + 1]);
  out[4 * i] = split(a / b);
  out[4 * i + 1] = split(a % b);
  out[4 * i + 2] = split((u128)((s128)a / (s128)b));
  out[4 * i + 3] = split((u128)((s128)a % (s128)b));
}
