/* NVIDIA's archive for x86-64 lists its constructors in sections called .ctors. GNU ld converts them to an .init_array. lld,
 * Zig's linker, keeps them as they are, and nothing runs them. With that linker they are therefore run here, when the
 * library is opened. lld puts numbered sections last and the others in link order, in which this file comes first. */

typedef void (*constructor)(void);

__attribute__((used, section(".ctors"))) static constructor first = 0;
__attribute__((used, section(".ctors.65535"))) static constructor last = 0;

/* .ctors are run from last to first. */
__attribute__((constructor)) static void run_constructors(void) {
  constructor *each = &last;
  constructor *end = &first;
  /* To the compiler, these are two unrelated variables. */
  __asm__("" : "+r"(each), "+r"(end));
  while (--each > end) (*each)();
}
