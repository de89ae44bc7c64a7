/* Operations on a vector of f32; no include guard. The including file names the type VEC, its number of lanes VLANES (4, 8 or 16) and
 * the prefix of the functions V(name). Without MMPTX_VECTORS, a vector is an array of C99. Every operation rounds each lane once, as the scalar operation does. */

#if MMPTX_VECTORS
typedef float VEC __attribute__((vector_size(4 * VLANES)));
typedef int32_t V(mask) __attribute__((vector_size(4 * VLANES)));
#define V_EACH(expression_of_vectors, expression_of_lanes) return expression_of_vectors
#define V_SELECT(mask_, a_, b_) (VEC)(((V(mask))(a_) & (mask_)) | ((V(mask))(b_) & ~(mask_)))
#else
typedef struct {
  float lane[VLANES];
} VEC;
#define V_EACH(expression_of_vectors, expression_of_lanes)                           \
  VEC result;                                                                        \
  int i;                                                                             \
  for (i = 0; i < VLANES; i++) result.lane[i] = (expression_of_lanes);               \
  return result
#endif

LANES_INLINE VEC V(load)(const float* from) {
  VEC result;
  memcpy(&result, from, sizeof result);
  return result;
}

LANES_INLINE void V(store)(float* to, VEC a) {
  memcpy(to, &a, sizeof a);
}

LANES_INLINE VEC V(splat)(float a) {
#if MMPTX_VECTORS
  return a - (VEC){0};
#else
  V_EACH(0, a);
#endif
}

LANES_INLINE VEC V(add)(VEC a, VEC b) {
  V_EACH(a + b, a.lane[i] + b.lane[i]);
}

LANES_INLINE VEC V(sub)(VEC a, VEC b) {
  V_EACH(a - b, a.lane[i] - b.lane[i]);
}

LANES_INLINE VEC V(mul)(VEC a, VEC b) {
  V_EACH(a * b, a.lane[i] * b.lane[i]);
}

LANES_INLINE VEC V(div)(VEC a, VEC b) {
  V_EACH(a / b, a.lane[i] / b.lane[i]);
}

/** a, or 0 where it is 0 or less; a NaN stays one. */
LANES_INLINE VEC V(positive)(VEC a) {
#if MMPTX_VECTORS
  return (VEC)((V(mask))a & ~(a <= V(splat)(0.0f)));
#else
  V_EACH(0, a.lane[i] <= 0.0f ? 0.0f : a.lane[i]);
#endif
}

/** a where b is above 0, otherwise 0. */
LANES_INLINE VEC V(where_positive)(VEC a, VEC b) {
#if MMPTX_VECTORS
  return (VEC)((V(mask))a & (b > V(splat)(0.0f)));
#else
  V_EACH(0, b.lane[i] > 0.0f ? a.lane[i] : 0.0f);
#endif
}

/** The smaller of a value and a limit; a NaN stays one, as the second operand of the instructions. */
LANES_INLINE VEC V(at_most)(VEC a, VEC limit) {
#if MMPTX_VECTORS && VLANES == 16
  return _mm512_min_ps(limit, a);
#elif MMPTX_VECTORS && VLANES == 8
  return _mm256_min_ps(limit, a);
#elif MMPTX_VECTORS && VLANES == 4 && defined(__SSE2__)
  return _mm_min_ps(limit, a);
#elif MMPTX_VECTORS
  return V_SELECT(a > limit, limit, a);
#else
  V_EACH(0, a.lane[i] > limit.lane[i] ? limit.lane[i] : a.lane[i]);
#endif
}

LANES_INLINE VEC V(at_least)(VEC a, VEC limit) {
#if MMPTX_VECTORS && VLANES == 16
  return _mm512_max_ps(limit, a);
#elif MMPTX_VECTORS && VLANES == 8
  return _mm256_max_ps(limit, a);
#elif MMPTX_VECTORS && VLANES == 4 && defined(__SSE2__)
  return _mm_max_ps(limit, a);
#elif MMPTX_VECTORS
  return V_SELECT(a < limit, limit, a);
#else
  V_EACH(0, a.lane[i] < limit.lane[i] ? limit.lane[i] : a.lane[i]);
#endif
}

LANES_INLINE VEC V(sqrt)(VEC a) {
#if MMPTX_VECTORS && VLANES == 16
  return _mm512_sqrt_ps(a);
#elif MMPTX_VECTORS && VLANES == 8
  return _mm256_sqrt_ps(a);
#elif MMPTX_VECTORS && VLANES == 4 && defined(__SSE2__)
  return _mm_sqrt_ps(a);
#elif MMPTX_VECTORS && VLANES == 4 && defined(__aarch64__)
  return vsqrtq_f32(a);
#else
  VEC result;
  float lanes[VLANES];
  int i;
  memcpy(lanes, &a, sizeof a);
  for (i = 0; i < VLANES; i++) lanes[i] = sqrtf(lanes[i]);
  memcpy(&result, lanes, sizeof a);
  return result;
#endif
}

/** Which lanes of a are below those of b, as bits. */
LANES_INLINE unsigned V(below)(VEC a, VEC b) {
#if MMPTX_VECTORS && VLANES == 16
  return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
#elif MMPTX_VECTORS && VLANES == 8
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
#elif MMPTX_VECTORS && VLANES == 4 && defined(__SSE2__)
  return (unsigned)_mm_movemask_ps(_mm_cmplt_ps(a, b));
#elif MMPTX_VECTORS && VLANES == 4 && defined(__aarch64__)
  const uint32x4_t bits = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcltq_f32(a, b), bits));
#else
  float one[VLANES];
  float other[VLANES];
  unsigned found = 0;
  int i;
  memcpy(one, &a, sizeof a);
  memcpy(other, &b, sizeof b);
  for (i = 0; i < VLANES; i++) found |= (unsigned)(one[i] < other[i]) << i;
  return found;
#endif
}

/** The first lanes of a, and those of b from `lane` on. */
LANES_INLINE VEC V(join)(VEC a, VEC b, size_t lane) {
#if MMPTX_VECTORS
  static const int32_t before[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  V(mask) mask;
  memcpy(&mask, before + 16 - lane, sizeof mask);
  return V_SELECT(mask, a, b);
#else
  V_EACH(0, (size_t)i < lane ? a.lane[i] : b.lane[i]);
#endif
}

#if MMPTX_VECTORS
/** Moves the values from which a sorted list is above a limit one place up, and puts a value before them: `VLANES` places at once. */
LANES_INLINE void V(insert)(float* distances, float* ages, float distance, float age) {
  const VEC limit = V(splat)(distance);
  const VEC here = V(load)(distances);
  const VEC before = V(load)(distances - 1);
  const V(mask) moves = before > limit;
  const V(mask) taken = here > limit;
  V(store)(distances, V_SELECT(moves, before, V_SELECT(taken, limit, here)));
  V(store)(ages, V_SELECT(moves, V(load)(ages - 1), V_SELECT(taken, V(splat)(age), V(load)(ages))));
}
#endif

#undef V_EACH
#undef V_SELECT
