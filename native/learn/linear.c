/* The linear model on random features: updates, fits, predictions and saved models. kernels_linear.h has what takes time. */
#include "kernels.h"

enum { LINEAR_NUMBERS = 6 };

/** What computes the products of a batch, from `at` on. */
static size_t place_batch(const mmptx_learn_linear_config* config, size_t at, char* base, struct linear* model) {
  const size_t height = rounded((size_t)config->features + 1);
  PLACE(model->batch, (size_t)LINEAR_BATCH * config->columns, float);
  PLACE(model->labels, LINEAR_BATCH, float);
  PLACE(model->batch_features, LINEAR_BATCH * height, float);
  PLACE(model->products, ((size_t)config->features + 1) * height, float);
  return at;
}

/** What predicts a block, from `at` on. */
static size_t place_block(const mmptx_learn_linear_config* config, size_t at, char* base, struct linear* model) {
  const size_t height = rounded((size_t)config->features + 1);
  PLACE(model->block, (size_t)config->columns * LINEAR_BLOCK, float);
  PLACE(model->block_features, height * LINEAR_BLOCK, float);
  PLACE(model->means, LINEAR_BLOCK, float);
  PLACE(model->spreads, LINEAR_BLOCK, float);
  return at;
}

static size_t linear_worker_bytes(const mmptx_learn_linear_config* config) {
  return place_block(config, place_batch(config, 0, NULL, NULL), NULL, NULL);
}

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place_linear(const mmptx_learn_linear_config* config, void* memory, struct linear* model) {
  size_t columns = config->columns;
  size_t features = config->features;
  size_t at = HEAD_BYTES;
  struct linear here;
  char* base = memory;
  memset(&here, 0, sizeof here);
  here.config = config;
  here.height = rounded(features + 1);
  PART(projection, columns * here.height, float);
  PART(offsets, here.height, float);
  PART(factor, (features + 1) * here.height, float);
  PART(input, columns, float);
  PART(vector, here.height, float);
  at = place_batch(config, at, base, &here);
  PART(weights, here.height, float);
  at = place_block(config, at, base, &here);
  PART(scaling, 2 * (columns + 1), double);
  PART(held, config->warmup * (columns + 1), float);
  if (model != NULL) *model = here;
  return at;
}

static struct linear linear_of(const void* memory) {
  struct linear model;
  place_linear(&head_of(memory)->config.linear, (void*)memory, &model);
  return model;
}

mmptx_learn_linear_config mmptx_learn_linear_defaults(uint32_t columns) {
  mmptx_learn_linear_config config = {0, 128, 0, 32, 1};
  config.columns = columns;
  return config;
}

size_t mmptx_learn_linear_bytes(const mmptx_learn_linear_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 4096 || config->features < 2 || config->features > 1024 ||
      config->warmup < 1 || config->warmup > 4096 || !(config->ridge >= 1.0 / 1048576 && config->ridge <= 1048576))
    return 0;
  return place_linear(config, NULL, NULL);
}

int mmptx_learn_linear_init(void* memory, size_t bytes, const mmptx_learn_linear_config* config) {
  struct linear model;
  uint32_t feature, column;
  double scale;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = begin_model(memory, bytes, KIND_LINEAR, mmptx_learn_linear_bytes(config));
  if (status != MMPTX_LEARN_OK) return status;
  head_of(memory)->config.linear = *config;
  model = linear_of(memory);
  /* The first feature is constant; the others are directions and offsets of the scaled rows. */
  scale = 1 / sqrt((double)config->columns);
  model.offsets[0] = 1;
  for (feature = 1; feature < config->features; feature++) {
    uint32_t first = feature * (config->columns + 1);
    model.offsets[feature] = (float)normal_at(config->seed, first);
    for (column = 0; column < config->columns; column++)
      model.projection[column * model.height + feature] = (float)(normal_at(config->seed, first + 1 + column) * scale);
  }
  return MMPTX_LEARN_OK;
}

/** The factor before the first row, or the covariance. */
static void begin(const struct linear* model, double* state, double value) {
  size_t features = model->config->features;
  float diagonal = (float)value;
  size_t feature;
  memset(model->factor, 0, (features + 1) * model->height * sizeof *model->factor);
  for (feature = 0; feature < features; feature++) model->factor[feature * (model->height + 1)] = diagonal;
  state[LINEAR_LEARNED] = 0;
  state[LINEAR_HELD] = 0;
}

