/* Grows trees, oblivious and general; src/trees/javascript.ts of the package is the same in TypeScript. Part of kernels.c. */

enum { DIGIT_BITS = 11 };
#define SIGN 0x80000000u

static void sort_keys(const struct trees* model, size_t count) {
  uint32_t* from = model->keys;
  uint32_t* to = model->other_keys;
  uint32_t* digits = model->digits;
  size_t index;
  unsigned shift;
  for (index = 0; index < count; index++) from[index] = from[index] & SIGN ? ~from[index] : from[index] | SIGN;
  for (shift = 0; shift < 32; shift += DIGIT_BITS) {
    uint32_t start = 0;
    uint32_t* swapped;
    memset(digits, 0, DIGITS * sizeof *digits);
    for (index = 0; index < count; index++) digits[(from[index] >> shift) & (DIGITS - 1)]++;
    for (index = 0; index < DIGITS; index++) {
      uint32_t size = digits[index];
      digits[index] = start;
      start += size;
    }
    for (index = 0; index < count; index++) to[digits[(from[index] >> shift) & (DIGITS - 1)]++] = from[index];
    swapped = from;
    from = to;
    to = swapped;
  }
  for (index = 0; index < count; index++) to[index] = from[index] & SIGN ? from[index] & ~SIGN : ~from[index];
}

/** Edges between the sorted values; returns their number. */
static size_t choose_edges(const float* keys, float* edges, size_t bins, size_t count) {
  size_t distinct = 1;
  size_t found = 0;
  size_t last = 0;
  size_t steps;
  size_t step;
  size_t index;
  for (index = 1; index < count; index++) distinct += keys[index] > keys[index - 1];
  steps = distinct <= bins ? count : bins;
  for (step = 1; step < steps; step++) {
    size_t upper = (size_t)((uint64_t)step * count / steps);
    float value;
    float next;
    float middle;
    if (upper <= last) continue;
    value = keys[upper - 1];
    while (upper < count && keys[upper] == value) upper++;
    if (upper == count) break;
    last = upper;
    next = keys[upper];
    middle = (float)((double)value * 0.5 + (double)next * 0.5);
    edges[found++] = middle < next ? middle : value;
  }
  return found;
}

/** The bin of each value: the number of edges below it. */
static void bin_values(const float* values, const float* edges, size_t edge_count, uint8_t* binned, size_t stride, size_t count) {
  enum { GROUP = 32 };
  size_t row;
  for (row = 0; row < count; row += GROUP) {
    int32_t above[GROUP] = {0};
    float group[GROUP] = {0};
    size_t size = count - row < GROUP ? count - row : GROUP;
    size_t edge;
    size_t index;
    memcpy(group, values + row, size * sizeof *values);
    for (edge = 0; edge < edge_count; edge++) {
      for (index = 0; index < GROUP; index++) above[index] += group[index] > edges[edge];
    }
    for (index = 0; index < size; index++) binned[(row + index) * stride] = (uint8_t)above[index];
  }
}

static void trees_bin(const struct trees* model, size_t column, size_t count) {
  size_t bins = model->config->bins;
  float* edges = model->edges + column * bins;
  sort_keys(model, count);
  model->edge_counts[column] = (uint32_t)choose_edges((const float*)model->keys, edges, bins, count);
  bin_values((const float*)model->entries, edges, model->edge_counts[column], model->binned + column, model->config->columns, count);
}

/** Adds the entries of rows to the bins of their columns. */
LANES_INLINE void add_entries(const struct trees* model, int64_t* histogram, size_t bins, const uint32_t* order, size_t count) {
  size_t columns = model->config->columns;
  size_t index;
  for (index = 0; index < count; index++) {
    size_t row = order[index];
    int64_t entry = model->entries[row];
    const uint8_t* values = model->binned + row * columns;
    int64_t* at = histogram;
    size_t column = 0;
    for (; column + 8 <= columns; column += 8, at += 8 * bins) {
      at[values[column]] += entry;
      at[bins + values[column + 1]] += entry;
      at[2 * bins + values[column + 2]] += entry;
      at[3 * bins + values[column + 3]] += entry;
      at[4 * bins + values[column + 4]] += entry;
      at[5 * bins + values[column + 5]] += entry;
      at[6 * bins + values[column + 6]] += entry;
      at[7 * bins + values[column + 7]] += entry;
    }
    for (; column < columns; column++, at += bins) at[values[column]] += entry;
  }
}

/** The histogram of rows, in a slot. */
static void sum_rows(const struct trees* model, size_t slot, size_t start, size_t end) {
  size_t bins = model->config->bins;
  size_t size = model->config->columns * bins;
  int64_t* histogram = model->histograms + slot * size;
  memset(histogram, 0, size * sizeof *histogram);
  /* The usual number of bins is a constant of its loop. */
  if (bins == 32) add_entries(model, histogram, 32, model->order + start, end - start);
  else add_entries(model, histogram, bins, model->order + start, end - start);
}

