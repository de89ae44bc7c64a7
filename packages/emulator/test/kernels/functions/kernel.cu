// nvcc -arch=sm_80
// Calls: recursion, functions that are not inlined, pointers to functions in a table, structures by value.
struct Pair { long long sum; int count; float last; };
__device__ __noinline__ Pair add(Pair pair, float value) {
  pair.sum += (long long)value;
  pair.count++;
  pair.last = value;
  return pair;
}
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negative(int x) { return -x; }
typedef int (*Function)(int);
__device__ Function table[3] = {twice, square, negative};
extern "C" __global__ void recursion(unsigned* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
extern "C" __global__ void pointers(const int* which, int* values) {
  values[threadIdx.x] = table[which[threadIdx.x]](values[threadIdx.x]);
}
extern "C" __global__ void structures(Pair start, float* values, Pair* out) {
  Pair pair = start;
  for (int i = 0; i <= threadIdx.x; i++) pair = add(pair, values[i]);
  out[threadIdx.x] = pair;
}
