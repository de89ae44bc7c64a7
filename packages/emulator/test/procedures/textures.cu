// nvcc -arch=sm_75
// Texture and surface objects: filtered, point, integer and gathered reads in one to three dimensions and in layers, and writes.
extern "C" __global__ void read2d(cudaTextureObject_t t, float* out, int w, int h, float sx, float sy, float ox, float oy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w || y >= h) return;
  out[y * w + x] = tex2D<float>(t, x * sx + ox, y * sy + oy);
}
extern "C" __global__ void read1d(cudaTextureObject_t t, float4* out, float sx, float ox) {
  out[threadIdx.x] = tex1D<float4>(t, threadIdx.x * sx + ox);
}
extern "C" __global__ void fetch(cudaTextureObject_t t, int2* out) { out[threadIdx.x] = tex1Dfetch<int2>(t, (int)threadIdx.x - 2); }
extern "C" __global__ void read3d(cudaTextureObject_t t, float* out, float s) {
  int i = threadIdx.x;
  out[i] = tex3D<float>(t, (i % 4) * s, (i / 4 % 4) * s, (i / 16) * s);
}
extern "C" __global__ void layers(cudaTextureObject_t t, unsigned short* out) {
  out[threadIdx.x] = tex2DLayered<unsigned short>(t, threadIdx.x % 4, 1.5f, threadIdx.x / 4);
}
extern "C" __global__ void gather(cudaTextureObject_t t, float4* out, float ox) {
  out[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x + ox, 1.25f, 0);
}
extern "C" __global__ void lod(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2DLod<float>(t, threadIdx.x * 0.125f, 0.5f, 0.0f) + tex2DGrad<float>(t, threadIdx.x * 0.25f, 0.5f, make_float2(0, 0), make_float2(0, 0));
}
extern "C" __global__ void surface(cudaSurfaceObject_t s, int* out) {
  int x = threadIdx.x, y = threadIdx.y;
  int v = surf2Dread<int>(s, x * 4, y);
  surf2Dwrite<int>(v * 2 + 1, s, x * 4, y);
  int z = surf2Dread<int>(s, (x - 2) * 4, y, cudaBoundaryModeZero);
  int c = surf2Dread<int>(s, (x + 2) * 4, y, cudaBoundaryModeClamp);
  out[2 * (y * blockDim.x + x)] = v;
  out[2 * (y * blockDim.x + x) + 1] = x < 2 ? z : x >= 6 ? 1 + (c != 0) : 0;
}
extern "C" __global__ void surface3(cudaSurfaceObject_t s, float4* out) {
  float4 v = surf3Dread<float4>(s, threadIdx.x * 16, threadIdx.y, threadIdx.z);
  surf3Dwrite<float4>(make_float4(v.w, v.z, v.y, v.x), s, threadIdx.x * 16, threadIdx.y, threadIdx.z);
  uchar4 q = make_uchar4(1, 2, 3, 4);
  out[threadIdx.x + 2 * threadIdx.y + 4 * threadIdx.z] = make_float4(v.x + q.x, v.y, v.z, v.w);
}
