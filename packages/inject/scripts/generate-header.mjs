// Writes include/ptx_inject.h. The header's repetitive part, tables of macros for 1 to 32 operands, comes from loops here;
// the rest is the text below. A pure function of this file: no clock, no paths.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The largest number of operands of one site. */
export const MAX_OPERANDS = 32;

/** Operand counts up to here get our own message; beyond it the preprocessor's arguments run out of table. */
const COUNTABLE = 96;

/** name, register type, type suffix of its mov, asm constraint, bind kind. */
const DEFAULT_TYPES = [
  ["F16", "b16", "b16", "h", "U16"],
  ["F16X2", "b32", "b32", "r", "U32"],
  ["S32", "s32", "s32", "r", "ID"],
  ["U32", "u32", "u32", "r", "ID"],
  ["F32", "f32", "f32", "f", "ID"],
  ["B32", "b32", "b32", "r", "ID"],
];

const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** One row a count: `#define NAME_3(m, a0, a1, a2) m(a0) m(a1) m(a2)`. */
function table(name, call, separator) {
  return range(0, MAX_OPERANDS)
    .map((count) => {
      const indices = range(0, count - 1);
      const parameters = ["m", "head", ...indices.map((i) => `a${i}`)].join(", ");
      return `#define PTX_INJECT_DETAIL_${name}_${count}(${parameters}) ${indices.map(call).join(separator)}`.trimEnd();
    })
    .join("\n");
}

/** Macros that pick a word by how many arguments stand before the words. */
function counters() {
  const slots = range(0, COUNTABLE).map((i) => `a${i}`);
  const counter = (name, word) =>
    `#define PTX_INJECT_DETAIL_${name}(...) \\\n  PTX_INJECT_DETAIL_PICK(__VA_ARGS__, ${range(0, COUNTABLE).reverse().map(word).join(", ")}, ~)`;
  return [
    `#define PTX_INJECT_DETAIL_PICK(${slots.join(", ")}, picked, ...) picked`,
    counter("COUNT", (n) => n),
    counter("SIZE", (n) => (n === 0 ? "NONE" : n > MAX_OPERANDS ? "MANY" : "SOME")),
    counter("ANY", (n) => (n === 0 ? "NONE" : "SOME")),
  ].join("\n");
}

/** KEEP_<wanted>_<kind>: the operand, after a comma, when the kinds are the same. */
const keepers = () =>
  ["M", "O", "I"]
    .flatMap((wanted) =>
      ["M", "O", "I"].map(
        (kind) =>
          `#define PTX_INJECT_DETAIL_KEEP_${wanted}_${kind}(operand)${wanted === kind ? " , operand" : ""}`,
      ),
    )
    .join("\n");

const typeLine = ([name, ...fields]) => `#define PTX_TYPE_INFO_${name} PTX_TYPES_DESC(${fields.join(", ")})`;

