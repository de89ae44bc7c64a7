// program: tags=runtime,textures,surfaces
// Arrays of one to three dimensions and layers, pitched and linear memory behind textures; each address mode, integers that
// are read as floats, surfaces of three dimensions, copies between arrays, and descriptions that are read back.

#include "../check.h"
#include <algorithm>
#include <cmath>

__global__ void read_rows(cudaTextureObject_t pitched, cudaTextureObject_t bytes, float* out, int width) {
  const int x = threadIdx.x, y = blockIdx.x, i = y * width + x;
  const float4 color = tex2D<float4>(pitched, x + 0.5f, y + 0.5f);
  out[i * 2] = color.x + 2 * color.y + 4 * color.z + 8 * color.w;
  out[i * 2 + 1] = tex2D<float>(bytes, x + 0.5f, y + 0.5f);
}

__global__ void read_modes(const cudaTextureObject_t* modes, float* out, int count) {
  const int i = threadIdx.x;
  for (int mode = 0; mode < 4; mode++) out[mode * count + i] = tex1D<float>(modes[mode], (i - 8 + 0.5f) / 8);
}

__global__ void read_volume(cudaTextureObject_t volume, cudaTextureObject_t layers, float* out, int n) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, i = (z * n + y) * n + x;
  out[i * 2] = tex3D<float>(volume, x + 1.0f, y + 0.5f, z + 0.5f);
  out[i * 2 + 1] = static_cast<float>(tex2DLayered<int>(layers, x + 0.5f, y + 0.5f, z));
}

__global__ void add_to_volume(cudaSurfaceObject_t surface, float value) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  const float old = surf3Dread<float>(surface, x * sizeof(float), y, z);
  surf3Dwrite(old + value, surface, x * sizeof(float), y, z);
}

__global__ void read_line(cudaTextureObject_t line, int* out, int count) {
  const int i = threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<int2>(line, i).y;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
  cudaTextureObject_t made;
  CHECK(cudaCreateTextureObject(&made, &resource, &description, nullptr));
  return made;
}

