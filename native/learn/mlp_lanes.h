/* The operations of a perceptron on single values, for as many as fill vectors of type VEC; no include guard. Part of kernels.c. */

LANES_INLINE VEC V(tanh_of)(VEC x) {
  static const float numerators[] = {2.00018790482477e-13f, -8.60467152213735e-11f, 5.12229709037114e-8f,
                                     1.48572235717979e-5f,  6.37261928875436e-4f,   4.89352455891786e-3f};
  static const float denominators[] = {1.18534705686654e-4f, 2.268434632439e-3f, 4.89352518554385e-3f};
  VEC square, numerator, denominator;
  size_t term;
  x = V(at_least)(V(at_most)(x, V(splat)(7.905311107635498f)), V(splat)(-7.905311107635498f));
  square = V(mul)(x, x);
  numerator = V(splat)(-2.76076847742355e-16f);
  for (term = 0; term < 6; term++) numerator = V(add)(V(mul)(numerator, square), V(splat)(numerators[term]));
  denominator = V(splat)(1.19825839466702e-6f);
  for (term = 0; term < 3; term++) denominator = V(add)(V(mul)(denominator, square), V(splat)(denominators[term]));
  return V(div)(V(mul)(x, numerator), denominator);
}

static size_t V(adam)(const struct mlp* model, float rate, size_t at) {
  for (; at + VLANES <= model->count; at += VLANES) {
    const VEC gradient = V(load)(model->gradients + at);
    const VEC mean = V(add)(V(mul)(V(splat)(0.9f), V(load)(model->first_moments + at)), V(mul)(V(splat)(0.1f), gradient));
    const VEC square = V(add)(V(mul)(V(splat)(0.999f), V(load)(model->second_moments + at)),
                              V(mul)(V(mul)(V(splat)(0.001f), gradient), gradient));
    const VEC root = V(add)(V(sqrt)(square), V(splat)(1e-8f));
    V(store)(model->first_moments + at, mean);
    V(store)(model->second_moments + at, square);
    V(store)(model->parameters + at, V(sub)(V(load)(model->parameters + at), V(div)(V(mul)(V(splat)(rate), mean), root)));
  }
  return at;
}
