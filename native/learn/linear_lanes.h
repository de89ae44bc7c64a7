/* The parts of a linear model that fill vectors of type VEC; no include guard. Part of kernels_linear.h. */

/** Rotates a column of the factor and the vector from row `first` up to their height, in vectors from `at` on, which is at most one before. */
static size_t V(rotate)(float* column, float* vector, float cosine, float sine, size_t at, size_t first, size_t height) {
  const VEC cosines = V(splat)(cosine);
  const VEC sines = V(splat)(sine);
  if (at < first && at + VLANES <= height) {
    const VEC old = V(load)(column + at);
    const VEC value = V(load)(vector + at);
    V(store)(vector + at, V(join)(value, V(sub)(V(mul)(cosines, value), V(mul)(sines, old)), first - at));
    V(store)(column + at, V(join)(old, V(add)(V(mul)(cosines, old), V(mul)(sines, value)), first - at));
    at += VLANES;
  }
  for (; at + VLANES <= height; at += VLANES) {
    const VEC old = V(load)(column + at);
    const VEC value = V(load)(vector + at);
    V(store)(column + at, V(add)(V(mul)(cosines, old), V(mul)(sines, value)));
    V(store)(vector + at, V(sub)(V(mul)(cosines, value), V(mul)(sines, old)));
  }
  return at;
}

/** Subtracts the products of the columns before from a column, for rows from `at` up to the height. */
static size_t V(reduce)(const float* factor, float* column, size_t before, size_t height, size_t index, size_t at) {
  size_t k;
  for (; at + 4 * VLANES <= height; at += 4 * VLANES) {
    const float* from = factor + at;
    VEC a = V(load)(column + at);
    VEC b = V(load)(column + at + VLANES);
    VEC c = V(load)(column + at + 2 * VLANES);
    VEC d = V(load)(column + at + 3 * VLANES);
    for (k = 0; k < before; k++, from += height) {
      const VEC entry = V(splat)(factor[k * height + index]);
      a = V(sub)(a, V(mul)(V(load)(from), entry));
      b = V(sub)(b, V(mul)(V(load)(from + VLANES), entry));
      c = V(sub)(c, V(mul)(V(load)(from + 2 * VLANES), entry));
      d = V(sub)(d, V(mul)(V(load)(from + 3 * VLANES), entry));
    }
    V(store)(column + at, a);
    V(store)(column + at + VLANES, b);
    V(store)(column + at + 2 * VLANES, c);
    V(store)(column + at + 3 * VLANES, d);
  }
  for (; at + VLANES <= height; at += VLANES) {
    VEC a = V(load)(column + at);
    for (k = 0; k < before; k++) a = V(sub)(a, V(mul)(V(load)(factor + k * height + at), V(splat)(factor[k * height + index])));
    V(store)(column + at, a);
  }
  return at;
}
