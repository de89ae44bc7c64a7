// program: tags=llm,reductions,math
// Loss and gradient of logits in one fused kernel, a block for each token; logits in padded rows.

#include "../check.h"

__device__ float block_reduce(float value, bool max) {
  __shared__ float warps[32];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, value, offset);
    value = max ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int i = 1; i < blockDim.x / 32; i++) value = max ? fmaxf(value, warps[i]) : value + warps[i];
  return value;
}

__global__ void fused(float* losses, float* logits, const int* targets, int vocabulary, int padded, float scale) {
  float* row = logits + blockIdx.x * padded;
  float most = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < vocabulary; i += blockDim.x) most = fmaxf(most, row[i]);
  most = block_reduce(most, true);
  for (int i = threadIdx.x; i < vocabulary; i += blockDim.x) sum += expf(row[i] - most);
  sum = block_reduce(sum, false);
  const int target = targets[blockIdx.x];
  if (threadIdx.x == 0) losses[blockIdx.x] = logf(sum) + most - row[target];
  __syncthreads();
  for (int i = threadIdx.x; i < vocabulary; i += blockDim.x)
    row[i] = (expf(row[i] - most) / sum - (i == target ? 1.0f : 0.0f)) * scale;
}

int main() {
  const int tokens = 8, vocabulary = 301, padded = 320;
  Random random(37);
  auto logits = random.floats(tokens * padded, -4, 4);
  std::vector<int> targets(tokens);
  for (int& target : targets) target = random.below(vocabulary);
  DeviceArray<float> device(logits), losses(tokens);
  DeviceArray<int> dt(targets);
  fused<<<tokens, 128>>>(losses, device, dt, vocabulary, padded, 1.0f / tokens);
  CHECK_KERNEL();
  std::vector<double> want(tokens), gradient(logits.begin(), logits.end());
  for (int t = 0; t < tokens; t++) {
    double sum = 0;
    for (int i = 0; i < vocabulary; i++) sum += std::exp(double(logits[t * padded + i]));
    want[t] = std::log(sum) - logits[t * padded + targets[t]];
    for (int i = 0; i < vocabulary; i++)
      gradient[t * padded + i] = (std::exp(double(logits[t * padded + i])) / sum - (i == targets[t])) / tokens;
  }
  close("losses", losses.host(), want, 1e-4);
  close("gradient", device.host(), gradient, 1e-5);
  return finish();
}
