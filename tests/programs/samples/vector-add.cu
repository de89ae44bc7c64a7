// program: tags=samples,events
// The first CUDA program: one thread adds one pair of numbers. Timed with events.

#include "../check.h"

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

int main() {
  const int count = 50000;
  Random random(1);
  const std::vector<float> a = random.floats(count), b = random.floats(count);
  std::vector<float> c(count), want(count);
  for (int i = 0; i < count; i++) want[i] = a[i] + b[i];

  float *da, *db, *dc;
  CHECK(cudaMalloc(&da, count * sizeof(float)));
  CHECK(cudaMalloc(&db, count * sizeof(float)));
  CHECK(cudaMalloc(&dc, count * sizeof(float)));
  CHECK(cudaMemcpy(da, a.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), count * sizeof(float), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  add<<<(count + 255) / 256, 256>>>(da, db, dc, count);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  expect(milliseconds >= 0, "a time that is not negative");

  CHECK(cudaMemcpy(c.data(), dc, count * sizeof(float), cudaMemcpyDeviceToHost));
  same("c", c, want);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  return finish();
}
