/* Nearest neighbours by comparing with every row; src/neighbours/javascript.ts of the package is the same in TypeScript. Vectors go
 * across rows, never across what is summed up. Part of kernels.c. */

enum { ROW_VECTORS = NEIGHBOURS_BLOCK / WIDE };

/** The index of the lowest bit that is set. */
static inline unsigned lowest_bit(unsigned bits) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctz(bits);
#else
  unsigned index = 0;
  while (!(bits >> index & 1)) index++;
  return index;
#endif
}

/** Puts a row among the `k` neighbours, after those that are as near. The place before the first has a distance below all others. */
static inline void insert_neighbour(float* nearest, uint32_t* ages, size_t k, float distance, size_t age) {
#if MMPTX_VECTORS
  size_t at = (k - 1) / WIDE * WIDE;
  uint32_t bits = (uint32_t)age;
  float as_float;
  memcpy(&as_float, &bits, sizeof bits);
  wide_insert(nearest + at, (float*)ages + at, distance, as_float);
  while (nearest[at - 1] > distance) {
    at -= WIDE;
    wide_insert(nearest + at, (float*)ages + at, distance, as_float);
  }
#else
  size_t at = k - 1;
  for (; nearest[at - 1] > distance; at--) {
    nearest[at] = nearest[at - 1];
    ages[at] = ages[at - 1];
  }
  nearest[at] = distance;
  ages[at] = (uint32_t)age;
#endif
}

/** Considers the rows of a block as neighbours of a query. */
static inline void consider_block(float* nearest, uint32_t* ages, size_t k, const wide* distances, size_t age, size_t count) {
  const wide last = wide_splat(nearest[k - 1]);
  float lanes[NEIGHBOURS_BLOCK];
  unsigned near = 0;
  size_t part;
  for (part = 0; part < ROW_VECTORS; part++) near |= wide_below(distances[part], last) << (part * WIDE);
  if (count - age < NEIGHBOURS_BLOCK) near &= (1u << (count - age)) - 1;
  if (near == 0) return;
  for (part = 0; part < ROW_VECTORS; part++) wide_store(lanes + part * WIDE, distances[part]);
  do {
    unsigned lane = lowest_bit(near);
    if (lanes[lane] < nearest[k - 1]) insert_neighbour(nearest, ages, k, lanes[lane], age + lane);
    near &= near - 1;
  } while (near != 0);
}

static void neighbours_find(const struct neighbours* model, size_t queries, size_t count) {
  const size_t columns = model->config->columns;
  const size_t k = model->config->k;
  const wide most = wide_splat(FLT_MAX);
  const size_t stride = neighbours_stride(k);
  size_t age, column, query, part;
  for (query = 0; query < queries; query++) {
    float* nearest = model->nearest + query * stride;
    nearest[-1] = -1;
    for (column = 0; column < k; column++) nearest[column] = INFINITY;
  }
  for (age = 0; age < count; age += NEIGHBOURS_BLOCK) {
    const float* row = model->rows + age * columns;
    wide sums[QUERIES][ROW_VECTORS];
    for (query = 0; query < QUERIES; query++) {
      for (part = 0; part < ROW_VECTORS; part++) sums[query][part] = wide_splat(0);
    }
    for (column = 0; column < columns; column++, row += NEIGHBOURS_BLOCK) {
      for (part = 0; part < ROW_VECTORS; part++) {
        const wide values = wide_load(row + part * WIDE);
        for (query = 0; query < QUERIES; query++) {
          const wide difference = wide_sub(wide_splat(model->queries[query * columns + column]), values);
          sums[query][part] = wide_add(sums[query][part], wide_mul(difference, difference));
        }
      }
    }
    for (query = 0; query < queries; query++) {
      for (part = 0; part < ROW_VECTORS; part++) sums[query][part] = wide_at_most(sums[query][part], most);
      consider_block(model->nearest + query * stride, model->ages + query * stride, k, sums[query], age, count);
    }
  }
}
