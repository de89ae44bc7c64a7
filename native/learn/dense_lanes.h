/* Products of matrices for as many columns as fill vectors of type VEC, which several models are made of; no include guard. src/model/dense.ts
 * of the package is the same in TypeScript. Part of kernels.c. */

/** Finishes `rows` times `across` vectors of results, while they are in the nearest cache. */
static void V(finish)(float* to, const float* values, size_t stride, size_t rows, size_t across, enum finish finish) {
  const VEC one = V(splat)(1);
  size_t row, at;
  for (row = 0; row < rows; row++, to += stride, values += stride) {
    for (at = 0; at < across * VLANES; at += VLANES) {
      const VEC result = V(load)(to + at);
      const VEC value = V(load)(values + at);
      switch (finish) {
        case FINISH_RELU: V(store)(to + at, V(positive)(result)); break;
        case FINISH_TANH: V(store)(to + at, V(tanh_of)(result)); break;
        case FINISH_RELU_SLOPE: V(store)(to + at, V(where_positive)(result, value)); break;
        case FINISH_TANH_SLOPE: V(store)(to + at, V(mul)(result, V(sub)(one, V(mul)(value, value)))); break;
        default: return;
      }
    }
  }
}

/** The outputs from `index` up to `end` in two vectors of columns. */
static void V(multiply_two)(const struct product* product, size_t at, size_t index, size_t end) {
  const VEC zero = V(splat)(0);
  const size_t apart = product->apart;
  const size_t step = product->step;
  const size_t stride = product->stride;
  const size_t terms = product->terms;
  const VEC left = product->biases == NULL ? zero : V(load)(product->biases + at);
  const VEC right = product->biases == NULL ? zero : V(load)(product->biases + at + VLANES);
  const int more = product->more;
  size_t term;
  for (; index + 4 <= end; index += 4) {
    const float* one = product->from + index * apart;
    const float* other = product->others + at;
    float* output = product->to + index * stride + at;
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
    if (product->finish != FINISH_NOT) V(finish)(output, product->values + index * stride + at, stride, 4, 2, product->finish);
  }
  for (; index < end; index++) {
    float* output = product->to + index * stride + at;
    VEC a0 = more ? V(load)(output) : left;
    VEC a1 = more ? V(load)(output + VLANES) : right;
    for (term = 0; term < terms; term++) {
      const VEC value = V(splat)(product->from[index * apart + term * step]);
      a0 = V(add)(a0, V(mul)(value, V(load)(product->others + term * stride + at)));
      a1 = V(add)(a1, V(mul)(value, V(load)(product->others + term * stride + at + VLANES)));
    }
    V(store)(output, a0);
    V(store)(output + VLANES, a1);
    if (product->finish != FINISH_NOT) V(finish)(output, product->values + index * stride + at, stride, 1, 2, product->finish);
  }
}

/** The same for one vector of columns. */
static void V(multiply_one)(const struct product* product, size_t at, size_t index, size_t end) {
  const size_t apart = product->apart;
  const size_t step = product->step;
  const size_t stride = product->stride;
  const size_t terms = product->terms;
  const VEC bias = product->biases == NULL ? V(splat)(0) : V(load)(product->biases + at);
  const int more = product->more;
  size_t term;
  for (; index + 8 <= end; index += 8) {
    const float* one = product->from + index * apart;
    const float* five = one + 4 * apart;
    const float* other = product->others + at;
    float* output = product->to + index * stride + at;
    float* last = output + 4 * stride;
    VEC a = more ? V(load)(output) : bias;
    VEC b = more ? V(load)(output + stride) : bias;
    VEC c = more ? V(load)(output + 2 * stride) : bias;
    VEC d = more ? V(load)(output + 3 * stride) : bias;
    VEC e = more ? V(load)(last) : bias;
    VEC f = more ? V(load)(last + stride) : bias;
    VEC g = more ? V(load)(last + 2 * stride) : bias;
    VEC h = more ? V(load)(last + 3 * stride) : bias;
    for (term = 0; term < terms; term++, one += step, five += step, other += stride) {
      const VEC value = V(load)(other);
      a = V(add)(a, V(mul)(V(splat)(one[0]), value));
      b = V(add)(b, V(mul)(V(splat)(one[apart]), value));
      c = V(add)(c, V(mul)(V(splat)(one[2 * apart]), value));
      d = V(add)(d, V(mul)(V(splat)(one[3 * apart]), value));
      e = V(add)(e, V(mul)(V(splat)(five[0]), value));
      f = V(add)(f, V(mul)(V(splat)(five[apart]), value));
      g = V(add)(g, V(mul)(V(splat)(five[2 * apart]), value));
      h = V(add)(h, V(mul)(V(splat)(five[3 * apart]), value));
    }
    V(store)(output, a);
    V(store)(output + stride, b);
    V(store)(output + 2 * stride, c);
    V(store)(output + 3 * stride, d);
    V(store)(last, e);
    V(store)(last + stride, f);
    V(store)(last + 2 * stride, g);
    V(store)(last + 3 * stride, h);
    if (product->finish != FINISH_NOT) V(finish)(output, product->values + index * stride + at, stride, 8, 1, product->finish);
  }
  for (; index < end; index++) {
    float* output = product->to + index * stride + at;
    VEC a = more ? V(load)(output) : bias;
    for (term = 0; term < terms; term++)
      a = V(add)(a, V(mul)(V(splat)(product->from[index * apart + term * step]), V(load)(product->others + term * stride + at)));
    V(store)(output, a);
    if (product->finish != FINISH_NOT) V(finish)(output, product->values + index * stride + at, stride, 1, 1, product->finish);
  }
}

