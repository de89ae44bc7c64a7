// Reads through a texture and writes through a surface: the site sees a pixel and its right neighbour.

extern "C" __global__ void filter(cudaTextureObject_t image, cudaSurfaceObject_t result, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float4 pixel = tex2D<float4>(image, x + 0.5f, y + 0.5f);
  const float4 right = tex2D<float4>(image, x + 1.5f, y + 0.5f);
  float4 filtered = pixel;
  /* PTX_INJECT filter
    in  f32 right.x
    in  f32 right.y
    in  f32 right.z
    mod f32 filtered.x
    mod f32 filtered.y
    mod f32 filtered.z
    out f32 filtered.w
  */
  surf2Dwrite(filtered, result, x * sizeof(float4), y);
}
