// program: tags=samples,shared-memory
// The fast Walsh-Hadamard transform, in shared memory for short strides and in global memory for long ones.

#include "../check.h"

constexpr int TILE = 256;

__global__ void long_stride(int* data, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = (t / stride) * 2 * stride + t % stride;
  const int a = data[i], b = data[i + stride];
  data[i] = a + b;
  data[i + stride] = a - b;
}

__global__ void short_strides(int* data) {
  __shared__ int values[TILE];
  int* mine = data + blockIdx.x * TILE;
  for (int i = threadIdx.x; i < TILE; i += blockDim.x) values[i] = mine[i];
  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int t = threadIdx.x, i = (t / stride) * 2 * stride + t % stride;
    const int a = values[i], b = values[i + stride];
    values[i] = a + b;
    values[i + stride] = a - b;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < TILE; i += blockDim.x) mine[i] = values[i];
}

int main() {
  const int count = 2048;
  Random random(17);
  std::vector<int> data(count), want(count, 0);
  for (int& value : data) value = static_cast<int>(random.below(2001)) - 1000;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) want[i] += __builtin_parity(i & j) ? -data[j] : data[j];
  DeviceArray<int> device(data);
  for (int stride = count / 2; stride >= TILE; stride /= 2) long_stride<<<count / 2 / 128, 128>>>(device, stride);
  short_strides<<<count / TILE, TILE / 2>>>(device);
  CHECK_KERNEL();
  same("transform", device.host(), want);
  return finish();
}
