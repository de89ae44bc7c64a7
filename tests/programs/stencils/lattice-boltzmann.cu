// program: tags=stencils,constant-memory
// A flow in two dimensions by the lattice Boltzmann method (D2Q9), with walls that bounce back.

#include "../check.h"

constexpr int Q = 9;
__constant__ int ex[Q], ey[Q], opposite[Q];
__constant__ float weight[Q];
const int EX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, EY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, BACK[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
const float W[Q] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

__global__ void step(const float* in, float* out, const uint8_t* wall, int width, int height, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, cells = width * height;
  if (x >= width || y >= height) return;
  float f[Q], rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    const int from = (y - ey[q] + height) % height * width + (x - ex[q] + width) % width;
    f[q] = wall[from] ? in[opposite[q] * cells + y * width + x] : in[q * cells + from];
    rho += f[q];
    ux += f[q] * ex[q];
    uy += f[q] * ey[q];
  }
  ux = ux / rho + 0.001f;
  uy /= rho;
  for (int q = 0; q < Q; q++) {
    const float along = 3 * (ex[q] * ux + ey[q] * uy);
    const float equilibrium = weight[q] * rho * (1 + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
    out[q * cells + y * width + x] = f[q] + omega * (equilibrium - f[q]);
  }
}

int main() {
  const int width = 40, height = 18, cells = width * height, steps = 5;
  const double omega = 1.2;
  CHECK(cudaMemcpyToSymbol(ex, EX, sizeof(EX)));
  CHECK(cudaMemcpyToSymbol(ey, EY, sizeof(EY)));
  CHECK(cudaMemcpyToSymbol(opposite, BACK, sizeof(BACK)));
  CHECK(cudaMemcpyToSymbol(weight, W, sizeof(W)));
  std::vector<uint8_t> wall(cells, 0);
  for (int x = 0; x < width; x++) wall[x] = wall[cells - 1 - x] = 1;
  for (int y = 6; y < 11; y++) wall[y * width + 10] = 1;
  std::vector<float> start(Q * cells);
  Random random(63);
  for (int q = 0; q < Q; q++)
    for (int i = 0; i < cells; i++) start[q * cells + i] = W[q] * random.uniform(0.95f, 1.05f);
  DeviceArray<float> a(start), b(Q * cells);
  DeviceArray<uint8_t> dw(wall);
  float *from = a, *to = b;
  for (int s = 0; s < steps; s++, std::swap(from, to))
    step<<<dim3(blocks_for(width, 32), blocks_for(height, 4)), dim3(32, 4)>>>(from, to, dw, width, height, omega);
  CHECK_KERNEL();
  std::vector<double> now(start.begin(), start.end()), next(Q * cells);
  for (int s = 0; s < steps; s++, now.swap(next))
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        double f[Q], rho = 0, ux = 0, uy = 0;
        for (int q = 0; q < Q; q++) {
          const int at = (y - EY[q] + height) % height * width + (x - EX[q] + width) % width;
          f[q] = wall[at] ? now[BACK[q] * cells + y * width + x] : now[q * cells + at];
          rho += f[q], ux += f[q] * EX[q], uy += f[q] * EY[q];
        }
        ux = ux / rho + 0.001, uy /= rho;
        for (int q = 0; q < Q; q++) {
          const double along = 3 * (EX[q] * ux + EY[q] * uy);
          next[q * cells + y * width + x] =
              f[q] + omega * (W[q] * rho * (1 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy)) - f[q]);
        }
      }
  std::vector<float> got(Q * cells);
  CHECK(cudaMemcpy(got.data(), from, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  close("populations", got, now, 1e-5);
  return finish();
}
