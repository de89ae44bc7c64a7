// program: tags=runtime,textures,surfaces
// Cube maps and layered ones: point and linear filtering on each face, levels and gradients, and surfaces that see faces as
// layers. The face and the place on it follow the CUDA C++ Programming Guide (Cubemap Textures).

#include "../check.h"
#include <algorithm>

constexpr int SIZE = 8, FACES = 6, CUBES = 3;

__global__ void look(cudaTextureObject_t cube, cudaTextureObject_t cubes, const float3* directions, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const auto [x, y, z] = directions[i];
  out[i * 4] = texCubemap<float>(cube, x, y, z);
  out[i * 4 + 1] = texCubemapLayered<float>(cubes, x, y, z, i % CUBES);
  out[i * 4 + 2] = texCubemapLod<float>(cube, x, y, z, 0.0f);
  const float4 still = make_float4(0, 0, 0, 0);
  out[i * 4 + 3] = texCubemapLayeredGrad<float>(cubes, x, y, z, i % CUBES + 1, still, still);
}

__global__ void colors(cudaTextureObject_t cube, const float3* directions, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = texCubemap<float4>(cube, directions[i].x, directions[i].y, directions[i].z);
}

__global__ void brighten(cudaSurfaceObject_t cube, cudaSurfaceObject_t cubes) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float old = surfCubemapread<float>(cube, x * sizeof(float), y, face);
  surfCubemapwrite(old + face, cube, x * sizeof(float), y, face);
  for (int layer = 0; layer < CUBES; layer++) {
    const int at = layer * FACES + face;
    const float other = surfCubemapLayeredread<float>(cubes, x * sizeof(float), y, at);
    surfCubemapLayeredwrite(other - at, cubes, x * sizeof(float), y, at);
  }
}

struct Point {
  int face;
  double s, t;
};

static Point point_of(const float3& d) {
  const double x = d.x, y = d.y, z = d.z, a = std::fabs(x), b = std::fabs(y), c = std::fabs(z);
  auto on = [](int face, double m, double s, double t) { return Point{face, (s / m + 1) / 2 * SIZE, (t / m + 1) / 2 * SIZE}; };
  if (a > b && a > c) return x >= 0 ? on(0, x, -z, -y) : on(1, -x, z, -y);
  if (b > a && b > c) return y >= 0 ? on(2, y, x, z) : on(3, -y, x, -z);
  return z >= 0 ? on(4, z, x, -y) : on(5, -z, -x, -y);
}

static double element(const std::vector<float>& faces, int face, int x, int y) {
  return faces[(face * SIZE + std::clamp(y, 0, SIZE - 1)) * SIZE + std::clamp(x, 0, SIZE - 1)];
}

static double nearest(const std::vector<float>& faces, int cube, const float3& direction) {
  const Point p = point_of(direction);
  return element(faces, cube * FACES + p.face, static_cast<int>(p.s), static_cast<int>(p.t));
}

static double filtered(const std::vector<float>& faces, int cube, const float3& direction) {
  const Point p = point_of(direction);
  const int face = cube * FACES + p.face, x = static_cast<int>(std::floor(p.s - 0.5)), y = static_cast<int>(std::floor(p.t - 0.5));
  const double u = p.s - 0.5 - x, v = p.t - 0.5 - y;
  return (1 - v) * ((1 - u) * element(faces, face, x, y) + u * element(faces, face, x + 1, y)) +
         v * ((1 - u) * element(faces, face, x, y + 1) + u * element(faces, face, x + 1, y + 1));
}

template <class T>
static cudaArray_t faces_of(const std::vector<T>& values, int count, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(SIZE, SIZE, count), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(values.data()), SIZE * sizeof(T), SIZE, SIZE);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(SIZE, SIZE, count);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureReadMode mode = cudaReadModeElementType) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  for (auto& axis : description.addressMode) axis = cudaAddressModeWrap;
  description.filterMode = filter;
  description.readMode = mode;
  description.normalizedCoords = 1;
  cudaTextureObject_t made;
  CHECK(cudaCreateTextureObject(&made, &resource, &description, nullptr));
  return made;
}

/** Directions that are not close to an edge of the cube or, for point filtering, to one of an element. */
static std::vector<float3> directions_for(int count) {
  Random random(606);
  std::vector<float3> made;
  while (static_cast<int>(made.size()) < count) {
    const float3 d = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    float sizes[3] = {std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)};
    std::sort(sizes, sizes + 3);
    const Point p = point_of(d);
    const double s = p.s - std::floor(p.s), t = p.t - std::floor(p.t);
    if (sizes[2] - sizes[1] > 1e-3f && std::min({s, 1 - s, t, 1 - t}) > 1e-3) made.push_back(d);
  }
  return made;
}