/**
 * A random word for 32 rows and a pair of trees: bit `row & 31` is the tree of the pair that learns its splits from a row. Mixes as
 * Wellons' lowbias32 does.
 */
static inline uint32_t halves_of(size_t pair, size_t row) {
  uint32_t word = (uint32_t)(pair * MOST_WORDS + row / 32) + 0x9e3779b9u;
  word = (word ^ (word >> 16)) * 0x7feb352du;
  word = (word ^ (word >> 15)) * 0x846ca68bu;
  return word ^ (word >> 16);
}

/** Limits the residuals, puts the rows that a tree learns its splits from into one leaf, and sums up its histogram. */
static void begin_tree(const struct trees* model, size_t tree, size_t count) {
  size_t learned = 0;
  uint32_t word = 0;
  size_t row;
  for (row = 0; row < count; row++) {
    int32_t residual = model->residuals[row];
    residual = residual > MOST_RESIDUAL ? MOST_RESIDUAL : residual;
    residual = residual < -MOST_RESIDUAL ? -MOST_RESIDUAL : residual;
    model->entries[row] = ((int64_t)1 << COUNT_SHIFT) + residual;
    if (row % 32 == 0) word = model->config->all_rows ? 0 : halves_of(tree / 2, row) ^ (uint32_t)-(int32_t)(tree & 1);
    model->order[learned] = (uint32_t)row;
    learned += 1 - (word & 1);
    word >>= 1;
  }
  model->segments[0] = 0;
  model->segments[LEAVES] = (uint32_t)learned;
  model->slots[0] = 0;
  sum_rows(model, 0, 0, learned);
}

struct split {
  size_t column;
  size_t bin;
};

/** The squared sum of residuals over their count and lambda. A sum of residuals has 32 bits, and a count fewer than that. */
static inline double gain_of(const struct trees* model, int64_t entry) {
  uint64_t rounded = (uint64_t)(entry + ((int64_t)1 << (COUNT_SHIFT - 1)));
  double sum = (double)(int32_t)(uint32_t)rounded;
  return sum * sum * model->reciprocals[rounded >> COUNT_SHIFT];
}

/** Adds the gains of a leaf to those of each bin. What is looked up and what has divisions are loops apart, for vectors. */
static void add_gains(const struct trees* model, const int64_t* histogram, int64_t all, size_t edges, double* gains) {
  const double* reciprocals = model->reciprocals;
  const int64_t half = (int64_t)1 << (COUNT_SHIFT - 1);
  double low_shares[256], high_shares[256];
  int32_t low_sums[256], high_sums[256];
  int64_t below = half;
  int64_t above = all + half;
  size_t bin;
  for (bin = 0; bin < edges; bin++) {
    below += histogram[bin];
    above -= histogram[bin];
    low_shares[bin] = reciprocals[(uint64_t)below >> COUNT_SHIFT];
    high_shares[bin] = reciprocals[(uint64_t)above >> COUNT_SHIFT];
    low_sums[bin] = (int32_t)(uint32_t)below;
    high_sums[bin] = (int32_t)(uint32_t)above;
  }
  for (bin = 0; bin < edges; bin++) {
    double low = (double)low_sums[bin];
    double high = (double)high_sums[bin];
    gains[bin] += low * low * low_shares[bin] + high * high * high_shares[bin];
  }
}

/** The sum of all entries of a leaf, which any column has. */
static void total_leaf(const struct trees* model, size_t leaf) {
  const int64_t* histogram = model->histograms + (size_t)model->slots[leaf] * model->config->columns * model->config->bins;
  int64_t all = 0;
  size_t bin;
  for (bin = 0; bin <= model->edge_counts[0]; bin++) all += histogram[bin];
  model->totals[leaf] = all;
}

/**
 * Finds the split of leaves with the largest gain, which is the first of equal ones. If none gains anything, it is the last bin of the
 * first column, which no row is above.
 */
static struct split find_split(const struct trees* model, size_t first, size_t end) {
  size_t columns = model->config->columns;
  size_t bins = model->config->bins;
  struct split split;
  double best = 0;
  size_t leaf, column, bin;
  split.column = 0;
  split.bin = bins - 1;
  for (leaf = first; leaf < end; leaf++) best += gain_of(model, model->totals[leaf]);
  for (column = 0; column < columns; column++) {
    size_t edges = model->edge_counts[column];
    memset(model->gains, 0, edges * sizeof *model->gains);
    for (leaf = first; leaf < end; leaf++) {
      const int64_t* histogram = model->histograms + (model->slots[leaf] * columns + column) * bins;
      add_gains(model, histogram, model->totals[leaf], edges, model->gains);
    }
    for (bin = 0; bin < edges; bin++) {
      if (model->gains[bin] > best) {
        best = model->gains[bin];
        split.column = column;
        split.bin = bin;
      }
    }
  }
  return split;
}

