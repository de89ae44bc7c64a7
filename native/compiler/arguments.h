/* The arguments of a compile, checked against a closed list: the option parser of NVIDIA's compilers would read any file it is
 * told to and print to stdout. */
#ifndef MMPTXC_ARGUMENTS_H
#define MMPTXC_ARGUMENTS_H

#include "mmptxc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MMPTXC_MAX_ARGUMENTS 32

/* The arguments in memory of their own, as compilers take them. */
typedef struct mmptxc_argument_list {
  char text[MMPTXC_ARGUMENTS_SIZE];
  const char *items[MMPTXC_MAX_ARGUMENTS];
  int count;
} mmptxc_argument_list;

/* Fills a list from arguments that are separated by one space. Returns 0 for an argument that is not on the list or is there
 * twice (the compiler would take the last one), and where there is no architecture. */
int mmptxc_list_arguments(const char *arguments, mmptxc_argument_list *list);

#ifdef __cplusplus
}
#endif

#endif
