// nvcc -arch=sm_86
// Three ways to add up what stands before each element.
extern "C" __global__ void hillis_steele(const int* in, int* out) {
  extern __shared__ int rows[];
  const int n = blockDim.x, i = threadIdx.x;
  int from = 0;
  rows[i] = in[blockIdx.x * n + i];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    const int to = 1 - from;
    rows[to * n + i] = i >= step ? rows[from * n + i] + rows[from * n + i - step] : rows[from * n + i];
    from = to;
    __syncthreads();
  }
  out[blockIdx.x * n + i] = rows[from * n + i];
}
extern "C" __global__ void blelloch(const int* in, int* out) {
  extern __shared__ int tree[];
  const int n = 2 * blockDim.x, i = threadIdx.x, base = blockIdx.x * n;
  tree[2 * i] = in[base + 2 * i];
  tree[2 * i + 1] = in[base + 2 * i + 1];
  int step = 1;
  for (int d = n >> 1; d > 0; d >>= 1, step *= 2) {
    __syncthreads();
    if (i < d) tree[step * (2 * i + 2) - 1] += tree[step * (2 * i + 1) - 1];
  }
  if (i == 0) tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    step >>= 1;
    __syncthreads();
    if (i < d) {
      const int left = step * (2 * i + 1) - 1, right = step * (2 * i + 2) - 1, value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();
  out[base + 2 * i] = tree[2 * i];
  out[base + 2 * i + 1] = tree[2 * i + 1];
}
extern "C" __global__ void by_warps(const int* in, int* out) {
  __shared__ int totals[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = in[i];
  for (int step = 1; step < 32; step <<= 1) {
    const int before = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= step) value += before;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; w++) value += totals[w];
  out[i] = value;
}
