// nvcc -arch=sm_90
// A tree in shared memory, with one sum a block.
template <typename T>
__device__ void reduce(const T* in, T* out, unsigned n) {
  extern __shared__ unsigned char memory[];
  T* sums = reinterpret_cast<T*>(memory);
  const unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  sums[threadIdx.x] = (i < n ? in[i] : T(0)) + (i + blockDim.x < n ? in[i + blockDim.x] : T(0));
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
extern "C" __global__ void reduce_f32(const float* in, float* out, unsigned n) { reduce(in, out, n); }
extern "C" __global__ void reduce_f64(const double* in, double* out, unsigned n) { reduce(in, out, n); }
extern "C" __global__ void reduce_s64(const long long* in, long long* out, unsigned n) { reduce(in, out, n); }
