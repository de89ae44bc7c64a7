/* Evaluates trees, TREES_ROWS rows at once: each split is compared with all of them once, and trees select from the results. A row is
 * in the second half of a split if its byte in the mask is 0xff. Part of kernels.c. */

#if MMPTX_VECTORS && defined(__SSE2__)
/* The rows of a mask, and how many of them `compare` takes at once. */
#if WIDE == 16
enum { MASK_BYTES = 64, COMPARED = 32 };
#define M(name) _mm512_##name
typedef __m512i mask_bits;
#elif WIDE >= 8
enum { MASK_BYTES = 32, COMPARED = 32 };
#define M(name) _mm256_##name
typedef __m256i mask_bits;
#else
enum { MASK_BYTES = 16, COMPARED = 16 };
#define M(name) _mm_##name
typedef __m128i mask_bits;
#endif
typedef uint8_t mask __attribute__((vector_size(MASK_BYTES)));
typedef uint16_t row_words __attribute__((vector_size(MASK_BYTES)));
typedef uint32_t row_sums __attribute__((vector_size(MASK_BYTES)));

static inline mask mask_load(const void* from) {
  mask result;
  memcpy(&result, from, sizeof result);
  return result;
}
static inline mask mask_bit(mask a, int level) { return a & (mask)M(set1_epi8)((char)(1 << level)); }

/** The values of COMPARED rows in a column. */
#if WIDE >= 8
typedef __m256 row_part;
static inline row_part load_part(const float* from) { return _mm256_loadu_ps(from); }
#else
typedef __m128 row_part;
static inline row_part load_part(const float* from) { return _mm_loadu_ps(from); }
#endif
typedef struct {
  row_part a, b, c, d;
} row_values;
static inline row_values load_values(const float* from) {
  row_values result;
  result.a = load_part(from);
  result.b = load_part(from + COMPARED / 4);
  result.c = load_part(from + COMPARED / 2);
  result.d = load_part(from + 3 * COMPARED / 4);
  return result;
}
/* Comparisons are narrowed to bytes within halves of a vector, and widened again in `write_sums`, so rows are in order there. */
static inline void compare(row_values rows, float threshold, uint8_t* to) {
#if WIDE >= 8
  const __m256 limit = _mm256_set1_ps(threshold);
  const __m256i a = _mm256_castps_si256(_mm256_cmp_ps(rows.a, limit, _CMP_GT_OQ));
  const __m256i b = _mm256_castps_si256(_mm256_cmp_ps(rows.b, limit, _CMP_GT_OQ));
  const __m256i c = _mm256_castps_si256(_mm256_cmp_ps(rows.c, limit, _CMP_GT_OQ));
  const __m256i d = _mm256_castps_si256(_mm256_cmp_ps(rows.d, limit, _CMP_GT_OQ));
  _mm256_storeu_si256((void*)to, _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)));
#else
  const __m128 limit = _mm_set1_ps(threshold);
  const __m128i a = _mm_castps_si128(_mm_cmpgt_ps(rows.a, limit));
  const __m128i b = _mm_castps_si128(_mm_cmpgt_ps(rows.b, limit));
  const __m128i c = _mm_castps_si128(_mm_cmpgt_ps(rows.c, limit));
  const __m128i d = _mm_castps_si128(_mm_cmpgt_ps(rows.d, limit));
  _mm_storeu_si128((void*)to, _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
#endif
}

/**
 * Sums of the leaves of up to SUMMED trees, whose bytes are looked up apart, the upper ones plus 128. Two rows share 16 bits: there are the
 * sums of both, modulo 2^16, and those of the second alone.
 */
struct leaf_sums {
  row_words low, second_low, high, second_high;
};
enum { SUMMED = 256 };

/** The bytes of the leaves of all trees: for each tree the lower ones, and then the upper ones plus 128. */
static void split_leaves(const struct trees* model) {
  size_t tree, leaf;
  for (tree = 0; tree < model->config->trees; tree++) {
    const int16_t* from = model->leaves + tree * LEAVES;
    uint8_t* to = model->tables + tree * 2 * LEAVES;
    for (leaf = 0; leaf < LEAVES; leaf++) {
      to[leaf] = (uint8_t)from[leaf];
      to[LEAVES + leaf] = (uint8_t)((uint16_t)from[leaf] >> 8 ^ 0x80);
    }
  }
}

