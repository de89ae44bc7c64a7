// program: tags=language,printf
// Formats of device printf, also from several threads, in the order of one thread's calls.
//
// prints: int -42, hex 0xff, char x, percent %
// prints: long long -1234567890123, unsigned 18446744073709551615
// prints: float 3.142, exponent   3.14e+03, general 0.1
// prints: padded |   12|12   |00012|
// prints: text from the device, again ab
// prints: thread 0
// prints: thread 1
// prints: thread 2

#include "../check.h"

__global__ void report(double pi) {
  if (threadIdx.x == 0) {
    printf("int %d, hex %#x, char %c, percent %%\n", -42, 255, 'x');
    printf("long long %lld, unsigned %llu\n", -1234567890123ll, 18446744073709551615ull);
    printf("float %.3f, exponent %10.2e, general %g\n", pi, pi * 1000, 0.1f);
    printf("padded |%5d|%-5d|%05d|\n", 12, 12, 12);
    printf("text %s, again %.2s\n", "from the device", "abc");
  }
  __syncthreads();
  if (threadIdx.x < 3) printf("thread %u\n", threadIdx.x);
}

int main() {
  report<<<1, 32>>>(3.14159265358979);
  CHECK_KERNEL();
  return finish();
}
