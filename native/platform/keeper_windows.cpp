#include <cstdio>

#include "keeper.h"

namespace mmptx {

// Nothing calls this: on Windows, the programs that a program starts are not ended.
int keep(char **) {
  std::fputs("expected a POSIX system, found Windows\n", stderr);
  return kNotStarted;
}

}  // namespace mmptx
