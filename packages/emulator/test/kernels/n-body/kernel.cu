// nvcc -arch=sm_90
extern "C" __global__ void accelerate(const float4* bodies, float4* result, int n, float softening) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float3 sum = {0, 0, 0};
  for (int base = 0; base < n; base += blockDim.x) {
    tile[threadIdx.x] = bodies[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float force = tile[k].w * inverse * inverse * inverse;
      sum.x += dx * force; sum.y += dy * force; sum.z += dz * force;
    }
    __syncthreads();
  }
  result[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
