/* What the models have in common. model.h says what each function does. */
#include "model.h"

#include "kernels.h"

enum { SAVED_VERSION = 1, SAVED_HEAD = 8, SUM_WORD = 7 };

const char* mmptx_learn_message(int status) {
  static const char* const messages[] = {
      "no error",
      "expected a pointer, found null",
      "expected a configuration in its ranges",
      "expected memory of the size that `bytes` returns, aligned to 8 bytes",
      "expected memory with a model of this kind",
      "expected a number of rows that the call takes",
      "expected finite values and labels",
      "expected a model that has learned something",
      "expected finite weights, found ones that diverged; a lower rate helps",
      "expected a saved model of this kind and shape",
  };
  if (status < 0 || (size_t)status >= sizeof messages / sizeof *messages) return "unknown status";
  return messages[status];
}

static int begin_model(void* memory, size_t bytes, enum kind kind, size_t needed) {
  struct head* head = memory;
  if (memory == NULL) return MMPTX_LEARN_NULL;
  if (needed == 0) return MMPTX_LEARN_CONFIG;
  if (bytes < needed || (uintptr_t)memory % 8 != 0) return MMPTX_LEARN_MEMORY;
  memset(memory, 0, needed);
  head->magic = HEAD_MAGIC;
  head->kind = kind;
  head->bytes = needed;
  return MMPTX_LEARN_OK;
}

static int check_model(const void* memory, enum kind kind) {
  const struct head* head = memory;
  if (memory == NULL) return MMPTX_LEARN_NULL;
  if ((uintptr_t)memory % 8 != 0) return MMPTX_LEARN_MEMORY;
  return head->magic == HEAD_MAGIC && head->kind == (uint32_t)kind ? MMPTX_LEARN_OK : MMPTX_LEARN_NO_MODEL;
}

static int all_finite(const float* values, size_t count) { return kernels()->all_finite(values, count); }

static int check_values(const float* rows, size_t count, size_t columns, size_t least) {
  if (count < least || count > (size_t)-1 / (columns * sizeof(double))) return MMPTX_LEARN_SHAPE;
  if (count == 0) return MMPTX_LEARN_OK;
  if (rows == NULL) return MMPTX_LEARN_NULL;
  return all_finite(rows, count * columns) ? MMPTX_LEARN_OK : MMPTX_LEARN_NOT_FINITE;
}

static int check_rows(const mmptx_learn_rows* rows, size_t columns, size_t most) {
  size_t until_end;
  size_t capacity;
  if (rows == NULL || rows->values == NULL || rows->labels == NULL) return MMPTX_LEARN_NULL;
  capacity = rows->capacity == 0 ? rows->count : rows->capacity;
  if (rows->count < 1 || rows->count > most || rows->count > capacity || rows->first >= capacity) return MMPTX_LEARN_SHAPE;
  /* The rows are those from the first on and, if these reach the end, those at the beginning. */
  until_end = capacity - rows->first < rows->count ? capacity - rows->first : rows->count;
  if (!all_finite(rows->values + rows->first * columns, until_end * columns) ||
      !all_finite(rows->values, (rows->count - until_end) * columns) ||
      !all_finite(rows->labels + rows->first, until_end) || !all_finite(rows->labels, rows->count - until_end))
    return MMPTX_LEARN_NOT_FINITE;
  return MMPTX_LEARN_OK;
}

static void measure_columns(double* statistics, const mmptx_learn_rows* rows, const float* values, size_t stride, size_t columns) {
  size_t column, age;
  double count = (double)rows->count;
  memset(statistics, 0, 2 * columns * sizeof *statistics);
  for (age = 0; age < rows->count; age++) {
    const float* from = values + place_of(rows, age) * stride;
    for (column = 0; column < columns; column++) statistics[2 * column] += (double)from[column];
  }
  for (column = 0; column < columns; column++) statistics[2 * column] /= count;
  for (age = 0; age < rows->count; age++) {
    const float* from = values + place_of(rows, age) * stride;
    for (column = 0; column < columns; column++) {
      double difference = (double)from[column] - statistics[2 * column];
      statistics[2 * column + 1] += difference * difference;
    }
  }
  for (column = 0; column < columns; column++) statistics[2 * column + 1] = sqrt(statistics[2 * column + 1] / count);
}

static void freeze_scaling(double* scaling, const mmptx_learn_rows* rows, const float* values, size_t stride, size_t columns) {
  size_t column;
  measure_columns(scaling, rows, values, stride, columns);
  for (column = 0; column < columns; column++) {
    double deviation = scaling[2 * column + 1];
    /* A deviation without a finite inverse is as good as none. */
    if (!(1 / deviation <= DBL_MAX)) scaling[2 * column + 1] = 0;
  }
}

static uint32_t mix(uint32_t word) {
  word = (word ^ (word >> 16)) * 0x21f0aaadu;
  word = (word ^ (word >> 15)) * 0x735a2d97u;
  return word ^ (word >> 15);
}

static uint32_t word_at(uint32_t seed, uint32_t index) { return mix(mix(seed ^ 0x9e3779b9u) + (index + 1) * 0x9e3779b9u); }

