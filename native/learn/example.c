/* Fits trees and predicts with them, in memory of the caller:
 *   cc -O3 mmptx_learn.c example.c -lm -o example && ./example */
#include <stdio.h>
#include <stdlib.h>

#include "mmptx_learn.h"

enum { ROWS = 1000, COLUMNS = 4 };

int main(void) {
  static float values[ROWS * COLUMNS], labels[ROWS], scores[ROWS];
  mmptx_learn_trees_config config = mmptx_learn_trees_defaults(COLUMNS, ROWS);
  mmptx_learn_rows rows = {values, labels, ROWS, 0, 0};
  size_t bytes = mmptx_learn_trees_bytes(&config);
  void* memory = malloc(bytes);
  double squares = 0, all = 0;
  uint32_t state = 1;
  int index, status;
  for (index = 0; index < ROWS * COLUMNS; index++) values[index] = (float)((state = state * 48271u % 65521u) / 32760.5 - 1);
  for (index = 0; index < ROWS; index++) labels[index] = values[4 * index] * values[4 * index + 1] + (values[4 * index + 2] > 0.3f);
  status = mmptx_learn_trees_init(memory, bytes, &config);
  if (status == MMPTX_LEARN_OK) status = mmptx_learn_trees_fit(memory, &rows);
  if (status == MMPTX_LEARN_OK) status = mmptx_learn_trees_predict(memory, values, ROWS, scores, NULL);
  if (status != MMPTX_LEARN_OK) return fprintf(stderr, "%s\n", mmptx_learn_message(status)), 1;
  for (index = 0; index < ROWS; index++) {
    squares += (labels[index] - scores[index]) * (labels[index] - scores[index]);
    all += labels[index] * labels[index];
  }
  printf("%s: an error of %.1f %% is left, in %lu bytes\n", mmptx_learn_isa(), 100 * squares / all, (unsigned long)bytes);
  free(memory);
  return 0;
}
