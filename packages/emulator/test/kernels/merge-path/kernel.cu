// nvcc -arch=sm_110
// Merges two sorted lists: each thread finds its part by bisection along its diagonal.
extern "C" __global__ void merge(const short* a, int na, const short* b, int nb, short* out) {
  const int each = (na + nb + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
  const int at = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (at >= na + nb) return;
  int low = max(0, at - nb), high = min(at, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[at - 1 - middle]) low = middle + 1; else high = middle;
  }
  int i = low, k = at - low;
  for (int n = 0; n < each && at + n < na + nb; n++)
    out[at + n] = k >= nb || (i < na && a[i] <= b[k]) ? a[i++] : b[k++];
}
