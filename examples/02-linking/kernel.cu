// The kernel knows its two functions by name only; which ones they are is decided when it is linked.
extern "C" __device__ float first(float x);
extern "C" __device__ float second(float x);

extern "C" __global__ void apply(float* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = second(first(values[i]));
}
