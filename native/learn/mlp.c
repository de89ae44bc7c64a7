/* The perceptron: steps, predictions and saved models. kernels_mlp.h has what takes time. */
#include "kernels.h"

enum { MLP_NUMBERS = 11 };
/** The seed of the rows that `fit` draws differs from that of the weights. */
#define DRAWS 0x6a09e667u
#define FIRST_DECAY 0.9
#define SECOND_DECAY 0.999
#define MOST_PARAMETER 16777216.0
#define MOST_MEAN 8.0
#define LEAST_MEAN 1e-20

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place_mlp(const mmptx_learn_mlp_config* config, void* memory, struct mlp* model) {
  const size_t widths[MOST_LAYERS + 1] = {config->columns, config->hidden[0], config->hidden[1] == 0 ? 1 : config->hidden[1], 1};
  size_t layers = config->hidden[1] == 0 ? 2 : 3;
  size_t batch = config->batch;
  size_t rows = batch < MLP_ROWS ? batch : MLP_ROWS;
  size_t at = HEAD_BYTES;
  size_t index;
  size_t parameters, gradients, input, scaling, first_moments, second_moments;
  size_t offset = 0;
  struct mlp here;
  char* base = memory;
  memset(&here, 0, sizeof here);
  here.config = config;
  here.layers = layers;
  for (index = 0; index < layers; index++) here.count += (widths[index] + 1) * rounded(widths[index + 1]);
  parameters = add_part(&at, here.count, 4);
  gradients = add_part(&at, here.count, 4);
  input = add_part(&at, rows * config->columns, 4);
  add_part(&at, MLP_CONSTANTS, 4);
  for (index = 0; index < layers; index++) {
    struct layer* layer = &here.layer[index];
    size_t biases, transposed, activations, errors;
    layer->inputs = widths[index];
    layer->input_stride = index == 0 ? widths[0] : rounded(widths[index]);
    layer->outputs = widths[index + 1];
    layer->stride = rounded(widths[index + 1]);
    biases = offset + layer->inputs * layer->stride * 4;
    transposed = add_part(&at, index == 0 ? 0 : layer->stride * layer->input_stride, 4);
    activations = add_part(&at, rows * layer->stride, 4);
    errors = add_part(&at, rows * layer->stride, 4);
    if (base != NULL) {
      layer->weights = (float*)(base + parameters + offset);
      layer->biases = (float*)(base + parameters + biases);
      layer->gradients = (float*)(base + gradients + offset);
      layer->bias_gradients = (float*)(base + gradients + biases);
      layer->transposed = (float*)(base + transposed);
      layer->activations = (float*)(base + activations);
      layer->errors = (float*)(base + errors);
    }
    offset += (layer->inputs + 1) * layer->stride * 4;
  }
  first_moments = add_part(&at, here.count, 4);
  second_moments = add_part(&at, here.count, 4);
  scaling = add_part(&at, 2 * ((size_t)config->columns + 1), 8);
  if (base != NULL) {
    here.parameters = (float*)(base + parameters);
    here.gradients = (float*)(base + gradients);
    here.input = (float*)(base + input);
    here.first_moments = (float*)(base + first_moments);
    here.second_moments = (float*)(base + second_moments);
    here.scaling = (double*)(base + scaling);
  }
  if (model != NULL) *model = here;
  return at;
}

static struct mlp mlp_of(const void* memory) {
  struct mlp model;
  place_mlp(&head_of(memory)->config.mlp, (void*)memory, &model);
  return model;
}

mmptx_learn_mlp_config mmptx_learn_mlp_defaults(uint32_t columns) {
  mmptx_learn_mlp_config config = {0, {64, 64}, 0, 256, 0, 0.003};
  config.columns = columns;
  return config;
}

size_t mmptx_learn_mlp_bytes(const mmptx_learn_mlp_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 4096 || config->hidden[0] < 1 || config->hidden[0] > 256 ||
      config->hidden[1] > 256 || config->relu > 1 || config->batch < 1 || config->batch > 4096 ||
      !(config->rate >= 1e-6 && config->rate <= 0.1))
    return 0;
  return place_mlp(config, NULL, NULL);
}

