// nvcc -arch=sm_80
// A grid-stride loop.
extern "C" __global__ void saxpy(float factor, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = factor * x[i] + y[i];
}
