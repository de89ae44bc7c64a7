// nvcc -arch=sm_90
// Three dimensions of blocks and threads, lanes and warps, and a switch with many cases.
extern "C" __global__ void places(unsigned* out) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned lane, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = (below ^ (threadIdx.z << 28)) + lane * 64 + blockIdx.y;
}
extern "C" __global__ void cases(const int* in, int* out) {
  const int x = in[threadIdx.x];
  int y;
  switch (x) {
    case 0: y = x + 17; break;
    case 1: y = x * 23; break;
    case 2: y = in[1] - x; break;
    case 3: y = x << 5;
    case 4: y = x ^ 0x55; break;
    case 5: case 6: y = -x; break;
    case 7: y = x / 3; break;
    case 8: y = in[0]; break;
    case 9: y = x * x * x; break;
    default: y = 1000 - x;
  }
  out[threadIdx.x] = y;
}
