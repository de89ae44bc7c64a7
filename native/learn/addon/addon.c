/* The addon of @mm-ptx/learn: calls of mmptx_learn.h on typed arrays in place. packages/learn/src/native/addon.ts declares its functions.
 * A model's memory is a Uint8Array, and all functions that take one return a status. Nothing is allocated by a call. */
#define NAPI_VERSION 8
#include <math.h>
#include <node_api.h>
#include <string.h>

#include "../head.h"
#include "pool.h"

/** The memory behind a typed array, and its length in elements; null for anything else. */
struct view {
  void* data;
  size_t length;
};

static struct view view_of(napi_env env, napi_value value, napi_typedarray_type expected) {
  struct view view = {NULL, 0};
  napi_typedarray_type type;
  if (napi_get_typedarray_info(env, value, &type, &view.length, &view.data, NULL, NULL) != napi_ok || type != expected) {
    view.data = NULL;
    view.length = 0;
  }
  return view;
}

static struct view floats_of(napi_env env, napi_value value) { return view_of(env, value, napi_float32_array); }

/** A whole number; one that no call accepts in place of anything else. */
static size_t size_of(napi_env env, napi_value value) {
  double number;
  if (napi_get_value_double(env, value, &number) != napi_ok || !(number >= 0 && number <= UINT32_MAX)) return (size_t)-1;
  return (size_t)number;
}

static napi_value number_to(napi_env env, double number) {
  napi_value result = NULL;
  napi_create_double(env, number, &result);
  return result;
}

static napi_value status_to(napi_env env, int status) {
  napi_value result = NULL;
  napi_create_int32(env, status, &result);
  return result;
}

static size_t columns_of(const struct head* head) {
  switch (head->kind) {
    case KIND_TREES: return head->config.trees.columns;
    case KIND_LINEAR: return head->config.linear.columns;
    case KIND_MLP: return head->config.mlp.columns;
    case KIND_PCA: return head->config.pca.columns;
    default: return head->config.neighbours.columns;
  }
}

/** A model in memory that is as large as its head says, or null. */
static struct head* model_of(napi_env env, napi_value value) {
  struct view view = view_of(env, value, napi_uint8_array);
  struct head* head = view.data;
  if (head == NULL || view.length < HEAD_BYTES || (uintptr_t)head % 8 != 0) return NULL;
  return head->magic == HEAD_MAGIC && head->bytes <= view.length && columns_of(head) > 0 ? head : NULL;
}

/** The threads of a call, for which there is room after a model; null for the calling thread alone. */
static const mmptx_learn_workers* workers_of(napi_env env, napi_value memory, const struct head* head, napi_value count,
                                             mmptx_learn_workers* workers) {
  const size_t number = size_of(env, count);
  if (number < 2 || number == (size_t)-1) return NULL;
  workers->count = number;
  workers->memory = (char*)head + head->bytes;
  workers->bytes = view_of(env, memory, napi_uint8_array).length - head->bytes;
  workers->run = pool_run;
  workers->context = NULL;
  return workers;
}

/* --- models: `bytes(kind, numbers)` and `init(kind, numbers, memory)`, with the numbers of a configuration in their order */

enum { MOST_NUMBERS = 10 };

/** A number of a configuration; one that is not in any range if it is not whole. */
static uint32_t whole_of(double number) { return number >= 0 && number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX; }

/** Whether there is such a kind of models. */
static int read_config(size_t kind, const double* numbers, union config* config) {
  uint32_t whole[MOST_NUMBERS];
  size_t index;
  for (index = 0; index < MOST_NUMBERS; index++) whole[index] = whole_of(numbers[index]);
  memset(config, 0, sizeof *config);
  switch (kind) {
    case KIND_TREES: {
      const mmptx_learn_trees_config trees = {whole[0], whole[1], whole[2], whole[3],   whole[4],
                                              whole[5], whole[6], whole[7], numbers[8], numbers[9]};
      config->trees = trees;
      return 1;
    }
    case KIND_LINEAR: {
      const mmptx_learn_linear_config linear = {whole[0], whole[1], whole[2], whole[3], numbers[4]};
      config->linear = linear;
      return 1;
    }
    case KIND_MLP: {
      const mmptx_learn_mlp_config mlp = {whole[0], {whole[1], whole[2]}, whole[3], whole[4], whole[5], numbers[6]};
      config->mlp = mlp;
      return 1;
    }
    case KIND_PCA: {
      const mmptx_learn_pca_config pca = {whole[0], whole[1]};
      config->pca = pca;
      return 1;
    }
    case KIND_NEIGHBOURS: {
      const mmptx_learn_neighbours_config neighbours = {whole[0], whole[1], whole[2], whole[3]};
      config->neighbours = neighbours;
      return 1;
    }
    default: return 0;
  }
}

