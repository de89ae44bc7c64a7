// program: tags=samples,shared-memory,math
// Gravity between all pairs of bodies, tiles of bodies in shared memory, a few steps of leapfrog.

#include "../check.h"

constexpr int BLOCK = 64;
constexpr float SOFTENING = 0.05f, STEP = 0.01f;

__global__ void step(float4* next, const float4* bodies, float4* velocities, int count) {
  __shared__ float4 tile[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float4 me = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (int start = 0; start < count; start += BLOCK) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; j++) {
      const float4 other = tile[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
      const float weight = other.w * inverse * inverse * inverse;
      force.x += dx * weight;
      force.y += dy * weight;
      force.z += dz * weight;
    }
    __syncthreads();
  }
  float4 velocity = velocities[i];
  velocity.x += force.x * STEP;
  velocity.y += force.y * STEP;
  velocity.z += force.z * STEP;
  velocities[i] = velocity;
  next[i] = make_float4(me.x + velocity.x * STEP, me.y + velocity.y * STEP, me.z + velocity.z * STEP, me.w);
}

int main() {
  const int count = 192, steps = 3;
  Random random(11);
  std::vector<float4> bodies(count), velocities(count, make_float4(0, 0, 0, 0));
  for (float4& body : bodies) {
    const float x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    body = make_float4(x, y, z, random.uniform(0.5f, 1.5f));
  }
  std::vector<double> p(count * 3), v(count * 3, 0.0);
  for (int i = 0; i < count; i++) p[i * 3] = bodies[i].x, p[i * 3 + 1] = bodies[i].y, p[i * 3 + 2] = bodies[i].z;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++) {
        double d[3], square = SOFTENING;
        for (int k = 0; k < 3; k++) d[k] = p[j * 3 + k] - p[i * 3 + k], square += d[k] * d[k];
        for (int k = 0; k < 3; k++) v[i * 3 + k] += STEP * d[k] * bodies[j].w / (square * std::sqrt(square));
      }
    for (int i = 0; i < count * 3; i++) p[i] += STEP * v[i];
  }
  DeviceArray<float4> a(bodies), b(count), speed(velocities);
  float4 *from = a, *to = b;
  for (int s = 0; s < steps; s++) {
    step<<<count / BLOCK, BLOCK>>>(to, from, speed, count);
    std::swap(from, to);
  }
  CHECK_KERNEL();
  std::vector<float4> end(count);
  CHECK(cudaMemcpy(end.data(), from, count * sizeof(float4), cudaMemcpyDeviceToHost));
  std::vector<float> got;
  for (const float4& body : end) got.insert(got.end(), {body.x, body.y, body.z});
  close("positions", got, p, 1e-4);
  return finish();
}
