// nvcc -arch=sm_90
// Jumps into loops from several sides, and fields of bits.
struct Fields {
  unsigned a : 5;
  int b : 7;
  unsigned long long c : 33;
  unsigned d : 1;
};
extern "C" __global__ void tangled(const unsigned* in, unsigned* out, Fields* fields) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i], s = 0, n = 0;
  if (v & 1) goto middle;
top:
  s += v & 15;
  v >>= 1;
  if (++n > 40) goto end;
  if (v % 3 == 0) goto other;
middle:
  s = s * 5 + 1;
  if (s & 64) v ^= s;
  if (++n > 40) goto end;
  if (v & 2) goto top;
other:
  s ^= v;
  v = v * 1103515245 + 12345;
  if (++n > 40) goto end;
  if (v & 4) goto middle;
  if (v & 8) goto top;
  goto other;
end:
  out[i] = s;
  Fields f = fields[i];
  f.a += 7;
  f.b -= (int)s;
  f.c += v;
  f.d ^= 1;
  fields[i] = f;
}
