// nvcc -arch=sm_75
// The longest common subsequence along diagonals: a barrier for each, and threads that have nothing to do in most.
extern "C" __global__ void lcs(const unsigned char* a, int na, const unsigned char* b, int nb, int* table) {
  const int width = nb + 1;
  for (int diagonal = 2; diagonal <= na + nb; diagonal++) {
    for (int i = 1 + threadIdx.x; i <= na; i += blockDim.x) {
      const int k = diagonal - i;
      if (k < 1 || k > nb) continue;
      table[i * width + k] = a[i - 1] == b[k - 1] ? table[(i - 1) * width + k - 1] + 1
                                                   : max(table[(i - 1) * width + k], table[i * width + k - 1]);
    }
    __syncthreads();
  }
}
