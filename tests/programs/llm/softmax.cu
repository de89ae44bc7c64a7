// program: tags=llm,reductions,math ci
// Softmax of rows: in three passes with shared memory, and online with a running maximum and sum, for a causal mask.

#include "../check.h"

__global__ void three_passes(float* out, const float* in, int width) {
  extern __shared__ float shared[];
  const float* row = in + blockIdx.x * width;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < width; i += blockDim.x) most = fmaxf(most, row[i]);
  shared[threadIdx.x] = most;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + s]);
    __syncthreads();
  }
  most = shared[0];
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += expf(row[i] - most);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  sum = shared[0];
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[blockIdx.x * width + i] = expf(row[i] - most) / sum;
}

/** Row r sees the columns up to r. */
__global__ void online_causal(float* out, const float* in, int width) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const int seen = row % width + 1;
  const float* x = in + row * width;
  float most = -INFINITY, sum = 0;
  for (int i = lane; i < seen; i += 32) {
    const float before = most;
    most = fmaxf(most, x[i]);
    sum = (before == -INFINITY ? 0.0f : sum * expf(before - most)) + expf(x[i] - most);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, most, offset), other_sum = __shfl_xor_sync(0xffffffff, sum, offset);
    const float both = fmaxf(most, other);
    sum = (most == -INFINITY ? 0.0f : sum * expf(most - both)) + (other == -INFINITY ? 0.0f : other_sum * expf(other - both));
    most = both;
  }
  for (int i = lane; i < width; i += 32) out[row * width + i] = i < seen ? expf(x[i] - most) / sum : 0.0f;
}

int main() {
  const int rows = 16, width = 80;
  Random random(32);
  const auto in = random.floats(rows * width, -8, 8);
  DeviceArray<float> input(in), out(rows * width);
  for (bool causal : {false, true}) {
    std::vector<double> want(rows * width, 0.0);
    for (int r = 0; r < rows; r++) {
      const int seen = causal ? r % width + 1 : width;
      double most = -1e30, sum = 0;
      for (int i = 0; i < seen; i++) most = std::fmax(most, in[r * width + i]);
      for (int i = 0; i < seen; i++) sum += std::exp(in[r * width + i] - most);
      for (int i = 0; i < seen; i++) want[r * width + i] = std::exp(in[r * width + i] - most) / sum;
    }
    if (causal) online_causal<<<rows / 4, 128>>>(out, input, width);
    else three_passes<<<rows, 64, 64 * sizeof(float)>>>(out, input, width);
    CHECK_KERNEL();
    close(causal ? "online" : "three passes", out.host(), want, 1e-5);
  }
  return finish();
}
