// program: tags=reductions,shared-memory,shuffle,templates
// The sum of an array by the classical sequence of techniques, each block giving one partial sum.

#include "../check.h"

__global__ void interleaved_modulo(const int* in, int* out) {
  extern __shared__ int values[];
  const unsigned tid = threadIdx.x;
  values[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) values[tid] += values[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

__global__ void interleaved_strided(const int* in, int* out) {
  extern __shared__ int values[];
  const unsigned tid = threadIdx.x;
  values[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * tid;
    if (index < blockDim.x) values[index] += values[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

__global__ void sequential(const int* in, int* out) {
  extern __shared__ int values[];
  const unsigned tid = threadIdx.x;
  values[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) values[tid] += values[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

__global__ void add_while_loading(const int* in, int* out) {
  extern __shared__ int values[];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  values[tid] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) values[tid] += values[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

template <unsigned BLOCK>
__global__ void unrolled_shuffle(const int* in, int* out, unsigned count) {
  __shared__ int values[BLOCK];
  const unsigned tid = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * BLOCK * 2 + tid; i < count; i += gridDim.x * BLOCK * 2) sum += in[i] + in[i + BLOCK];
  values[tid] = sum;
  __syncthreads();
  if (BLOCK >= 256) {
    if (tid < 128) values[tid] = sum = sum + values[tid + 128];
    __syncthreads();
  }
  if (BLOCK >= 128) {
    if (tid < 64) values[tid] = sum = sum + values[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    sum += values[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (tid == 0) out[blockIdx.x] = sum;
  }
}

int main() {
  const int count = 16384, block = 256;
  Random random(4);
  std::vector<int> in(count);
  int want = 0;
  for (int& value : in) want += value = static_cast<int>(random.below(1000)) - 500;
  DeviceArray<int> input(in);

  auto check = [&](const char* name, int blocks, auto launch) {
    DeviceArray<int> partial(blocks);
    launch(partial.get(), blocks);
    CHECK_KERNEL();
    int sum = 0;
    for (int value : partial.host()) sum += value;
    same(name, sum, want);
  };
  const int bytes = block * sizeof(int);
  check("interleaved, modulo", count / block, [&](int* out, int n) { interleaved_modulo<<<n, block, bytes>>>(input, out); });
  check("interleaved, strided", count / block, [&](int* out, int n) { interleaved_strided<<<n, block, bytes>>>(input, out); });
  check("sequential", count / block, [&](int* out, int n) { sequential<<<n, block, bytes>>>(input, out); });
  check("adding while loading", count / block / 2, [&](int* out, int n) { add_while_loading<<<n, block, bytes>>>(input, out); });
  check("256 threads", 8, [&](int* out, int n) { unrolled_shuffle<256><<<n, 256>>>(input, out, count); });
  check("128 threads", 8, [&](int* out, int n) { unrolled_shuffle<128><<<n, 128>>>(input, out, count); });
  check("64 threads", 8, [&](int* out, int n) { unrolled_shuffle<64><<<n, 64>>>(input, out, count); });
  return finish();
}
