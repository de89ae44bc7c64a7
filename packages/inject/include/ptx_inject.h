// ptx_inject.h: marks places in a CUDA kernel where PTX is put in after nvcc has run.
// Written by packages/inject/scripts/generate-header.mjs; change that file, not this one.
// SPDX-License-Identifier: MIT
//
//   PTX_INJECT("func", PTX_IN(F32, x), PTX_MOD(F32, sum, total[0]), PTX_OUT(F32, z));
//
// A site has a name and 1 to 32 operands: PTX_IN is read, PTX_OUT written, PTX_MOD both. An operand is (type, name)
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
#define PTX_TYPES_DESC(register_type, mov_suffix, constraint, bind) \
  (#register_type, #mov_suffix, #constraint, PTX_INJECT_DETAIL_BIND_##bind)

#ifndef PTX_INJECT_NO_DEFAULT_TYPES
#define PTX_TYPE_INFO_F16 PTX_TYPES_DESC(b16, b16, h, U16)
#define PTX_TYPE_INFO_F16X2 PTX_TYPES_DESC(b32, b32, r, U32)
#define PTX_TYPE_INFO_S32 PTX_TYPES_DESC(s32, s32, r, ID)
#define PTX_TYPE_INFO_U32 PTX_TYPES_DESC(u32, u32, r, ID)
#define PTX_TYPE_INFO_F32 PTX_TYPES_DESC(f32, f32, f, ID)
#define PTX_TYPE_INFO_B32 PTX_TYPES_DESC(b32, b32, r, ID)
#endif
#define PTX_TYPE_INFO_PHILOX PTX_TYPES_DESC(u32, u32, r, ID)

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
#define PTX_PHILOX(state) \
  PTX_IN(PHILOX, philox_key_x, (state).key.x), PTX_IN(PHILOX, philox_key_y, (state).key.y), \
  PTX_MOD(PHILOX, philox_ctr_x, (state).ctr.x), PTX_IN(PHILOX, philox_ctr_y, (state).ctr.y), \
  PTX_IN(PHILOX, philox_ctr_z, (state).ctr.z), PTX_IN(PHILOX, philox_ctr_w, (state).ctr.w)

// Everything after the name is the expression, so that one with commas (a template's arguments) needs no parentheses.
#define PTX_INJECT_DETAIL_OPERAND(kind, word, type, text, ...) \
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
#define PTX_INJECT(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COUNTED_, PTX_INJECT_DETAIL_SIZE(__VA_ARGS__))(__VA_ARGS__)
#define PTX_INJECT_TOK(name, ...) PTX_INJECT(#name, __VA_ARGS__)

#define PTX_INJECT_DETAIL_COUNTED_NONE(...) \
  static_assert(false, "PTX_INJECT: a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD")
#define PTX_INJECT_DETAIL_COUNTED_MANY(...) \
  static_assert(false, "PTX_INJECT: a site takes at most 32 operands")
#define PTX_INJECT_DETAIL_COUNTED_SOME(...) \
  PTX_INJECT_DETAIL_CHECK(PTX_INJECT_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)

// Operands that are wrong are reported in place of the asm, which would only add noise.
#define PTX_INJECT_DETAIL_CHECK(count, ...) PTX_INJECT_DETAIL_CHECK_I(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_CHECK_I(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_CHECKED_, \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_BAD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_CHECKED_SOME(count, ...) \
  do { PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_COMPLAIN, __VA_ARGS__) } while (0)

#define PTX_INJECT_DETAIL_BAD(operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_KIND_, PTX_INJECT_DETAIL_IS_TUPLE(operand))(operand)
#define PTX_INJECT_DETAIL_BAD_KIND_0(operand) , ~
#define PTX_INJECT_DETAIL_BAD_KIND_1(operand) PTX_INJECT_DETAIL_BAD_TYPE operand
#define PTX_INJECT_DETAIL_BAD_TYPE(kind, word, type, name, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))
#define PTX_INJECT_DETAIL_BAD_TYPE_0 , ~
#define PTX_INJECT_DETAIL_BAD_TYPE_1

