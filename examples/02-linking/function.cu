// A device function whose body is injected. NAME is defined on the command line.
#include <ptx_inject.h>

extern "C" __device__ float NAME(float x) {
  float y = 0.0f;
  PTX_INJECT("body", PTX_IN(F32, x), PTX_OUT(F32, y));
  return y;
}
