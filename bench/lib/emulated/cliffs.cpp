// The kernels of cliffs.cu in C++: the yardstick. They are built without vectorization, with `fmaf` where the PTX has
// `fma`, and the matrices of halves are floats. Each input line names a kernel and a number of rounds; the output is
// the minimum CPU time of a launch in microseconds.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

using Floats = std::vector<float>;
using Words = std::vector<uint32_t>;

template <float (*F)(float)> static void each(const Floats& in, Floats& out) {
  for (size_t i = 0; i < in.size(); i++) out[i] = F(in[i]);
}

static float power(float base) { return powf(base, 1.7f); }

static void histogram(const Words& in, Words& out) {
  for (size_t i = 0; i < in.size(); i++) out[in[i] & 255]++;
}

static void digits(const Words& in, Words& out) {
  for (size_t i = 0; i < in.size(); i++) {
    uint32_t counts[16] = {}, most = 0;
    for (int k = 0; k < 8; k++) counts[in[i] >> 4 * k & 15]++;
    for (uint32_t k = 0; k < 16; k++) most = std::max(most, counts[k] * 16 + k);
    out[i] = most;
  }
}

static void reduction(const Floats& in, Floats& out) {
  float s[256];
  for (size_t block = 0; block < in.size() / 256; block++) {
    for (int t = 0; t < 256; t++) s[t] = in[block * 256 + t];
    for (int k = 128; k > 0; k >>= 1) {
      for (int t = 0; t < 256; t++) {
        if (t < k) s[t] += s[t + k];
      }
    }
    out[block] = s[0];
  }
}

static void stencil(int w, int h, const float* in, float* out) {
  for (int y = 1; y < h - 1; y++) {
    for (int x = 1; x < w - 1; x++) {
      const int at = y * w + x;
      const float around = in[at - 1] + in[at + 1] + in[at - w] + in[at + w];
      out[at] = fmaf(in[at], 0.5f, around * 0.125f);
    }
  }
}

template <class Float>
static void gemm(int n, const Float* a, const Float* b, Float* c) {
  for (int row = 0; row < n; row++) {
    for (int col = 0; col < n; col++) {
      Float sum = 0;
      for (int k = 0; k < n; k++) sum = std::fma(a[row * n + k], b[k * n + col], sum);
      c[row * n + col] = sum;
    }
  }
}

static void warpSums(const Floats& in, Floats& out) {
  for (size_t warp = 0; warp < in.size() / 32; warp++) {
    float sum = 0;
    for (int lane = 0; lane < 32; lane++) sum += in[warp * 32 + lane];
    out[warp] = sum;
  }
}

static double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main() {
  const size_t n = 1 << 20;
  Floats angles(n), wide(n), positive(n), x(n), y(n), z(n);
  Words words(n), index(n), counts(n);
  for (size_t i = 0; i < n; i++) {
    words[i] = uint32_t(i) * 2654435761u;
    words[i] ^= words[i] >> 15;
    index[i] = words[i] % n;
    x[i] = y[i] = float(i % 1000) / 1000;
    angles[i] = (x[i] - 0.5f) * 20;
    wide[i] = i % 8 == 0 ? angles[i] * 1e6f : angles[i];
    positive[i] = x[i] * 8 + 0.01f;
  }
  std::vector<double> doubles(256 * 256), products(256 * 256);
  for (size_t i = 0; i < doubles.size(); i++) doubles[i] = double(i % 1000) / 1000;
  const std::map<std::string, std::function<void()>> kernels = {
    {"sine", [&] { each<sinf>(angles, z); }},
    {"sineWide", [&] { each<sinf>(wide, z); }},
    {"exponential", [&] { each<expf>(angles, z); }},
    {"logarithm", [&] { each<logf>(positive, z); }},
    {"power", [&] { each<power>(positive, z); }},
    {"histogram", [&] { histogram(words, counts); }},
    {"histogramGlobal", [&] { histogram(words, counts); }},
    {"gather", [&] { for (size_t i = 0; i < n; i++) z[i] = x[index[i]]; }},
    {"digits", [&] { digits(words, counts); }},
    {"saxpy", [&] { for (size_t i = 0; i < n; i++) y[i] = fmaf(0.5f, x[i], y[i]); }},
    {"reduction", [&] { reduction(x, z); }},
    {"stencil", [&] { stencil(1024, 1024, x.data(), z.data()); }},
    {"gemm", [&] { gemm(256, x.data(), y.data(), z.data()); }},
    {"shuffles", [&] { warpSums(x, z); }},
    {"wmma64", [&] { gemm(64, x.data(), y.data(), z.data()); }},
    {"wmma256", [&] { gemm(256, x.data(), y.data(), z.data()); }},
    {"wmmaDouble64", [&] { gemm(64, doubles.data(), doubles.data(), products.data()); }},
    {"wmmaDouble256", [&] { gemm(256, doubles.data(), doubles.data(), products.data()); }},
  };
  char name[32];
  int rounds;
  while (scanf("%31s %d", name, &rounds) == 2) {
    const auto& run = kernels.at(name);
    double least = 1e30;
    for (int round = 0; round < rounds; round++) {
      const double begin = now();
      run();
      least = std::min(least, now() - begin);
    }
    printf("%s %.3f\n", name, least);
    fflush(stdout);
  }
}