#define PTX_INJECT_DETAIL_COMPLAIN(operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_KIND_, PTX_INJECT_DETAIL_IS_TUPLE(operand))(operand)
#define PTX_INJECT_DETAIL_COMPLAIN_KIND_0(operand) \
  static_assert(false, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD, found " #operand);
#define PTX_INJECT_DETAIL_COMPLAIN_KIND_1(operand) PTX_INJECT_DETAIL_COMPLAIN_TYPE operand
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE(kind, word, type, name, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))(word)
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_0(word) \
  static_assert(false, "PTX_INJECT: unknown type " word ", define PTX_TYPE_INFO_" word " as PTX_TYPES_DESC(...)");
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_1(word)

// Canonical order is three walks, each keeping one kind. Lists carry a leading comma, so that an empty one is nothing.
#define PTX_INJECT_DETAIL_CHECKED_NONE(count, ...) \
  PTX_INJECT_DETAIL_SORTED(count, \
    (~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_MOD, __VA_ARGS__) \
       PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_OUT, __VA_ARGS__)), \
    (~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_IN, __VA_ARGS__)), \
    PTX_INJECT_DETAIL_FIRST(__VA_ARGS__) \
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_MOD, __VA_ARGS__) \
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_OUT, __VA_ARGS__) \
    PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEEP_IN, __VA_ARGS__))
#define PTX_INJECT_DETAIL_SORTED(count, written, read, ...) PTX_INJECT_DETAIL_EMIT(count, written, read, __VA_ARGS__)

#define PTX_INJECT_DETAIL_KEEP_MOD(operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_M_, PTX_INJECT_DETAIL_KIND operand)(operand)
#define PTX_INJECT_DETAIL_KEEP_OUT(operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_O_, PTX_INJECT_DETAIL_KIND operand)(operand)
#define PTX_INJECT_DETAIL_KEEP_IN(operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_KEEP_I_, PTX_INJECT_DETAIL_KIND operand)(operand)
#define PTX_INJECT_DETAIL_KEEP_M_M(operand) , operand
#define PTX_INJECT_DETAIL_KEEP_M_O(operand)
#define PTX_INJECT_DETAIL_KEEP_M_I(operand)
#define PTX_INJECT_DETAIL_KEEP_O_M(operand)
#define PTX_INJECT_DETAIL_KEEP_O_O(operand) , operand
#define PTX_INJECT_DETAIL_KEEP_O_I(operand)
#define PTX_INJECT_DETAIL_KEEP_I_M(operand)
#define PTX_INJECT_DETAIL_KEEP_I_O(operand)
#define PTX_INJECT_DETAIL_KEEP_I_I(operand) , operand

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
// Operand i of the asm is also register _x<i>: an asm statement numbers what it writes first, and so does a site.
#define PTX_INJECT_DETAIL_EMIT(count, written, read, name, ...) \
  do { \
    static_assert(sizeof(name) > 1, "PTX_INJECT: a site needs a name"); \
    PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_NAMED, ~, __VA_ARGS__) \
    asm("{\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_DECLARE, ~, __VA_ARGS__) \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_LOAD, ~, __VA_ARGS__) \
        "// PTX_INJECT_START " name "\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_MARK, ~, __VA_ARGS__) \
        "// PTX_INJECT_END\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_STORE, ~, __VA_ARGS__) \
        "}" \
        : PTX_INJECT_DETAIL_BINDINGS written \
        : PTX_INJECT_DETAIL_BINDINGS read); \
  } while (0)
#else
// What a site would read is not evaluated, and what it would write is only referred to, so that host code compiles
// without a word about variables that are unused or never set.
#define PTX_INJECT_DETAIL_EMIT(count, written, read, name, ...) \
  do { PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_SKIP, ~, __VA_ARGS__) } while (0)