/** Computes columns from `at` on; returns the first that fills no vector. */
static size_t V(multiply)(const struct product* product, size_t at) {
  const size_t outputs = product->outputs;
  for (; at + 2 * VLANES <= product->width; at += 2 * VLANES) {
    const size_t end = product->half && outputs > at + 2 * VLANES ? at + 2 * VLANES : outputs;
    /* The second vector alone is worth it for eight outputs. */
    const size_t both = VLANES >= 8 && product->half && end > at + VLANES ? at + VLANES : end;
    V(multiply_two)(product, at, 0, both);
    V(multiply_one)(product, at + VLANES, both, end);
  }
  for (; at + VLANES <= product->width; at += VLANES)
    V(multiply_one)(product, at, 0, product->half && outputs > at + VLANES ? at + VLANES : outputs);
  return at;
}

/** The sums of the columns from `at` on, which with `more` continue those in `to`. */
static size_t V(sum_rows)(const float* from, size_t stride, size_t rows, float* to, int more, size_t at) {
  const VEC zero = V(splat)(0);
  size_t row;
  for (; at + 4 * VLANES <= stride; at += 4 * VLANES) {
    const float* one = from + at;
    VEC a = more ? V(load)(to + at) : zero;
    VEC b = more ? V(load)(to + at + VLANES) : zero;
    VEC c = more ? V(load)(to + at + 2 * VLANES) : zero;
    VEC d = more ? V(load)(to + at + 3 * VLANES) : zero;
    for (row = 0; row < rows; row++, one += stride) {
      a = V(add)(a, V(load)(one));
      b = V(add)(b, V(load)(one + VLANES));
      c = V(add)(c, V(load)(one + 2 * VLANES));
      d = V(add)(d, V(load)(one + 3 * VLANES));
    }
    V(store)(to + at, a);
    V(store)(to + at + VLANES, b);
    V(store)(to + at + 2 * VLANES, c);
    V(store)(to + at + 3 * VLANES, d);
  }
  for (; at + VLANES <= stride; at += VLANES) {
    VEC sum = more ? V(load)(to + at) : zero;
    for (row = 0; row < rows; row++) sum = V(add)(sum, V(load)(from + row * stride + at));
    V(store)(to + at, sum);
  }
  return at;
}

/**
 * The sum over all rows of a value of each, which are `step` apart, times the row; its entries from `at` on, which are `apart` from each
 * other, and with `more` continue what is there.
 */
static size_t V(weigh_rows)(const float* from, size_t stride, size_t columns, size_t rows, const float* weights, size_t step, float* to,
                            size_t apart, int more, size_t at) {
  float lanes[4 * VLANES];
  size_t row, lane, part;
  for (; at + VLANES <= columns; at += part) {
    const float* one = from + at;
    VEC a = V(splat)(0), b = a, c = a, d = a;
    part = at + 4 * VLANES <= columns ? 4 * VLANES : VLANES;
    for (lane = 0; lane < part; lane++) lanes[lane] = more ? to[(at + lane) * apart] : 0;
    a = V(load)(lanes);
    if (part == VLANES) {
      for (row = 0; row < rows; row++, one += stride) a = V(add)(a, V(mul)(V(load)(one), V(splat)(weights[row * step])));
      V(store)(lanes, a);
    } else {
      b = V(load)(lanes + VLANES);
      c = V(load)(lanes + 2 * VLANES);
      d = V(load)(lanes + 3 * VLANES);
      for (row = 0; row < rows; row++, one += stride) {
        const VEC weight = V(splat)(weights[row * step]);
        a = V(add)(a, V(mul)(V(load)(one), weight));
        b = V(add)(b, V(mul)(V(load)(one + VLANES), weight));
        c = V(add)(c, V(mul)(V(load)(one + 2 * VLANES), weight));
        d = V(add)(d, V(mul)(V(load)(one + 3 * VLANES), weight));
      }
      V(store)(lanes, a);
      V(store)(lanes + VLANES, b);
      V(store)(lanes + 2 * VLANES, c);
      V(store)(lanes + 3 * VLANES, d);
    }
    for (lane = 0; lane < part; lane++) to[(at + lane) * apart] = lanes[lane];
  }
  return at;
}
