// program: tags=stencils
// A 7-point stencil in three dimensions, marching along z with the values above and below in registers.

#include "../check.h"

__global__ void stencil(const double* in, double* out, int nx, int ny, int nz, double a, double b) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny, at = y * nx + x;
  double below = in[at], here = in[at + plane], above;
  for (int z = 1; z < nz - 1; z++) {
    const int i = z * plane + at;
    above = in[i + plane];
    out[i] = a * here + b * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = here;
    here = above;
  }
}

int main() {
  const int nx = 34, ny = 20, nz = 12;
  Random random(60);
  std::vector<double> in(nx * ny * nz);
  for (double& value : in) value = random.uniform();
  std::vector<double> want = in;
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const int i = (z * ny + y) * nx + x;
        want[i] = 0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
      }
  DeviceArray<double> from(in), to(in);
  stencil<<<dim3(blocks_for(nx - 2, 16), blocks_for(ny - 2, 8)), dim3(16, 8)>>>(from, to, nx, ny, nz, 0.4, 0.1);
  CHECK_KERNEL();
  close("out", to.host(), want, 1e-14);
  return finish();
}
