// nvcc -arch=sm_90
// Seven points in three dimensions; each thread walks along z.
extern "C" __global__ void stencil(const float* in, float* out, int nx, int ny, int nz, float middle, float side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = nx * ny, at = y * nx + x;
  if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    const int i = at + z * plane;
    const float above = in[i + plane];
    out[i] = __fadd_rn(__fmul_rn(middle, here), __fmul_rn(side, ((in[i - 1] + in[i + 1]) + (in[i - nx] + in[i + nx])) + (below + above)));
    below = here;
    here = above;
  }
}
