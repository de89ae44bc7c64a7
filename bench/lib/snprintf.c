/* The yardstick of the Stack PTX benchmark: formatting 100 register names with snprintf, which is most of the
   work of a stub compiler in C. Prints a JSON array with the microseconds of the fastest of ten loops for each of
   `rounds` rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(int count, char** arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 5;
  char buffer[64];
  volatile unsigned written = 0;
  printf("[");
  for (int round = 0; round < rounds; round++) {
    double best = 1e9;
    for (int repeat = 0; repeat < 10; repeat++) {
      const double start = now();
      for (int loop = 0; loop < 200; loop++) {
        for (unsigned i = 0; i < 100; i++) {
          written += (unsigned)snprintf(buffer, sizeof(buffer), "%%_s%u_%u", i & 3, i);
        }
      }
      const double time = (now() - start) / 200;
      if (time < best) best = time;
    }
    printf("%s%.4f", round == 0 ? "" : ",", best);
  }
  printf("]\n");
  return 0;
}
