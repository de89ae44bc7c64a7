// nvcc -arch=sm_80
// Threads of a block that wait for each other without barriers: a lock, a chain of flags backwards, and counting down.

/** Adds each thread's part under a lock, which threads of one warp fight for. */
extern "C" __global__ void locked(unsigned *lock, unsigned *sum, unsigned *most) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      volatile unsigned *shared = sum;
      *shared = *shared + threadIdx.x;
      if (*shared > *most) *most = *shared;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

/** Each thread waits for the one behind it, the last for nobody. */
extern "C" __global__ void chain(int *out) {
  __shared__ volatile int values[256];
  const int thread = threadIdx.x;
  const int last = blockDim.x - 1;
  values[thread] = thread == last ? 1 : 0;
  __syncthreads();
  if (thread != last) {
    while (values[thread + 1] == 0) {
    }
    values[thread] = values[thread + 1] + 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + thread] = values[thread];
}

/** The first thread of a block waits until all others have counted themselves. */
extern "C" __global__ void counted(unsigned *counts, unsigned *out) {
  unsigned *count = counts + blockIdx.x;
  if (threadIdx.x == 0) {
    while (atomicAdd(count, 0u) != blockDim.x - 1) __nanosleep(20);
    out[blockIdx.x] = *count;
  } else {
    __threadfence();
    atomicAdd(count, 1u);
  }
}
