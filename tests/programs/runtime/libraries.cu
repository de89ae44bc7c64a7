// program: tags=runtime,libraries
// Libraries that a program loads itself, from memory and from a file: their kernels and variables.

#include "../check.h"
#include <cstdio>
#include <cstring>
#include <unistd.h>

static const char PTX[] = R"(.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 data)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [factor]; mul.lo.u32 %r2, %r2, %r3; st.global.u32 [%rd1], %r2;
  ret;
}
)";

static void scales(cudaLibrary_t library, unsigned factor) {
  std::vector<int> values(32), want(32);
  for (int i = 0; i < 32; i++) values[i] = i + 1, want[i] = static_cast<int>((i + 1) * factor);
  DeviceArray<int> data(values);
  cudaKernel_t kernel;
  CHECK(cudaLibraryGetKernel(&kernel, library, "scale"));
  int* address = data;
  void* arguments[] = {&address};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(32), arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("scaled", data.host(), want);
}

int main() {
  cudaLibrary_t library;
  CHECK(cudaLibraryLoadData(&library, PTX, nullptr, nullptr, 0, nullptr, nullptr, 0));
  scales(library, 3);
  void* address = nullptr;
  size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&address, &bytes, library, "factor"));
  same("bytes", bytes, size_t{4});
  const unsigned five = 5;
  CHECK(cudaMemcpy(address, &five, 4, cudaMemcpyHostToDevice));
  scales(library, 5);
  expect(cudaLibraryGetGlobal(&address, &bytes, library, "nothing") != cudaSuccess, "only variables that it has");
  cudaGetLastError();
  CHECK(cudaLibraryUnload(library));

  char name[] = "/tmp/mm-ptx-library-XXXXXX";
  const int handle = mkstemp(name);
  std::FILE* file = fdopen(handle, "w");
  std::fwrite(PTX, 1, std::strlen(PTX), file);
  std::fclose(file);
  CHECK(cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0));
  scales(library, 3);
  std::remove(name);
  same("no file", cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0),
       cudaErrorFileNotFound);
  cudaGetLastError();
  return finish();
}
