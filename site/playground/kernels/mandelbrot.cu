// Counts the steps until z leaves the circle of radius 2, and writes their logarithm, which spreads the colors. What a step
// does is injected.

#include <ptx_inject.h>

extern "C" __global__ void escape(float* steps, unsigned width, unsigned height, float center_x, float center_y,
                                  float extent, unsigned most) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float cx = center_x + extent * (((float)column + 0.5f) / (float)width - 0.5f);
  float cy = center_y + extent * (((float)row + 0.5f) / (float)height - 0.5f) * ((float)height / (float)width);
  float x = 0.0f, y = 0.0f;
  unsigned step = 0;
#pragma unroll 1
  while (step < most && x * x + y * y <= 4.0f) {
    PTX_INJECT("step", PTX_MOD(F32, x), PTX_MOD(F32, y), PTX_IN(F32, cx), PTX_IN(F32, cy));
    step++;
  }
  steps[row * width + column] = __log2f((float)(step + 1));
}
