// nvcc -arch=sm_80
// Conversions between all kinds with all roundings, and arithmetic with directed rounding.
extern "C" __global__ void whole(const float* f, const double* d, int* out) {
  const int i = threadIdx.x;
  int* o = out + 16 * i;
  o[0] = __float2int_rn(f[i]); o[1] = __float2int_rz(f[i]); o[2] = __float2int_ru(f[i]); o[3] = __float2int_rd(f[i]);
  o[4] = __float2uint_rn(f[i]); o[5] = __double2int_rn(d[i]); o[6] = __double2uint_rz(d[i]);
  const long long l = __float2ll_rz(f[i]);
  o[7] = (int)l; o[8] = (int)(l >> 32);
  o[9] = (signed char)f[i]; o[10] = (unsigned char)f[i]; o[11] = (short)d[i];
  o[12] = isnan(f[i]) * 4 + isinf(f[i]) * 2 + signbit(f[i]) != 0; o[13] = __float_as_int(copysignf(f[i], -1.0f));
  o[14] = __float_as_int(fminf(f[i], (float)d[i])); o[15] = __float_as_int(__saturatef(f[i]));
}
extern "C" __global__ void rounded(const double* d, const long long* l, float* out) {
  const int i = threadIdx.x;
  float* o = out + 12 * i;
  o[0] = __double2float_rn(d[i]); o[1] = __double2float_rz(d[i]); o[2] = __double2float_ru(d[i]); o[3] = __double2float_rd(d[i]);
  o[4] = __ll2float_rn(l[i]); o[5] = __ll2float_rz(l[i]); o[6] = __ll2float_ru(l[i]); o[7] = __ull2float_rd(l[i]);
  o[8] = __fadd_ru(o[0], 1e-8f); o[9] = __fmul_rz(o[0], 1.1f); o[10] = __fdiv_rd(o[0], 3.0f); o[11] = __fsqrt_ru(fabsf(o[0]));
}