static void learn_row(const struct linear* model, double* state, const float* row, double label) {
  size_t columns = model->config->columns;
  kernels()->scale_row(model->scaling, row, columns, model->input);
  kernels()->linear_update(model, scaled(model->scaling + 2 * columns, label));
  state[LINEAR_LEARNED]++;
  state[LINEAR_SOLVED] = 0;
}

/** Holds a row of the warm-up, and learns all of them once they are complete. */
static void hold(const struct linear* model, double* state, const float* row, double label) {
  size_t columns = model->config->columns;
  size_t held = (size_t)state[LINEAR_HELD];
  float* to = model->held + held * (columns + 1);
  mmptx_learn_rows rows = {NULL, NULL, 0, 0, 0};
  size_t age;
  memcpy(to, row, columns * sizeof *to);
  to[columns] = (float)label;
  state[LINEAR_HELD] = (double)++held;
  if (held < model->config->warmup) return;
  rows.count = held;
  freeze_scaling(model->scaling, &rows, model->held, columns + 1, columns + 1);
  begin(model, state, sqrt(model->config->ridge));
  for (age = 0; age < held; age++) {
    const float* one = model->held + age * (columns + 1);
    learn_row(model, state, one, (double)one[columns]);
  }
}

int mmptx_learn_linear_update(void* memory, const float* row, double label) {
  struct linear model;
  float rounded_label = (float)label;
  double* state;
  int status = check_model(memory, KIND_LINEAR);
  if (status != MMPTX_LEARN_OK) return status;
  model = linear_of(memory);
  status = check_values(row, 1, model.config->columns, 1);
  if (status != MMPTX_LEARN_OK) return status;
  if (!(rounded_label >= -FLT_MAX && rounded_label <= FLT_MAX)) return MMPTX_LEARN_NOT_FINITE;
  state = head_of(memory)->state;
  if (state[LINEAR_LEARNED] > 0) learn_row(&model, state, row, label);
  else hold(&model, state, row, label);
  return MMPTX_LEARN_OK;
}

/** The rows of a call that have each thread pay for itself. */
enum { LEAST_FITTED = 4 * LINEAR_BATCH, LEAST_PREDICTED = 128 };

/** As many batches as there are tasks, from the row `first` on. */
struct round {
  const struct linear* model;
  const mmptx_learn_workers* workers;
  const mmptx_learn_rows* rows;
  size_t first, tasks;
};

/** A model with the parts of the worker that does a task of a fit. */
static struct linear fitting(const struct round* round, size_t index) {
  struct linear model = *round->model;
  char* memory = index == 0 ? NULL : worker_memory(round->workers, index, linear_worker_bytes(model.config));
  if (memory != NULL) place_batch(model.config, 0, memory, &model);
  return model;
}

/** Computes the products of a batch. */
static void sum_batch(void* data, size_t index) {
  const struct round* round = data;
  const struct linear model = fitting(round, index);
  const mmptx_learn_rows* rows = round->rows;
  const size_t columns = model.config->columns;
  const size_t first = round->first + index * LINEAR_BATCH;
  size_t size, row;
  if (first >= rows->count) return;
  size = rows->count - first < LINEAR_BATCH ? rows->count - first : LINEAR_BATCH;
  for (row = 0; row < size; row++) {
    size_t place_in_table = place_of(rows, first + row);
    kernels()->scale_row(model.scaling, rows->values + place_in_table * columns, columns, model.batch + row * columns);
    model.labels[row] = scaled(model.scaling + 2 * columns, (double)rows->labels[place_in_table]);
  }
  kernels()->linear_sum(&model, size);
}

/** Adds the products of all batches of a round to some columns of the covariance, in the order of the batches. */
static void add_batches(void* data, size_t index) {
  const struct round* round = data;
  const size_t all = (size_t)round->model->config->features + 1;
  size_t task;
  for (task = 0; task < round->tasks && round->first + task * LINEAR_BATCH < round->rows->count; task++) {
    const struct linear model = fitting(round, task);
    kernels()->linear_add(&model, all * index / round->tasks, all * (index + 1) / round->tasks);
  }
}

/** Factorizes the covariance of all rows; 0 if its rounding is too large for that, as with dependent columns and a tiny ridge. */
static int fit_to(const struct linear* model, double* state, const mmptx_learn_rows* rows, const mmptx_learn_workers* workers) {
  struct round round;
  round.model = model;
  round.workers = workers;
  round.rows = rows;
  round.tasks = tasks_of(workers, rows->count, LEAST_FITTED);
  begin(model, state, model->config->ridge);
  for (round.first = 0; round.first < rows->count; round.first += round.tasks * LINEAR_BATCH) {
    if (round.tasks == 1) {
      sum_batch(&round, 0);
      add_batches(&round, 0);
    } else {
      workers->run(workers->context, round.tasks, sum_batch, &round);
      workers->run(workers->context, round.tasks, add_batches, &round);
    }
  }
  if (!kernels()->linear_decompose(model)) return 0;
  state[LINEAR_LEARNED] = (double)rows->count;
  state[LINEAR_SOLVED] = 0;
  return 1;
}

