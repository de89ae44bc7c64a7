// One element a thread: reads x[i], y[i] and w[i], leaves z[i] to whatever PTX is put in at the site `func`.
#include <ptx_inject.h>

extern "C" __global__ void evaluate(const float* x_values, const float* y_values, const float* w_values,
                                    float* z_values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;

  const float x = x_values[i];
  const float y = y_values[i];
  const float w = w_values[i];
  float z = 0.0f;
  PTX_INJECT("func",
    PTX_IN(F32, x),
    PTX_IN(F32, y),
    PTX_IN(F32, w),
    PTX_OUT(F32, z)
  );
  z_values[i] = z;
}