#endif
#define PTX_INJECT_DETAIL_SKIP(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_SKIP_, PTX_INJECT_DETAIL_KIND operand)(PTX_INJECT_DETAIL_VALUE operand)
#define PTX_INJECT_DETAIL_SKIP_M(value) ptx_inject_detail::refer_to value;
#define PTX_INJECT_DETAIL_SKIP_O(value) ptx_inject_detail::refer_to value;
#define PTX_INJECT_DETAIL_SKIP_I(value) (void)sizeof value;

#define PTX_INJECT_DETAIL_NAMED(i, operand) \
  static_assert(sizeof(PTX_INJECT_DETAIL_NAME operand) > 1, "PTX_INJECT: an operand needs a name");
#define PTX_INJECT_DETAIL_DECLARE(i, operand) ".reg ." PTX_INJECT_DETAIL_REGISTER operand " %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_LOAD(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_LOAD_, PTX_INJECT_DETAIL_KIND operand)(i, operand)
#define PTX_INJECT_DETAIL_LOAD_M(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_LOAD_O(i, operand)
#define PTX_INJECT_DETAIL_LOAD_I(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_MARK(i, operand) \
  "// _x" #i PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_LETTER_, PTX_INJECT_DETAIL_KIND operand) \
  PTX_INJECT_DETAIL_REGISTER operand " " PTX_INJECT_DETAIL_WORD operand " " PTX_INJECT_DETAIL_NAME operand "\n\t"
#define PTX_INJECT_DETAIL_LETTER_M " m "
#define PTX_INJECT_DETAIL_LETTER_O " o "
#define PTX_INJECT_DETAIL_LETTER_I " i "
#define PTX_INJECT_DETAIL_STORE(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_STORE_, PTX_INJECT_DETAIL_KIND operand)(i, operand)
#define PTX_INJECT_DETAIL_STORE_M(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_STORE_O(i, operand) "mov." PTX_INJECT_DETAIL_MOV operand " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_STORE_I(i, operand)

