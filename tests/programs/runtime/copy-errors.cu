// program: tags=runtime,errors,copies arch=90
// Copies and fills that leave their buffer, or whose buffer is freed: the call returns the error, which does not stay.

#include "../check.h"

namespace {

constexpr int COUNT = 64;
int *buffer = nullptr, *other = nullptr, *freed = nullptr;
int values[COUNT * 4];

__device__ int variable[4];

/** The call has returned an error, and the buffer is as it was. */
void refused(const char* what, cudaError_t found) {
  same(what, static_cast<int>(found), static_cast<int>(cudaErrorInvalidValue));
  same(what, static_cast<int>(cudaGetLastError()), static_cast<int>(cudaErrorInvalidValue));
  same(what, static_cast<int>(cudaDeviceSynchronize()), 0);
  int result[COUNT];
  CHECK(cudaMemcpy(result, buffer, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++) same(what, result[i], i);
}

}  // namespace

int main() {
  for (int i = 0; i < COUNT * 4; i++) values[i] = i;
  constexpr size_t bytes = COUNT * sizeof(int);
  CHECK(cudaMalloc(&buffer, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMalloc(&freed, bytes));
  CHECK(cudaFree(freed));
  CHECK(cudaMemcpy(buffer, values, bytes, cudaMemcpyHostToDevice));

  const auto to_device = cudaMemcpyHostToDevice, inside = cudaMemcpyDeviceToDevice;
  refused("host to device", cudaMemcpy(buffer, values, 4 * bytes, to_device));
  refused("host to device from the middle", cudaMemcpy(buffer + 1, values, bytes, to_device));
  refused("host to device, asynchronous", cudaMemcpyAsync(buffer, values, 4 * bytes, to_device));
  refused("device to device", cudaMemcpy(buffer, other, 4 * bytes, inside));
  refused("device to host", cudaMemcpy(values, buffer, 4 * bytes, cudaMemcpyDeviceToHost));
  refused("fill", cudaMemset(buffer, 1, 4 * bytes));
  refused("fill, asynchronous", cudaMemsetAsync(buffer, 1, bytes + 1));
  refused("rows", cudaMemcpy2D(buffer, 32, values, 16, 16, 50, to_device));
  refused("rows of a fill", cudaMemset2D(buffer, 32, 1, 16, 50));
  refused("to a freed buffer", cudaMemcpy(freed, values, 4, to_device));
  refused("from a freed buffer", cudaMemcpy(buffer, freed, 4, inside));
  refused("fill of a freed buffer", cudaMemset(freed, 0, 4));

  // The last row ends with the buffer.
  CHECK(cudaMemcpy2D(buffer, 32, values, 32, 32, 8, to_device));
  CHECK(cudaMemcpyToSymbol(variable, values, sizeof variable));
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, variable));
  CHECK(cudaMemset(address, 0, sizeof variable));
  CHECK(cudaMemcpy(buffer, values, bytes, to_device));
  refused("past a variable", cudaMemcpy(address, values, sizeof variable + 4, to_device));
  refused("fill past a variable", cudaMemset(address, 1, sizeof variable + 4));
  return finish();
}
