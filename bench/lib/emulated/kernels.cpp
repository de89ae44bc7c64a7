// The kernels of kernels.cu in C++, which run thread by thread on one core: the yardstick of the emulator.
// Each input line names a kernel and a number of rounds; the output is the minimum time per thread in
// nanoseconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define THREAD __attribute__((noinline)) static void

THREAD saxpy(int i, int n, float a, const float* x, float* y) {
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

THREAD chain(int i, int n, const float* in, float* out) {
  if (i >= n) return;
  float a = in[i], b = a + 0.5f;
#pragma GCC unroll 40
  for (int k = 0; k < 33; k++) {
    a = fmaf(a, b, 0.25f);
    b = b - a;
    b = b * 0.75f;
  }
  out[i] = a + b;
}

THREAD philox(uint32_t i, uint32_t k0, uint32_t k1, uint32_t* out) {
  uint32_t c0 = i, c1 = 0, c2 = 0, c3 = 0;
#pragma GCC unroll 10
  for (int r = 0; r < 10; r++) {
    const uint64_t p0 = uint64_t(0xD2511F53u) * c0, p1 = uint64_t(0xCD9E8D57u) * c2;
    c0 = uint32_t(p1 >> 32) ^ c1 ^ k0;
    c1 = uint32_t(p1);
    c2 = uint32_t(p0 >> 32) ^ c3 ^ k1;
    c3 = uint32_t(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[i * 4] = c0, out[i * 4 + 1] = c1, out[i * 4 + 2] = c2, out[i * 4 + 3] = c3;
}

THREAD mandel(int px, int py, int w, int h, float x0, float y0, float dx, float dy, int limit, int* out) {
  if (px >= w || py >= h) return;
  const float cx = fmaf(float(px), dx, x0), cy = fmaf(float(py), dy, y0);
  float x = 0, y = 0;
  int k = 0;
  while (k < limit && x * x + y * y < 4.0f) {
    const float t = x * x - y * y + cx;
    y = fmaf(2 * x, y, cy);
    x = t;
    k++;
  }
  out[py * w + px] = k;
}

// The code of one thread between two barriers is a function, so that the compiler cannot merge it with
// neighboring threads.
THREAD tile(int tx, int ty, int row, int col, int t, int n, const float* a, const float* b, float* as, float* bs) {
  as[ty * 16 + tx] = a[row * n + t * 16 + tx];
  bs[ty * 16 + tx] = b[(t * 16 + ty) * n + col];
}

THREAD products(int tx, int ty, const float* as, const float* bs, float* sums) {
  float sum = sums[ty * 16 + tx];
#pragma GCC unroll 16
  for (int k = 0; k < 16; k++) sum = fmaf(as[ty * 16 + k], bs[k * 16 + tx], sum);
  sums[ty * 16 + tx] = sum;
}

static void matmulBlock(int bx, int by, int n, const float* a, const float* b, float* c) {
  float as[256], bs[256], sums[256] = {};
  for (int t = 0; t < n / 16; t++) {
    for (int i = 0; i < 256; i++) tile(i % 16, i / 16, by * 16 + i / 16, bx * 16 + i % 16, t, n, a, b, as, bs);
    for (int i = 0; i < 256; i++) products(i % 16, i / 16, as, bs, sums);
  }
  for (int i = 0; i < 256; i++) c[(by * 16 + i / 16) * n + bx * 16 + i % 16] = sums[i];
}

// The loops between barriers, which the compiler may vectorize.
__attribute__((noinline)) static void reduceBlock(int block, int n, const float* in, float* out) {
  float s[256];
  for (int t = 0; t < 256; t++) s[t] = block * 256 + t < n ? in[block * 256 + t] : 0.0f;
  for (int k = 128; k > 0; k >>= 1) {
    for (int t = 0; t < 256; t++) {
      if (t < k) s[t] += s[t + k];
    }
  }
  out[block] = s[0];
}

int main() {
  const int n = 1 << 18, w = 512, h = 256, size = 256;
  std::vector<float> x(n), y(n), z(n);
  std::vector<uint32_t> words(4 * n);
  for (int i = 0; i < n; i++) x[i] = y[i] = float(i % 1000) / 1000.0f;
  const std::map<std::string, std::pair<int, std::function<void()>>> kernels = {
    {"saxpy", {n, [&] { for (int i = 0; i < n; i++) saxpy(i, n, 0.5f, x.data(), y.data()); }}},
    {"chain", {n, [&] { for (int i = 0; i < n; i++) chain(i, n, x.data(), z.data()); }}},
    {"philox", {n, [&] { for (int i = 0; i < n; i++) philox(i, 1, 2, words.data()); }}},
    {"mandel", {w * h, [&] {
       for (int py = 0; py < h; py++) {
         for (int px = 0; px < w; px++) {
           mandel(px, py, w, h, -2.0f, -1.0f, 3.0f / w, 2.0f / h, 256, reinterpret_cast<int*>(words.data()));
         }
       }
     }}},
    {"matmul", {size * size, [&] {
       for (int by = 0; by < size / 16; by++) {
         for (int bx = 0; bx < size / 16; bx++) matmulBlock(bx, by, size, x.data(), y.data(), z.data());
       }
     }}},
    {"reduce", {n, [&] { for (int b = 0; b < n / 256; b++) reduceBlock(b, n, x.data(), z.data()); }}},
  };
  char name[32];
  int rounds;
  while (scanf("%31s %d", name, &rounds) == 2) {
    const auto& [threads, run] = kernels.at(name);
    double least = 1e30;
    for (int round = 0; round < rounds; round++) {
      const auto begin = std::chrono::steady_clock::now();
      run();
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
      least = std::min(least, took.count() / threads);
    }
    printf("%s %.4f\n", name, least);
    fflush(stdout);
  }
}
