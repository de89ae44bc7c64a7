// What the matrix products share: small exact inputs, the CPU's product, and a run of a kernel.
#pragma once

#include "../check.h"

/** Multiples of 1/8 between -1 and 1, so that sums of products are exact in float and many in half. */
inline std::vector<float> eighths(Random& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = (static_cast<int>(random.below(17)) - 8) / 8.0f;
  return values;
}

/** Row-major a (rows x inner) times row-major b (inner x columns). */
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, int rows, int inner, int columns) {
  std::vector<T> c(static_cast<std::size_t>(rows) * columns, T(0));
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      for (int j = 0; j < columns; j++) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  std::vector<To> result;
  for (const From& value : values) result.push_back(To(value));
  return result;
}