export function generateHeader() {
  return `// ptx_inject.h: marks places in a CUDA kernel where PTX is put in after nvcc has run.
// Written by packages/inject/scripts/generate-header.mjs; change that file, not this one.
// SPDX-License-Identifier: MIT
//
//   PTX_INJECT("func", PTX_IN(F32, x), PTX_MOD(F32, sum, total[0]), PTX_OUT(F32, z));
//
// A site has a name and 1 to ${MAX_OPERANDS} operands: PTX_IN is read, PTX_OUT written, PTX_MOD both. An operand is (type, name)
// where the name is also the variable, or (type, name, expression). In the compiled PTX each operand has a register of
// its own, %_x0, %_x1 and so on in the order mod, out, in, whatever the order written here. The compiler may remove a site
// whose results nobody uses, and repeat one that it unrolls or inlines.
//
// Types: F16 F16X2 S32 U32 F32 B32, and your own:
//   #define PTX_TYPE_INFO_ANGLE PTX_TYPES_DESC(f32, f32, f, ID)
// that is register type, suffix of its mov, asm constraint, and how the expression is bound: ID as it is, U16 and U32
// through the bits of an object of that size. PTX_INJECT_NO_DEFAULT_TYPES, defined before the include, leaves all but
// PHILOX out. PTX_INJECT_TOK(func, ...) takes the name as a word. PTX_PHILOX(state) stands for the six operands of a
// Philox state with .key.x .key.y and .ctr.x .ctr.y .ctr.z .ctr.w. Outside device code a site does nothing.
#ifndef PTX_INJECT_H
#define PTX_INJECT_H

#ifndef __cplusplus
#error "ptx_inject.h needs C++ (C++14 or later)"
#endif

// ---- types ---------------------------------------------------------------------------------------------------------
#define PTX_TYPES_DESC(register_type, mov_suffix, constraint, bind) \\
  (#register_type, #mov_suffix, #constraint, PTX_INJECT_DETAIL_BIND_##bind)

#ifndef PTX_INJECT_NO_DEFAULT_TYPES
${DEFAULT_TYPES.map(typeLine).join("\n")}
#endif
${typeLine(["PHILOX", "u32", "u32", "r", "ID"])}

// Reading bits goes through a const reference, so that constants and temporaries may be read too.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define PTX_INJECT_DETAIL_FUNCTION static __host__ __device__ __forceinline__
#else
#define PTX_INJECT_DETAIL_FUNCTION static inline
#endif
namespace ptx_inject_detail {
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<const Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits& write_bits(Value& value) {
  static_assert(sizeof(Bits) == sizeof(Value), "PTX_INJECT: the operand's size differs from that of its type's bind kind");
  return reinterpret_cast<Bits&>(value);
}
template <class Value>
PTX_INJECT_DETAIL_FUNCTION void refer_to(Value&) {}
}  // namespace ptx_inject_detail
#define PTX_INJECT_DETAIL_BIND_ID(access, ...) __VA_ARGS__
#define PTX_INJECT_DETAIL_BIND_U16(access, ...) ptx_inject_detail::access##_bits<unsigned short>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_BIND_U32(access, ...) ptx_inject_detail::access##_bits<unsigned int>(__VA_ARGS__)

// ---- operands: (kind, type word, type, name, expression...) ----------------------------------------------------------
#define PTX_IN(type, ...) PTX_INJECT_DETAIL_OPERAND(I, #type, PTX_TYPE_INFO_##type, #__VA_ARGS__, __VA_ARGS__)
#define PTX_OUT(type, ...) PTX_INJECT_DETAIL_OPERAND(O, #type, PTX_TYPE_INFO_##type, #__VA_ARGS__, __VA_ARGS__)
#define PTX_MOD(type, ...) PTX_INJECT_DETAIL_OPERAND(M, #type, PTX_TYPE_INFO_##type, #__VA_ARGS__, __VA_ARGS__)
#define PTX_PHILOX(state) \\
  PTX_IN(PHILOX, philox_key_x, (state).key.x), PTX_IN(PHILOX, philox_key_y, (state).key.y), \\
  PTX_MOD(PHILOX, philox_ctr_x, (state).ctr.x), PTX_IN(PHILOX, philox_ctr_y, (state).ctr.y), \\
  PTX_IN(PHILOX, philox_ctr_z, (state).ctr.z), PTX_IN(PHILOX, philox_ctr_w, (state).ctr.w)

// Everything after the name is the expression, so that one with commas (a template's arguments) needs no parentheses.
#define PTX_INJECT_DETAIL_OPERAND(kind, word, type, text, ...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_OPERAND_, PTX_INJECT_DETAIL_ANY(__VA_ARGS__))(kind, word, type, text, __VA_ARGS__)
#define PTX_INJECT_DETAIL_OPERAND_NONE(kind, word, type, text, name) (kind, word, type, text, name)
#define PTX_INJECT_DETAIL_OPERAND_SOME(kind, word, type, text, name, ...) (kind, word, type, #name, __VA_ARGS__)

#define PTX_INJECT_DETAIL_KIND(kind, word, type, name, ...) kind
#define PTX_INJECT_DETAIL_WORD(kind, word, type, name, ...) word
#define PTX_INJECT_DETAIL_NAME(kind, word, type, name, ...) name
#define PTX_INJECT_DETAIL_VALUE(kind, word, type, name, ...) (__VA_ARGS__)
#define PTX_INJECT_DETAIL_REGISTER(kind, word, type, name, ...) PTX_INJECT_DETAIL_TYPE_REGISTER type
#define PTX_INJECT_DETAIL_MOV(kind, word, type, name, ...) PTX_INJECT_DETAIL_TYPE_MOV type
#define PTX_INJECT_DETAIL_TYPE_REGISTER(register_type, mov_suffix, constraint, bind) register_type
#define PTX_INJECT_DETAIL_TYPE_MOV(register_type, mov_suffix, constraint, bind) mov_suffix
#define PTX_INJECT_DETAIL_TYPE_CONSTRAINT(register_type, mov_suffix, constraint, bind) constraint
#define PTX_INJECT_DETAIL_TYPE_BIND(register_type, mov_suffix, constraint, bind) bind

// ---- a site --------------------------------------------------------------------------------------------------------
#define PTX_INJECT(...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COUNTED_, PTX_INJECT_DETAIL_SIZE(__VA_ARGS__))(__VA_ARGS__)
#define PTX_INJECT_TOK(name, ...) PTX_INJECT(#name, __VA_ARGS__)

#define PTX_INJECT_DETAIL_COUNTED_NONE(...) \\
  static_assert(false, "PTX_INJECT: a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD")
#define PTX_INJECT_DETAIL_COUNTED_MANY(...) \\
  static_assert(false, "PTX_INJECT: a site takes at most ${MAX_OPERANDS} operands")
#define PTX_INJECT_DETAIL_COUNTED_SOME(...) \\
  PTX_INJECT_DETAIL_CHECK(PTX_INJECT_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)

// Operands that are wrong are reported in place of the asm, which would only add noise.
#define PTX_INJECT_DETAIL_CHECK(count, ...) PTX_INJECT_DETAIL_CHECK_I(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_CHECK_I(count, ...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_CHECKED_, \\
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_BAD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_CHECKED_SOME(count, ...) \\
  do { PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_COMPLAIN, __VA_ARGS__) } while (0)

#define PTX_INJECT_DETAIL_BAD(operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_KIND_, PTX_INJECT_DETAIL_IS_TUPLE(operand))(operand)
#define PTX_INJECT_DETAIL_BAD_KIND_0(operand) , ~
#define PTX_INJECT_DETAIL_BAD_KIND_1(operand) PTX_INJECT_DETAIL_BAD_TYPE operand
#define PTX_INJECT_DETAIL_BAD_TYPE(kind, word, type, name, ...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))
#define PTX_INJECT_DETAIL_BAD_TYPE_0 , ~
#define PTX_INJECT_DETAIL_BAD_TYPE_1

#define PTX_INJECT_DETAIL_COMPLAIN(operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_KIND_, PTX_INJECT_DETAIL_IS_TUPLE(operand))(operand)
#define PTX_INJECT_DETAIL_COMPLAIN_KIND_0(operand) \\
  static_assert(false, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD, found " #operand);
#define PTX_INJECT_DETAIL_COMPLAIN_KIND_1(operand) PTX_INJECT_DETAIL_COMPLAIN_TYPE operand
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE(kind, word, type, name, ...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))(word)
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_0(word) \\
  static_assert(false, "PTX_INJECT: unknown type " word ", define PTX_TYPE_INFO_" word " as PTX_TYPES_DESC(...)");
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_1(word)

// Canonical order is three walks, each keeping one kind. Lists carry a leading comma, so that an empty one is nothing.
#define PTX_INJECT_DETAIL_CHECKED_NONE(count, ...) \\
  PTX_INJECT_DETAIL_SORTED(count, \\
    (~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_MOD, __VA_ARGS__) \\
       PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_OUT, __VA_ARGS__)), \\
    (~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_IN, __VA_ARGS__)), \\
    PTX_INJECT_DETAIL_FIRST(__VA_ARGS__) \\
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_MOD, __VA_ARGS__) \\
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_OUT, __VA_ARGS__) \\
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_IN, __VA_ARGS__))
#define PTX_INJECT_DETAIL_SORTED(count, written, read, ...) PTX_INJECT_DETAIL_EMIT(count, written, read, __VA_ARGS__)

#define PTX_INJECT_DETAIL_KEEP_MOD(operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_M_, PTX_INJECT_DETAIL_KIND operand)(operand)
#define PTX_INJECT_DETAIL_KEEP_OUT(operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_O_, PTX_INJECT_DETAIL_KIND operand)(operand)
#define PTX_INJECT_DETAIL_KEEP_IN(operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_I_, PTX_INJECT_DETAIL_KIND operand)(operand)
${keepers()}

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
// Operand i of the asm is also register _x<i>: an asm statement numbers what it writes first, and so does a site.
#define PTX_INJECT_DETAIL_EMIT(count, written, read, name, ...) \\
  do { \\
    static_assert(sizeof(name) > 1, "PTX_INJECT: a site needs a name"); \\
    PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_NAMED, ~, __VA_ARGS__) \\
    asm("{\\n\\t" \\
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_DECLARE, ~, __VA_ARGS__) \\
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_LOAD, ~, __VA_ARGS__) \\
        "// PTX_INJECT_START " name "\\n\\t" \\
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_MARK, ~, __VA_ARGS__) \\
        "// PTX_INJECT_END\\n\\t" \\
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_STORE, ~, __VA_ARGS__) \\
        "}" \\
        : PTX_INJECT_DETAIL_BINDINGS written \\
        : PTX_INJECT_DETAIL_BINDINGS read); \\
  } while (0)
#else
// What a site would read is not evaluated, and what it would write is only referred to, so that host code compiles
// without a word about variables that are unused or never set.
#define PTX_INJECT_DETAIL_EMIT(count, written, read, name, ...) \\
  do { PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_SKIP, ~, __VA_ARGS__) } while (0)
#endif
#define PTX_INJECT_DETAIL_SKIP(i, operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_SKIP_, PTX_INJECT_DETAIL_KIND operand)(PTX_INJECT_DETAIL_VALUE operand)
#define PTX_INJECT_DETAIL_SKIP_M(value) ptx_inject_detail::refer_to value;
#define PTX_INJECT_DETAIL_SKIP_O(value) ptx_inject_detail::refer_to value;
#define PTX_INJECT_DETAIL_SKIP_I(value) (void)sizeof value;

#define PTX_INJECT_DETAIL_NAMED(i, operand) \\
  static_assert(sizeof(PTX_INJECT_DETAIL_NAME operand) > 1, "PTX_INJECT: an operand needs a name");
#define PTX_INJECT_DETAIL_DECLARE(i, operand) ".reg ." PTX_INJECT_DETAIL_REGISTER operand " %%_x" #i ";\\n\\t"
#define PTX_INJECT_DETAIL_LOAD(i, operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_LOAD_, PTX_INJECT_DETAIL_KIND operand)(i, operand)
#define PTX_INJECT_DETAIL_LOAD_M(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %%_x" #i ", %" #i ";\\n\\t"
#define PTX_INJECT_DETAIL_LOAD_O(i, operand)
#define PTX_INJECT_DETAIL_LOAD_I(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %%_x" #i ", %" #i ";\\n\\t"
#define PTX_INJECT_DETAIL_MARK(i, operand) \\
  "// _x" #i PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_LETTER_, PTX_INJECT_DETAIL_KIND operand) \\
  PTX_INJECT_DETAIL_REGISTER operand " " PTX_INJECT_DETAIL_WORD operand " " PTX_INJECT_DETAIL_NAME operand "\\n\\t"
#define PTX_INJECT_DETAIL_LETTER_M " m "
#define PTX_INJECT_DETAIL_LETTER_O " o "
#define PTX_INJECT_DETAIL_LETTER_I " i "
#define PTX_INJECT_DETAIL_STORE(i, operand) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_STORE_, PTX_INJECT_DETAIL_KIND operand)(i, operand)
#define PTX_INJECT_DETAIL_STORE_M(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %" #i ", %%_x" #i ";\\n\\t"
#define PTX_INJECT_DETAIL_STORE_O(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %" #i ", %%_x" #i ";\\n\\t"
#define PTX_INJECT_DETAIL_STORE_I(i, operand)

#define PTX_INJECT_DETAIL_BINDINGS(...) \\
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMMAS_, PTX_INJECT_DETAIL_COUNT(__VA_ARGS__))(PTX_INJECT_DETAIL_BINDING, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BINDING(operand) PTX_INJECT_DETAIL_BINDING_OF operand
#define PTX_INJECT_DETAIL_BINDING_OF(kind, word, type, name, ...) PTX_INJECT_DETAIL_BINDING_##kind(type, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BINDING_M(type, ...) \\
  "+" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_BINDING_O(type, ...) \\
  "=" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_BINDING_I(type, ...) \\
  PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (read, __VA_ARGS__))

// ---- the preprocessor's arithmetic: counts, and walks of fixed length ----------------------------------------------
#define PTX_INJECT_DETAIL_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)
#define PTX_INJECT_DETAIL_CAT_I(a, b) a##b
#define PTX_INJECT_DETAIL_FIRST(first, ...) first
#define PTX_INJECT_DETAIL_SECOND(...) PTX_INJECT_DETAIL_SECOND_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SECOND_I(first, second, ...) second
#define PTX_INJECT_DETAIL_IS_TUPLE(x) PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE x, 0, ~)
#define PTX_INJECT_DETAIL_PROBE(...) ~, 1

// COUNT is the number of arguments after the first; SIZE and ANY say whether that is NONE, SOME or (SIZE) too MANY.
${counters()}

${[
  table("EACH", (i) => `m(a${i})`, " "),
  table("COMMAS", (i) => `m(a${i})`, ", "),
  table("INDEXED", (i) => `m(${i}, a${i})`, " "),
].join("\n\n")}

#endif  // PTX_INJECT_H
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("../include/ptx_inject.h", import.meta.url);
  writeFileSync(file, generateHeader());
}
