/* Boosted trees: the passes of a fit and of a prediction, and saved models. kernels_trees.h has what takes time. */
#include "kernels.h"

/** Labels are limited to this many deviations from their mean, which is the range of a residual. */
#define RANGE 5.0
enum { TREES_NUMBERS = 13 };

static size_t nodes_of(const mmptx_learn_trees_config* config) {
  return config->general ? ((size_t)1 << config->depth) - 1 : config->depth;
}

/** The most different splits of a model: one has no rows above it, for nodes that are not split. */
static size_t most_splits(const mmptx_learn_trees_config* config) {
  size_t nodes = config->trees * nodes_of(config);
  size_t edges = (size_t)config->columns * (config->bins - 1) + 1;
  return nodes < edges ? nodes : edges;
}

/** What evaluates rows, from `at` on. */
static size_t place_trees_own(const mmptx_learn_trees_config* config, size_t at, char* base, struct trees* model) {
  PLACE(model->turned, (size_t)TREES_ROWS * config->columns, float);
  PLACE(model->masks, most_splits(config) * TREES_ROWS, uint8_t);
  PLACE(model->sums, TREES_ROWS, int32_t);
  PLACE(model->tables, (size_t)config->trees * 2 * LEAVES, uint8_t);
  return at;
}

static size_t trees_worker_bytes(const mmptx_learn_trees_config* config) { return place_trees_own(config, 0, NULL, NULL); }

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place_trees(const mmptx_learn_trees_config* config, void* memory, struct trees* model) {
  size_t at = HEAD_BYTES;
  size_t columns = config->columns;
  size_t capacity = config->capacity;
  size_t trees = config->trees;
  size_t bins = config->bins;
  size_t splits = most_splits(config);
  size_t most_leaves = (size_t)1 << (config->depth - 1);
  struct trees here;
  char* base = memory;
  memset(&here, 0, sizeof here);
  here.config = config;
  here.tree_nodes = nodes_of(config);
  PART(keys, capacity, uint32_t);
  PART(other_keys, capacity, uint32_t);
  PART(digits, DIGITS, uint32_t);
  PART(binned, capacity * columns, uint8_t);
  PART(edges, columns * bins, float);
  PART(edge_counts, columns, uint32_t);
  PART(residuals, capacity, int32_t);
  PART(entries, capacity, int64_t);
  PART(order, capacity, uint32_t);
  PART(other_order, capacity, uint32_t);
  PART(segments, 2 * LEAVES, uint32_t);
  /* The other backends have the columns and the bins of a tree's nodes here. */
  add_part(&at, 2 * LEAVES, sizeof(uint32_t));
  PART(histograms, most_leaves * columns * bins, int64_t);
  PART(slots, LEAVES, uint32_t);
  PART(totals, LEAVES, int64_t);
  PART(gains, bins, double);
  PART(reciprocals, capacity + 1, double);
  PART(nodes, trees * here.tree_nodes, int32_t);
  PART(columns, splits, int32_t);
  PART(thresholds, splits, float);
  PART(leaves, trees * LEAVES, int16_t);
  PART(split_of_bin, columns * bins, int32_t);
  /* The other backends copy rows here, in blocks. */
  add_part(&at, TREES_BLOCK * columns, sizeof(float));
  add_part(&at, TREES_LANES * columns, sizeof(float));
  add_part(&at, splits, TREES_LANES);
  add_part(&at, TREES_BLOCK, sizeof(int32_t));
  at = place_trees_own(config, at, base, &here);
  if (model != NULL) *model = here;
  return at;
}

static struct trees trees_of(const void* memory) {
  struct trees model;
  place_trees(&head_of(memory)->config.trees, (void*)memory, &model);
  return model;
}

mmptx_learn_trees_config mmptx_learn_trees_defaults(uint32_t columns, uint32_t capacity) {
  mmptx_learn_trees_config config = {0, 0, 100, 4, 32, 0, 0, 0, 0.1, 3};
  config.columns = columns;
  config.capacity = capacity;
  return config;
}

size_t mmptx_learn_trees_bytes(const mmptx_learn_trees_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 4096 || config->capacity < 1 || config->capacity > 65536 ||
      config->trees < 1 || config->trees > 1024 || config->depth < 1 || config->depth > LEVELS || config->bins < 2 ||
      config->bins > 256 || config->best_tenth > 1 || config->general > 1 || config->all_rows > 1 ||
      !(config->rate >= 1.0 / 1024 && config->rate <= 1) ||
      !(config->lambda >= 1.0 / 1024 && config->lambda <= 1048576))
    return 0;
  return place_trees(config, NULL, NULL);
}