int mmptx_learn_mlp_init(void* memory, size_t bytes, const mmptx_learn_mlp_config* config) {
  struct mlp model;
  size_t index, input, output;
  uint32_t drawn = 0;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = begin_model(memory, bytes, KIND_MLP, mmptx_learn_mlp_bytes(config));
  if (status != MMPTX_LEARN_OK) return status;
  head_of(memory)->config.mlp = *config;
  head_of(memory)->state[MLP_FIRST_POWER] = 1;
  head_of(memory)->state[MLP_SECOND_POWER] = 1;
  model = mlp_of(memory);
  for (index = 0; index < model.layers; index++) {
    const struct layer* layer = &model.layer[index];
    double scale = sqrt((config->relu ? 2.0 : 1.0) / (double)layer->inputs);
    for (input = 0; input < layer->inputs; input++) {
      for (output = 0; output < layer->outputs; output++)
        layer->weights[input * layer->stride + output] = (float)(normal_at(config->seed, drawn++) * scale);
    }
  }
  return MMPTX_LEARN_OK;
}

/** Puts a row into the input, scaled, and its label in place of its error. */
static void take_row(const struct mlp* model, size_t row, const float* values, double label) {
  const struct layer* last = &model->layer[model->layers - 1];
  size_t columns = model->config->columns;
  kernels()->scale_row(model->scaling, values, columns, model->input + row * columns);
  last->errors[row * last->stride] = scaled(model->scaling + 2 * columns, label);
}

/** A step on the first `count` rows, or on as many that are drawn at random. */
static int learn_batch(const struct mlp* model, double* state, const mmptx_learn_rows* from, size_t count, int draws, double* error) {
  const struct layer* last = &model->layer[model->layers - 1];
  double squares = 0;
  double corrected;
  size_t first, row;
  for (first = 0; first < count; first += MLP_ROWS) {
    size_t rows = count - first < MLP_ROWS ? count - first : MLP_ROWS;
    for (row = 0; row < rows; row++) {
      size_t at = draws ? place_of(from, below(model->config->seed ^ DRAWS, state[MLP_DRAWN]++, (uint32_t)from->count)) : first + row;
      take_row(model, row, from->values + at * model->config->columns, (double)from->labels[at]);
    }
    kernels()->mlp_forward(model, rows);
    for (row = 0; row < rows; row++) {
      double difference = (double)last->activations[row * last->stride] - (double)last->errors[row * last->stride];
      double limited = difference;
      squares += difference * difference;
      /* Limited, so that no row can make the weights infinite. */
      if (limited > 2 * SCALED_LIMIT) limited = 2 * SCALED_LIMIT;
      if (limited < -2 * SCALED_LIMIT) limited = -2 * SCALED_LIMIT;
      last->errors[row * last->stride] = (float)(2 * limited / (double)count);
    }
    kernels()->mlp_backward(model, rows, first > 0);
  }
  if (!(squares <= DBL_MAX)) return MMPTX_LEARN_DIVERGED;
  state[MLP_FIRST_POWER] *= FIRST_DECAY;
  state[MLP_SECOND_POWER] *= SECOND_DECAY;
  corrected = model->config->rate * sqrt(1 - state[MLP_SECOND_POWER]) / (1 - state[MLP_FIRST_POWER]);
  kernels()->mlp_adam(model, (float)corrected);
  state[MLP_STEPS]++;
  if (error != NULL) *error = squares / (double)count;
  return MMPTX_LEARN_OK;
}

static void freeze(const struct mlp* model, const mmptx_learn_rows* rows) {
  size_t columns = model->config->columns;
  freeze_scaling(model->scaling, rows, rows->values, columns, columns);
  freeze_scaling(model->scaling + 2 * columns, rows, rows->labels, 1, 1);
}

int mmptx_learn_mlp_step(void* memory, const float* rows, const float* labels, size_t count, double* error) {
  mmptx_learn_rows batch = {NULL, NULL, 0, 0, 0};
  struct mlp model;
  int status = check_model(memory, KIND_MLP);
  if (status != MMPTX_LEARN_OK) return status;
  model = mlp_of(memory);
  batch.values = rows;
  batch.labels = labels;
  batch.count = count;
  status = check_rows(&batch, model.config->columns, model.config->batch);
  if (status != MMPTX_LEARN_OK) return status;
  if (head_of(memory)->state[MLP_STEPS] == 0) freeze(&model, &batch);
  return learn_batch(&model, head_of(memory)->state, &batch, count, 0, error);
}

