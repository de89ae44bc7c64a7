// program: tags=samples,math,shared-memory
// American puts on a binomial tree, one block an option, the prices of a step in shared memory.

#include "../check.h"

constexpr int STEPS = 63, BLOCK = 64;

template <class T>
__host__ __device__ T payoff(T spot, T strike, T up, int node, int step) {
  const T value = strike - spot * T(pow(up, T(2 * node - step)));
  return value > T(0) ? value : T(0);
}

__global__ void trees(float* prices, const float* spots, const float* strikes, float rate, float volatility) {
  __shared__ float values[BLOCK];
  const float spot = spots[blockIdx.x], strike = strikes[blockIdx.x];
  const float step = 1.0f / STEPS, up = expf(volatility * sqrtf(step)), down = 1 / up;
  const float discount = expf(-rate * step), p = (expf(rate * step) - down) / (up - down);
  const int node = threadIdx.x;
  values[node] = payoff(spot, strike, up, node, STEPS);
  __syncthreads();
  for (int level = STEPS - 1; level >= 0; level--) {
    float value = 0;
    if (node <= level) {
      value = discount * (p * values[node + 1] + (1 - p) * values[node]);
      value = fmaxf(value, payoff(spot, strike, up, node, level));
    }
    __syncthreads();
    if (node <= level) values[node] = value;
    __syncthreads();
  }
  if (node == 0) prices[blockIdx.x] = values[0];
}

int main() {
  const int count = 6;
  const double rate = 0.05, volatility = 0.25;
  Random random(18);
  const std::vector<float> spots = random.floats(count, 80, 120), strikes = random.floats(count, 80, 120);
  std::vector<double> want;
  for (int i = 0; i < count; i++) {
    const double step = 1.0 / STEPS, up = std::exp(volatility * std::sqrt(step)), down = 1 / up;
    const double discount = std::exp(-rate * step), p = (std::exp(rate * step) - down) / (up - down);
    std::vector<double> values(STEPS + 1);
    for (int node = 0; node <= STEPS; node++) values[node] = payoff<double>(spots[i], strikes[i], up, node, STEPS);
    for (int level = STEPS - 1; level >= 0; level--)
      for (int node = 0; node <= level; node++)
        values[node] = std::fmax(discount * (p * values[node + 1] + (1 - p) * values[node]),
                                 payoff<double>(spots[i], strikes[i], up, node, level));
    want.push_back(values[0]);
  }
  DeviceArray<float> dspots(spots), dstrikes(strikes), prices(count);
  trees<<<count, BLOCK>>>(prices, dspots, dstrikes, rate, volatility);
  CHECK_KERNEL();
  close("prices", prices.host(), want, 1e-3);
  return finish();
}
