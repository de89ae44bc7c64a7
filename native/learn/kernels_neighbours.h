/* Nearest neighbours by comparing with every row; src/neighbours/javascript.ts of the package is the same in TypeScript. Vectors go
 * across rows, never across what is summed up. Part of kernels.c. */

enum { ROW_VECTORS = NEIGHBOURS_BLOCK / WIDE };

/** Puts a row among the neighbours, of which those up to place `end` may move up. */
static void insert_neighbour(float* nearest, uint32_t* ages, size_t end, float distance, size_t age) {
  size_t at = end;
  for (; at > 0 && nearest[at - 1] > distance; at--) {
    nearest[at] = nearest[at - 1];
    ages[at] = ages[at - 1];
  }
  nearest[at] = distance;
  ages[at] = (uint32_t)age;
}

/** Considers the rows of a block as neighbours of a query. */
static void consider_block(float* nearest, uint32_t* ages, size_t k, const wide* distances, size_t age, size_t count) {
  float lanes[NEIGHBOURS_BLOCK];
  size_t part, lane;
  if (age >= k) {
    const wide last = wide_splat(nearest[k - 1]);
    int any = 0;
    for (part = 0; part < ROW_VECTORS; part++) any |= wide_any_below(distances[part], last);
    if (!any) return;
  }
  for (part = 0; part < ROW_VECTORS; part++) wide_store(lanes + part * WIDE, distances[part]);
  for (lane = 0; lane < NEIGHBOURS_BLOCK && age + lane < count; lane++) {
    if (age + lane < k) insert_neighbour(nearest, ages, age + lane, lanes[lane], age + lane);
    else if (lanes[lane] < nearest[k - 1]) insert_neighbour(nearest, ages, k - 1, lanes[lane], age + lane);
  }
}

static void neighbours_find(const struct neighbours* model, size_t queries, size_t count) {
  const size_t columns = model->config->columns;
  const size_t k = model->config->k;
  const wide most = wide_splat(FLT_MAX);
  size_t age, column, query, part;
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
      consider_block(model->nearest + query * k, model->ages + query * k, k, sums[query], age, count);
    }
  }
}
