// nvcc -arch=sm_75
extern "C" __global__ void relax(unsigned short* distances, int n, int through) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || k >= n) return;
  const unsigned sum = distances[i * n + through] + distances[through * n + k];
  if (sum < distances[i * n + k]) distances[i * n + k] = sum;
}