int main() {
  const int count = 500, elements = SIZE * SIZE;
  Random random(33);
  std::vector<float> one(FACES * elements), several(CUBES * FACES * elements);
  for (auto* all : {&one, &several})
    for (float& value : *all) value = static_cast<float>(random.below(256));
  const std::vector<float3> directions = directions_for(count);
  DeviceArray<float3> looked(directions);
  DeviceArray<float> out(count * 4);
  cudaArray_t cube = faces_of(one, FACES, cudaArrayCubemap | cudaArraySurfaceLoadStore);
  cudaArray_t cubes = faces_of(several, CUBES * FACES, cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore);

  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    const cudaTextureObject_t of_cube = texture_of(cube, filter), of_cubes = texture_of(cubes, filter);
    look<<<blocks_for(count, 64), 64>>>(of_cube, of_cubes, looked, out, count);
    CHECK_KERNEL();
    const auto value = filter == cudaFilterModePoint ? nearest : filtered;
    std::vector<float> want(count * 4);
    for (int i = 0; i < count; i++) {
      want[i * 4] = want[i * 4 + 2] = static_cast<float>(value(one, 0, directions[i]));
      want[i * 4 + 1] = static_cast<float>(value(several, i % CUBES, directions[i]));
      // There is no layer after the last one.
      want[i * 4 + 3] = static_cast<float>(value(several, std::min(i % CUBES + 1, CUBES - 1), directions[i]));
    }
    // Weights of filters have 8 bits after the point, and elements differ by up to 255.
    close(filter == cudaFilterModePoint ? "nearest" : "filtered", out.host(), want, filter == cudaFilterModePoint ? 0.0 : 1.5);
    CHECK(cudaDestroyTextureObject(of_cube));
    CHECK(cudaDestroyTextureObject(of_cubes));
  }

  std::vector<uchar4> bytes(FACES * elements);
  for (uchar4& c : bytes) c = make_uchar4(random.below(256), random.below(256), random.below(256), 255);
  cudaArray_t painted = faces_of(bytes, FACES, cudaArrayCubemap);
  const cudaTextureObject_t of_painted = texture_of(painted, cudaFilterModePoint, cudaReadModeNormalizedFloat);
  DeviceArray<float4> seen(count);
  colors<<<blocks_for(count, 64), 64>>>(of_painted, looked, seen, count);
  CHECK_KERNEL();
  std::vector<float> colored, want_colored;
  for (int i = 0; i < count; i++) {
    const float4 found = seen.host()[i];
    const Point p = point_of(directions[i]);
    const uchar4 c = bytes[(p.face * SIZE + static_cast<int>(p.t)) * SIZE + static_cast<int>(p.s)];
    for (const float channel : {found.x, found.y, found.z, found.w}) colored.push_back(channel);
    for (const int channel : {c.x, c.y, c.z, c.w}) want_colored.push_back(channel / 255.0f);
  }
  close("colors", colored, want_colored, 1e-6);

  const cudaResourceDesc resource = resource_of(cube), resources = resource_of(cubes);
  cudaSurfaceObject_t surface, surfaces;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  CHECK(cudaCreateSurfaceObject(&surfaces, &resources));
  brighten<<<FACES, dim3(SIZE, SIZE)>>>(surface, surfaces);
  CHECK_KERNEL();
  std::vector<float> bright(several.size());
  cudaMemcpy3DParms back = {};
  back.srcArray = cubes;
  back.dstPtr = make_cudaPitchedPtr(bright.data(), SIZE * sizeof(float), SIZE, SIZE);
  back.extent = make_cudaExtent(SIZE, SIZE, CUBES * FACES);
  back.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&back));
  for (size_t i = 0; i < several.size(); i++) several[i] -= static_cast<float>(i / elements);
  same("layered surface", bright, several);
  bright.resize(one.size());
  back.srcArray = cube;
  back.dstPtr.ptr = bright.data();
  back.extent.depth = FACES;
  CHECK(cudaMemcpy3D(&back));
  for (size_t i = 0; i < one.size(); i++) one[i] += static_cast<float>(i / elements);
  same("surface", bright, one);

  cudaArray_t wrong;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const int refused = (cudaMalloc3DArray(&wrong, &format, make_cudaExtent(8, 4, 6), cudaArrayCubemap) == cudaErrorInvalidValue) +
                      (cudaMalloc3DArray(&wrong, &format, make_cudaExtent(8, 8, 5), cudaArrayCubemap) == cudaErrorInvalidValue);
  same("refused", std::vector<int>{refused}, std::vector<int>{2});
  cudaGetLastError();
  CHECK(cudaDestroyTextureObject(of_painted));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroySurfaceObject(surfaces));
  for (cudaArray_t array : {cube, cubes, painted}) CHECK(cudaFreeArray(array));
  return finish();
}
