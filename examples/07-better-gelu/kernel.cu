// An activation function of which a part, y, is injected later. The build says how the output is computed: by default, as that of GELU.

#include <ptx_inject.h>

#ifndef OUTPUT
#define OUTPUT 0.5f * x * (1.0f + y)
#endif

extern "C" __global__ void activation(const float* inputs, float* outputs, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = inputs[i], y;
  PTX_INJECT("site", PTX_IN(F32, x), PTX_OUT(F32, y));
  outputs[i] = OUTPUT;
}