int mmptx_learn_mlp_fit(void* memory, const mmptx_learn_rows* rows, size_t steps, double* error) {
  struct mlp model;
  double* state;
  size_t size, step;
  int status = check_model(memory, KIND_MLP);
  if (status != MMPTX_LEARN_OK) return status;
  model = mlp_of(memory);
  status = check_rows(rows, model.config->columns, UINT32_MAX);
  if (status != MMPTX_LEARN_OK) return status;
  if (steps < 1 || steps > 1048576) return MMPTX_LEARN_SHAPE;
  state = head_of(memory)->state;
  if (state[MLP_STEPS] == 0) freeze(&model, rows);
  size = rows->count < model.config->batch ? rows->count : model.config->batch;
  for (step = 0; step < steps && status == MMPTX_LEARN_OK; step++) status = learn_batch(&model, state, rows, size, 1, error);
  return status;
}

/** What predicts rows on a thread of its own, from `at` on: rows, and the activations of each layer. */
static size_t place_mlp_own(const mmptx_learn_mlp_config* config, size_t at, char* base, struct mlp* model) {
  const size_t widths[MOST_LAYERS] = {config->hidden[0], config->hidden[1] == 0 ? 1 : config->hidden[1], 1};
  size_t index;
  PLACE(model->input, (size_t)MLP_ROWS * config->columns, float);
  for (index = 0; index < (config->hidden[1] == 0 ? 2 : 3); index++)
    PLACE(model->layer[index].activations, MLP_ROWS * rounded(widths[index]), float);
  return at;
}

static size_t mlp_worker_bytes(const mmptx_learn_mlp_config* config) { return place_mlp_own(config, 0, NULL, NULL); }

/** The rows of a call that have each thread pay for itself. */
enum { MLP_LEAST = 128 };

struct mlp_call {
  const struct mlp* model;
  const float* rows;
  float* scores;
};

static void mlp_range(void* data, char* memory, size_t first, size_t end) {
  const struct mlp_call* call = data;
  struct mlp model = *call->model;
  const struct layer* last = &model.layer[model.layers - 1];
  const size_t columns = model.config->columns;
  const double* label = model.scaling + 2 * columns;
  const size_t pass = memory == NULL && model.config->batch < MLP_ROWS ? model.config->batch : MLP_ROWS;
  size_t row;
  if (memory != NULL) place_mlp_own(model.config, 0, memory, &model);
  for (; first < end; first += pass) {
    size_t size = end - first < pass ? end - first : pass;
    for (row = 0; row < size; row++)
      kernels()->scale_row(model.scaling, call->rows + (first + row) * columns, columns, model.input + row * columns);
    kernels()->mlp_forward(&model, size);
    for (row = 0; row < size; row++)
      call->scores[first + row] = finite_score(label[0] + (double)last->activations[row * last->stride] * label[1], label[0]);
  }
}