int mmptx_learn_trees_init(void* memory, size_t bytes, const mmptx_learn_trees_config* config) {
  struct trees model;
  size_t count;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = begin_model(memory, bytes, KIND_TREES, mmptx_learn_trees_bytes(config));
  if (status != MMPTX_LEARN_OK) return status;
  head_of(memory)->config.trees = *config;
  model = trees_of(memory);
  for (count = 0; count <= config->capacity; count++) model.reciprocals[count] = 1 / ((double)count + config->lambda);
  /* The last bin has no edge. No value is above that of the first column, for nodes that are not split. */
  model.edges[config->bins - 1] = INFINITY;
  return MMPTX_LEARN_OK;
}

/** The largest whole number that is not above a value of up to 2^52. */
static int64_t whole_below(double value) {
  int64_t whole = (int64_t)value;
  return whole - (value < (double)whole);
}

/** The least label of the best tenth: the k-th of the labels by quickselect, in the room for keys. */
static float best_tenth(const struct trees* model, const mmptx_learn_rows* rows) {
  float* labels = (float*)model->keys;
  size_t count = rows->count;
  size_t tenth = (count + 5) / 10 > 1 ? (count + 5) / 10 : 1;
  size_t rank = count - tenth;
  size_t low = 0;
  size_t high = count - 1;
  size_t age;
  for (age = 0; age < count; age++) labels[age] = rows->labels[place_of(rows, age)];
  while (low < high) {
    float pivot = labels[low + (high - low) / 2];
    size_t left = low;
    size_t right = high;
    for (;;) {
      while (labels[left] < pivot) left++;
      while (pivot < labels[right]) right--;
      if (left >= right) break;
      {
        float swapped = labels[left];
        labels[left++] = labels[right];
        labels[right--] = swapped;
      }
    }
    if (rank <= right) high = right;
    else low = right + 1;
  }
  return labels[rank];
}

/** Labels as residuals in units of the range. */
static void take_labels(const struct trees* model, const mmptx_learn_rows* rows, double* state) {
  size_t count = rows->count;
  size_t age;
  double sum = 0;
  double squares = 0;
  double deviation;
  float threshold = model->config->best_tenth ? best_tenth(model, rows) : 0;
#define LABEL(age) \
  (model->config->best_tenth ? (double)(rows->labels[place_of(rows, age)] >= threshold) : (double)rows->labels[place_of(rows, age)])
  for (age = 0; age < count; age++) sum += LABEL(age);
  state[TREES_MEAN] = sum / (double)count;
  for (age = 0; age < count; age++) {
    double difference = LABEL(age) - state[TREES_MEAN];
    squares += difference * difference;
  }
  deviation = sqrt(squares / (double)count);
  state[TREES_UNIT] = RANGE * deviation / MOST_RESIDUAL;
  for (age = 0; age < count; age++) {
    int64_t residual = deviation == 0 ? 0 : whole_below((LABEL(age) - state[TREES_MEAN]) / state[TREES_UNIT] + 0.5);
    if (residual > MOST_RESIDUAL) residual = MOST_RESIDUAL;
    if (residual < -MOST_RESIDUAL) residual = -MOST_RESIDUAL;
    model->residuals[age] = (int32_t)residual;
  }
#undef LABEL
}

/** Numbers the splits of all nodes by column and bin, and replaces the bins of nodes by these numbers; returns how many there are. */
static int32_t collect_splits(const struct trees* model) {
  size_t bins = model->config->bins;
  size_t all = model->config->columns * bins;
  size_t nodes = model->config->trees * model->tree_nodes;
  size_t node, bin;
  int32_t split = 0;
  memset(model->split_of_bin, 0, all * sizeof *model->split_of_bin);
  for (node = 0; node < nodes; node++) model->split_of_bin[model->nodes[node]] = 1;
  for (bin = 0; bin < all; bin++) {
    if (model->split_of_bin[bin] == 0) continue;
    model->split_of_bin[bin] = split;
    model->columns[split] = (int32_t)(bin / bins);
    model->thresholds[split] = model->edges[bin];
    split++;
  }
  for (node = 0; node < nodes; node++) model->nodes[node] = model->split_of_bin[model->nodes[node]];
  return split;
}

