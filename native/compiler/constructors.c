/* NVIDIA's archive for x86-64 names its constructors in sections called .ctors. GNU ld makes an .init_array of them; lld, the
 * linker of Zig, keeps them as they are, and nobody runs them. So with that linker they are run here, when the library is
 * opened. lld puts numbered ones last, and others in the order of linking, in which this file is the first. */

typedef void (*constructor)(void);

__attribute__((used, section(".ctors"))) static constructor first = 0;
__attribute__((used, section(".ctors.65535"))) static constructor last = 0;

/* As always with .ctors, from the last to the first. */
__attribute__((constructor)) static void run_constructors(void) {
  constructor *each = &last;
  constructor *end = &first;
  /* For the compiler these are two variables with nothing between them. */
  __asm__("" : "+r"(each), "+r"(end));
  while (--each > end) (*each)();
}
