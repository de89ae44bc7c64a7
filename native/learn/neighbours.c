/* Nearest neighbours: regression and novelty. kernels_neighbours.h has what takes time. */
#include "kernels.h"

/** What compares queries with rows, from `at` on. */
static size_t place_neighbours_own(const mmptx_learn_neighbours_config* config, size_t at, char* base, struct neighbours* model) {
  PLACE(model->queries, QUERIES * config->columns, float);
  PLACE(model->nearest, QUERIES * neighbours_stride(config->k), float);
  PLACE(model->ages, QUERIES * neighbours_stride(config->k), uint32_t);
  if (base != NULL) {
    model->nearest += NEIGHBOURS_BLOCK;
    model->ages += NEIGHBOURS_BLOCK;
  }
  return at;
}

static size_t neighbours_worker_bytes(const mmptx_learn_neighbours_config* config) { return place_neighbours_own(config, 0, NULL, NULL); }

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place_neighbours(const mmptx_learn_neighbours_config* config, void* memory, struct neighbours* model) {
  size_t columns = config->columns;
  size_t capacity = ((size_t)config->capacity + NEIGHBOURS_BLOCK - 1) / NEIGHBOURS_BLOCK * NEIGHBOURS_BLOCK;
  size_t at = HEAD_BYTES;
  struct neighbours here;
  char* base = memory;
  memset(&here, 0, sizeof here);
  here.config = config;
  PART(rows, capacity * columns, float);
  PART(labels, capacity, float);
  PART(statistics, 2 * columns, double);
  at = place_neighbours_own(config, at, base, &here);
  if (model != NULL) *model = here;
  return at;
}

static struct neighbours neighbours_of(const void* memory) {
  struct neighbours model;
  place_neighbours(&head_of(memory)->config.neighbours, (void*)memory, &model);
  return model;
}

size_t mmptx_learn_neighbours_bytes(const mmptx_learn_neighbours_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 4096 || config->capacity < 1 || config->capacity > 65536 ||
      config->k < 1 || config->k > 1024 || config->raw > 1)
    return 0;
  return place_neighbours(config, NULL, NULL);
}

int mmptx_learn_neighbours_init(void* memory, size_t bytes, const mmptx_learn_neighbours_config* config) {
  struct neighbours model;
  size_t column;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = begin_model(memory, bytes, KIND_NEIGHBOURS, mmptx_learn_neighbours_bytes(config));
  if (status != MMPTX_LEARN_OK) return status;
  head_of(memory)->config.neighbours = *config;
  model = neighbours_of(memory);
  for (column = 0; column < config->columns; column++) model.statistics[2 * column + 1] = 1;
  return MMPTX_LEARN_OK;
}

static float scaled_value(const double* statistics, float value) {
  double result = ((double)value - statistics[0]) * statistics[1];
  if (result > MOST_VALUE) result = MOST_VALUE;
  if (result < -MOST_VALUE) result = -MOST_VALUE;
  return (float)result;
}

int mmptx_learn_neighbours_fit(void* memory, const mmptx_learn_rows* rows) {
  struct neighbours model;
  size_t columns, column, age;
  int status = check_model(memory, KIND_NEIGHBOURS);
  if (status != MMPTX_LEARN_OK) return status;
  model = neighbours_of(memory);
  columns = model.config->columns;
  status = check_rows(rows, columns, model.config->capacity);
  if (status != MMPTX_LEARN_OK) return status;
  if (!model.config->raw) {
    /* Each deviation becomes its inverse; 0 stays 0. */
    measure_columns(model.statistics, rows, rows->values, columns, columns);
    for (column = 0; column < columns; column++) {
      double inverse = 1 / model.statistics[2 * column + 1];
      model.statistics[2 * column + 1] = inverse <= DBL_MAX ? inverse : 0;
    }
  }
  for (age = 0; age < rows->count; age++) {
    size_t place_in_table = place_of(rows, age);
    size_t lane = age % NEIGHBOURS_BLOCK;
    float* to = model.rows + (age - lane) * columns + lane;
    for (column = 0; column < columns; column++)
      to[column * NEIGHBOURS_BLOCK] = scaled_value(model.statistics + 2 * column, rows->values[place_in_table * columns + column]);
    model.labels[age] = rows->labels[place_in_table];
  }
  head_of(memory)->state[NEIGHBOURS_COUNT] = (double)rows->count;
  return MMPTX_LEARN_OK;
}

/** The rows of a call that have each thread pay for itself. */
enum { NEIGHBOURS_LEAST = 64 };

struct neighbours_call {
  const struct neighbours* model;
  size_t known;
  const float* rows;
  float* results;
  int novelty;
};

static void neighbours_range(void* data, char* memory, size_t first, size_t end) {
  const struct neighbours_call* call = data;
  struct neighbours model = *call->model;
  const size_t columns = model.config->columns;
  const size_t k = model.config->k;
  const size_t found = call->known < k ? call->known : k;
  size_t query, column, index;
  if (memory != NULL) place_neighbours_own(model.config, 0, memory, &model);
  for (; first < end; first += QUERIES) {
    size_t queries = end - first < QUERIES ? end - first : QUERIES;
    for (query = 0; query < queries; query++) {
      for (column = 0; column < columns; column++)
        model.queries[query * columns + column] =
            scaled_value(model.statistics + 2 * column, call->rows[(first + query) * columns + column]);
    }
    kernels()->neighbours_find(&model, queries, call->known);
    for (query = 0; query < queries; query++) {
      double sum = 0;
      const float* nearest = model.nearest + query * neighbours_stride(k);
      const uint32_t* ages = model.ages + query * neighbours_stride(k);
      for (index = 0; index < found; index++)
        sum += call->novelty ? sqrt((double)nearest[index]) : (double)model.labels[ages[index]];
      call->results[first + query] = finite_score(sum / (double)found, 0);
    }
  }
}

/** For each row, the mean label of its neighbours or their mean distance. */
static int each_row(void* memory, const float* rows, size_t count, float* results, int novelty, const mmptx_learn_workers* workers) {
  struct neighbours model;
  struct neighbours_call call;
  int status = check_model(memory, KIND_NEIGHBOURS);
  if (status != MMPTX_LEARN_OK) return status;
  call.known = (size_t)head_of(memory)->state[NEIGHBOURS_COUNT];
  if (call.known == 0) return MMPTX_LEARN_NOT_FITTED;
  model = neighbours_of(memory);
  status = check_values(rows, count, model.config->columns, 0);
  if (status == MMPTX_LEARN_OK) status = check_workers(workers, memory);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (results == NULL) return MMPTX_LEARN_NULL;
  call.model = &model;
  call.rows = rows;
  call.results = results;
  call.novelty = novelty;
  divide(workers, count, NEIGHBOURS_LEAST, neighbours_worker_bytes(model.config), neighbours_range, &call);
  return MMPTX_LEARN_OK;
}

int mmptx_learn_neighbours_predict(void* memory, const float* rows, size_t count, float* means, const mmptx_learn_workers* workers) {
  return each_row(memory, rows, count, means, 0, workers);
}

int mmptx_learn_neighbours_novelty(void* memory, const float* rows, size_t count, float* novelty, const mmptx_learn_workers* workers) {
  return each_row(memory, rows, count, novelty, 1, workers);
}
