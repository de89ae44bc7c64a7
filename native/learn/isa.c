/* Chooses the instruction set at run time. */
#include "kernels.h"

#if defined(MMPTX_LEARN_X86)
/** Whether the operating system saves the registers of these bits of XCR0. */
static int saves(unsigned bits) {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  (void)high;
  return (low & bits) == bits;
}

/** 0 without SSE4.1, 1 with it, 2 with AVX2, and 3 with AVX-512 F, DQ, BW and VL. */
static int level(void) {
  unsigned a, b, c, d, b7, c7, d7;
  const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return 0;
  if (!(c & bit_OSXSAVE) || !saves(0x6) || !__get_cpuid_count(7, 0, &a, &b7, &c7, &d7) || !(b7 & bit_AVX2)) return 1;
  return (b7 & avx512) == avx512 && saves(0xe6) ? 3 : 2;
}

/** Whether 512 bits go through units of 256 in two steps, as in AMD's family 19h (Zen 4): then AVX2 is as fast or faster. */
static int halves_vectors(void) {
  unsigned a, b, c, d, family;
  if (!__get_cpuid(0, &a, &b, &c, &d) || b != signature_AMD_ebx || !__get_cpuid(1, &a, &b, &c, &d)) return 0;
  family = (a >> 8 & 0xf) + (a >> 20 & 0xff);
  return family == 0x19;
}

static size_t fastest(void) { return level() == 3 && halves_vectors() ? 1 : 0; }
#else
static size_t fastest(void) { return 0; }
#endif

/** The instruction set of an index, from that with the widest vectors on. */
static const struct kernels* at(size_t index) {
#if defined(MMPTX_LEARN_X86)
  static const struct kernels* const all[] = {&kernels_avx512, &kernels_avx2, &kernels_sse41,
                                              &kernels_portable};
  index += 3 - (size_t)level();
#elif defined(MMPTX_LEARN_ARM)
  static const struct kernels* const all[] = {&kernels_neon, &kernels_portable};
#else
  static const struct kernels* const all[] = {&kernels_portable};
#endif
  return index < sizeof all / sizeof *all ? all[index] : NULL;
}

/* Threads that find it null at once all write the same. */
static const struct kernels* volatile chosen = NULL;

static const struct kernels* kernels(void) {
  const struct kernels* one = chosen;
  if (one == NULL) chosen = one = at(fastest());
  return one;
}

const char* mmptx_learn_isa_at(size_t index) {
  const struct kernels* one = index < 4 ? at(index) : NULL;
  return one == NULL ? NULL : one->name;
}

const char* mmptx_learn_isa(void) { return kernels()->name; }

int mmptx_learn_choose_isa(const char* name) {
  size_t index;
  if (name == NULL) return MMPTX_LEARN_NULL;
  for (index = 0; at(index) != NULL; index++) {
    if (strcmp(at(index)->name, name) != 0) continue;
    chosen = at(index);
    return MMPTX_LEARN_OK;
  }
  return MMPTX_LEARN_CONFIG;
}