static inline void add_leaves(struct leaf_sums* sums, mask leaf, const struct trees* model, size_t tree) {
  const uint8_t* table = model->tables + tree * 2 * LEAVES;
#if WIDE == 16
  const mask_bits lows = _mm512_broadcast_i32x4(_mm_loadu_si128((const void*)table));
  const mask_bits highs = _mm512_broadcast_i32x4(_mm_loadu_si128((const void*)(table + LEAVES)));
#elif WIDE >= 8
  const mask_bits lows = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void*)table));
  const mask_bits highs = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void*)(table + LEAVES)));
#else
  const mask_bits lows = _mm_loadu_si128((const void*)table);
  const mask_bits highs = _mm_loadu_si128((const void*)(table + LEAVES));
#endif
  const row_words low = (row_words)M(shuffle_epi8)(lows, (mask_bits)leaf);
  const row_words high = (row_words)M(shuffle_epi8)(highs, (mask_bits)leaf);
  sums->low += low;
  sums->second_low += low >> 8;
  sums->high += high;
  sums->second_high += high >> 8;
}

/** Adds the sums of some trees to those of the rows. */
static inline void write_sums(const struct leaf_sums* sums, size_t trees, int32_t* to) {
  const row_sums excess = (row_sums){0} + (uint32_t)trees * 32768;
  const mask_bits first_low = (mask_bits)(sums->low - (sums->second_low << 8));
  const mask_bits first_high = (mask_bits)(sums->high - (sums->second_high << 8));
  const mask_bits low[2] = {M(unpacklo_epi16)(first_low, (mask_bits)sums->second_low),
                            M(unpackhi_epi16)(first_low, (mask_bits)sums->second_low)};
  const mask_bits high[2] = {M(unpacklo_epi16)(first_high, (mask_bits)sums->second_high),
                             M(unpackhi_epi16)(first_high, (mask_bits)sums->second_high)};
  const mask_bits zero = {0};
  size_t quarter, row, part;
  for (quarter = 0; quarter < 4; quarter++) {
    const mask_bits a = quarter % 2 ? M(unpackhi_epi16)(low[quarter / 2], zero) : M(unpacklo_epi16)(low[quarter / 2], zero);
    const mask_bits b = quarter % 2 ? M(unpackhi_epi16)(high[quarter / 2], zero) : M(unpacklo_epi16)(high[quarter / 2], zero);
    const row_sums sum = (row_sums)a + ((row_sums)b << 8) - excess;
    for (part = 0; part < MASK_BYTES / COMPARED; part++) {
      for (row = 0; row < COMPARED / 4; row++)
        to[part * COMPARED + quarter * (COMPARED / 4) + row] += (int32_t)sum[part * (COMPARED / 4) + row];
    }
  }
}
#undef M
#else
/* Eight rows, in the bytes of an integer. */
enum { MASK_BYTES = 8, COMPARED = 8, SUMMED = 1024 };
typedef uint64_t mask;
static inline mask mask_load(const void* from) {
  mask result;
  memcpy(&result, from, sizeof result);
  return result;
}
static inline mask mask_bit(mask a, int level) { return a & (UINT64_C(0x0101010101010101) << level); }
typedef const float* row_values;
static inline row_values load_values(const float* from) { return from; }
static inline void compare(row_values rows, float threshold, uint8_t* to) {
  int row;
  for (row = 0; row < MASK_BYTES; row++) to[row] = rows[row] > threshold ? 0xff : 0;
}
struct leaf_sums {
  int32_t rows[MASK_BYTES];
};
static void split_leaves(const struct trees* model) { (void)model; }
static inline void add_leaves(struct leaf_sums* sums, mask leaf, const struct trees* model, size_t tree) {
  const int16_t* leaves = model->leaves + tree * LEAVES;
  uint8_t index[MASK_BYTES];
  int row;
  memcpy(index, &leaf, sizeof index);
  for (row = 0; row < MASK_BYTES; row++) sums->rows[row] += leaves[index[row]];
}
static inline void write_sums(const struct leaf_sums* sums, size_t trees, int32_t* to) {
  int row;
  (void)trees;
  for (row = 0; row < MASK_BYTES; row++) to[row] += sums->rows[row];
}
#endif
static inline mask mask_select(mask which, mask zero, mask one) { return zero ^ ((zero ^ one) & which); }

/** Copies rows so that the values of a column are consecutive. */
static void turn_rows(const float* rows, size_t columns, size_t count, float* turned) {
  size_t row = 0;
  size_t column;
#if MMPTX_VECTORS && WIDE >= 8
  for (; row + 8 <= count; row += 8) {
    const float* from = rows + row * columns;
    for (column = 0; column + 4 <= columns; column += 4) {
      float* to = turned + column * TREES_ROWS + row;
      /* Four rows, and in the upper halves the four after them. */
#define BOTH(row) \
  _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + (row) * columns + column)), _mm_loadu_ps(from + ((row) + 4) * columns + column), 1)
      const __m256 a = _mm256_unpacklo_ps(BOTH(0), BOTH(1));
      const __m256 b = _mm256_unpacklo_ps(BOTH(2), BOTH(3));
      const __m256 c = _mm256_unpackhi_ps(BOTH(0), BOTH(1));
      const __m256 d = _mm256_unpackhi_ps(BOTH(2), BOTH(3));
