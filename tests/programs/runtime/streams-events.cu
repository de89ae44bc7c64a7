// program: tags=runtime,streams,events,async-copies,pinned
// Two streams copy and compute in turns with pinned memory; an event orders one stream after the other.

#include "../check.h"

__global__ void scale(float* data, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}

__global__ void add(const float* a, const float* b, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = a[i] + b[i];
}

int main() {
  const int count = 8192, bytes = count * sizeof(float);
  float *host[2], *result, *device[2], *out;
  Random random(8);
  for (int i = 0; i < 2; i++) {
    CHECK(cudaMallocHost(&host[i], bytes));
    CHECK(cudaMalloc(&device[i], bytes));
    for (int j = 0; j < count; j++) host[i][j] = random.uniform();
  }
  CHECK(cudaHostAlloc(&result, bytes, cudaHostAllocDefault));
  CHECK(cudaMalloc(&out, bytes));

  cudaStream_t streams[2];
  cudaEvent_t ready;
  CHECK(cudaStreamCreate(&streams[0]));
  CHECK(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  for (int i = 0; i < 2; i++) {
    CHECK(cudaMemcpyAsync(device[i], host[i], bytes, cudaMemcpyHostToDevice, streams[i]));
    scale<<<blocks_for(count, 256), 256, 0, streams[i]>>>(device[i], count, i + 2.0f);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(ready, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[0], ready, 0));
  add<<<blocks_for(count, 256), 256, 0, streams[0]>>>(device[0], device[1], out, count);
  CHECK(cudaMemcpyAsync(result, out, bytes, cudaMemcpyDeviceToHost, streams[0]));
  CHECK(cudaStreamSynchronize(streams[0]));
  CHECK(cudaEventQuery(ready));
  CHECK(cudaStreamQuery(streams[1]));

  std::vector<float> want(count);
  for (int j = 0; j < count; j++) want[j] = host[0][j] * 2.0f + host[1][j] * 3.0f;
  close("result", std::vector<float>(result, result + count), want, 1e-6);

  int least, greatest;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  expect(least >= greatest, "a range of priorities");
  for (int i = 0; i < 2; i++) {
    CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaFreeHost(host[i]));
    CHECK(cudaFree(device[i]));
  }
  CHECK(cudaFreeHost(result));
  CHECK(cudaFree(out));
  CHECK(cudaEventDestroy(ready));
  return finish();
}
