// program: tags=runtime,textures,surfaces
// Texture objects: linear memory, 2D arrays with point and linear filtering and each address mode; a surface that is written.

#include "../check.h"
#include <algorithm>

__global__ void fetch(cudaTextureObject_t line, cudaTextureObject_t point, cudaTextureObject_t linear, float* out, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x, i = y * width + x;
  out[i * 4] = tex1Dfetch<float>(line, width * height - 1 - i);
  out[i * 4 + 1] = tex2D<float>(point, x + 0.5f - 2, y + 0.5f);
  out[i * 4 + 2] = tex2D<float>(linear, (x + 0.75f) / width, (y + 0.5f) / height);
  out[i * 4 + 3] = tex2D<float>(linear, (x + 0.5f) / width + 1.0f, (y + 0.25f) / height);
}

__global__ void write(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  const float old = surf2Dread<float>(surface, x * sizeof(float), y);
  surf2Dwrite(old * 2 + x, surface, x * sizeof(float), y);
}

int main() {
  const int width = 16, height = 8, count = width * height;
  Random random(85);
  std::vector<float> image(count);
  for (float& value : image) value = static_cast<float>(random.below(256));
  DeviceArray<float> memory(image), out(count * 4);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  cudaTextureObject_t line, point, linear;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.get();
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = count * sizeof(float);
  description.readMode = cudaReadModeElementType;
  CHECK(cudaCreateTextureObject(&line, &resource, &description, nullptr));
  cudaResourceDesc of_array = {};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  CHECK(cudaCreateTextureObject(&point, &of_array, &description, nullptr));
  description.addressMode[0] = cudaAddressModeWrap;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = 1;
  CHECK(cudaCreateTextureObject(&linear, &of_array, &description, nullptr));
  fetch<<<height, width>>>(line, point, linear, out, width, height);
  CHECK_KERNEL();
  auto at = [&](int x, int y) { return image[std::clamp(y, 0, height - 1) * width + (x + width) % width]; };
  std::vector<float> want(count * 4);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float* mine = &want[(y * width + x) * 4];
      mine[0] = image[count - 1 - (y * width + x)];
      mine[1] = image[y * width + std::max(x - 2, 0)];
      mine[2] = 0.75f * at(x, y) + 0.25f * at(x + 1, y);
      mine[3] = 0.25f * at(x, y - 1) + 0.75f * at(x, y);
    }
  // Weights of filters have 8 bits after the point.
  close("fetched", out.host(), want, 0.01);

  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &of_array));
  write<<<height, width>>>(surface, width);
  CHECK_KERNEL();
  std::vector<float> written(count);
  CHECK(cudaMemcpy2DFromArray(written.data(), width * sizeof(float), array, 0, 0, width * sizeof(float), height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; i++) image[i] = image[i] * 2 + i % width;
  same("written", written, image);
  CHECK(cudaDestroyTextureObject(line));
  CHECK(cudaDestroyTextureObject(point));
  CHECK(cudaDestroyTextureObject(linear));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  return finish();
}
