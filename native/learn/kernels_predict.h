/* Evaluates trees, TREES_ROWS rows at once: each split is compared with all of them once, and trees select from the results. A row is
 * in the second half of a split if its byte in the mask is 0xff. Part of kernels.c. */

#if MMPTX_VECTORS && defined(__AVX2__)
enum { MASK_BYTES = 32 };
typedef __m256i mask;
static inline mask mask_load(const void* from) { return _mm256_loadu_si256(from); }
static inline mask mask_bit(mask a, int level) { return _mm256_and_si256(a, _mm256_set1_epi8((char)(1 << level))); }
static inline mask mask_or(mask a, mask b) { return _mm256_or_si256(a, b); }
static inline mask mask_select(mask which, mask zero, mask one) { return _mm256_blendv_epi8(zero, one, which); }
/* Comparisons are narrowed to bytes within halves of a vector, and widened again in `add_leaves`, so rows are in order there. */
static inline void compare(const float* values, float threshold, uint8_t* to) {
  const __m256 limit = _mm256_set1_ps(threshold);
  const __m256i a = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(values), limit, _CMP_GT_OQ));
  const __m256i b = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(values + 8), limit, _CMP_GT_OQ));
  const __m256i c = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(values + 16), limit, _CMP_GT_OQ));
  const __m256i d = _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(values + 24), limit, _CMP_GT_OQ));
  _mm256_storeu_si256((void*)to, _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)));
}
/** Adds the values of leaves, whose bytes are looked up apart. */
static inline void add_leaves(mask leaf, const int16_t* leaves, mask* sums) {
  const mask even = _mm256_set1_epi16(0x00ff);
  const mask zero = _mm256_setzero_si256();
  const mask a = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void*)leaves));
  const mask b = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void*)(leaves + 8)));
  const mask low = _mm256_shuffle_epi8(_mm256_packus_epi16(_mm256_and_si256(a, even), _mm256_and_si256(b, even)), leaf);
  const mask high = _mm256_shuffle_epi8(_mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8)), leaf);
  const mask first = _mm256_unpacklo_epi8(low, high);
  const mask last = _mm256_unpackhi_epi8(low, high);
  sums[0] = _mm256_add_epi32(sums[0], _mm256_srai_epi32(_mm256_unpacklo_epi16(zero, first), 16));
  sums[1] = _mm256_add_epi32(sums[1], _mm256_srai_epi32(_mm256_unpackhi_epi16(zero, first), 16));
  sums[2] = _mm256_add_epi32(sums[2], _mm256_srai_epi32(_mm256_unpacklo_epi16(zero, last), 16));
  sums[3] = _mm256_add_epi32(sums[3], _mm256_srai_epi32(_mm256_unpackhi_epi16(zero, last), 16));
}
#elif MMPTX_VECTORS && defined(__SSE4_1__)
enum { MASK_BYTES = 16 };
typedef __m128i mask;
static inline mask mask_load(const void* from) { return _mm_loadu_si128(from); }
static inline mask mask_bit(mask a, int level) { return _mm_and_si128(a, _mm_set1_epi8((char)(1 << level))); }
static inline mask mask_or(mask a, mask b) { return _mm_or_si128(a, b); }
static inline mask mask_select(mask which, mask zero, mask one) { return _mm_blendv_epi8(zero, one, which); }
static inline void compare(const float* values, float threshold, uint8_t* to) {
  const __m128 limit = _mm_set1_ps(threshold);
  const __m128i a = _mm_castps_si128(_mm_cmpgt_ps(_mm_loadu_ps(values), limit));
  const __m128i b = _mm_castps_si128(_mm_cmpgt_ps(_mm_loadu_ps(values + 4), limit));
  const __m128i c = _mm_castps_si128(_mm_cmpgt_ps(_mm_loadu_ps(values + 8), limit));
  const __m128i d = _mm_castps_si128(_mm_cmpgt_ps(_mm_loadu_ps(values + 12), limit));
  _mm_storeu_si128((void*)to, _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}
static inline void add_leaves(mask leaf, const int16_t* leaves, mask* sums) {
  const mask even = _mm_set1_epi16(0x00ff);
  const mask zero = _mm_setzero_si128();
  const mask a = _mm_loadu_si128((const void*)leaves);
  const mask b = _mm_loadu_si128((const void*)(leaves + 8));
  const mask low = _mm_shuffle_epi8(_mm_packus_epi16(_mm_and_si128(a, even), _mm_and_si128(b, even)), leaf);
  const mask high = _mm_shuffle_epi8(_mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8)), leaf);
  const mask first = _mm_unpacklo_epi8(low, high);
  const mask last = _mm_unpackhi_epi8(low, high);
  sums[0] = _mm_add_epi32(sums[0], _mm_srai_epi32(_mm_unpacklo_epi16(zero, first), 16));
  sums[1] = _mm_add_epi32(sums[1], _mm_srai_epi32(_mm_unpackhi_epi16(zero, first), 16));
  sums[2] = _mm_add_epi32(sums[2], _mm_srai_epi32(_mm_unpacklo_epi16(zero, last), 16));
  sums[3] = _mm_add_epi32(sums[3], _mm_srai_epi32(_mm_unpackhi_epi16(zero, last), 16));
}
#else
/* Eight rows, in the bytes of an integer. */
enum { MASK_BYTES = 8 };
typedef uint64_t mask;
static inline mask mask_load(const void* from) {
  mask result;
  memcpy(&result, from, sizeof result);
  return result;
}
static inline mask mask_bit(mask a, int level) { return a & (UINT64_C(0x0101010101010101) << level); }
static inline mask mask_or(mask a, mask b) { return a | b; }
static inline mask mask_select(mask which, mask zero, mask one) { return zero ^ ((zero ^ one) & which); }
static inline void compare(const float* values, float threshold, uint8_t* to) {
  int row;
  for (row = 0; row < MASK_BYTES; row++) to[row] = values[row] > threshold ? 0xff : 0;
}
static inline void add_leaves(mask leaf, const int16_t* leaves, int32_t* sums) {
  uint8_t index[MASK_BYTES];
  int row;
  memcpy(index, &leaf, sizeof index);
  for (row = 0; row < MASK_BYTES; row++) sums[row] += leaves[index[row]];
}
#define SUMS_ARE_LANES
#endif