/** Divides the rows of a leaf: those up to the edge stay. Both keep their order. */
static void divide_leaf(const struct trees* model, size_t leaf, size_t right, struct split split) {
  uint32_t* order = model->order;
  uint32_t* other = model->other_order;
  const uint8_t* binned = model->binned + split.column;
  size_t columns = model->config->columns;
  size_t start = model->segments[leaf];
  size_t end = model->segments[LEAVES + leaf];
  size_t low = start;
  size_t high = 0;
  size_t index;
  for (index = start; index < end; index++) {
    uint32_t row = order[index];
    size_t above = binned[row * columns] > split.bin;
    order[low] = row;
    other[high] = row;
    low += 1 - above;
    high += above;
  }
  memcpy(order + low, other, high * sizeof *order);
  model->segments[LEAVES + leaf] = (uint32_t)low;
  model->segments[right] = (uint32_t)low;
  model->segments[LEAVES + right] = (uint32_t)end;
}

/** The histograms of the two halves of a leaf: that of the smaller is summed up, and the other is the rest. */
static void subtract_leaf(const struct trees* model, size_t leaf, size_t right) {
  size_t size = (size_t)model->config->columns * model->config->bins;
  const uint32_t* segments = model->segments;
  uint32_t parent = model->slots[leaf];
  int is_right = segments[LEAVES + right] - segments[right] <= segments[LEAVES + leaf] - segments[leaf];
  size_t smaller = is_right ? right : leaf;
  int64_t* from = model->histograms + parent * size;
  const int64_t* part = model->histograms + right * size;
  size_t index;
  sum_rows(model, right, segments[smaller], segments[LEAVES + smaller]);
  for (index = 0; index < size; index++) from[index] -= part[index];
  model->slots[leaf] = is_right ? parent : (uint32_t)right;
  model->slots[right] = is_right ? (uint32_t)right : parent;
}

/** The leaf of each row of a tree, which is in `other_order` then, and the sums of all entries of each leaf. */
static void assign_rows(const struct trees* model, const struct split* splits, size_t count, int64_t* sums) {
  const size_t columns = model->config->columns;
  const size_t depth = model->config->depth;
  const int general = model->config->general != 0;
  uint32_t* leaf_of = model->other_order;
  size_t row, level;
  for (row = 0; row < count; row++) {
    const uint8_t* values = model->binned + row * columns;
    size_t leaf = 0;
    for (level = 0; level < depth; level++) {
      const struct split split = splits[general ? ((size_t)1 << level) - 1 + leaf : level];
      leaf |= (size_t)(values[split.column] > split.bin) << level;
    }
    leaf_of[row] = (uint32_t)leaf;
    sums[leaf] += model->entries[row];
  }
}

/** The values of the leaves, from all rows, and what these no longer need to reach. */
static void settle_leaves(const struct trees* model, size_t tree, const struct split* splits, size_t count) {
  int64_t sums[LEAVES] = {0};
  int32_t values[LEAVES];
  const int64_t half = (int64_t)1 << (COUNT_SHIFT - 1);
  size_t leaf, row;
  assign_rows(model, splits, count, sums);
  for (leaf = 0; leaf < LEAVES; leaf++) {
    size_t size = (size_t)((sums[leaf] + half) >> COUNT_SHIFT);
    int64_t sum = sums[leaf] - ((int64_t)size << COUNT_SHIFT);
    double exact = model->config->rate * (double)sum * model->reciprocals[size] + 0.5;
    values[leaf] = (int32_t)exact;
    values[leaf] -= exact < values[leaf];
    model->leaves[tree * LEAVES + leaf] = (int16_t)values[leaf];
  }
  for (row = 0; row < count; row++) model->residuals[row] -= values[model->other_order[row]];
}

static void trees_grow(const struct trees* model, size_t count) {
  size_t depth = model->config->depth;
  size_t bins = model->config->bins;
  int general = model->config->general != 0;
  size_t tree, level, leaf, node;
  for (tree = 0; tree < model->config->trees; tree++) {
    struct split splits[LEAVES];
    begin_tree(model, tree, count);
    for (level = 0; level < depth; level++) {
      size_t half = (size_t)1 << level;
      for (leaf = 0; leaf < half; leaf++) total_leaf(model, leaf);
      if (!general) splits[level] = find_split(model, 0, half);
      for (leaf = 0; leaf < half; leaf++) {
        node = general ? half - 1 + leaf : level;
        if (general) splits[node] = find_split(model, leaf, leaf + 1);
        if (level + 1 == depth) continue;
        divide_leaf(model, leaf, leaf + half, splits[node]);
        subtract_leaf(model, leaf, leaf + half);
      }
    }
    for (node = 0; node < model->tree_nodes; node++)
      model->nodes[tree * model->tree_nodes + node] = (int32_t)(splits[node].column * bins + splits[node].bin);
    settle_leaves(model, tree, splits, count);
  }
}
