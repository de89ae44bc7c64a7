// 200 sites in one kernel: 50 unrolled steps of an integrator with four sites each. `force` gives the acceleration,
// `kick` and `drift` advance the particle, `measure` adds up what is reported.

extern "C" __global__ void integrate(const float* positions, const float* velocities, float* reports, float dt,
                                     unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = positions[i];
  float v = velocities[i];
  float report = 0.0f;
#pragma unroll
  for (int step = 0; step < 50; step++) {
    float a;
    /* PTX_INJECT force
      out f32 a
      in  f32 x
      in  s32 step
    */
    /* PTX_INJECT kick
      mod f32 v
      in  f32 a
      in  f32 dt
    */
    /* PTX_INJECT drift
      mod f32 x
      in  f32 v
      in  f32 dt
    */
    /* PTX_INJECT measure
      mod f32 report
      in  f32 x
      in  f32 v
    */
  }
  reports[i] = report;
}