int mmptx_learn_linear_fit(void* memory, const mmptx_learn_rows* rows, const mmptx_learn_workers* workers) {
  struct linear model;
  double* state;
  size_t columns, age;
  int status = check_model(memory, KIND_LINEAR);
  if (status != MMPTX_LEARN_OK) return status;
  model = linear_of(memory);
  columns = model.config->columns;
  status = check_rows(rows, columns, UINT32_MAX);
  if (status == MMPTX_LEARN_OK) status = check_workers(workers, memory);
  if (status != MMPTX_LEARN_OK) return status;
  state = head_of(memory)->state;
  freeze_scaling(model.scaling, rows, rows->values, columns, columns);
  freeze_scaling(model.scaling + 2 * columns, rows, rows->labels, 1, 1);
  if (fit_to(&model, state, rows, workers)) return MMPTX_LEARN_OK;
  begin(&model, state, sqrt(model.config->ridge));
  for (age = 0; age < rows->count; age++) {
    size_t place_in_table = place_of(rows, age);
    learn_row(&model, state, rows->values + place_in_table * columns, (double)rows->labels[place_in_table]);
  }
  return MMPTX_LEARN_OK;
}

struct linear_call {
  const struct linear* model;
  const float* rows;
  float* means;
  float* deviations;
  /** The root of the mean squared error of the labels. */
  double noise;
};

static void linear_range(void* data, char* memory, size_t first, size_t end) {
  const struct linear_call* call = data;
  struct linear model = *call->model;
  const size_t columns = model.config->columns;
  const double* label = model.scaling + 2 * columns;
  size_t row, column;
  if (memory != NULL) place_block(model.config, 0, memory, &model);
  for (; first < end; first += LINEAR_BLOCK) {
    size_t size = end - first < LINEAR_BLOCK ? end - first : LINEAR_BLOCK;
    for (row = 0; row < size; row++) {
      const float* from = call->rows + (first + row) * columns;
      for (column = 0; column < columns; column++)
        model.block[column * LINEAR_BLOCK + row] = scaled(model.scaling + 2 * column, (double)from[column]);
    }
    kernels()->linear_predict(&model, call->deviations != NULL);
    for (row = 0; row < size; row++) {
      call->means[first + row] = finite_score(label[0] + (double)model.means[row] * label[1], label[0]);
      if (call->deviations != NULL) call->deviations[first + row] = finite_score(call->noise * sqrt((double)model.spreads[row]), 0);
    }
  }
}

