// program: tags=solvers,sparse,reductions
// Conjugate gradients for a sparse matrix in compressed rows, a warp for each row of the product.

#include "../check.h"

__global__ void spmv(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float sum = 0;
  for (int i = rows[row] + lane; i < rows[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

__global__ void dot(const float* a, const float* b, float* out, int n) {
  __shared__ float sums[128];
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += 128) mine += a[i] * b[i];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}

__global__ void axpy(float alpha, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

__global__ void xpby(const float* x, float beta, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + beta * y[i];
}

int main() {
  const int side = 10, n = side * side;
  std::vector<int> rows(1, 0), columns;
  std::vector<float> values;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      auto entry = [&](int px, int py, float value) {
        if (px < 0 || py < 0 || px >= side || py >= side) return;
        columns.push_back(py * side + px);
        values.push_back(value);
      };
      entry(x, y - 1, -1), entry(x - 1, y, -1), entry(x, y, 4.5f), entry(x + 1, y, -1), entry(x, y + 1, -1);
      rows.push_back(static_cast<int>(columns.size()));
    }
  Random random(70);
  const auto solution = random.floats(n);
  std::vector<float> right(n, 0.0f);
  for (int r = 0; r < n; r++)
    for (int i = rows[r]; i < rows[r + 1]; i++) right[r] += values[i] * solution[columns[i]];

  DeviceArray<int> dr(rows), dc(columns);
  DeviceArray<float> dv(values), x(n), r(right), p(right), q(n), scalar(1);
  auto product = [&](const float* a, const float* b) {
    dot<<<1, 128>>>(a, b, scalar, n);
    return scalar.host()[0];
  };
  const int blocks = blocks_for(n, 64);
  float squared = product(r, r);
  int rounds = 0;
  for (; rounds < 60 && squared > 1e-10f; rounds++) {
    spmv<<<blocks_for(n * 32, 128), 128>>>(dr, dc, dv, p, q, n);
    const float alpha = squared / product(p, q);
    axpy<<<blocks, 64>>>(alpha, p, x, n);
    axpy<<<blocks, 64>>>(-alpha, q, r, n);
    const float next = product(r, r);
    xpby<<<blocks, 64>>>(r, next / squared, p, n);
    squared = next;
  }
  CHECK_KERNEL();
  expect(squared <= 1e-10f, "the residual to vanish");
  close("x", x.host(), solution, 1e-4);
  return finish();
}