/** Copies rows so that the values of a column are consecutive. */
static void turn_rows(const float* rows, size_t columns, size_t count, float* turned) {
  size_t row = 0;
  size_t column;
#if MMPTX_VECTORS && defined(__SSE2__)
  for (; row + 4 <= count; row += 4) {
    const float* from = rows + row * columns;
    for (column = 0; column + 4 <= columns; column += 4) {
      __m128 a = _mm_loadu_ps(from + column);
      __m128 b = _mm_loadu_ps(from + columns + column);
      __m128 c = _mm_loadu_ps(from + 2 * columns + column);
      __m128 d = _mm_loadu_ps(from + 3 * columns + column);
      float* to = turned + column * TREES_ROWS + row;
      _MM_TRANSPOSE4_PS(a, b, c, d);
      _mm_storeu_ps(to, a);
      _mm_storeu_ps(to + TREES_ROWS, b);
      _mm_storeu_ps(to + 2 * TREES_ROWS, c);
      _mm_storeu_ps(to + 3 * TREES_ROWS, d);
    }
    for (; column < columns; column++) {
      size_t one;
      for (one = 0; one < 4; one++) turned[column * TREES_ROWS + row + one] = from[one * columns + column];
    }
  }
#endif
  for (; row < count; row++) {
    for (column = 0; column < columns; column++) turned[column * TREES_ROWS + row] = rows[row * columns + column];
  }
}

/** The leaf of each row in a tree, from the masks of its nodes. */
static inline mask find_leaves(const uint8_t* masks, const int32_t* nodes, size_t depth, int general) {
#define MASK(node) mask_load(masks + (size_t)nodes[node] * TREES_ROWS)
  const mask first = MASK(0);
  mask leaf = mask_bit(first, 0);
  mask second, third;
  if (depth == 1) return leaf;
  second = general ? mask_select(first, MASK(1), MASK(2)) : MASK(1);
  leaf = mask_or(leaf, mask_bit(second, 1));
  if (depth == 2) return leaf;
  /* Node p of a level has the halves before it in the bits of p. */
#define FOUR(from) mask_select(second, mask_select(first, MASK(from), MASK((from) + 1)), mask_select(first, MASK((from) + 2), MASK((from) + 3)))
  third = general ? FOUR(3) : MASK(2);
  leaf = mask_or(leaf, mask_bit(third, 2));
  if (depth == 3) return leaf;
  return mask_or(leaf, mask_bit(general ? mask_select(third, FOUR(7), FOUR(11)) : MASK(3), 3));
#undef FOUR
#undef MASK
}

/** A single row, without vectors. */
static int32_t sum_row(const struct trees* model, const float* row) {
  size_t depth = model->config->depth;
  int general = model->config->general != 0;
  int32_t sum = 0;
  size_t tree, level;
  for (tree = 0; tree < model->config->trees; tree++) {
    const int32_t* nodes = model->nodes + tree * model->tree_nodes;
    size_t leaf = 0;
    for (level = 0; level < depth; level++) {
      int32_t split = nodes[general ? ((size_t)1 << level) - 1 + leaf : level];
      leaf |= (size_t)(row[model->columns[split]] > model->thresholds[split]) << level;
    }
    sum += model->leaves[tree * LEAVES + leaf];
  }
  return sum;
}

static void trees_predict(const struct trees* model, const float* rows, size_t count, size_t splits) {
  const size_t depth = model->config->depth;
  const int general = model->config->general != 0;
  size_t first, split, tree;
  if (count < 4) {
    for (first = 0; first < count; first++) model->sums[first] = sum_row(model, rows + first * model->config->columns);
    return;
  }
  turn_rows(rows, model->config->columns, count, model->turned);
  for (first = 0; first < count; first += MASK_BYTES) {
    uint8_t* masks = model->masks + first;
#if defined(SUMS_ARE_LANES)
    int32_t sums[MASK_BYTES] = {0};
#else
    mask sums[4];
    memset(sums, 0, sizeof sums);
#endif
    for (split = 0; split < splits; split++)
      compare(model->turned + (size_t)model->columns[split] * TREES_ROWS + first, model->thresholds[split], masks + split * TREES_ROWS);
    for (tree = 0; tree < model->config->trees; tree++) {
      const mask leaf = find_leaves(masks, model->nodes + tree * model->tree_nodes, depth, general);
      add_leaves(leaf, model->leaves + tree * LEAVES, sums);
    }
    memcpy(model->sums + first, sums, sizeof sums);
  }
}
