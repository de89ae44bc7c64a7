/* Products of matrices for as many columns as fill vectors of type VEC, which several models are made of; no include guard. src/model/dense.ts
 * of the package is the same in TypeScript. Part of kernels.c. */

/** Sums of inputs times weights for columns from `at` on; returns the first column that fills no vector. */
static size_t V(affine)(const float* from, size_t from_stride, size_t inputs, const float* weights, const float* biases, float* to,
                        size_t stride, size_t rows, size_t at) {
  const VEC zero = V(splat)(0);
  size_t row, input;
  for (; at + 2 * VLANES <= stride; at += 2 * VLANES) {
    const VEC left = biases == NULL ? zero : V(load)(biases + at);
    const VEC right = biases == NULL ? zero : V(load)(biases + at + VLANES);
    for (row = 0; row + 4 <= rows; row += 4) {
      const float* a = from + row * from_stride;
      const float* b = a + from_stride;
      const float* c = b + from_stride;
      const float* d = c + from_stride;
      const float* weight = weights + at;
      float* output = to + row * stride + at;
      VEC a0 = left, b0 = left, c0 = left, d0 = left;
      VEC a1 = right, b1 = right, c1 = right, d1 = right;
      for (input = 0; input < inputs; input++, weight += stride) {
        const VEC w0 = V(load)(weight);
        const VEC w1 = V(load)(weight + VLANES);
        VEC one = V(splat)(a[input]);
        a0 = V(add)(a0, V(mul)(one, w0));
        a1 = V(add)(a1, V(mul)(one, w1));
        one = V(splat)(b[input]);
        b0 = V(add)(b0, V(mul)(one, w0));
        b1 = V(add)(b1, V(mul)(one, w1));
        one = V(splat)(c[input]);
        c0 = V(add)(c0, V(mul)(one, w0));
        c1 = V(add)(c1, V(mul)(one, w1));
        one = V(splat)(d[input]);
        d0 = V(add)(d0, V(mul)(one, w0));
        d1 = V(add)(d1, V(mul)(one, w1));
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
    for (; row < rows; row++) {
      VEC a0 = left, a1 = right;
      for (input = 0; input < inputs; input++) {
        const VEC one = V(splat)(from[row * from_stride + input]);
        a0 = V(add)(a0, V(mul)(one, V(load)(weights + input * stride + at)));
        a1 = V(add)(a1, V(mul)(one, V(load)(weights + input * stride + at + VLANES)));
      }
      V(store)(to + row * stride + at, a0);
      V(store)(to + row * stride + at + VLANES, a1);
    }
  }
  for (; at + VLANES <= stride; at += VLANES) {
    const VEC left = biases == NULL ? zero : V(load)(biases + at);
    for (row = 0; row + 4 <= rows; row += 4) {
      const float* a = from + row * from_stride;
      const float* weight = weights + at;
      float* output = to + row * stride + at;
      VEC a0 = left, b0 = left, c0 = left, d0 = left;
      for (input = 0; input < inputs; input++, weight += stride) {
        const VEC w0 = V(load)(weight);
        a0 = V(add)(a0, V(mul)(V(splat)(a[input]), w0));
        b0 = V(add)(b0, V(mul)(V(splat)(a[from_stride + input]), w0));
        c0 = V(add)(c0, V(mul)(V(splat)(a[2 * from_stride + input]), w0));
        d0 = V(add)(d0, V(mul)(V(splat)(a[3 * from_stride + input]), w0));
      }
      V(store)(output, a0);
      V(store)(output + stride, b0);
      V(store)(output + 2 * stride, c0);
      V(store)(output + 3 * stride, d0);
    }
    for (; row < rows; row++) {
      VEC a0 = left;
      for (input = 0; input < inputs; input++)
        a0 = V(add)(a0, V(mul)(V(splat)(from[row * from_stride + input]), V(load)(weights + input * stride + at)));
      V(store)(to + row * stride + at, a0);
    }
  }
  return at;
}

/**
 * For each input and each other value from `at` on, the sum of their products over all rows; returns the first that fills no vector. With
 * `half`, others that come before the input need not be written.
 */
static size_t V(products)(const float* from, size_t from_stride, size_t inputs, const float* others, size_t stride, size_t rows,
                          float* to, int half, size_t at) {
  const VEC zero = V(splat)(0);
  size_t row, input;
  for (; at + 2 * VLANES <= stride; at += 2 * VLANES) {
    const size_t end = half && inputs > at + 2 * VLANES ? at + 2 * VLANES : inputs;
    for (input = 0; input + 4 <= end; input += 4) {
      const float* one = from + input;
      const float* other = others + at;
      float* output = to + input * stride + at;
      VEC a0 = zero, b0 = zero, c0 = zero, d0 = zero;
      VEC a1 = zero, b1 = zero, c1 = zero, d1 = zero;
      for (row = 0; row < rows; row++, one += from_stride, other += stride) {
        const VEC e0 = V(load)(other);
        const VEC e1 = V(load)(other + VLANES);
        VEC value = V(splat)(one[0]);
        a0 = V(add)(a0, V(mul)(value, e0));
        a1 = V(add)(a1, V(mul)(value, e1));
        value = V(splat)(one[1]);
        b0 = V(add)(b0, V(mul)(value, e0));
        b1 = V(add)(b1, V(mul)(value, e1));
        value = V(splat)(one[2]);
        c0 = V(add)(c0, V(mul)(value, e0));
        c1 = V(add)(c1, V(mul)(value, e1));
        value = V(splat)(one[3]);
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
    for (; input < end; input++) {
      VEC a0 = zero, a1 = zero;
      for (row = 0; row < rows; row++) {
        const VEC value = V(splat)(from[row * from_stride + input]);
        a0 = V(add)(a0, V(mul)(value, V(load)(others + row * stride + at)));
        a1 = V(add)(a1, V(mul)(value, V(load)(others + row * stride + at + VLANES)));
      }
      V(store)(to + input * stride + at, a0);
      V(store)(to + input * stride + at + VLANES, a1);
    }
  }
  for (; at + VLANES <= stride; at += VLANES) {
    const size_t end = half && inputs > at + VLANES ? at + VLANES : inputs;
    for (input = 0; input + 4 <= end; input += 4) {
      const float* one = from + input;
      const float* other = others + at;
      float* output = to + input * stride + at;
      VEC a0 = zero, b0 = zero, c0 = zero, d0 = zero;
      for (row = 0; row < rows; row++, one += from_stride, other += stride) {
        const VEC e0 = V(load)(other);
        a0 = V(add)(a0, V(mul)(V(splat)(one[0]), e0));
        b0 = V(add)(b0, V(mul)(V(splat)(one[1]), e0));
        c0 = V(add)(c0, V(mul)(V(splat)(one[2]), e0));
        d0 = V(add)(d0, V(mul)(V(splat)(one[3]), e0));
      }
      V(store)(output, a0);
      V(store)(output + stride, b0);
      V(store)(output + 2 * stride, c0);
      V(store)(output + 3 * stride, d0);
    }
    for (; input < end; input++) {
      VEC a0 = zero;
      for (row = 0; row < rows; row++)
        a0 = V(add)(a0, V(mul)(V(splat)(from[row * from_stride + input]), V(load)(others + row * stride + at)));
      V(store)(to + input * stride + at, a0);
    }
  }
  return at;
}

/** The sums of the columns from `at` on. */
static size_t V(sum_rows)(const float* from, size_t stride, size_t rows, float* to, size_t at) {
  for (; at + VLANES <= stride; at += VLANES) {
    VEC sum = V(splat)(0);
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