static cudaResourceDesc array_resource(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static void rows() {
  const int width = 24, height = 10, count = width * height;
  Random random(7);
  std::vector<float4> colors(count);
  for (float4& c : colors) c = {float(random.below(9)), float(random.below(9)), float(random.below(9)), float(random.below(9))};
  float4* memory;
  size_t pitch;
  CHECK(cudaMallocPitch(&memory, &pitch, width * sizeof(float4), height));
  CHECK(cudaMemcpy2D(memory, pitch, colors.data(), width * sizeof(float4), width * sizeof(float4), height, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = memory;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
  pitched.res.pitch2D.width = width;
  pitched.res.pitch2D.height = height;
  pitched.res.pitch2D.pitchInBytes = pitch;
  std::vector<unsigned char> bytes(count);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t first, second;
  CHECK(cudaMallocArray(&first, &format, width, height));
  CHECK(cudaMallocArray(&second, &format, width, height));
  CHECK(cudaMemcpy2DToArray(first, 0, 0, bytes.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, width, height, cudaMemcpyDeviceToDevice));
  cudaTextureDesc plain = {}, normalized = {};
  normalized.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t colored = texture_of(pitched, plain), gray = texture_of(array_resource(second), normalized);
  DeviceArray<float> out(count * 2);
  read_rows<<<height, width>>>(colored, gray, out, width);
  CHECK_KERNEL();
  std::vector<float> want(count * 2);
  for (int i = 0; i < count; i++) {
    want[i * 2] = colors[i].x + 2 * colors[i].y + 4 * colors[i].z + 8 * colors[i].w;
    want[i * 2 + 1] = static_cast<float>(bytes[i]) / 255.0f;
  }
  close("rows", out.host(), want, 1e-6);
  cudaResourceDesc found;
  cudaTextureDesc description;
  CHECK(cudaGetTextureObjectResourceDesc(&found, colored));
  CHECK(cudaGetTextureObjectTextureDesc(&description, gray));
  cudaExtent extent;
  cudaChannelFormatDesc channels;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&channels, &extent, &flags, first));
  same("descriptions",
       std::vector<size_t>{found.res.pitch2D.pitchInBytes, size_t(description.readMode), extent.width, extent.height, extent.depth, size_t(channels.x), flags},
       std::vector<size_t>{pitch, size_t(cudaReadModeNormalizedFloat), size_t(width), size_t(height), 0, 8, 0});
  CHECK(cudaDestroyTextureObject(colored));
  CHECK(cudaDestroyTextureObject(gray));
  CHECK(cudaFreeArray(first));
  CHECK(cudaFreeArray(second));
  CHECK(cudaFree(memory));
}

static void modes() {
  const int width = 8, count = 24;
  std::vector<float> line(width);
  for (int i = 0; i < width; i++) line[i] = static_cast<float>(i + 1);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, line.data(), width * sizeof(float), width * sizeof(float), 1, cudaMemcpyHostToDevice));
  const cudaTextureAddressMode all[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
  std::vector<cudaTextureObject_t> textures;
  for (const cudaTextureAddressMode mode : all) {
    cudaTextureDesc description = {};
    description.addressMode[0] = mode;
    description.normalizedCoords = 1;
    description.borderColor[0] = -5;
    textures.push_back(texture_of(array_resource(array), description));
  }
  DeviceArray<cudaTextureObject_t> handles(textures);
  DeviceArray<float> out(4 * count);
  read_modes<<<1, count>>>(handles, out, count);
  CHECK_KERNEL();
  std::vector<float> want(4 * count);
  for (int i = 0; i < count; i++) {
    const int x = i - 8, turned = ((x % 16) + 16) % 16;
    want[i] = line[((x % 8) + 8) % 8];
    want[count + i] = line[std::clamp(x, 0, 7)];
    want[2 * count + i] = line[turned < 8 ? turned : 15 - turned];
    want[3 * count + i] = x < 0 || x > 7 ? -5 : line[x];
  }
  same("address modes", out.host(), want);
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

static void volumes() {
  const int n = 8, count = n * n * n;
  Random random(11);
  std::vector<float> values(count);
  std::vector<int> numbers(count);
  for (int i = 0; i < count; i++) {
    values[i] = static_cast<float>(random.below(64));
    numbers[i] = static_cast<int>(random.below(1000)) - 500;
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), whole = cudaCreateChannelDesc<int>();
  cudaArray_t volume, layers;
  CHECK(cudaMalloc3DArray(&volume, &format, make_cudaExtent(n, n, n), cudaArraySurfaceLoadStore));
  CHECK(cudaMalloc3DArray(&layers, &whole, make_cudaExtent(n, n, n), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.extent = make_cudaExtent(n, n, n);
  copy.kind = cudaMemcpyHostToDevice;
  copy.srcPtr = make_cudaPitchedPtr(values.data(), n * sizeof(float), n, n);
  copy.dstArray = volume;
  CHECK(cudaMemcpy3D(&copy));
  copy.srcPtr = make_cudaPitchedPtr(numbers.data(), n * sizeof(int), n, n);
  copy.dstArray = layers;
  CHECK(cudaMemcpy3D(&copy));
  cudaSurfaceObject_t surface;
  const cudaResourceDesc resource = array_resource(volume);
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  add_to_volume<<<n, dim3(n, n)>>>(surface, 3);
  CHECK_KERNEL();
  cudaTextureDesc linear = {}, point = {};
  for (cudaTextureAddressMode& mode : linear.addressMode) mode = cudaAddressModeClamp;
  linear.filterMode = cudaFilterModeLinear;
  const cudaTextureObject_t filtered = texture_of(resource, linear), layered = texture_of(array_resource(layers), point);
  DeviceArray<float> out(count * 2);
  read_volume<<<n, dim3(n, n)>>>(filtered, layered, out, n);
  CHECK_KERNEL();
  std::vector<float> want(count * 2);
  for (int z = 0; z < n; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        const int row = (z * n + y) * n;
        want[(row + x) * 2] = 0.5f * (values[row + x] + values[row + std::min(x + 1, n - 1)]) + 3;
        want[(row + x) * 2 + 1] = static_cast<float>(numbers[row + x]);
      }
  close("volumes", out.host(), want, 1e-5);
  std::vector<float> after(count);
  cudaMemcpy3DParms back = {};
  back.extent = make_cudaExtent(n, n, n);
  back.kind = cudaMemcpyDeviceToHost;
  back.srcArray = volume;
  back.dstPtr = make_cudaPitchedPtr(after.data(), n * sizeof(float), n, n);
  CHECK(cudaMemcpy3D(&back));
  for (float& value : values) value += 3;
  same("the surface's values", after, values);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(filtered));
  CHECK(cudaDestroyTextureObject(layered));
  CHECK(cudaFreeArray(volume));
  CHECK(cudaFreeArray(layers));
}

static void lines() {
  std::vector<int2> pairs(40);
  for (int i = 0; i < 40; i++) pairs[i] = {i, i * i};
  DeviceArray<int2> memory(pairs);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.get();
  resource.res.linear.desc = cudaCreateChannelDesc<int2>();
  resource.res.linear.sizeInBytes = 40 * sizeof(int2);
  const cudaTextureObject_t line = texture_of(resource, {});
  DeviceArray<int> out(40);
  read_line<<<1, 64>>>(line, out, 40);
  CHECK_KERNEL();
  std::vector<int> want(40);
  for (int i = 0; i < 40; i++) want[i] = i * i;
  same("a line", out.host(), want);
  CHECK(cudaDestroyTextureObject(line));
}

static void mistakes() {
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat}, format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaMallocArray(&array, &format, 4, 4));
  const cudaResourceDesc resource = array_resource(array);
  float values[16] = {};
  const std::vector<int> found = {
      int(cudaMallocArray(&array, &format, 0)),
      int(cudaMallocArray(&array, &three, 4) != cudaSuccess),
      int(cudaMemcpy2DToArray(array, 8, 0, values, 16, 16, 4, cudaMemcpyHostToDevice)),
      int(cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 4, cudaMemcpyDeviceToHost)),
      int(cudaCreateSurfaceObject(&surface, &resource)),
      int(cudaDestroyTextureObject(12345)),
  };
  cudaGetLastError();
  same("mistakes", found,
       std::vector<int>{cudaErrorInvalidValue, 1, cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection, cudaErrorInvalidValue, cudaErrorInvalidValue});
  CHECK(cudaFreeArray(array));
}

int main() {
  rows();
  modes();
  volumes();
  lines();
  mistakes();
  return finish();
}