int mmptx_learn_linear_predict(void* memory, const float* rows, size_t count, float* means, float* deviations,
                               const mmptx_learn_workers* workers) {
  struct linear model;
  struct linear_call call;
  double* state;
  int status = check_model(memory, KIND_LINEAR);
  if (status != MMPTX_LEARN_OK) return status;
  state = head_of(memory)->state;
  if (state[LINEAR_LEARNED] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = linear_of(memory);
  status = check_values(rows, count, model.config->columns, 0);
  if (status == MMPTX_LEARN_OK) status = check_workers(workers, memory);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (means == NULL) return MMPTX_LEARN_NULL;
  if (state[LINEAR_SOLVED] == 0) kernels()->linear_solve(&model);
  state[LINEAR_SOLVED] = 1;
  call.model = &model;
  call.rows = rows;
  call.means = means;
  call.deviations = deviations;
  call.noise = fabs((double)model.factor[model.config->features * (model.height + 1)]) / sqrt(state[LINEAR_LEARNED]) *
               model.scaling[2 * model.config->columns + 1];
  divide(workers, count, LEAST_PREDICTED, linear_worker_bytes(model.config), linear_range, &call);
  return MMPTX_LEARN_OK;
}

static size_t linear_numbers(const mmptx_learn_linear_config* config) { return LINEAR_NUMBERS + 2 * ((size_t)config->columns + 1); }

static size_t linear_words(const mmptx_learn_linear_config* config) {
  return ((size_t)config->features + 1) * rounded((size_t)config->features + 1);
}

size_t mmptx_learn_linear_saved_bytes(const void* memory) {
  const mmptx_learn_linear_config* config;
  if (check_model(memory, KIND_LINEAR) != MMPTX_LEARN_OK || head_of(memory)->state[LINEAR_LEARNED] == 0) return 0;
  config = &head_of(memory)->config.linear;
  return saved_bytes(linear_numbers(config), linear_words(config));
}

int mmptx_learn_linear_save(const void* memory, void* saved, size_t bytes) {
  struct linear model;
  struct writer writer;
  const mmptx_learn_linear_config* config;
  size_t index;
  int status = check_model(memory, KIND_LINEAR);
  if (status != MMPTX_LEARN_OK) return status;
  if (head_of(memory)->state[LINEAR_LEARNED] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = linear_of(memory);
  config = model.config;
  status = begin_saved(&writer, saved, bytes, KIND_LINEAR, linear_numbers(config), linear_words(config));
  if (status != MMPTX_LEARN_OK) return status;
  put_number(&writer, config->columns);
  put_number(&writer, config->features);
  put_number(&writer, config->seed);
  put_number(&writer, config->ridge);
  put_number(&writer, config->warmup);
  put_number(&writer, head_of(memory)->state[LINEAR_LEARNED]);
  for (index = 0; index < 2 * ((size_t)config->columns + 1); index++) put_number(&writer, model.scaling[index]);
  put_words(&writer, model.factor, linear_words(config));
  end_saved(saved, bytes);
  return MMPTX_LEARN_OK;
}

static int read_linear(struct reader* reader, const void* saved, size_t bytes, mmptx_learn_linear_config* config, double* learned) {
  int bad = 0;
  int status = begin_reader(reader, saved, bytes, KIND_LINEAR);
  if (status != MMPTX_LEARN_OK) return status;
  config->columns = (uint32_t)get_whole(reader, 1, 4096, &bad);
  config->features = (uint32_t)get_whole(reader, 2, 1024, &bad);
  config->seed = (uint32_t)get_whole(reader, 0, UINT32_MAX, &bad);
  config->ridge = get_between(reader, 1.0 / 1048576, 1048576, &bad);
  config->warmup = (uint32_t)get_whole(reader, 1, 4096, &bad);
  *learned = get_whole(reader, 1, MOST_LEARNED, &bad);
  return bad || reader->numbers != linear_numbers(config) ||
                 reader->left != 4 * ((size_t)config->columns + 1) + linear_words(config)
             ? MMPTX_LEARN_BAD_MODEL
             : MMPTX_LEARN_OK;
}

int mmptx_learn_linear_saved_config(const void* saved, size_t bytes, mmptx_learn_linear_config* config) {
  struct reader reader;
  double learned;
  if (config == NULL) return MMPTX_LEARN_NULL;
  return read_linear(&reader, saved, bytes, config, &learned);
}

/** Whether entries are a lower triangle within the limits of factors, without a -0 on its diagonal. */
static int is_factor(const float* factor, size_t features, size_t height) {
  size_t column, row;
  for (column = 0; column <= features; column++, factor += height) {
    for (row = 0; row < height; row++) {
      float entry = factor[row];
      float least = row > column ? -MOST_ENTRY : column < features ? LEAST_DIAGONAL : 0;
      uint32_t word;
      memcpy(&word, &entry, sizeof word);
      if (row < column || row > features ? word != 0 : !(entry >= least && entry <= MOST_ENTRY) || (row == column && word >> 31 != 0))
        return 0;
    }
  }
  return 1;
}

int mmptx_learn_linear_load(void* memory, size_t bytes, const mmptx_learn_linear_config* config, const void* saved, size_t saved_size) {
  struct reader reader;
  struct linear model;
  mmptx_learn_linear_config found;
  double learned;
  int bad = 0;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = read_linear(&reader, saved, saved_size, &found, &learned);
  if (status != MMPTX_LEARN_OK) return status;
  if (memcmp(&found, config, offsetof(mmptx_learn_linear_config, ridge)) != 0 || found.ridge != config->ridge)
    return MMPTX_LEARN_BAD_MODEL;
  status = mmptx_learn_linear_init(memory, bytes, config);
  if (status != MMPTX_LEARN_OK) return status;
  model = linear_of(memory);
  get_statistics(&reader, model.scaling, (size_t)config->columns + 1, &bad);
  get_words(&reader, model.factor, linear_words(config));
  if (bad || !is_factor(model.factor, config->features, model.height)) return MMPTX_LEARN_BAD_MODEL;
  head_of(memory)->state[LINEAR_LEARNED] = learned;
  return MMPTX_LEARN_OK;
}