#define PTX_INJECT_DETAIL_BINDINGS(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMMAS_, PTX_INJECT_DETAIL_COUNT(__VA_ARGS__))(PTX_INJECT_DETAIL_BINDING, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BINDING(operand) PTX_INJECT_DETAIL_BINDING_OF operand
#define PTX_INJECT_DETAIL_BINDING_OF(kind, word, type, name, ...) PTX_INJECT_DETAIL_BINDING_##kind(type, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BINDING_M(type, ...) \
  "+" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_BINDING_O(type, ...) \
  "=" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_BINDING_I(type, ...) \
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
#define PTX_INJECT_DETAIL_PICK(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86, a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, picked, ...) picked
#define PTX_INJECT_DETAIL_COUNT(...) \
  PTX_INJECT_DETAIL_PICK(__VA_ARGS__, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define PTX_INJECT_DETAIL_SIZE(...) \
  PTX_INJECT_DETAIL_PICK(__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, NONE, ~)
#define PTX_INJECT_DETAIL_ANY(...) \
  PTX_INJECT_DETAIL_PICK(__VA_ARGS__, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME, NONE, ~)

#define PTX_INJECT_DETAIL_EACH_0(m, head)
#define PTX_INJECT_DETAIL_EACH_1(m, head, a0) m(a0)
#define PTX_INJECT_DETAIL_EACH_2(m, head, a0, a1) m(a0) m(a1)
#define PTX_INJECT_DETAIL_EACH_3(m, head, a0, a1, a2) m(a0) m(a1) m(a2)
#define PTX_INJECT_DETAIL_EACH_4(m, head, a0, a1, a2, a3) m(a0) m(a1) m(a2) m(a3)
#define PTX_INJECT_DETAIL_EACH_5(m, head, a0, a1, a2, a3, a4) m(a0) m(a1) m(a2) m(a3) m(a4)
#define PTX_INJECT_DETAIL_EACH_6(m, head, a0, a1, a2, a3, a4, a5) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5)
#define PTX_INJECT_DETAIL_EACH_7(m, head, a0, a1, a2, a3, a4, a5, a6) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6)
#define PTX_INJECT_DETAIL_EACH_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7)
#define PTX_INJECT_DETAIL_EACH_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8)
#define PTX_INJECT_DETAIL_EACH_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9)
#define PTX_INJECT_DETAIL_EACH_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10)
#define PTX_INJECT_DETAIL_EACH_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11)
#define PTX_INJECT_DETAIL_EACH_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12)
#define PTX_INJECT_DETAIL_EACH_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13)
#define PTX_INJECT_DETAIL_EACH_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14)
#define PTX_INJECT_DETAIL_EACH_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15)
#define PTX_INJECT_DETAIL_EACH_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16)
#define PTX_INJECT_DETAIL_EACH_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17)
#define PTX_INJECT_DETAIL_EACH_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18)
#define PTX_INJECT_DETAIL_EACH_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19)
#define PTX_INJECT_DETAIL_EACH_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20)
#define PTX_INJECT_DETAIL_EACH_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21)
#define PTX_INJECT_DETAIL_EACH_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22)
#define PTX_INJECT_DETAIL_EACH_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23)
#define PTX_INJECT_DETAIL_EACH_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24)
#define PTX_INJECT_DETAIL_EACH_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25)
#define PTX_INJECT_DETAIL_EACH_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26)
#define PTX_INJECT_DETAIL_EACH_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27)
#define PTX_INJECT_DETAIL_EACH_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28)
#define PTX_INJECT_DETAIL_EACH_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29)
#define PTX_INJECT_DETAIL_EACH_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30)
#define PTX_INJECT_DETAIL_EACH_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31)

#define PTX_INJECT_DETAIL_COMMAS_0(m, head)
#define PTX_INJECT_DETAIL_COMMAS_1(m, head, a0) m(a0)
#define PTX_INJECT_DETAIL_COMMAS_2(m, head, a0, a1) m(a0), m(a1)
#define PTX_INJECT_DETAIL_COMMAS_3(m, head, a0, a1, a2) m(a0), m(a1), m(a2)
#define PTX_INJECT_DETAIL_COMMAS_4(m, head, a0, a1, a2, a3) m(a0), m(a1), m(a2), m(a3)
#define PTX_INJECT_DETAIL_COMMAS_5(m, head, a0, a1, a2, a3, a4) m(a0), m(a1), m(a2), m(a3), m(a4)
#define PTX_INJECT_DETAIL_COMMAS_6(m, head, a0, a1, a2, a3, a4, a5) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5)
#define PTX_INJECT_DETAIL_COMMAS_7(m, head, a0, a1, a2, a3, a4, a5, a6) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6)
#define PTX_INJECT_DETAIL_COMMAS_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7)
#define PTX_INJECT_DETAIL_COMMAS_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8)
#define PTX_INJECT_DETAIL_COMMAS_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9)
#define PTX_INJECT_DETAIL_COMMAS_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10)
#define PTX_INJECT_DETAIL_COMMAS_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11)
#define PTX_INJECT_DETAIL_COMMAS_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12)
#define PTX_INJECT_DETAIL_COMMAS_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13)
#define PTX_INJECT_DETAIL_COMMAS_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14)
#define PTX_INJECT_DETAIL_COMMAS_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15)
#define PTX_INJECT_DETAIL_COMMAS_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16)
#define PTX_INJECT_DETAIL_COMMAS_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17)
#define PTX_INJECT_DETAIL_COMMAS_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18)
#define PTX_INJECT_DETAIL_COMMAS_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19)
#define PTX_INJECT_DETAIL_COMMAS_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20)
#define PTX_INJECT_DETAIL_COMMAS_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21)
#define PTX_INJECT_DETAIL_COMMAS_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22)
#define PTX_INJECT_DETAIL_COMMAS_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23)
#define PTX_INJECT_DETAIL_COMMAS_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24)
#define PTX_INJECT_DETAIL_COMMAS_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25)
#define PTX_INJECT_DETAIL_COMMAS_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26)
#define PTX_INJECT_DETAIL_COMMAS_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26), m(a27)
#define PTX_INJECT_DETAIL_COMMAS_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26), m(a27), m(a28)
#define PTX_INJECT_DETAIL_COMMAS_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26), m(a27), m(a28), m(a29)
#define PTX_INJECT_DETAIL_COMMAS_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26), m(a27), m(a28), m(a29), m(a30)
#define PTX_INJECT_DETAIL_COMMAS_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m(a0), m(a1), m(a2), m(a3), m(a4), m(a5), m(a6), m(a7), m(a8), m(a9), m(a10), m(a11), m(a12), m(a13), m(a14), m(a15), m(a16), m(a17), m(a18), m(a19), m(a20), m(a21), m(a22), m(a23), m(a24), m(a25), m(a26), m(a27), m(a28), m(a29), m(a30), m(a31)

#define PTX_INJECT_DETAIL_INDEXED_0(m, head)
#define PTX_INJECT_DETAIL_INDEXED_1(m, head, a0) m(0, a0)
#define PTX_INJECT_DETAIL_INDEXED_2(m, head, a0, a1) m(0, a0) m(1, a1)
#define PTX_INJECT_DETAIL_INDEXED_3(m, head, a0, a1, a2) m(0, a0) m(1, a1) m(2, a2)
#define PTX_INJECT_DETAIL_INDEXED_4(m, head, a0, a1, a2, a3) m(0, a0) m(1, a1) m(2, a2) m(3, a3)
#define PTX_INJECT_DETAIL_INDEXED_5(m, head, a0, a1, a2, a3, a4) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4)
#define PTX_INJECT_DETAIL_INDEXED_6(m, head, a0, a1, a2, a3, a4, a5) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5)
#define PTX_INJECT_DETAIL_INDEXED_7(m, head, a0, a1, a2, a3, a4, a5, a6) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6)
#define PTX_INJECT_DETAIL_INDEXED_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7)
#define PTX_INJECT_DETAIL_INDEXED_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8)
#define PTX_INJECT_DETAIL_INDEXED_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9)
#define PTX_INJECT_DETAIL_INDEXED_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10)
#define PTX_INJECT_DETAIL_INDEXED_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11)
#define PTX_INJECT_DETAIL_INDEXED_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12)
#define PTX_INJECT_DETAIL_INDEXED_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13)
#define PTX_INJECT_DETAIL_INDEXED_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14)
#define PTX_INJECT_DETAIL_INDEXED_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15)
#define PTX_INJECT_DETAIL_INDEXED_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16)
#define PTX_INJECT_DETAIL_INDEXED_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17)
#define PTX_INJECT_DETAIL_INDEXED_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18)
#define PTX_INJECT_DETAIL_INDEXED_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19)
#define PTX_INJECT_DETAIL_INDEXED_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20)
#define PTX_INJECT_DETAIL_INDEXED_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21)
#define PTX_INJECT_DETAIL_INDEXED_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22)
#define PTX_INJECT_DETAIL_INDEXED_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23)
#define PTX_INJECT_DETAIL_INDEXED_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24)
#define PTX_INJECT_DETAIL_INDEXED_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25)
#define PTX_INJECT_DETAIL_INDEXED_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26)
#define PTX_INJECT_DETAIL_INDEXED_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27)
#define PTX_INJECT_DETAIL_INDEXED_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28)
#define PTX_INJECT_DETAIL_INDEXED_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29)
#define PTX_INJECT_DETAIL_INDEXED_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30)
#define PTX_INJECT_DETAIL_INDEXED_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30) m(31, a31)

#endif  // PTX_INJECT_H
