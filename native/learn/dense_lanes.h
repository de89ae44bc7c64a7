/* Products of matrices for as many columns as fill vectors of type VEC, which several models are made of; no include guard. src/model/dense.ts
 * of the package is the same in TypeScript. Part of kernels.c. */

/**
 * Output o, column c, from `at` on: the bias of c, plus the sum over all terms t of `from[o * apart + t * step]` times term t's value of c in
 * `others`. Returns the first column that fills no vector. With `half`, columns that come before their output need not be written;
 * with `more`, the sums continue those in `to`.
 */
static inline size_t V(multiply)(const float* from, size_t apart, size_t step, size_t outputs, size_t terms, const float* others,
                                 const float* biases, float* to, size_t stride, int half, int more, size_t at) {
  const VEC zero = V(splat)(0);
  size_t index, term;
  for (; at + 2 * VLANES <= stride; at += 2 * VLANES) {
    const size_t end = half && outputs > at + 2 * VLANES ? at + 2 * VLANES : outputs;
    const VEC left = biases == NULL ? zero : V(load)(biases + at);
    const VEC right = biases == NULL ? zero : V(load)(biases + at + VLANES);
    for (index = 0; index + 4 <= end; index += 4) {
      const float* one = from + index * apart;
      const float* other = others + at;
      float* output = to + index * stride + at;
      VEC a0 = more ? V(load)(output) : left;
      VEC a1 = more ? V(load)(output + VLANES) : right;
      VEC b0 = more ? V(load)(output + stride) : left;
      VEC b1 = more ? V(load)(output + stride + VLANES) : right;
      VEC c0 = more ? V(load)(output + 2 * stride) : left;
      VEC c1 = more ? V(load)(output + 2 * stride + VLANES) : right;
      VEC d0 = more ? V(load)(output + 3 * stride) : left;
      VEC d1 = more ? V(load)(output + 3 * stride + VLANES) : right;
      for (term = 0; term < terms; term++, one += step, other += stride) {
        const VEC e0 = V(load)(other);
        const VEC e1 = V(load)(other + VLANES);
        VEC value = V(splat)(one[0]);
        a0 = V(add)(a0, V(mul)(value, e0));
        a1 = V(add)(a1, V(mul)(value, e1));
        value = V(splat)(one[apart]);
        b0 = V(add)(b0, V(mul)(value, e0));
        b1 = V(add)(b1, V(mul)(value, e1));
        value = V(splat)(one[2 * apart]);
        c0 = V(add)(c0, V(mul)(value, e0));
        c1 = V(add)(c1, V(mul)(value, e1));
        value = V(splat)(one[3 * apart]);
        d0 = V(add)(d0, V(mul)(value, e0));
        d1 = V(add)(d1, V(mul)(value, e1));
      }
      V(store)(output, a0);
      V(store)(output + VLANES, a1);
      V(store)(output + stride, b0);
      V(store)(output + stride + VLANES, b1);
      V(store)(output + 2 * stride, c0);
      V(store)(output + 2 * stride + VLANES, c1);
      V(store)(output + 3 * stride, d0);
      V(store)(output + 3 * stride + VLANES, d1);
    }
    for (; index < end; index++) {
      VEC a0 = more ? V(load)(to + index * stride + at) : left;
      VEC a1 = more ? V(load)(to + index * stride + at + VLANES) : right;
      for (term = 0; term < terms; term++) {
        const VEC value = V(splat)(from[index * apart + term * step]);
        a0 = V(add)(a0, V(mul)(value, V(load)(others + term * stride + at)));
        a1 = V(add)(a1, V(mul)(value, V(load)(others + term * stride + at + VLANES)));
      }
      V(store)(to + index * stride + at, a0);
      V(store)(to + index * stride + at + VLANES, a1);
    }
  }
  for (; at + VLANES <= stride; at += VLANES) {
    const size_t end = half && outputs > at + VLANES ? at + VLANES : outputs;
    const VEC left = biases == NULL ? zero : V(load)(biases + at);
    for (index = 0; index + 4 <= end; index += 4) {
      const float* one = from + index * apart;
      const float* other = others + at;
      float* output = to + index * stride + at;
      VEC a0 = more ? V(load)(output) : left;
      VEC b0 = more ? V(load)(output + stride) : left;
      VEC c0 = more ? V(load)(output + 2 * stride) : left;
      VEC d0 = more ? V(load)(output + 3 * stride) : left;
      for (term = 0; term < terms; term++, one += step, other += stride) {
        const VEC e0 = V(load)(other);
        a0 = V(add)(a0, V(mul)(V(splat)(one[0]), e0));
        b0 = V(add)(b0, V(mul)(V(splat)(one[apart]), e0));
        c0 = V(add)(c0, V(mul)(V(splat)(one[2 * apart]), e0));
        d0 = V(add)(d0, V(mul)(V(splat)(one[3 * apart]), e0));
      }
      V(store)(output, a0);
      V(store)(output + stride, b0);
      V(store)(output + 2 * stride, c0);
      V(store)(output + 3 * stride, d0);
    }
    for (; index < end; index++) {
      VEC a0 = more ? V(load)(to + index * stride + at) : left;
      for (term = 0; term < terms; term++)
        a0 = V(add)(a0, V(mul)(V(splat)(from[index * apart + term * step]), V(load)(others + term * stride + at)));
      V(store)(to + index * stride + at, a0);
    }
  }
  return at;
}

/** The sums of the columns from `at` on, which with `more` continue those in `to`. */
static size_t V(sum_rows)(const float* from, size_t stride, size_t rows, float* to, int more, size_t at) {
  for (; at + VLANES <= stride; at += VLANES) {
    VEC sum = more ? V(load)(to + at) : V(splat)(0);
    size_t row;
    for (row = 0; row < rows; row++) sum = V(add)(sum, V(load)(from + row * stride + at));
    V(store)(to + at, sum);
  }
  return at;
}

/** Replaces negative values by 0. */
static size_t V(relu)(float* values, size_t count, size_t at) {
  for (; at + VLANES <= count; at += VLANES) V(store)(values + at, V(positive)(V(load)(values + at)));
  return at;
}
