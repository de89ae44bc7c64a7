// A gated activation, as in the feed-forward layers of language models: out = scale * gate * activation(x).

#include <ptx_inject.h>

extern "C" __global__ void gelu_gate(const float* xs, const float* gates, float* outs, float scale, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = xs[i], gate = gates[i], y;
  PTX_INJECT("activation", PTX_IN(F32, x), PTX_IN(F32, gate), PTX_OUT(F32, y));
  outs[i] = scale * y;
}