/** `bytes(kind, numbers, workers)`: of a model, and of what its threads need. */
static napi_value bytes(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  union config config;
  struct view numbers;
  size_t kind, workers;
  size_t result = 0;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  kind = size_of(env, arguments[0]);
  numbers = view_of(env, arguments[1], napi_float64_array);
  if (numbers.length == MOST_NUMBERS && read_config(kind, numbers.data, &config)) {
    switch (kind) {
      case KIND_TREES: result = mmptx_learn_trees_bytes(&config.trees); break;
      case KIND_LINEAR: result = mmptx_learn_linear_bytes(&config.linear); break;
      case KIND_MLP: result = mmptx_learn_mlp_bytes(&config.mlp); break;
      case KIND_PCA: result = mmptx_learn_pca_bytes(&config.pca); break;
      default: result = mmptx_learn_neighbours_bytes(&config.neighbours); break;
    }
    workers = size_of(env, arguments[2]);
    if (result > 0 && workers > 1 && workers != (size_t)-1) result += (workers - 1) * mmptx_learn_worker_bytes((enum kind)kind, &config);
  }
  return number_to(env, (double)result);
}

static napi_value init(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  union config config;
  struct view numbers, memory;
  size_t kind;
  int status = MMPTX_LEARN_CONFIG;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  kind = size_of(env, arguments[0]);
  numbers = view_of(env, arguments[1], napi_float64_array);
  memory = view_of(env, arguments[2], napi_uint8_array);
  if (numbers.length == MOST_NUMBERS && read_config(kind, numbers.data, &config)) {
    switch (kind) {
      case KIND_TREES: status = mmptx_learn_trees_init(memory.data, memory.length, &config.trees); break;
      case KIND_LINEAR: status = mmptx_learn_linear_init(memory.data, memory.length, &config.linear); break;
      case KIND_MLP: status = mmptx_learn_mlp_init(memory.data, memory.length, &config.mlp); break;
      case KIND_PCA: status = mmptx_learn_pca_init(memory.data, memory.length, &config.pca); break;
      default: status = mmptx_learn_neighbours_init(memory.data, memory.length, &config.neighbours); break;
    }
  }
  return status_to(env, status);
}

/* --- calls that learn */

/** `fit(memory, values, labels, first, count, steps, workers)`: the table's rows, whose capacity is the number of labels. */
static napi_value fit(napi_env env, napi_callback_info info) {
  size_t count = 7;
  napi_value arguments[7];
  mmptx_learn_rows rows;
  mmptx_learn_workers workers;
  struct head* head;
  struct view values, labels;
  int status = MMPTX_LEARN_NO_MODEL;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  head = model_of(env, arguments[0]);
  values = floats_of(env, arguments[1]);
  labels = floats_of(env, arguments[2]);
  rows.values = values.data;
  rows.labels = labels.data;
  rows.first = size_of(env, arguments[3]);
  rows.count = size_of(env, arguments[4]);
  rows.capacity = labels.length;
  if (head == NULL) return status_to(env, status);
  if (labels.length == 0 || values.length != labels.length * columns_of(head)) return status_to(env, MMPTX_LEARN_SHAPE);
  switch (head->kind) {
    case KIND_TREES: status = mmptx_learn_trees_fit(head, &rows); break;
    case KIND_LINEAR: status = mmptx_learn_linear_fit(head, &rows, workers_of(env, arguments[0], head, arguments[6], &workers)); break;
    case KIND_MLP: status = mmptx_learn_mlp_fit(head, &rows, size_of(env, arguments[5]), &head->state[MLP_ERROR]); break;
    case KIND_NEIGHBOURS: status = mmptx_learn_neighbours_fit(head, &rows); break;
    default: break;
  }
  return status_to(env, status);
}

/** `step(memory, rows, labels)` of a perceptron. */
static napi_value step(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  struct head* head;
  struct view rows, labels;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  head = model_of(env, arguments[0]);
  if (head == NULL) return status_to(env, MMPTX_LEARN_NO_MODEL);
  rows = floats_of(env, arguments[1]);
  labels = floats_of(env, arguments[2]);
  if (rows.length != labels.length * columns_of(head)) return status_to(env, MMPTX_LEARN_SHAPE);
  return status_to(env, mmptx_learn_mlp_step(head, rows.data, labels.data, labels.length, &head->state[MLP_ERROR]));
}

/** `update(memory, rows, label)`: one row of a linear model, or a batch of a PCA. */
static napi_value update(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  struct head* head;
  struct view rows;
  double label = NAN;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  head = model_of(env, arguments[0]);
  if (head == NULL) return status_to(env, MMPTX_LEARN_NO_MODEL);
  rows = floats_of(env, arguments[1]);
  if (rows.length == 0 || rows.length % columns_of(head) != 0) return status_to(env, MMPTX_LEARN_SHAPE);
  if (head->kind == KIND_PCA) return status_to(env, mmptx_learn_pca_update(head, rows.data, rows.length / columns_of(head)));
  if (rows.length != columns_of(head)) return status_to(env, MMPTX_LEARN_SHAPE);
  napi_get_value_double(env, arguments[2], &label);
  return status_to(env, mmptx_learn_linear_update(head, rows.data, label));
}

