// program: tags=language,indirect-calls
// Functions called through pointers: chosen on the device, kept in a table in constant memory, and passed to a kernel.

#include "../check.h"

using Operation = float (*)(float, float);

__device__ float plus(float a, float b) { return a + b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ float times(float a, float b) { return a * b; }
__device__ __noinline__ float larger(float a, float b) { return a > b ? a : b; }

__constant__ Operation table[4];
__device__ Operation device_times = times;

__global__ void fill(Operation* operations) {
  operations[0] = plus;
  operations[1] = minus;
  operations[2] = times;
  operations[3] = larger;
}

__global__ void apply(const float* a, const float* b, float* out, int count, Operation last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = last(table[i % 4](a[i], b[i]), 2.0f);
}

int main() {
  const int count = 1000;
  Random random(7);
  const std::vector<float> a = random.floats(count), b = random.floats(count);
  std::vector<float> want(count);
  for (int i = 0; i < count; i++) {
    const float x = a[i], y = b[i];
    const float first = i % 4 == 0 ? x + y : i % 4 == 1 ? x - y : i % 4 == 2 ? x * y : std::fmax(x, y);
    want[i] = first * 2.0f;
  }
  DeviceArray<Operation> operations(4);
  fill<<<1, 1>>>(operations);
  CHECK_KERNEL();
  CHECK(cudaMemcpyToSymbol(table, operations.get(), sizeof(Operation) * 4, 0, cudaMemcpyDeviceToDevice));
  Operation last;
  CHECK(cudaMemcpyFromSymbol(&last, device_times, sizeof(last)));
  DeviceArray<float> da(a), db(b), out(count);
  apply<<<blocks_for(count, 128), 128>>>(da, db, out, count, last);
  CHECK_KERNEL();
  same("out", out.host(), want);
  return finish();
}
