// nvcc -arch=sm_80
// CUDA's own functions, with the long reductions that take local memory, and double precision.
extern "C" __global__ void singles(const float* x, float* out, int n) {
  const int i = threadIdx.x;
  const float v = x[i];
  out[i] = sinf(v); out[n + i] = cosf(v * 1e6f); out[2 * n + i] = tanf(v); out[3 * n + i] = expf(v); out[4 * n + i] = logf(fabsf(v));
  out[5 * n + i] = powf(fabsf(v), 1.7f); out[6 * n + i] = atan2f(v, 0.3f); out[7 * n + i] = erff(v); out[8 * n + i] = cbrtf(v);
  out[9 * n + i] = fmodf(v, 0.37f); out[10 * n + i] = tanhf(v); out[11 * n + i] = 1.0f / v; out[12 * n + i] = sqrtf(fabsf(v));
  out[13 * n + i] = rintf(v) + truncf(v) + ceilf(v) * floorf(v); out[14 * n + i] = exp2f(v) + log2f(fabsf(v));
}
extern "C" __global__ void doubles(const double* x, double* out, int n) {
  const int i = threadIdx.x;
  const double v = x[i];
  out[i] = sin(v); out[n + i] = exp(v); out[2 * n + i] = log(fabs(v)); out[3 * n + i] = 1.0 / v; out[4 * n + i] = sqrt(fabs(v));
  out[5 * n + i] = pow(fabs(v), 2.5); out[6 * n + i] = v / 3.0; out[7 * n + i] = (double)(long long)(v * 1e9) + (float)v;
}
