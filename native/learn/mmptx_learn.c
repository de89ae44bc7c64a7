/* The models of mmptx_learn.h as one source: compile this file alone, with any options that keep IEEE arithmetic. It includes itself once
 * for each instruction set, so it has to keep its name; MMPTX_LEARN_ISA is then the name of that instruction set. */
#ifndef MMPTX_LEARN_ISA

/* Contraction would round sums of products once instead of twice, and have other bits. GCC does not contract standard C. */
#if defined(__GNUC__) && !defined(__clang__)
#if !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif
#elif defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif

#include "model.c"

#include "linear.c"
#include "mlp.c"
#include "neighbours.c"
#include "pca.c"
#include "trees.c"
#include "workers.c"

#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline, unused))
#if defined(__x86_64__)
#define MMPTX_LEARN_X86
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#define MMPTX_LEARN_ARM
#include <arm_neon.h>
#endif
#else
#define LANES_INLINE static inline
#endif

#include "kernels_names.h"

#if defined(MMPTX_LEARN_X86)
/* Functions between TARGET and END_TARGET may use these instructions, whatever the options of the compiler are. */
#define PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TARGET(features) PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define TARGET(features) PRAGMA(GCC push_options) PRAGMA(GCC target(features))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

/* For some versions of Clang, vectors of 512 bits are an extension of their own, which Zig turns off. */
#if defined(__clang__) && __clang_major__ >= 18 && __clang_major__ <= 20
#define AVX512 "avx512f,avx512dq,avx512bw,avx512vl,evex512"
#else
#define AVX512 "avx512f,avx512dq,avx512bw,avx512vl"
#endif

#define MMPTX_LEARN_ISA avx512
#define MMPTX_VECTORS 1
#define WIDE 16
TARGET(AVX512)
#include "mmptx_learn.c"
END_TARGET

#define MMPTX_LEARN_ISA avx2
#define MMPTX_VECTORS 1
#define WIDE 8
TARGET("avx2")
#include "mmptx_learn.c"
END_TARGET

#define MMPTX_LEARN_ISA sse41
#define MMPTX_VECTORS 1
#define WIDE 4
TARGET("sse4.1")
#include "mmptx_learn.c"
END_TARGET
#elif defined(MMPTX_LEARN_ARM)
#define MMPTX_LEARN_ISA neon
#define MMPTX_VECTORS 1
#define WIDE 4
#include "mmptx_learn.c"
#endif

/* Plain C. */
#define MMPTX_LEARN_ISA portable
#define MMPTX_VECTORS 0
#define WIDE 4
#include "mmptx_learn.c"

#include "isa.c"
#else
#include "kernels.c"
#endif