static uint32_t below(uint32_t seed, double index, uint32_t bound) {
  /* Only the lower 32 bits of an index count. */
  return (uint32_t)(((uint64_t)word_at(seed, (uint32_t)(uint64_t)index) * bound) >> 32);
}

static double normal_at(uint32_t seed, uint32_t index) {
  double sum = 0;
  uint32_t part;
  for (part = 0; part < 4; part++) sum += (double)word_at(seed, 4 * index + part) / 4294967296.0;
  return (sum - 2) * sqrt(3.0);
}

static void put_word(unsigned char* to, uint32_t word) {
  to[0] = (unsigned char)word;
  to[1] = (unsigned char)(word >> 8);
  to[2] = (unsigned char)(word >> 16);
  to[3] = (unsigned char)(word >> 24);
}

static uint32_t word_from(const unsigned char* from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/** FNV-1a over words, without the word of the checksum itself. */
static uint32_t checksum(const unsigned char* saved, size_t words) {
  uint32_t sum = 0x811c9dc5u;
  size_t index;
  for (index = 0; index < words; index++) {
    if (index != SUM_WORD) sum = (sum ^ word_from(saved + 4 * index)) * 0x01000193u;
  }
  return sum;
}

static size_t saved_bytes(size_t numbers, size_t words) { return 4 * (SAVED_HEAD + 2 * numbers + words); }

static int begin_saved(struct writer* writer, void* saved, size_t bytes, enum kind kind, size_t numbers, size_t words) {
  const uint32_t head[SAVED_HEAD] = {HEAD_MAGIC, SAVED_VERSION, kind, (uint32_t)numbers, (uint32_t)words, 0, 0, 0};
  size_t index;
  if (saved == NULL) return MMPTX_LEARN_NULL;
  if (bytes != saved_bytes(numbers, words)) return MMPTX_LEARN_MEMORY;
  writer->to = saved;
  for (index = 0; index < SAVED_HEAD; index++, writer->to += 4) put_word(writer->to, head[index]);
  return MMPTX_LEARN_OK;
}

static void put_number(struct writer* writer, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  put_word(writer->to, (uint32_t)bits);
  put_word(writer->to + 4, (uint32_t)(bits >> 32));
  writer->to += 8;
}

static void put_words(struct writer* writer, const void* words, size_t count) {
  const unsigned char* from = words;
  size_t index;
  for (index = 0; index < count; index++, writer->to += 4) {
    uint32_t word;
    memcpy(&word, from + 4 * index, sizeof word);
    put_word(writer->to, word);
  }
}

static void end_saved(void* saved, size_t bytes) { put_word((unsigned char*)saved + 4 * SUM_WORD, checksum(saved, bytes / 4)); }

static int begin_reader(struct reader* reader, const void* saved, size_t bytes, enum kind kind) {
  const unsigned char* from = saved;
  if (saved == NULL) return MMPTX_LEARN_NULL;
  if (bytes % 4 != 0 || bytes < 4 * SAVED_HEAD) return MMPTX_LEARN_BAD_MODEL;
  if (word_from(from) != HEAD_MAGIC || word_from(from + 4) != SAVED_VERSION || word_from(from + 8) != (uint32_t)kind ||
      (uint64_t)bytes / 4 != SAVED_HEAD + 2 * (uint64_t)word_from(from + 12) + word_from(from + 16) ||
      word_from(from + 4 * SUM_WORD) != checksum(from, bytes / 4))
    return MMPTX_LEARN_BAD_MODEL;
  reader->from = from + 4 * SAVED_HEAD;
  reader->left = bytes / 4 - SAVED_HEAD;
  reader->numbers = word_from(from + 12);
  return MMPTX_LEARN_OK;
}

static double get_number(struct reader* reader) {
  uint64_t bits;
  double number;
  if (reader->left < 2) return NAN;
  bits = word_from(reader->from) | (uint64_t)word_from(reader->from + 4) << 32;
  memcpy(&number, &bits, sizeof number);
  reader->from += 8;
  reader->left -= 2;
  return number;
}

static double get_between(struct reader* reader, double least, double most, int* bad) {
  double number = get_number(reader);
  if (number >= least && number <= most) return number;
  *bad = 1;
  return least;
}

static void get_statistics(struct reader* reader, double* scaling, size_t columns, int* bad) {
  size_t column;
  for (column = 0; column < columns; column++) {
    scaling[2 * column] = get_between(reader, -MOST_STATISTIC, MOST_STATISTIC, bad);
    scaling[2 * column + 1] = get_between(reader, 0, MOST_STATISTIC, bad);
  }
}

static double get_whole(struct reader* reader, double least, double most, int* bad) {
  double number = get_between(reader, least, most, bad);
  if (number != (double)(int64_t)number) *bad = 1;
  return number;
}

static int get_words(struct reader* reader, void* words, size_t count) {
  unsigned char* to = words;
  size_t index;
  if (reader->left < count) return MMPTX_LEARN_BAD_MODEL;
  for (index = 0; index < count; index++, reader->from += 4) {
    uint32_t word = word_from(reader->from);
    memcpy(to + 4 * index, &word, sizeof word);
  }
  reader->left -= count;
  return MMPTX_LEARN_OK;
}
