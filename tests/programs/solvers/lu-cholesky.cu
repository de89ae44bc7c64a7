// program: tags=solvers,shared-memory
// LU decomposition by blocks (diagonal, perimeter, interior), and Cholesky of small matrices, one a block.

#include "../check.h"
#include <algorithm>

constexpr int TILE = 16;

__global__ void diagonal(float* a, int n, int at) {
  __shared__ float t[TILE][TILE];
  const int i = threadIdx.x;
  for (int j = 0; j < TILE; j++) t[j][i] = a[(at + j) * n + at + i];
  __syncthreads();
  for (int k = 0; k < TILE - 1; k++) {
    if (i > k) t[i][k] /= t[k][k];
    __syncthreads();
    if (i > k)
      for (int j = k + 1; j < TILE; j++) t[i][j] -= t[i][k] * t[k][j];
    __syncthreads();
  }
  for (int j = 0; j < TILE; j++) a[(at + j) * n + at + i] = t[j][i];
}

__global__ void perimeter(float* a, int n, int at) {
  __shared__ float t[TILE][TILE];
  const int i = threadIdx.x % TILE, other = at + (blockIdx.x + 1) * TILE;
  for (int j = threadIdx.x / TILE; j < TILE; j += 2) t[j][i] = a[(at + j) * n + at + i];
  __syncthreads();
  if (threadIdx.x < TILE) {
    for (int j = 1; j < TILE; j++)
      for (int k = 0; k < j; k++) a[(at + j) * n + other + i] -= t[j][k] * a[(at + k) * n + other + i];
  } else {
    float* row = a + (other + i) * n + at;
    for (int j = 0; j < TILE; j++) {
      for (int k = 0; k < j; k++) row[j] -= row[k] * t[k][j];
      row[j] /= t[j][j];
    }
  }
}

__global__ void interior(float* a, int n, int at) {
  const int row = at + (blockIdx.y + 1) * TILE + threadIdx.y, column = at + (blockIdx.x + 1) * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += a[row * n + at + k] * a[(at + k) * n + column];
  a[row * n + column] -= sum;
}

__global__ void cholesky(double* matrices, int n) {
  double* a = matrices + blockIdx.x * n * n;
  const int i = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (i == k) a[k * n + k] = sqrt(a[k * n + k]);
    __syncthreads();
    if (i > k && i < n) a[i * n + k] /= a[k * n + k];
    __syncthreads();
    if (i > k && i < n)
      for (int j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    __syncthreads();
  }
}

int main() {
  const int n = 64;
  Random random(71);
  auto a = random.floats(n * n);
  for (int i = 0; i < n; i++) a[i * n + i] += 20;
  DeviceArray<float> device(a);
  for (int at = 0; at < n; at += TILE) {
    const int rest = (n - at) / TILE - 1;
    diagonal<<<1, TILE>>>(device, n, at);
    if (rest == 0) break;
    perimeter<<<rest, 2 * TILE>>>(device, n, at);
    interior<<<dim3(rest, rest), dim3(TILE, TILE)>>>(device, n, at);
  }
  CHECK_KERNEL();
  const auto lu = device.host();
  std::vector<double> back(n * n, 0.0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= std::min(i, j); k++) back[i * n + j] += (k == i ? 1.0 : double(lu[i * n + k])) * lu[k * n + j];
  close("L times U", back, a, 1e-5);

  const int m = 12, count = 5;
  std::vector<double> lower(count * m * m, 0.0), full(count * m * m, 0.0);
  for (int b = 0; b < count; b++) {
    double* l = &lower[b * m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j <= i; j++) l[i * m + j] = i == j ? 1 + random.uniform() : random.uniform(-1, 1);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k <= std::min(i, j); k++) full[b * m * m + i * m + j] += l[i * m + k] * l[j * m + k];
  }
  DeviceArray<double> matrices(full);
  cholesky<<<count, 32>>>(matrices, m);
  CHECK_KERNEL();
  auto got = matrices.host();
  for (int i = 0; i < count * m * m; i++)
    if (i % m > i / m % m) got[i] = 0;
  close("Cholesky", got, lower, 1e-9);
  return finish();
}
