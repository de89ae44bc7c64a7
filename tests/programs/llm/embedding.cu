// program: tags=llm,atomics
// Embeddings of tokens and positions, forward; backward with atomics in fixed point, so that the sums are exact.

#include "../check.h"

__global__ void encode(float* out, const int* tokens, const float* words, const float* places, int length, int width) {
  const int t = blockIdx.x, token = tokens[t];
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[t * width + i] = words[token * width + i] + places[t % length * width + i];
}

__global__ void backward(long long* gradient, const int* tokens, const float* dout, int width) {
  const int t = blockIdx.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    atomicAdd(reinterpret_cast<unsigned long long*>(&gradient[tokens[t] * width + i]),
              static_cast<unsigned long long>(__float2ll_rn(dout[t * width + i] * 1048576.0f)));
}

int main() {
  const int batch = 3, length = 10, width = 48, vocabulary = 7;
  Random random(39);
  const auto words = random.floats(vocabulary * width), places = random.floats(length * width),
             dout = random.floats(batch * length * width);
  std::vector<int> tokens(batch * length);
  for (int& token : tokens) token = random.below(vocabulary);
  std::vector<float> want(batch * length * width);
  std::vector<long long> gradient(vocabulary * width, 0);
  for (int t = 0; t < batch * length; t++)
    for (int i = 0; i < width; i++) {
      want[t * width + i] = words[tokens[t] * width + i] + places[t % length * width + i];
      gradient[tokens[t] * width + i] += std::llrint(dout[t * width + i] * 1048576.0f);
    }
  DeviceArray<float> dw(words), dp(places), dd(dout), out(batch * length * width);
  DeviceArray<int> dt(tokens);
  DeviceArray<long long> dg(vocabulary * width);
  encode<<<batch * length, 32>>>(out, dt, dw, dp, length, width);
  backward<<<batch * length, 32>>>(dg, dt, dd, width);
  CHECK_KERNEL();
  same("out", out.host(), want);
  same("gradient", dg.host(), gradient);
  return finish();
}
