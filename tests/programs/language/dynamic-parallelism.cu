// program: tags=language,dynamic-parallelism,device-malloc flags=-rdc=true,-lcudadevrt ci
// Kernels that launch kernels: a recursive quicksort, a tree reduction by tail launches, curves whose points a kernel
// allocates, copies and fills on the device, and launches that are refused.
// prints: depth 0 of block 0
// prints: depth 2 of block 0

#include <algorithm>

#include "../check.h"

__device__ void selection_sort(int* values, int left, int right) {
  for (int i = left; i < right; i++) {
    int least = i;
    for (int j = i + 1; j <= right; j++)
      if (values[j] < values[least]) least = j;
    const int value = values[i];
    values[i] = values[least];
    values[least] = value;
  }
}

__global__ void quicksort(int* values, int left, int right, int depth) {
  if (depth >= 12 || right - left <= 16) {
    selection_sort(values, left, right);
    return;
  }
  int low = left, high = right;
  const int pivot = values[(left + right) / 2];
  while (low <= high) {
    while (values[low] < pivot) low++;
    while (values[high] > pivot) high--;
    if (low <= high) {
      const int value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
  }
  cudaStream_t stream;
  if (left < high) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(values, left, high, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (low < right) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(values, low, right, depth + 1);
    cudaStreamDestroy(stream);
  }
}

/** Halves an array by sums of neighbours until one value is left: each round launches the next one. */
__global__ void sum_pairs(long long* values, int half) {
  extern __shared__ long long pairs[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    pairs[threadIdx.x] = values[i] + values[i + half];
    values[i] = pairs[threadIdx.x];
  }
  if (i == 0 && half > 1) {
    const int next = half / 2, block = next < 64 ? next : 64;
    sum_pairs<<<(next + block - 1) / block, block, block * sizeof(long long), cudaStreamTailLaunch>>>(values, next);
  }
}

struct Curve {
  float x, y;
  int count;
  float2* points;
};

__global__ void points_of(Curve* curve) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < curve->count) curve->points[i] = make_float2(curve->x * i, curve->y - i);
}
__global__ void draw(Curve* curves, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Curve& curve = curves[i];
  curve.count = 3 + 5 * i;
  cudaMalloc(reinterpret_cast<void**>(&curve.points), curve.count * sizeof(float2));
  points_of<<<(curve.count + 31) / 32, 32>>>(&curve);
}
__global__ void sum_curves(const Curve* curves, int count, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  sums[i] = 0;
  for (int k = 0; k < curves[i].count; k++) sums[i] += curves[i].points[k].x + curves[i].points[k].y;
  cudaFree(curves[i].points);
}

__global__ void trace(int depth) {
  if (threadIdx.x == 0) printf("depth %d of block %d\n", depth, blockIdx.x);
  if (threadIdx.x == 0 && depth < 2) trace<<<2, 32>>>(depth + 1);
}

__global__ void append(int* list, int value) { list[1 + list[0]++] = value; }
__global__ void append_after_child(int* list, int value) {
  append<<<1, 1>>>(list, value);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, value + 1);
}
__global__ void order(int* list) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 9);
  append_after_child<<<1, 1>>>(list, 1);
  append<<<1, 1>>>(list, 3);
}

/** The values are zeros because the PTX of libcudadevrt 13.0 does not read the argument. */
__global__ void move(unsigned char* bytes, int count) {
  cudaMemcpyAsync(bytes + count, bytes + 1, count - 1, cudaMemcpyDeviceToDevice, 0);
  cudaMemset2DAsync(bytes, 16, 0, 2, count / 16, 0);
  cudaMemsetAsync(bytes + 2 * count - 5, 0, 5, 0);
}

__global__ void never(int* found) { *found = -1; }
__global__ void refuse(int* found) {
  never<<<0, 32>>>(found);
  found[1] = cudaGetLastError();
  found[2] = cudaGetLastError();
  never<<<1, 2048>>>(found);
  found[3] = cudaPeekAtLastError();
  found[4] = cudaGetLastError();
  never<<<1, 32, 1 << 20>>>(found);
  found[5] = cudaGetLastError();
  found[6] = cudaGetErrorName(cudaErrorInvalidValue)[9];
  cudaGetDevice(&found[7]);
  cudaDeviceGetAttribute(&found[8], cudaDevAttrWarpSize, 0);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  found[9] = cudaEventRecord(event, 0);
  found[10] = cudaStreamWaitEvent(0, event, 0);
  found[11] = cudaEventDestroy(event);
}

int main() {
  Random random(1);
  std::vector<int> values(3000);
  for (int& value : values) value = static_cast<int>(random.below(100000));
  DeviceArray<int> sorted(values);
  quicksort<<<1, 1>>>(sorted, 0, static_cast<int>(values.size()) - 1, 0);
  CHECK_KERNEL();
  std::vector<int> want = values;
  std::sort(want.begin(), want.end());
  same("sorted", sorted.host(), want);

  std::vector<long long> numbers(1024);
  for (long long& number : numbers) number = random.below(1000);
  long long total = 0;
  for (long long number : numbers) total += number;
  DeviceArray<long long> sums(numbers);
  sum_pairs<<<8, 64, 64 * sizeof(long long)>>>(sums, 512);
  CHECK_KERNEL();
  same("sum", sums.host()[0], total);

  constexpr int CURVES = 40;
  std::vector<Curve> curves(CURVES);
  for (Curve& curve : curves) curve = {random.uniform(), random.uniform(), 0, nullptr};
  DeviceArray<Curve> drawn(curves);
  DeviceArray<float> lengths(CURVES);
  draw<<<2, 32>>>(drawn, CURVES);
  // The stream goes on once the children have ended.
  sum_curves<<<2, 32>>>(drawn, CURVES, lengths);
  CHECK_KERNEL();
  std::vector<float> expected(CURVES);
  for (int i = 0; i < CURVES; i++)
    for (int k = 0; k < 3 + 5 * i; k++) expected[i] += curves[i].x * k + (curves[i].y - k);
  close("sums of points", lengths.host(), expected, 1e-3);

  trace<<<1, 32>>>(0);
  CHECK_KERNEL();

  DeviceArray<int> list(8);
  order<<<1, 1>>>(list);
  CHECK_KERNEL();
  same("order", list.host(), {4, 1, 2, 3, 9, 0, 0, 0});

  constexpr int BYTES = 160;
  std::vector<unsigned char> moved(2 * BYTES);
  for (unsigned char& byte : moved) byte = static_cast<unsigned char>(random.next());
  DeviceArray<unsigned char> bytes(moved);
  move<<<1, 1>>>(bytes, BYTES);
  CHECK_KERNEL();
  for (int i = 0; i < BYTES - 1; i++) moved[BYTES + i] = moved[i + 1];
  for (int i = 0; i < BYTES; i++)
    if (i % 16 < 2) moved[i] = 0;
  for (int i = 2 * BYTES - 5; i < 2 * BYTES; i++) moved[i] = 0;
  same("bytes", bytes.host(), moved);

  DeviceArray<int> found(12);
  refuse<<<1, 1>>>(found);
  CHECK_KERNEL();
  same("errors", found.host(), {0, cudaErrorInvalidConfiguration, 0, cudaErrorInvalidConfiguration,
                                cudaErrorInvalidConfiguration, cudaErrorInvalidValue, 'I', 0, 32, 0, 0, 0});
  return finish();
}
