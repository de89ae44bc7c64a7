// nvcc -arch=sm_80
// A compressed sparse matrix times a vector, a warp a row.
extern "C" __global__ void spmv(const int* starts, const int* columns, const double* values, const double* x, double* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  double sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum = fma(values[i], x[columns[i]], sum);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}