int mmptx_learn_trees_fit(void* memory, const mmptx_learn_rows* rows) {
  struct trees model;
  size_t column;
  size_t age;
  int status = check_model(memory, KIND_TREES);
  if (status != MMPTX_LEARN_OK) return status;
  model = trees_of(memory);
  status = check_rows(rows, model.config->columns, model.config->capacity);
  if (status != MMPTX_LEARN_OK) return status;
  take_labels(&model, rows, head_of(memory)->state);
  for (column = 0; column < model.config->columns; column++) {
    float* keys = (float*)model.keys;
    float* values = (float*)model.entries;
    for (age = 0; age < rows->count; age++) {
      values[age] = rows->values[place_of(rows, age) * model.config->columns + column];
      /* The sum makes a positive zero of a negative one, which has other bits. */
      keys[age] = values[age] + 0.0f;
    }
    kernels()->trees_bin(&model, column, rows->count);
  }
  kernels()->trees_grow(&model, rows->count);
  head_of(memory)->state[TREES_SPLITS] = collect_splits(&model);
  head_of(memory)->state[TREES_LEARNED] = (double)rows->count;
  return MMPTX_LEARN_OK;
}

/** The rows of a call that have each thread pay for itself. */
enum { TREES_LEAST = 1024 };

struct trees_call {
  const struct trees* model;
  const double* state;
  const float* rows;
  float* scores;
};

static void trees_range(void* data, char* memory, size_t first, size_t end) {
  const struct trees_call* call = data;
  struct trees model = *call->model;
  if (memory != NULL) place_trees_own(model.config, 0, memory, &model);
  kernels()->trees_predict(&model, call->rows + first * model.config->columns, end - first, call->state, call->scores + first);
}

