// nvcc -arch=sm_80
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float left[8][8], right[8][8];
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / 8; tile++) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile * 8 + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile * 8 + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
