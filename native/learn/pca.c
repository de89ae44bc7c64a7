/* Principal components from a running covariance, by orthogonal iteration: updates, projections and saved models. */
#include "kernels.h"

enum { PCA_NUMBERS = 4 };
/** Iterations after the first batch, and after each of the others, which begin with the components so far. */
enum { COLD = 12, WARM = 2 };
enum { SWEEPS = 16, MOST_COMPONENTS = 32 };
/** What the rounding of products as f32 amounts to, relative to these. */
#define ROUNDING (1.0 / 1048576)
/** More than sums of finite f32, and sums of their products, can be. */
#define MOST_SUM 1e60
#define MOST_PRODUCT 1e100

/** The parts of a model in memory, which may be null to learn their bytes alone. */
static size_t place_pca(const mmptx_learn_pca_config* config, void* memory, struct pca* model) {
  size_t columns = config->columns;
  size_t components = config->components;
  size_t stride = (columns + 3) / 4 * 4;
  size_t at = HEAD_BYTES;
  struct pca here;
  char* base = memory;
  memset(&here, 0, sizeof here);
  here.config = config;
  here.stride = stride;
  PART(block, PCA_BLOCK * stride, float);
  PART(block_sums, stride, float);
  PART(block_products, columns * stride, float);
  /* A constant of the other backends. */
  add_part(&at, 1, sizeof(float));
  PART(shift, stride, float);
  PART(sums, stride, double);
  PART(products, columns * stride, double);
  PART(means, stride, double);
  PART(covariance, columns * stride, double);
  PART(basis, components * stride, double);
  PART(variances, components, double);
  PART(images, components * stride, double);
  PART(small, components * components, double);
  PART(vectors, components * components, double);
  if (model != NULL) *model = here;
  return at;
}

static struct pca pca_of(const void* memory) {
  struct pca model;
  place_pca(&head_of(memory)->config.pca, (void*)memory, &model);
  return model;
}

size_t mmptx_learn_pca_bytes(const mmptx_learn_pca_config* config) {
  if (config == NULL || config->columns < 1 || config->columns > 512 || config->components < 1 || config->components > MOST_COMPONENTS ||
      config->components > config->columns)
    return 0;
  return place_pca(config, NULL, NULL);
}

int mmptx_learn_pca_init(void* memory, size_t bytes, const mmptx_learn_pca_config* config) {
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = begin_model(memory, bytes, KIND_PCA, mmptx_learn_pca_bytes(config));
  if (status == MMPTX_LEARN_OK) head_of(memory)->config.pca = *config;
  return status;
}

