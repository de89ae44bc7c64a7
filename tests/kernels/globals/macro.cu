// What a module holds besides kernels: constant and global variables that keep state, shared memory sized at launch, and
// printf, whose format string and argument buffer are module-level too.
#include <ptx_inject.h>
#include <cstdio>

__constant__ float weights[16];
__device__ unsigned visits = 0;
__device__ const float* bounds[2] = {weights, weights + 15};
extern __shared__ float scratch[];

extern "C" __global__ void visit(const float* values, float* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = values[i];
  __syncthreads();
  const float neighbour = scratch[(threadIdx.x + 1) % blockDim.x];
  float result;
  PTX_INJECT("blend", PTX_IN(F32, mine, scratch[threadIdx.x]), PTX_IN(F32, neighbour),
             PTX_IN(F32, weight, weights[threadIdx.x % 16]), PTX_OUT(F32, result));
  results[i] = result + *bounds[i % 2];
  const unsigned visit = atomicAdd(&visits, 1);
  if (visit == 0) printf("block %u begins with %f\n", blockIdx.x, result);
}
