// program: tags=runtime,streams,managed
// Hints: the access policy of a stream, the persisting part of the cache, advice about managed memory and prefetches.

#include "../check.h"

__global__ void increment(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i]++;
}

#if CUDART_VERSION >= 13000
static const cudaMemLocation ON_DEVICE = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation ON_HOST = {cudaMemLocationTypeHost, 0};
static cudaError_t prefetch(void* p, size_t n, cudaMemLocation where) { return cudaMemPrefetchAsync(p, n, where, 0, 0); }
#else
constexpr int ON_DEVICE = 0, ON_HOST = cudaCpuDeviceId;
static cudaError_t prefetch(void* p, size_t n, int where) { return cudaMemPrefetchAsync(p, n, where, 0); }
#endif

static int asked(cudaMemRangeAttribute attribute, const void* pointer, size_t bytes) {
  int value = 77;
  CHECK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, pointer, bytes));
  return value;
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  expect(properties.persistingL2CacheMaxSize > 0, "a cache that keeps data");
  expect(properties.accessPolicyMaxWindowSize > 0, "windows of accesses");
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize));
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  same("limit", limit, static_cast<size_t>(properties.persistingL2CacheMaxSize));

  const int count = 1000;
  DeviceArray<int> data(count);
  cudaStream_t stream, other;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  cudaStreamAttrValue value = {}, found = {};
  value.accessPolicyWindow.base_ptr = data.get();
  value.accessPolicyWindow.num_bytes = count * 4;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CHECK(cudaStreamCopyAttributes(other, stream));
  CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &found));
  same("bytes of the window", found.accessPolicyWindow.num_bytes, size_t{count * 4});
  same("ratio", found.accessPolicyWindow.hitRatio, 0.5f);
  increment<<<blocks_for(count, 128), 128, 0, stream>>>(data, count);
  CHECK(cudaStreamSynchronize(stream));
  value.accessPolicyWindow.num_bytes = size_t{1} << 40;
  same("window", cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value), cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaCtxResetPersistingL2Cache());
  same("incremented", data.host(), std::vector<int>(count, 1));

  int* managed = nullptr;
  const size_t bytes = 1 << 16;
  CHECK(cudaMallocManaged(&managed, bytes));
  for (size_t i = 0; i < bytes / 4; i++) managed[i] = static_cast<int>(i);
  same("no hint", asked(cudaMemRangeAttributeReadMostly, managed, bytes), 0);
  same("nowhere", asked(cudaMemRangeAttributeLastPrefetchLocation, managed, bytes), cudaInvalidDeviceId);
  CHECK(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, ON_DEVICE));
  CHECK(cudaMemAdvise(managed, bytes, cudaMemAdviseSetPreferredLocation, ON_HOST));
  CHECK(prefetch(managed, bytes, ON_DEVICE));
  same("read mostly", asked(cudaMemRangeAttributeReadMostly, managed, bytes), 1);
  same("preferred", asked(cudaMemRangeAttributePreferredLocation, managed, bytes), cudaCpuDeviceId);
  same("prefetched", asked(cudaMemRangeAttributeLastPrefetchLocation, managed, bytes), 0);
  CHECK(cudaMemAdvise(managed, bytes / 2, cudaMemAdviseUnsetReadMostly, ON_DEVICE));
  same("a part", asked(cudaMemRangeAttributeReadMostly, managed, bytes / 2), 0);
  same("the rest", asked(cudaMemRangeAttributeReadMostly, managed + bytes / 8, bytes / 2), 1);
  same("not all", asked(cudaMemRangeAttributeReadMostly, managed, bytes), 0);
  increment<<<blocks_for(bytes / 4, 128), 128>>>(managed, bytes / 4);
  CHECK(prefetch(managed, bytes, ON_HOST));
  CHECK_KERNEL();
  for (size_t i = 0; i < bytes / 4; i++) expect(managed[i] == static_cast<int>(i) + 1, "incremented managed memory");
  expect(prefetch(data.get(), 64, ON_DEVICE) != cudaSuccess, "that only managed memory is prefetched");
  cudaGetLastError();
  CHECK(cudaFree(managed));
  int* again = nullptr;
  CHECK(cudaMallocManaged(&again, bytes));
  same("forgotten", asked(cudaMemRangeAttributeLastPrefetchLocation, again, bytes), cudaInvalidDeviceId);
  CHECK(cudaFree(again));
  return finish();
}