int mmptx_learn_mlp_predict(void* memory, const float* rows, size_t count, float* scores, const mmptx_learn_workers* workers) {
  struct mlp model;
  struct mlp_call call;
  int status = check_model(memory, KIND_MLP);
  if (status != MMPTX_LEARN_OK) return status;
  if (head_of(memory)->state[MLP_STEPS] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = mlp_of(memory);
  status = check_values(rows, count, model.config->columns, 0);
  if (status == MMPTX_LEARN_OK) status = check_workers(workers, memory);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (scores == NULL) return MMPTX_LEARN_NULL;
  call.model = &model;
  call.rows = rows;
  call.scores = scores;
  divide(workers, count, MLP_LEAST, mlp_worker_bytes(model.config), mlp_range, &call);
  return MMPTX_LEARN_OK;
}

static size_t mlp_numbers(const mmptx_learn_mlp_config* config) { return MLP_NUMBERS + 2 * ((size_t)config->columns + 1); }

size_t mmptx_learn_mlp_saved_bytes(const void* memory) {
  struct mlp model;
  if (check_model(memory, KIND_MLP) != MMPTX_LEARN_OK || head_of(memory)->state[MLP_STEPS] == 0) return 0;
  model = mlp_of(memory);
  return saved_bytes(mlp_numbers(model.config), 3 * model.count);
}

int mmptx_learn_mlp_save(const void* memory, void* saved, size_t bytes) {
  struct mlp model;
  struct writer writer;
  const mmptx_learn_mlp_config* config;
  const double* state;
  size_t index;
  int status = check_model(memory, KIND_MLP);
  if (status != MMPTX_LEARN_OK) return status;
  state = head_of(memory)->state;
  if (state[MLP_STEPS] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = mlp_of(memory);
  config = model.config;
  status = begin_saved(&writer, saved, bytes, KIND_MLP, mlp_numbers(config), 3 * model.count);
  if (status != MMPTX_LEARN_OK) return status;
  put_number(&writer, config->columns);
  put_number(&writer, config->hidden[0]);
  put_number(&writer, config->hidden[1]);
  put_number(&writer, config->relu);
  put_number(&writer, config->rate);
  put_number(&writer, config->batch);
  put_number(&writer, config->seed);
  for (index = MLP_STEPS; index <= MLP_SECOND_POWER; index++) put_number(&writer, state[index]);
  for (index = 0; index < 2 * ((size_t)config->columns + 1); index++) put_number(&writer, model.scaling[index]);
  put_words(&writer, model.parameters, model.count);
  put_words(&writer, model.first_moments, model.count);
  put_words(&writer, model.second_moments, model.count);
  end_saved(saved, bytes);
  return MMPTX_LEARN_OK;
}

static int read_mlp(struct reader* reader, const void* saved, size_t bytes, mmptx_learn_mlp_config* config, double* state) {
  struct mlp model;
  int bad = 0;
  int status = begin_reader(reader, saved, bytes, KIND_MLP);
  if (status != MMPTX_LEARN_OK) return status;
  config->columns = (uint32_t)get_whole(reader, 1, 4096, &bad);
  config->hidden[0] = (uint32_t)get_whole(reader, 1, 256, &bad);
  config->hidden[1] = (uint32_t)get_whole(reader, 0, 256, &bad);
  config->relu = (uint32_t)get_whole(reader, 0, 1, &bad);
  config->rate = get_between(reader, 1e-6, 0.1, &bad);
  config->batch = (uint32_t)get_whole(reader, 1, 4096, &bad);
  config->seed = (uint32_t)get_whole(reader, 0, UINT32_MAX, &bad);
  state[MLP_STEPS] = get_whole(reader, 1, MOST_LEARNED, &bad);
  state[MLP_DRAWN] = get_whole(reader, 0, MOST_LEARNED, &bad);
  state[MLP_FIRST_POWER] = get_between(reader, 0, 1, &bad);
  state[MLP_SECOND_POWER] = get_between(reader, 0, 1, &bad);
  if (bad || reader->numbers != mlp_numbers(config)) return MMPTX_LEARN_BAD_MODEL;
  place_mlp(config, NULL, &model);
  return reader->left == 4 * ((size_t)config->columns + 1) + 3 * model.count ? MMPTX_LEARN_OK : MMPTX_LEARN_BAD_MODEL;
}

int mmptx_learn_mlp_saved_config(const void* saved, size_t bytes, mmptx_learn_mlp_config* config) {
  struct reader reader;
  double state[STATE_NUMBERS];
  if (config == NULL) return MMPTX_LEARN_NULL;
  return read_mlp(&reader, saved, bytes, config, state);
}

/** Whether parameters and moments are numbers that steps lead to, within the limits that packages/learn/src/mlp/saved.ts explains. */
static int are_learned(const struct mlp* model) {
  size_t index;
  for (index = 0; index < model->count; index++) {
    double parameter = (double)model->parameters[index];
    double mean = (double)model->first_moments[index];
    double square = (double)model->second_moments[index];
    double most = MOST_MEAN * sqrt(square) + LEAST_MEAN;
    if (!(parameter >= -MOST_PARAMETER && parameter <= MOST_PARAMETER && square >= 0 && square <= FLT_MAX && mean >= -most && mean <= most))
      return 0;
  }
  return 1;
}

int mmptx_learn_mlp_load(void* memory, size_t bytes, const mmptx_learn_mlp_config* config, const void* saved, size_t saved_size) {
  struct reader reader;
  struct mlp model;
  mmptx_learn_mlp_config found;
  double state[STATE_NUMBERS] = {0};
  int bad = 0;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = read_mlp(&reader, saved, saved_size, &found, state);
  if (status != MMPTX_LEARN_OK) return status;
  if (memcmp(&found, config, offsetof(mmptx_learn_mlp_config, rate)) != 0 || found.rate != config->rate)
    return MMPTX_LEARN_BAD_MODEL;
  status = mmptx_learn_mlp_init(memory, bytes, config);
  if (status != MMPTX_LEARN_OK) return status;
  model = mlp_of(memory);
  get_statistics(&reader, model.scaling, (size_t)config->columns + 1, &bad);
  get_words(&reader, model.parameters, model.count);
  get_words(&reader, model.first_moments, model.count);
  get_words(&reader, model.second_moments, model.count);
  if (bad || !are_learned(&model)) return MMPTX_LEARN_BAD_MODEL;
  memcpy(head_of(memory)->state, state, sizeof state);
  return MMPTX_LEARN_OK;
}
