// program: tags=numeric,fft,shared-memory,math
// The Fourier transform by Stockham's algorithm in shared memory, there and back, against the definition.

#include "../check.h"

constexpr int N = 128;

template <int SIGN>
__global__ void fft(float2* data) {
  __shared__ float2 buffers[2][N];
  float2* mine = data + blockIdx.x * N;
  const int t = threadIdx.x;
  buffers[0][t] = mine[t];
  buffers[0][t + N / 2] = mine[t + N / 2];
  int from = 0;
  for (int half = 1; half < N; half *= 2, from ^= 1) {
    __syncthreads();
    const int k = t % half;
    const float2 a = buffers[from][t], b = buffers[from][t + N / 2];
    float s, c;
    sincospif(SIGN * float(k) / half, &s, &c);
    const float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    const int to = (t - k) * 2 + k;
    buffers[from ^ 1][to] = make_float2(a.x + turned.x, a.y + turned.y);
    buffers[from ^ 1][to + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  const float scale = SIGN > 0 ? 1.0f / N : 1.0f;
  for (int i = t; i < N; i += N / 2) mine[i] = make_float2(buffers[from][i].x * scale, buffers[from][i].y * scale);
}

int main() {
  const int batch = 4;
  Random random(73);
  const auto in = random.floats(batch * N * 2);
  std::vector<double> want(batch * N * 2, 0.0);
  for (int b = 0; b < batch; b++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) {
        const double angle = -2 * 3.14159265358979323846 * (j * k % N) / N, c = std::cos(angle), s = std::sin(angle);
        const double x = in[(b * N + j) * 2], y = in[(b * N + j) * 2 + 1];
        want[(b * N + k) * 2] += x * c - y * s;
        want[(b * N + k) * 2 + 1] += x * s + y * c;
      }
  DeviceArray<float> device(in);
  fft<-1><<<batch, N / 2>>>(reinterpret_cast<float2*>(device.get()));
  CHECK_KERNEL();
  close("spectrum", device.host(), want, 2e-4);
  fft<1><<<batch, N / 2>>>(reinterpret_cast<float2*>(device.get()));
  CHECK_KERNEL();
  close("signal", device.host(), in, 1e-4);
  return finish();
}