/** The sum of products of runs of values, whose number is a multiple of 4: four sums, which do not wait for each other. */
static double dot(const double* a, const double* b, size_t count) {
  double sums[4] = {0, 0, 0, 0};
  size_t index;
  for (index = 0; index < count; index += 4) {
    sums[0] += a[index] * b[index];
    sums[1] += a[index + 1] * b[index + 1];
    sums[2] += a[index + 2] * b[index + 2];
    sums[3] += a[index + 3] * b[index + 3];
  }
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/**
 * Makes rows orthogonal to those before them and of length 1. A row that depends on those before it becomes 0. Those after a row become
 * orthogonal to it at once, because they do not wait for each other.
 */
static void orthonormalize(double* rows, size_t count, size_t columns) {
  double before[MOST_COMPONENTS];
  size_t row, later, column;
  for (row = 0; row < count; row++) before[row] = dot(rows + row * columns, rows + row * columns, columns);
  for (row = 0; row < count; row++) {
    double* one = rows + row * columns;
    double square = dot(one, one, columns);
    /* What is left of a dependent row is rounding. */
    double factor = square > before[row] * 1e-24 ? 1 / sqrt(square) : 0;
    for (column = 0; column < columns; column++) one[column] *= factor;
    for (later = row + 1; later < count; later++) {
      double* other = rows + later * columns;
      double part = dot(other, one, columns);
      for (column = 0; column < columns; column++) other[column] -= part * one[column];
    }
  }
}

static void turn(double* values, size_t first, size_t second, double cosine, double sine) {
  double a = values[first];
  double b = values[second];
  values[first] = cosine * a - sine * b;
  values[second] = sine * a + cosine * b;
}

/** Rotates rows and columns p and q so that their common entry becomes 0; returns whether there was one. */
static int rotate(double* matrix, double* vectors, size_t size, size_t p, size_t q) {
  double entry = matrix[p * size + q];
  double first = matrix[p * size + p];
  double second = matrix[q * size + q];
  double ratio, root, tangent, cosine, sine;
  size_t index;
  /* Entries that are smaller, relative to their diagonal, are rounding. */
  if (fabs(entry) <= 1e-16 * (fabs(first) + fabs(second))) return 0;
  ratio = (second - first) / (2 * entry);
  root = sqrt(1 + ratio * ratio);
  tangent = ratio >= 0 ? 1 / (ratio + root) : 1 / (ratio - root);
  cosine = 1 / sqrt(1 + tangent * tangent);
  sine = tangent * cosine;
  for (index = 0; index < size; index++) turn(matrix, index * size + p, index * size + q, cosine, sine);
  for (index = 0; index < size; index++) turn(matrix, p * size + index, q * size + index, cosine, sine);
  for (index = 0; index < size; index++) turn(vectors, p * size + index, q * size + index, cosine, sine);
  return 1;
}

/** Diagonalizes a symmetric matrix by Jacobi rotations; `vectors` becomes the eigenvectors, one in each row. */
static void diagonalize(double* matrix, double* vectors, size_t size) {
  size_t sweep, p, q;
  int rotated = 1;
  memset(vectors, 0, size * size * sizeof *vectors);
  for (p = 0; p < size; p++) vectors[p * size + p] = 1;
  for (sweep = 0; sweep < SWEEPS && rotated; sweep++) {
    rotated = 0;
    for (p = 0; p < size; p++) {
      for (q = p + 1; q < size; q++) rotated |= rotate(matrix, vectors, size, p, q);
    }
  }
}

/** The means and the covariance of all rows so far, and its trace. */
static void covary(const struct pca* model, double* state) {
  size_t columns = model->config->columns;
  size_t stride = model->stride;
  double count = state[PCA_COUNT];
  double total = 0;
  size_t column, other;
  for (column = 0; column < columns; column++) {
    double mean = model->sums[column] / count;
    double* row = model->covariance + column * stride;
    const double* products = model->products + column * stride;
    model->means[column] = (double)model->shift[column] + mean;
    for (other = column; other < columns; other++) row[other] = (products[other] - mean * model->sums[other]) / count;
    for (other = column; other < columns; other++) model->covariance[other * stride + column] = row[other];
    total += row[column] > 0 ? row[column] : 0;
  }
  state[PCA_TOTAL] = total;
}

/** Draws the components that do not exist: all at first, and later those for which there was no variance. */
static void draw(const struct pca* model) {
  size_t columns = model->config->columns;
  size_t component, index;
  for (component = 0; component < model->config->components; component++) {
    size_t start = component * model->stride;
    if (dot(model->basis + start, model->basis + start, model->stride) > 0) continue;
    for (index = start; index < start + columns; index++) model->basis[index] = normal_at(0, (uint32_t)index);
  }
}

/** Writes what the covariance makes of the direction of the largest variance that is left as component `rank`; its largest entry is positive. */
static void take_largest(const struct pca* model, size_t rank) {
  size_t columns = model->config->columns;
  size_t components = model->config->components;
  double* to = model->basis + rank * model->stride;
  size_t best = components;
  size_t index, column;
  double largest = 0;
  double sign = 1;
  for (index = 0; index < components; index++) {
    double variance = model->small[index * components + index];
    if (variance == variance && (best == components || variance > model->small[best * components + best])) best = index;
  }
  if (best == components) best = 0;
  model->variances[rank] = model->small[best * components + best] > 0 ? model->small[best * components + best] : 0;
  model->small[best * components + best] = NAN;
  kernels()->pca_multiply(model->vectors + best * components, components, model->images, model->stride, to);
  for (column = columns; column < model->stride; column++) to[column] = 0;
  for (column = 0; column < columns; column++) {
    if (fabs(to[column]) > largest) {
      largest = fabs(to[column]);
      sign = to[column] < 0 ? -1 : 1;
    }
  }
  for (column = 0; column < columns; column++) to[column] *= sign;
}

/** Multiplies the components by the covariance. */
static void multiply(const struct pca* model) {
  const size_t stride = model->stride;
  size_t component;
  for (component = 0; component < model->config->components; component++)
    kernels()->pca_multiply(model->basis + component * stride, model->config->columns, model->covariance, stride, model->images + component * stride);
}

/** Whether the variance of a component could be the rounding of the products of its columns. */
static int is_rounding(const struct pca* model, double total, size_t component) {
  double sum = 0;
  size_t column;
  /* The sum below is at most the root of the total variance, because the length of a component is 1. */
  if (model->variances[component] > 1.001 * ROUNDING * total) return 0;
  for (column = 0; column < model->config->columns; column++) {
    double variance = model->covariance[column * (model->stride + 1)];
    sum += fabs(model->basis[component * model->stride + column]) * sqrt(variance > 0 ? variance : 0);
  }
  return model->variances[component] <= ROUNDING * sum * sum;
}

/**
 * The last iteration: what the covariance makes of the directions of the largest variances within the span of the components, from the
 * largest on.
 */
static void align(const struct pca* model, double total) {
  size_t components = model->config->components;
  size_t stride = model->stride;
  size_t row, column;
  multiply(model);
  for (row = 0; row < components; row++) {
    for (column = row; column < components; column++) {
      double value = dot(model->basis + row * stride, model->images + column * stride, stride);
      model->small[row * components + column] = value;
      model->small[column * components + row] = value;
    }
  }
  diagonalize(model->small, model->vectors, components);
  for (row = 0; row < components; row++) take_largest(model, row);
  orthonormalize(model->basis, components, stride);
  for (row = 0; row < components; row++) {
    if (!is_rounding(model, total, row)) continue;
    model->variances[row] = 0;
    memset(model->basis + row * stride, 0, stride * sizeof *model->basis);
  }
}

int mmptx_learn_pca_update(void* memory, const float* rows, size_t count) {
  struct pca model;
  double* state;
  size_t columns, components, first, row, column;
  int is_first, iteration;
  int status = check_model(memory, KIND_PCA);
  if (status != MMPTX_LEARN_OK) return status;
  model = pca_of(memory);
  columns = model.config->columns;
  components = model.config->components;
  status = check_values(rows, count, columns, 1);
  if (status != MMPTX_LEARN_OK) return status;
  state = head_of(memory)->state;
  is_first = state[PCA_COUNT] == 0;
  for (column = 0; is_first && column < columns; column++) {
    double sum = 0;
    for (row = 0; row < count; row++) sum += (double)rows[row * columns + column];
    model.shift[column] = (float)(sum / (double)count);
  }
  for (first = 0; first < count; first += PCA_BLOCK) {
    size_t size = count - first < PCA_BLOCK ? count - first : PCA_BLOCK;
    kernels()->pca_add(&model, rows + first * columns, size);
  }
  state[PCA_COUNT] += (double)count;
  covary(&model, state);
  draw(&model);
  for (iteration = is_first ? COLD : WARM; iteration > 1; iteration--) {
    multiply(&model);
    memcpy(model.basis, model.images, components * model.stride * sizeof *model.basis);
    orthonormalize(model.basis, components, model.stride);
  }
  align(&model, state[PCA_TOTAL]);
  state[PCA_VERSION]++;
  return MMPTX_LEARN_OK;
}

int mmptx_learn_pca_project(void* memory, const float* rows, size_t count, float* projected) {
  struct pca model;
  size_t columns, components, row, column, component;
  int status = check_model(memory, KIND_PCA);
  if (status != MMPTX_LEARN_OK) return status;
  if (head_of(memory)->state[PCA_COUNT] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = pca_of(memory);
  columns = model.config->columns;
  components = model.config->components;
  status = check_values(rows, count, columns, 0);
  if (status != MMPTX_LEARN_OK || count == 0) return status;
  if (projected == NULL) return MMPTX_LEARN_NULL;
  for (row = 0; row < count; row++) {
    /* The images are free: the first has a row relative to the means. */
    for (column = 0; column < columns; column++) model.images[column] = (double)rows[row * columns + column] - model.means[column];
    for (component = 0; component < components; component++)
      projected[row * components + component] = finite_score(dot(model.images, model.basis + component * model.stride, model.stride), 0);
  }
  return MMPTX_LEARN_OK;
}

static size_t pca_words(const mmptx_learn_pca_config* config) {
  size_t columns = config->columns;
  size_t stride = (columns + 3) / 4 * 4;
  return stride + 2 * (stride + columns * stride + config->components * stride + config->components);
}

size_t mmptx_learn_pca_saved_bytes(const void* memory) {
  if (check_model(memory, KIND_PCA) != MMPTX_LEARN_OK || head_of(memory)->state[PCA_COUNT] == 0) return 0;
  return saved_bytes(PCA_NUMBERS, pca_words(&head_of(memory)->config.pca));
}

static void put_numbers(struct writer* writer, const double* numbers, size_t count) {
  size_t index;
  for (index = 0; index < count; index++) put_number(writer, numbers[index]);
}

int mmptx_learn_pca_save(const void* memory, void* saved, size_t bytes) {
  struct pca model;
  struct writer writer;
  const mmptx_learn_pca_config* config;
  int status = check_model(memory, KIND_PCA);
  if (status != MMPTX_LEARN_OK) return status;
  if (head_of(memory)->state[PCA_COUNT] == 0) return MMPTX_LEARN_NOT_FITTED;
  model = pca_of(memory);
  config = model.config;
  status = begin_saved(&writer, saved, bytes, KIND_PCA, PCA_NUMBERS, pca_words(config));
  if (status != MMPTX_LEARN_OK) return status;
  put_number(&writer, config->columns);
  put_number(&writer, config->components);
  put_number(&writer, head_of(memory)->state[PCA_COUNT]);
  put_number(&writer, head_of(memory)->state[PCA_VERSION]);
  put_words(&writer, model.shift, model.stride);
  put_numbers(&writer, model.sums, model.stride);
  put_numbers(&writer, model.products, config->columns * model.stride);
  put_numbers(&writer, model.basis, config->components * model.stride);
  put_numbers(&writer, model.variances, config->components);
  end_saved(saved, bytes);
  return MMPTX_LEARN_OK;
}

static int read_pca(struct reader* reader, const void* saved, size_t bytes, mmptx_learn_pca_config* config, double* state) {
  int bad = 0;
  int status = begin_reader(reader, saved, bytes, KIND_PCA);
  if (status != MMPTX_LEARN_OK) return status;
  config->columns = (uint32_t)get_whole(reader, 1, 512, &bad);
  config->components = (uint32_t)get_whole(reader, 1, config->columns < 32 ? config->columns : 32, &bad);
  state[PCA_COUNT] = get_whole(reader, 1, MOST_LEARNED, &bad);
  state[PCA_VERSION] = get_whole(reader, 1, MOST_LEARNED, &bad);
  return bad || reader->numbers != PCA_NUMBERS || reader->left != pca_words(config) ? MMPTX_LEARN_BAD_MODEL : MMPTX_LEARN_OK;
}

int mmptx_learn_pca_saved_config(const void* saved, size_t bytes, mmptx_learn_pca_config* config) {
  struct reader reader;
  double state[STATE_NUMBERS];
  if (config == NULL) return MMPTX_LEARN_NULL;
  return read_pca(&reader, saved, bytes, config, state);
}

/** Rows of numbers, with zeros after the columns. */
static void get_rows(struct reader* reader, double* numbers, size_t rows, const struct pca* model, double most, int* bad) {
  size_t index;
  for (index = 0; index < rows * model->stride; index++) {
    double limit = index % model->stride < model->config->columns ? most : 0;
    numbers[index] = get_between(reader, -limit, limit, bad);
  }
}

int mmptx_learn_pca_load(void* memory, size_t bytes, const mmptx_learn_pca_config* config, const void* saved, size_t saved_size) {
  struct reader reader;
  struct pca model;
  mmptx_learn_pca_config found;
  double state[STATE_NUMBERS] = {0};
  size_t index;
  int bad = 0;
  int status;
  if (config == NULL) return MMPTX_LEARN_NULL;
  status = read_pca(&reader, saved, saved_size, &found, state);
  if (status != MMPTX_LEARN_OK) return status;
  if (found.columns != config->columns || found.components != config->components) return MMPTX_LEARN_BAD_MODEL;
  status = mmptx_learn_pca_init(memory, bytes, config);
  if (status != MMPTX_LEARN_OK) return status;
  model = pca_of(memory);
  get_words(&reader, model.shift, model.stride);
  for (index = config->columns; index < model.stride; index++) bad |= model.shift[index] != 0;
  get_rows(&reader, model.sums, 1, &model, MOST_SUM, &bad);
  get_rows(&reader, model.products, config->columns, &model, MOST_PRODUCT, &bad);
  get_rows(&reader, model.basis, config->components, &model, 2, &bad);
  for (index = 0; index < config->components; index++) model.variances[index] = get_between(&reader, 0, MOST_PRODUCT, &bad);
  if (bad || !all_finite(model.shift, model.stride)) return MMPTX_LEARN_BAD_MODEL;
  memcpy(head_of(memory)->state, state, sizeof state);
  covary(&model, head_of(memory)->state);
  return MMPTX_LEARN_OK;
}