int mmptx_learn_trees_predict(void* memory, const float* rows, size_t count, float* scores, const mmptx_learn_workers* workers) {
  struct trees model;
  struct trees_call call;
  int status = check_model(memory, KIND_TREES);
  if (status != MMPTX_LEARN_OK) return status;
  call.state = head_of(memory)->state;
  if (call.state[TREES_LEARNED] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = trees_of(memory);
  status = check_values(rows, count, model.config->columns, 0);
  if (status == MMPTX_LEARN_OK) status = check_workers(workers, memory);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (scores == NULL) return MMPTX_LEARN_NULL;
  call.model = &model;
  call.rows = rows;
  call.scores = scores;
  divide(workers, count, TREES_LEAST, trees_worker_bytes(model.config), trees_range, &call);
  return MMPTX_LEARN_OK;
}

static size_t trees_words(const mmptx_learn_trees_config* config, double splits) {
  return 2 * (size_t)splits + config->trees * (nodes_of(config) + LEAVES / 2);
}

size_t mmptx_learn_trees_saved_bytes(const void* memory) {
  if (check_model(memory, KIND_TREES) != MMPTX_LEARN_OK || head_of(memory)->state[TREES_LEARNED] == 0) return 0;
  return saved_bytes(TREES_NUMBERS, trees_words(&head_of(memory)->config.trees, head_of(memory)->state[TREES_SPLITS]));
}

int mmptx_learn_trees_save(const void* memory, void* saved, size_t bytes) {
  struct trees model;
  struct writer writer;
  const mmptx_learn_trees_config* config;
  const double* state;
  int status = check_model(memory, KIND_TREES);
  if (status != MMPTX_LEARN_OK) return status;
  state = head_of(memory)->state;
  if (state[TREES_LEARNED] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = trees_of(memory);
  config = model.config;
  status = begin_saved(&writer, saved, bytes, KIND_TREES, TREES_NUMBERS, trees_words(config, state[TREES_SPLITS]));
  if (status != MMPTX_LEARN_OK) return status;
  put_number(&writer, config->columns);
  put_number(&writer, config->general);
  put_number(&writer, config->best_tenth);
  put_number(&writer, config->trees);
  put_number(&writer, config->depth);
  put_number(&writer, config->bins);
  put_number(&writer, config->rate);
  put_number(&writer, config->lambda);
  put_number(&writer, config->all_rows);
  put_number(&writer, state[TREES_MEAN]);
  put_number(&writer, state[TREES_UNIT]);
  put_number(&writer, state[TREES_LEARNED]);
  put_number(&writer, state[TREES_SPLITS]);
  put_words(&writer, model.columns, (size_t)state[TREES_SPLITS]);
  put_words(&writer, model.thresholds, (size_t)state[TREES_SPLITS]);
  put_words(&writer, model.nodes, config->trees * model.tree_nodes);
  put_words(&writer, model.leaves, config->trees * LEAVES / 2);
  end_saved(saved, bytes);
  return MMPTX_LEARN_OK;
}

static int read_trees(struct reader* reader, const void* saved, size_t bytes, mmptx_learn_trees_config* config, double* state) {
  int bad = 0;
  int status = begin_reader(reader, saved, bytes, KIND_TREES);
  if (status != MMPTX_LEARN_OK) return status;
  config->columns = (uint32_t)get_whole(reader, 1, 4096, &bad);
  config->capacity = 1;
  config->general = (uint32_t)get_whole(reader, 0, 1, &bad);
  config->best_tenth = (uint32_t)get_whole(reader, 0, 1, &bad);
  config->trees = (uint32_t)get_whole(reader, 1, 1024, &bad);
  config->depth = (uint32_t)get_whole(reader, 1, LEVELS, &bad);
  config->bins = (uint32_t)get_whole(reader, 2, 256, &bad);
  config->rate = get_between(reader, 1.0 / 1024, 1, &bad);
  config->lambda = get_between(reader, 1.0 / 1024, 1048576, &bad);
  config->all_rows = (uint32_t)get_whole(reader, 0, 1, &bad);
  state[TREES_MEAN] = get_between(reader, -4e38, 4e38, &bad);
  state[TREES_UNIT] = get_between(reader, 0, 4e38, &bad);
  state[TREES_LEARNED] = get_whole(reader, 1, 65536, &bad);
  if (bad) return MMPTX_LEARN_BAD_MODEL;
  state[TREES_SPLITS] = get_whole(reader, 1, (double)most_splits(config), &bad);
  return bad || reader->numbers != TREES_NUMBERS || reader->left != trees_words(config, state[TREES_SPLITS]) ? MMPTX_LEARN_BAD_MODEL
                                                                                                             : MMPTX_LEARN_OK;
}

int mmptx_learn_trees_saved_config(const void* saved, size_t bytes, mmptx_learn_trees_config* config) {
  struct reader reader;
  double state[STATE_NUMBERS];
  if (config == NULL) return MMPTX_LEARN_NULL;
  return read_trees(&reader, saved, bytes, config, state);
}

int mmptx_learn_trees_load(void* memory, size_t bytes, const mmptx_learn_trees_config* config, const void* saved, size_t saved_size) {
  struct reader reader;
  struct trees model;
  mmptx_learn_trees_config found;
  double state[STATE_NUMBERS] = {0};
  size_t splits, index;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = read_trees(&reader, saved, saved_size, &found, state);
  if (status != MMPTX_LEARN_OK) return status;
  if (found.columns != config->columns || found.trees != config->trees || found.depth != config->depth ||
      found.bins != config->bins || found.general != config->general || found.best_tenth != config->best_tenth || found.rate != config->rate ||
      found.all_rows != config->all_rows || found.lambda != config->lambda)
    return MMPTX_LEARN_BAD_MODEL;
  status = mmptx_learn_trees_init(memory, bytes, config);
  if (status != MMPTX_LEARN_OK) return status;
  model = trees_of(memory);
  splits = (size_t)state[TREES_SPLITS];
  get_words(&reader, model.columns, splits);
  get_words(&reader, model.thresholds, splits);
  get_words(&reader, model.nodes, config->trees * model.tree_nodes);
  get_words(&reader, model.leaves, config->trees * LEAVES / 2);
  for (index = 0; index < splits; index++) {
    const uint32_t column = (uint32_t)model.columns[index];
    const float threshold = model.thresholds[index];
    /* They are ordered by column and threshold. No row is above the last one of the first column if that is infinite. */
    const uint32_t last_column = index == 0 ? 0 : (uint32_t)model.columns[index - 1];
    const float last = index == 0 || column > last_column ? -FLT_MAX : model.thresholds[index - 1];
    if (column < last_column || column >= config->columns || !(threshold >= last) || (column > 0 && threshold > FLT_MAX))
      return MMPTX_LEARN_BAD_MODEL;
  }
  for (index = 0; index < config->trees * model.tree_nodes; index++) {
    if ((uint32_t)model.nodes[index] >= splits) return MMPTX_LEARN_BAD_MODEL;
  }
  memcpy(head_of(memory)->state, state, sizeof state);
  return MMPTX_LEARN_OK;
}
