// nvcc -arch=sm_89
extern "C" __global__ void sort_shared(unsigned* keys, unsigned* values, int descending) {
  __shared__ unsigned k[256], v[256];
  const unsigned i = threadIdx.x, base = blockIdx.x * 256;
  k[i] = keys[base + i]; k[i + 128] = keys[base + i + 128];
  v[i] = values[base + i]; v[i + 128] = values[base + i + 128];
  for (unsigned size = 2; size <= 256; size <<= 1) {
    for (unsigned step = size / 2; step > 0; step >>= 1) {
      __syncthreads();
      const unsigned at = 2 * i - (i & (step - 1));
      const bool ascending = size == 256 ? !descending : ((i & (size / 2)) == 0);
      if ((k[at] > k[at + step]) == ascending) {
        unsigned t = k[at]; k[at] = k[at + step]; k[at + step] = t;
        t = v[at]; v[at] = v[at + step]; v[at + step] = t;
      }
    }
  }
  __syncthreads();
  keys[base + i] = k[i]; keys[base + i + 128] = k[i + 128];
  values[base + i] = v[i]; values[base + i + 128] = v[i + 128];
}
