// nvcc -arch=sm_90 -std=c++17
// A block's reduction, scan, histogram and radix sort as CUB has them.
#include <cub/cub.cuh>
extern "C" __global__ void block(const int* in, int* totals, int* scanned, unsigned* histogram, int* keys, int* places) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 256>;
  using Sort = cub::BlockRadixSort<int, 128, 4, int>;
  __shared__ union {
    Load::TempStorage load;
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Histogram::TempStorage histogram;
    Sort::TempStorage sort;
  } storage;
  __shared__ unsigned counts[256];
  const int first = threadIdx.x * 4;
  int values[4], sums[4], order[4];
  Load(storage.load).Load(in, values);
  __syncthreads();
  const int sum = Reduce(storage.reduce).Sum(values);
  __syncthreads();
  const int most = Reduce(storage.reduce).Reduce(values[0], cuda::maximum<int>{});
  __syncthreads();
  Scan(storage.scan).InclusiveSum(values, sums);
  __syncthreads();
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = values[i];
  Histogram(storage.histogram).Histogram(bytes, counts);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 128) histogram[i] = counts[i];
  for (int i = 0; i < 4; i++) order[i] = first + i;
  Sort(storage.sort).Sort(values, order);
  for (int i = 0; i < 4; i++) {
    scanned[first + i] = sums[i];
    keys[first + i] = values[i];
    places[first + i] = order[i];
  }
  if (threadIdx.x == 0) {
    totals[0] = sum;
    totals[1] = most;
  }
}
