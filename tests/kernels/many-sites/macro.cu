// 200 sites in one kernel: 50 unrolled steps of an integrator with four sites each. `force` gives the acceleration,
// `kick` and `drift` advance the particle, `measure` adds up what is reported.
#include <ptx_inject.h>

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
    PTX_INJECT("force", PTX_OUT(F32, a), PTX_IN(F32, x), PTX_IN(S32, step));
    PTX_INJECT("kick", PTX_MOD(F32, v), PTX_IN(F32, a), PTX_IN(F32, dt));
    PTX_INJECT("drift", PTX_MOD(F32, x), PTX_IN(F32, v), PTX_IN(F32, dt));
    PTX_INJECT("measure", PTX_MOD(F32, report), PTX_IN(F32, x), PTX_IN(F32, v));
  }
  reports[i] = report;
}
