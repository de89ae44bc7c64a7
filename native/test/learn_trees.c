/* Fits trees with each instruction set to the rows and labels in files of f32, and writes the saved models. */
#include <stdio.h>
#include <stdlib.h>

#include "mmptx_learn.h"

enum { ROWS = 2000, COLUMNS = 8 };

static int has_read(const char* path, float* values, size_t count) {
  FILE* file = fopen(path, "rb");
  return file != NULL && fread(values, sizeof *values, count, file) == count && fclose(file) == 0;
}

int main(int count, char** arguments) {
  static float values[ROWS * COLUMNS], labels[ROWS];
  const mmptx_learn_trees_config config = mmptx_learn_trees_defaults(COLUMNS, ROWS);
  const mmptx_learn_rows rows = {values, labels, ROWS, 0, 0};
  const size_t bytes = mmptx_learn_trees_bytes(&config);
  void* memory = malloc(bytes);
  size_t index;
  if (count != 3 || !has_read(arguments[1], values, ROWS * COLUMNS) || !has_read(arguments[2], labels, ROWS)) return 1;
  for (index = 0; mmptx_learn_isa_at(index) != NULL; index++) {
    size_t size;
    void* saved;
    FILE* file = fopen(mmptx_learn_isa_at(index), "wb");
    if (mmptx_learn_choose_isa(mmptx_learn_isa_at(index)) != MMPTX_LEARN_OK) return 2;
    if (mmptx_learn_trees_init(memory, bytes, &config) != MMPTX_LEARN_OK) return 3;
    if (mmptx_learn_trees_fit(memory, &rows) != MMPTX_LEARN_OK) return 4;
    size = mmptx_learn_trees_saved_bytes(memory);
    saved = malloc(size);
    if (mmptx_learn_trees_save(memory, saved, size) != MMPTX_LEARN_OK) return 5;
    if (file == NULL || fwrite(saved, 1, size, file) != size || fclose(file) != 0) return 6;
    printf("%s\n", mmptx_learn_isa());
    free(saved);
  }
  free(memory);
  return 0;
}