/* --- calls that predict: `predict(memory, rows, results, second, workers)`; `second` is the deviations of a linear model or true for novelty */

static napi_value predict(napi_env env, napi_callback_info info) {
  size_t count = 5;
  napi_value arguments[5];
  mmptx_learn_workers room;
  const mmptx_learn_workers* workers;
  struct head* head;
  struct view rows, results, deviations;
  size_t rows_count;
  bool novelty = false;
  int status = MMPTX_LEARN_NO_MODEL;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  head = model_of(env, arguments[0]);
  if (head == NULL) return status_to(env, MMPTX_LEARN_NO_MODEL);
  rows = floats_of(env, arguments[1]);
  results = floats_of(env, arguments[2]);
  rows_count = rows.length / columns_of(head);
  if (rows.length % columns_of(head) != 0 || results.length != rows_count * (head->kind == KIND_PCA ? head->config.pca.components : 1))
    return status_to(env, MMPTX_LEARN_SHAPE);
  workers = workers_of(env, arguments[0], head, arguments[4], &room);
  switch (head->kind) {
    case KIND_TREES: status = mmptx_learn_trees_predict(head, rows.data, rows_count, results.data, workers); break;
    case KIND_LINEAR:
      deviations = floats_of(env, arguments[3]);
      if (deviations.data != NULL && deviations.length != rows_count) return status_to(env, MMPTX_LEARN_SHAPE);
      status = mmptx_learn_linear_predict(head, rows.data, rows_count, results.data, deviations.data, workers);
      break;
    case KIND_MLP: status = mmptx_learn_mlp_predict(head, rows.data, rows_count, results.data, workers); break;
    case KIND_PCA: status = mmptx_learn_pca_project(head, rows.data, rows_count, results.data); break;
    case KIND_NEIGHBOURS:
      napi_get_value_bool(env, arguments[3], &novelty);
      status = (novelty ? mmptx_learn_neighbours_novelty : mmptx_learn_neighbours_predict)(head, rows.data, rows_count, results.data, workers);
      break;
    default: break;
  }
  return status_to(env, status);
}

/* --- the rest */

/** `offset(buffer)`: the bytes before the first multiple of 64 in a buffer. */
static napi_value offset(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  void* data = NULL;
  size_t length = 0;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  napi_get_arraybuffer_info(env, argument, &data, &length);
  return number_to(env, (double)((64 - (uintptr_t)data % 64) % 64));
}

/** `isas()`: the names of instruction sets, the best one first. */
static napi_value isas(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  napi_value name;
  uint32_t index;
  (void)info;
  napi_create_array(env, &result);
  for (index = 0; mmptx_learn_isa_at(index) != NULL; index++) {
    napi_create_string_utf8(env, mmptx_learn_isa_at(index), NAPI_AUTO_LENGTH, &name);
    napi_set_element(env, result, index, name);
  }
  return result;
}

static napi_value isa(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  (void)info;
  napi_create_string_utf8(env, mmptx_learn_isa(), NAPI_AUTO_LENGTH, &result);
  return result;
}

/** `chooseIsa(name)` */
static napi_value choose_isa(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  char name[32] = "";
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  napi_get_value_string_utf8(env, argument, name, sizeof name, NULL);
  return status_to(env, mmptx_learn_choose_isa(name));
}

/** `message(status)` */
static napi_value message(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  napi_value result = NULL;
  int32_t status = -1;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  napi_get_value_int32(env, argument, &status);
  napi_create_string_utf8(env, mmptx_learn_message(status), NAPI_AUTO_LENGTH, &result);
  return result;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char* name;
    napi_callback call;
  } functions[] = {{"bytes", bytes},     {"init", init}, {"fit", fit},   {"step", step},            {"update", update},
                   {"predict", predict}, {"offset", offset}, {"isas", isas}, {"isa", isa}, {"chooseIsa", choose_isa}, {"message", message}};
  napi_value version;
  size_t index;
  for (index = 0; index < sizeof functions / sizeof *functions; index++) {
    napi_value function;
    if (napi_create_function(env, functions[index].name, NAPI_AUTO_LENGTH, functions[index].call, NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, functions[index].name, function) != napi_ok)
      return NULL;
  }
  pool_enter();
  /* Node aborts if a thread that loads the addon twice adds the same hook twice; `env` is another one then. */
  napi_add_env_cleanup_hook(env, pool_leave, env);
  napi_create_string_utf8(env, MMPTX_ADDON_VERSION, NAPI_AUTO_LENGTH, &version);
  napi_set_named_property(env, exports, "version", version);
  return exports;
}