#undef BOTH
      _mm256_storeu_ps(to, _mm256_shuffle_ps(a, b, 0x44));
      _mm256_storeu_ps(to + TREES_ROWS, _mm256_shuffle_ps(a, b, 0xee));
      _mm256_storeu_ps(to + 2 * TREES_ROWS, _mm256_shuffle_ps(c, d, 0x44));
      _mm256_storeu_ps(to + 3 * TREES_ROWS, _mm256_shuffle_ps(c, d, 0xee));
    }
    for (; column < columns; column++) {
      size_t one;
      for (one = 0; one < 8; one++) turned[column * TREES_ROWS + row + one] = from[one * columns + column];
    }
  }
#elif MMPTX_VECTORS && defined(__SSE2__)
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
  leaf |= mask_bit(second, 1);
  if (depth == 2) return leaf;
  /* Node p of a level has the halves before it in the bits of p. */
#define FOUR(from) mask_select(second, mask_select(first, MASK(from), MASK((from) + 1)), mask_select(first, MASK((from) + 2), MASK((from) + 3)))
  third = general ? FOUR(3) : MASK(2);
  leaf |= mask_bit(third, 2);
  if (depth == 3) return leaf;
  return leaf | mask_bit(general ? mask_select(third, FOUR(7), FOUR(11)) : MASK(3), 3);
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

/** Sums up the leaves of MASK_BYTES rows, whose masks begin at `masks`. */
static inline void sum_leaves(const struct trees* model, const uint8_t* masks, int general, int32_t* sums) {
  const size_t trees = model->config->trees;
  const size_t depth = model->config->depth;
  size_t first, tree;
  memset(sums, 0, MASK_BYTES * sizeof *sums);
  for (first = 0; first < trees; first += SUMMED) {
    const size_t end = trees - first < SUMMED ? trees : first + SUMMED;
    struct leaf_sums some;
    memset(&some, 0, sizeof some);
    for (tree = first; tree < end; tree++) {
      const mask leaf = find_leaves(masks, model->nodes + tree * model->tree_nodes, depth, general);
      add_leaves(&some, leaf, model, tree);
    }
    write_sums(&some, end - first, sums);
  }
}

/** Compares up to MASK_BYTES rows, column by column, with all splits; those of a column follow each other. */
static void compare_splits(const float* turned, const int32_t* columns, const float* thresholds, size_t splits, size_t rows, uint8_t* masks) {
  size_t first, split;
  for (first = 0; first < rows && first < MASK_BYTES; first += COMPARED) {
    for (split = 0; split < splits;) {
      const int32_t column = columns[split];
      const row_values some = load_values(turned + (size_t)column * TREES_ROWS + first);
      do {
        compare(some, thresholds[split], masks + split * TREES_ROWS + first);
        split++;
      } while (split < splits && columns[split] == column);
    }
  }
}

static void trees_predict(const struct trees* model, const float* rows, size_t count, const double* state, float* scores) {
  const size_t columns = model->config->columns;
  const size_t splits = (size_t)state[TREES_SPLITS];
  const double mean = state[TREES_MEAN];
  const double unit = state[TREES_UNIT];
  size_t row, first;
  if (count < 4) {
    for (row = 0; row < count; row++) scores[row] = finite_score(mean + sum_row(model, rows + row * columns) * unit, 0);
    return;
  }
  split_leaves(model);
  for (; count > 0; rows += TREES_ROWS * columns, scores += TREES_ROWS) {
    const size_t size = count < TREES_ROWS ? count : TREES_ROWS;
    turn_rows(rows, columns, size, model->turned);
    for (first = 0; first < size; first += MASK_BYTES) {
      uint8_t* masks = model->masks + first;
      int32_t* sums = model->sums + first;
      compare_splits(model->turned + first, model->columns, model->thresholds, splits, size - first, masks);
      if (model->config->general) sum_leaves(model, masks, 1, sums);
      else sum_leaves(model, masks, 0, sums);
    }
    for (row = 0; row < size; row++) scores[row] = finite_score(mean + model->sums[row] * unit, 0);
    count -= size;
  }
}
