// What the programs share: checked calls, inputs that are the same on every machine, and comparisons with the CPU's result.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status_ = (call);                                                            \
    if (status_ != cudaSuccess) {                                                                  \
      std::printf("%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_),    \
                  cudaGetErrorString(status_));                                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

/** After `<<<>>>`: the launch was accepted and the kernel ended without a fault. */
#define CHECK_KERNEL()                                                                             \
  do {                                                                                             \
    CHECK(cudaGetLastError());                                                                     \
    CHECK(cudaDeviceSynchronize());                                                                \
  } while (0)

inline int blocks_for(std::size_t count, int block) {
  return static_cast<int>((count + block - 1) / block);
}

/** A reproducible generator (a Weyl sequence with a mixing function). */
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  std::uint32_t next() {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
  }
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }
  float uniform(float low = 0.0f, float high = 1.0f) {
    return low + (high - low) * (static_cast<float>(next() >> 8) * (1.0f / 16777216.0f));
  }
  std::vector<float> floats(std::size_t count, float low = -1.0f, float high = 1.0f) {
    std::vector<float> values(count);
    for (float& value : values) value = uniform(low, high);
    return values;
  }

 private:
  std::uint64_t state_;
};

/** An array in device memory that is freed with its owner. */
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    CHECK(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)));
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* get() const { return data_; }
  operator T*() const { return data_; }
  std::size_t size() const { return count_; }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline bool& failed() {
  static bool value = false;
  return value;
}

/** Counts a failure unless the condition holds. */
inline bool expect(bool holds, const char* what) {
  if (!holds) {
    if (!failed()) std::printf("expected %s\n", what);
    failed() = true;
  }
  return holds;
}

template <class T>
void print_value(T value) {
  if constexpr (std::is_floating_point_v<T>) std::printf("%.9g", static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>) std::printf("%lld", static_cast<long long>(value));
  else std::printf("%llu", static_cast<unsigned long long>(value));
}

template <class T>
bool report_difference(const char* what, std::size_t index, T got, T want) {
  if (!failed()) {
    std::printf("%s[%zu]: expected ", what, index);
    print_value(want);
    std::printf(", found ");
    print_value(got);
    std::printf("\n");
  }
  failed() = true;
  return false;
}

/** Both are equal; prints the first difference. */
template <class T>
bool same(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  if (!expect(got.size() == want.size(), "as many results as the CPU has")) return false;
  for (std::size_t i = 0; i < got.size(); i++) {
    if (got[i] != want[i]) return report_difference(what, i, got[i], want[i]);
  }
  return true;
}

template <class T>
bool same(const char* what, T got, T want) {
  return got == want || report_difference(what, 0, got, want);
}

/** Both are equal up to `tolerance`, relative to values above 1; prints the first difference. */
template <class T, class U>
bool close(const char* what, const std::vector<T>& got, const std::vector<U>& want, double tolerance) {
  if (!expect(got.size() == want.size(), "as many results as the CPU has")) return false;
  for (std::size_t i = 0; i < got.size(); i++) {
    const double a = static_cast<double>(got[i]), b = static_cast<double>(want[i]);
    if (!(std::fabs(a - b) <= tolerance * std::fmax(1.0, std::fabs(b)))) return report_difference(what, i, a, b);
  }
  return true;
}

inline bool close(const char* what, double got, double want, double tolerance) {
  return close(what, std::vector<double>{got}, std::vector<double>{want}, tolerance);
}

/** What `main` returns. */
inline int finish() {
  if (!failed()) std::printf("PASS\n");
  return failed() ? 1 : 0;
}
