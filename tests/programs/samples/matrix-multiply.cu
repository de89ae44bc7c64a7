// program: tags=samples,gemm,shared-memory,templates
// C = A * B with tiles in shared memory, for two sizes of tiles chosen by a template parameter.

#include "../check.h"

template <int TILE>
__global__ void multiply(const float* a, const float* b, float* c, int inner, int columns) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < inner; start += TILE) {
    as[threadIdx.y][threadIdx.x] = a[row * inner + start + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * columns + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

template <int TILE>
void run(const std::vector<float>& a, const std::vector<float>& b, int rows, int inner, int columns,
         const std::vector<double>& want) {
  DeviceArray<float> da(a), db(b), dc(rows * columns);
  multiply<TILE><<<dim3(columns / TILE, rows / TILE), dim3(TILE, TILE)>>>(da, db, dc, inner, columns);
  CHECK_KERNEL();
  close("c", dc.host(), want, 1e-5 * inner);
}

int main() {
  const int rows = 64, inner = 96, columns = 128;
  Random random(2);
  const std::vector<float> a = random.floats(rows * inner), b = random.floats(inner * columns);
  std::vector<double> want(rows * columns, 0.0);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      for (int j = 0; j < columns; j++) want[i * columns + j] += double(a[i * inner + k]) * b[k * columns + j];
  run<16>(a, b, rows, inner, columns, want);
  run<32>(a, b, rows, inner, columns, want);
  return finish();
}
