// program: tags=samples,sorting
// Odd-even transposition sort of several short arrays, one block each, in place in shared memory that the launch sizes.

#include "../check.h"
#include <algorithm>

__global__ void sort(float* data, int length) {
  extern __shared__ float values[];
  float* mine = data + blockIdx.x * length;
  for (int i = threadIdx.x; i < length; i += blockDim.x) values[i] = mine[i];
  __syncthreads();
  for (int phase = 0; phase < length; phase++) {
    for (int i = 2 * threadIdx.x + (phase & 1); i + 1 < length; i += 2 * blockDim.x) {
      if (values[i] > values[i + 1]) {
        const float t = values[i];
        values[i] = values[i + 1];
        values[i + 1] = t;
      }
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < length; i += blockDim.x) mine[i] = values[i];
}

int main() {
  const int arrays = 3, length = 101;
  Random random(15);
  std::vector<float> data = random.floats(arrays * length);
  DeviceArray<float> device(data);
  sort<<<arrays, 64, length * sizeof(float)>>>(device, length);
  CHECK_KERNEL();
  for (int i = 0; i < arrays; i++) std::sort(data.begin() + i * length, data.begin() + (i + 1) * length);
  same("sorted", device.host(), data);
  return finish();
}
