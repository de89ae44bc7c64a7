// program: tags=runtime,copies
// Pitched memory, copies and sets of rectangles and boxes, and copies within the device.

#include "../check.h"

__global__ void mark(char* data, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<int*>(data + y * pitch)[x] += y * 1000 + x;
}

int main() {
  const int width = 37, height = 11;
  std::vector<int> in(width * height), out(width * height), want(width * height);
  for (int i = 0; i < width * height; i++) in[i] = i, want[i] = i + i / width * 1000 + i % width;
  char* data;
  size_t pitch;
  CHECK(cudaMallocPitch(&data, &pitch, width * sizeof(int), height));
  expect(pitch >= width * sizeof(int) && pitch % 16 == 0, "rows that are aligned");
  CHECK(cudaMemcpy2D(data, pitch, in.data(), width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
  mark<<<dim3(2, height), 32>>>(data, pitch, width, height);
  CHECK_KERNEL();
  CHECK(cudaMemcpy2D(out.data(), width * sizeof(int), data, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
  same("rectangle", out, want);
  CHECK(cudaMemset2D(data + pitch + 8, pitch, 0xff, 12, 3));
  CHECK(cudaMemcpy2D(out.data(), width * sizeof(int), data, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
  for (int y = 1; y < 4; y++)
    for (int x = 2; x < 5; x++) want[y * width + x] = -1;
  same("set rectangle", out, want);

  const cudaExtent extent = make_cudaExtent(8 * sizeof(int), 5, 4);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  std::vector<int> volume(8 * 5 * 4), back(8 * 5 * 4, 0);
  for (int i = 0; i < 160; i++) volume[i] = i * 3;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), 8 * sizeof(int), 8, 5);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  // A part of it: 4 x 3 x 2 from (2, 1, 1) to the origin.
  cudaMemcpy3DParms part = {};
  part.srcPtr = box;
  part.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back.data(), 8 * sizeof(int), 8, 5);
  part.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  part.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&part));
  std::vector<int> wanted(160, 0);
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 4; x++) wanted[(z * 5 + y) * 8 + x] = volume[((z + 1) * 5 + y + 1) * 8 + x + 2];
  same("box", back, wanted);

  DeviceArray<int> a(volume), b(160);
  CHECK(cudaMemcpy(b + 10, a + 20, 50 * sizeof(int), cudaMemcpyDeviceToDevice));
  std::vector<int> moved(160, 0);
  for (int i = 0; i < 50; i++) moved[10 + i] = volume[20 + i];
  same("within the device", b.host(), moved);
  CHECK(cudaFree(data));
  CHECK(cudaFree(box.ptr));
  return finish();
}
