/* Nearest neighbours: regression and novelty. kernels_neighbours.h has what takes time. */
#include "kernels.h"

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place(const mmptx_learn_neighbours_config* config, void* memory, struct neighbours* model) {
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
  PART(queries, QUERIES * columns, float);
  PART(nearest, QUERIES * neighbours_stride(config->k), float);
  PART(ages, QUERIES * neighbours_stride(config->k), uint32_t);
  if (memory != NULL) {
    here.nearest += NEIGHBOURS_BLOCK;
    here.ages += NEIGHBOURS_BLOCK;
  }
  if (model != NULL) *model = here;
  return at;
}

static struct neighbours neighbours_of(const void* memory) {
  struct neighbours model;
  place(&head_of(memory)->config.neighbours, (void*)memory, &model);
  return model;
}

size_t mmptx_learn_neighbours_bytes(const mmptx_learn_neighbours_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 4096 || config->capacity < 1 || config->capacity > 65536 ||
      config->k < 1 || config->k > 1024 || config->raw > 1)
    return 0;
  return place(config, NULL, NULL);
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
    /* Deviations become their inverses, and 0 if there is none. */
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

/** For each row, the mean label of its neighbours or their mean distance. */
static int each_row(void* memory, const float* rows, size_t count, float* results, int novelty) {
  struct neighbours model;
  size_t columns, first, query, column, index, found, known;
  int status = check_model(memory, KIND_NEIGHBOURS);
  if (status != MMPTX_LEARN_OK) return status;
  known = (size_t)head_of(memory)->state[NEIGHBOURS_COUNT];
  if (known == 0) return MMPTX_LEARN_NOT_FITTED;
  model = neighbours_of(memory);
  columns = model.config->columns;
  status = check_values(rows, count, columns, 0);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (results == NULL) return MMPTX_LEARN_NULL;
  found = known < model.config->k ? known : model.config->k;
  for (first = 0; first < count; first += QUERIES) {
    size_t queries = count - first < QUERIES ? count - first : QUERIES;
    for (query = 0; query < queries; query++) {
      for (column = 0; column < columns; column++)
        model.queries[query * columns + column] =
            scaled_value(model.statistics + 2 * column, rows[(first + query) * columns + column]);
    }
    kernels()->neighbours_find(&model, queries, known);
    for (query = 0; query < queries; query++) {
      double sum = 0;
      const float* nearest = model.nearest + query * neighbours_stride(model.config->k);
      const uint32_t* ages = model.ages + query * neighbours_stride(model.config->k);
      for (index = 0; index < found; index++) sum += novelty ? sqrt((double)nearest[index]) : (double)model.labels[ages[index]];
      results[first + query] = finite_score(sum / (double)found, 0);
    }
  }
  return MMPTX_LEARN_OK;
}

int mmptx_learn_neighbours_predict(void* memory, const float* rows, size_t count, float* means) {
  return each_row(memory, rows, count, means, 0);
}

int mmptx_learn_neighbours_novelty(void* memory, const float* rows, size_t count, float* novelty) {
  return each_row(memory, rows, count, novelty, 1);
}
