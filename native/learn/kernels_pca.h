/* Sums and products of principal components in f64; src/pca/javascript.ts of the package is the same in TypeScript. Vectors go across
 * columns, never across what is summed up. Part of kernels.c. */

#define WIDE64 (WIDE / 2)
#if MMPTX_VECTORS
typedef double wide64 __attribute__((vector_size(8 * WIDE64)));
#else
typedef struct {
  double lane[WIDE64];
} wide64;
#endif

LANES_INLINE wide64 load64(const double* from) {
  wide64 result;
  memcpy(&result, from, sizeof result);
  return result;
}

LANES_INLINE void store64(double* to, wide64 a) { memcpy(to, &a, sizeof a); }

/** sum + a * b, rounded twice. */
LANES_INLINE wide64 add_product(wide64 sum, double a, wide64 b) {
#if MMPTX_VECTORS
  return sum + a * b;
#else
  int i;
  for (i = 0; i < WIDE64; i++) sum.lane[i] += a * b.lane[i];
  return sum;
#endif
}

enum { EXPONENT_BITS = 23 };
/** The exponent of 1, and that of the scale that makes values of the exponent 0 those of 1. */
enum { ONE = 127, SCALED = 2 * ONE - 1 };
#define INFINITE_BITS 0x7f800000u

/** The bits of the largest distance of a value from the shift. */
static uint32_t largest_bits(const struct pca* model, const float* rows, size_t count, float factor) {
  const size_t columns = model->config->columns;
  const wide factors = wide_splat(factor);
  wide most[4], least[4];
  float above[WIDE], below[WIDE];
  float largest = 0;
  uint32_t bits;
  size_t column, row;
  int part;
  for (part = 0; part < 4; part++) most[part] = least[part] = wide_splat(0);
  for (column = 0; column + WIDE <= columns; column += WIDE) {
    const wide shift = wide_mul(wide_load(model->shift + column), factors);
    for (row = 0; row < count; row += 4) {
      for (part = 0; part < 4; part++) {
        /* The last row again in place of rows that do not exist. */
        const size_t from = row + (size_t)part < count ? row + (size_t)part : count - 1;
        const wide difference = wide_sub(wide_mul(wide_load(rows + from * columns + column), factors), shift);
        most[part] = wide_at_least(most[part], difference);
        least[part] = wide_at_most(least[part], difference);
      }
    }
  }
  for (part = 0; part < 4; part++) {
    wide_store(above, most[part]);
    wide_store(below, least[part]);
    for (row = 0; row < WIDE; row++) {
      largest = above[row] > largest ? above[row] : largest;
      largest = -below[row] > largest ? -below[row] : largest;
    }
  }
  for (; column < columns; column++) {
    for (row = 0; row < count; row++) {
      const float distance = fabsf(rows[row * columns + column] * factor - model->shift[column] * factor);
      largest = distance > largest ? distance : largest;
    }
  }
  memcpy(&bits, &largest, sizeof bits);
  return bits;
}

/** Copies rows relative to the shift, and so that the largest of the values is about 1, into the block; returns what 1 is then. */
static double scale_block(const struct pca* model, const float* rows, size_t count) {
  const size_t columns = model->config->columns;
  /* Differences of the largest values are no f32, but a quarter of these is. */
  float factor = 1;
  uint32_t largest = largest_bits(model, rows, count, factor);
  int exponent;
  uint32_t bits;
  float scale;
  size_t row, column;
  if (largest == INFINITE_BITS) {
    factor = 0.25f;
    largest = largest_bits(model, rows, count, factor);
  }
  exponent = SCALED - (int)(largest >> EXPONENT_BITS);
  exponent = exponent > SCALED ? SCALED : exponent < 1 ? 1 : exponent;
  bits = (uint32_t)exponent << EXPONENT_BITS;
  memcpy(&scale, &bits, sizeof scale);
  for (row = 0; row < count; row++, rows += columns) {
    float* to = model->block + row * model->stride;
    for (column = 0; column < columns; column++) to[column] = (rows[column] * factor - model->shift[column] * factor) * scale;
    for (; column < model->stride; column++) to[column] = 0;
  }
  return 1 / (double)scale / (double)factor;
}

static void pca_add(const struct pca* model, const float* rows, size_t count) {
  size_t stride = model->stride;
  size_t columns = model->config->columns;
  double unit = scale_block(model, rows, count);
  double square = unit * unit;
  size_t column, at;
  sum_columns(model->block, stride, count, model->block_sums, 0);
  sum_products(model->block, stride, columns, model->block, stride, stride, count, model->block_products, 1, 0);
  for (column = 0; column < stride; column++) model->sums[column] += (double)model->block_sums[column] * unit;
  for (column = 0; column < columns; column++) {
    double* to = model->products + column * stride;
    const float* from = model->block_products + column * stride;
    for (at = column & ~(size_t)3; at < stride; at++) to[at] += (double)from[at] * square;
  }
}

static void pca_multiply(const double* factors, size_t terms, const double* rows, size_t stride, double* to) {
  const double zeros[WIDE64] = {0};
  const wide64 zero = load64(zeros);
  size_t at = 0;
  size_t row;
  for (; at + 4 * WIDE64 <= stride; at += 4 * WIDE64) {
    const double* base = rows + at;
    wide64 sums[4] = {zero, zero, zero, zero};
    int part;
    for (row = 0; row < terms; row++, base += stride) {
      for (part = 0; part < 4; part++) sums[part] = add_product(sums[part], factors[row], load64(base + part * WIDE64));
    }
    for (part = 0; part < 4; part++) store64(to + at + part * WIDE64, sums[part]);
  }
  for (; at < stride; at++) {
    double sum = 0;
    for (row = 0; row < terms; row++) sum += factors[row] * rows[row * stride + at];
    to[at] = sum;
  }
}
