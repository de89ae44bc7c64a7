// The macros of the header that are the same for every description. Three things keep programs from breaking them: names
// of macros begin with PTX_, kinds of operands are parts of macro names, and choices are made by digits, so no macro of a
// program, such as `#define I 3` or `#define NONE 0`, gets between.

/** What is there before any type. */
export const PROLOGUE = String.raw`#ifndef PTX_INJECT_H
#define PTX_INJECT_H

#if !defined(__cplusplus) || (__cplusplus < 201402L && !defined(_MSC_VER))
#error "ptx_inject.h needs C++14 or later"
#endif

// No pedantic warning about (type, variable), which leaves the third part of an operand out: C++20 allows that.
#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
#pragma GCC system_header
#endif

// ---- types ---------------------------------------------------------------------------------------------------------
#define PTX_TYPES_DESC(register_type, mov_suffix, constraint, bind) \
  (#register_type, #mov_suffix, #constraint, PTX_INJECT_DETAIL_BIND_##bind)
#define PTX_INJECT_DETAIL_BIND_ID(access, ...) __VA_ARGS__
#define PTX_INJECT_DETAIL_BIND_U16(access, ...) ptx_inject::detail::access##_bits<unsigned short>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_BIND_U32(access, ...) ptx_inject::detail::access##_bits<unsigned int>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_TYPE_REGISTER(register_type, mov_suffix, constraint, bind) register_type
#define PTX_INJECT_DETAIL_TYPE_MOV(register_type, mov_suffix, constraint, bind) mov_suffix
#define PTX_INJECT_DETAIL_TYPE_CONSTRAINT(register_type, mov_suffix, constraint, bind) constraint
#define PTX_INJECT_DETAIL_TYPE_BIND(register_type, mov_suffix, constraint, bind) bind
`;

/** What stands between the parentheses of a site. */
export const ARGUMENTS = String.raw`
// ---- operands and options --------------------------------------------------------------------------------------------
// An argument of a site is (word and description of its type, a field for each sort of argument). A field is empty, or has
// one thing after a comma, so that lists are joined by writing them side by side. An operand in its field is (direction,
// type word, type, name, expression...); its name is taken here, before a macro could be expanded in it.
#define PTX_MOD(type, name, ...) \
  PTX_INJECT_DETAIL_AS_MOD(#type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_OUT(type, name, ...) \
  PTX_INJECT_DETAIL_AS_OUT(#type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_IN(type, name, ...) \
  PTX_INJECT_DETAIL_AS_IN(#type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_INJECT_DETAIL_AS_MOD(word, type, name, ...) \
  (word, type, (, (PTX_INJECT_DETAIL_MOD, word, type, name, __VA_ARGS__)), (), (), (), (), (), ())
#define PTX_INJECT_DETAIL_AS_OUT(word, type, name, ...) \
  (word, type, (), (, (PTX_INJECT_DETAIL_OUT, word, type, name, __VA_ARGS__)), (), (), (), (), ())
#define PTX_INJECT_DETAIL_AS_IN(word, type, name, ...) \
  (word, type, (), (), (, (PTX_INJECT_DETAIL_IN, word, type, name, __VA_ARGS__)), (), (), (), ())
#define PTX_NUMBER(number) \
  ("", (), (), (), (), (, (PTX_INJECT_DETAIL_NUMBER, ~, ~, ~, number)), (), (), ())
#define PTX_VOLATILE ("", (), (), (), (), (), (, ~), (), ())
#define PTX_MEMORY ("", (), (), (), (), (), (), (, ~), ())
#define PTX_HOST(...) ("", (), (), (), (), (), (), (), (__VA_ARGS__;))
#define PTX_PHILOX(state) \
  PTX_IN(PHILOX, philox_key_x, (state).key.x), PTX_IN(PHILOX, philox_key_y, (state).key.y), \
  PTX_MOD(PHILOX, philox_ctr_x, (state).ctr.x), PTX_IN(PHILOX, philox_ctr_y, (state).ctr.y), \
  PTX_IN(PHILOX, philox_ctr_z, (state).ctr.z), PTX_IN(PHILOX, philox_ctr_w, (state).ctr.w)

// Everything after the name is the expression, so that one with commas (a template's arguments) needs no parentheses.
#define PTX_INJECT_DETAIL_VALUE(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_VALUE_, PTX_INJECT_DETAIL_ANY(__VA_ARGS__))(__VA_ARGS__)
#define PTX_INJECT_DETAIL_VALUE_0(name) name
#define PTX_INJECT_DETAIL_VALUE_1(name, ...) __VA_ARGS__

#define PTX_INJECT_DETAIL_MODS(argument) PTX_INJECT_DETAIL_FIELD_MODS argument
#define PTX_INJECT_DETAIL_OUTS(argument) PTX_INJECT_DETAIL_FIELD_OUTS argument
#define PTX_INJECT_DETAIL_INS(argument) PTX_INJECT_DETAIL_FIELD_INS argument
#define PTX_INJECT_DETAIL_NUMBERS(argument) PTX_INJECT_DETAIL_FIELD_NUMBERS argument
#define PTX_INJECT_DETAIL_KEPT(argument) PTX_INJECT_DETAIL_FIELD_KEPT argument
#define PTX_INJECT_DETAIL_MEMORY(argument) PTX_INJECT_DETAIL_FIELD_MEMORY argument
#define PTX_INJECT_DETAIL_HOST(argument) PTX_INJECT_DETAIL_FIELD_HOST argument
#define PTX_INJECT_DETAIL_FIELD_MODS(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST mod
#define PTX_INJECT_DETAIL_FIELD_OUTS(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST out
#define PTX_INJECT_DETAIL_FIELD_INS(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST in
#define PTX_INJECT_DETAIL_FIELD_NUMBERS(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST number
#define PTX_INJECT_DETAIL_FIELD_KEPT(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST kept
#define PTX_INJECT_DETAIL_FIELD_MEMORY(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST memory
#define PTX_INJECT_DETAIL_FIELD_HOST(word, type, mod, out, in, number, kept, memory, host) PTX_INJECT_DETAIL_LIST host
#define PTX_INJECT_DETAIL_LIST(...) __VA_ARGS__

#define PTX_INJECT_DETAIL_DIRECTION(direction, word, type, name, ...) direction
#define PTX_INJECT_DETAIL_WORD(direction, word, type, name, ...) word
#define PTX_INJECT_DETAIL_NAME(direction, word, type, name, ...) name
#define PTX_INJECT_DETAIL_EXPRESSION(direction, word, type, name, ...) (__VA_ARGS__)
#define PTX_INJECT_DETAIL_REGISTER(direction, word, type, name, ...) PTX_INJECT_DETAIL_TYPE_REGISTER type
#define PTX_INJECT_DETAIL_MOV(direction, word, type, name, ...) PTX_INJECT_DETAIL_TYPE_MOV type
#define PTX_INJECT_DETAIL_FIRST(first, ...) first
`;

/** From the arguments of a site to an asm statement, or to what host code does instead. */
export const site = (maxOperands: number): string => String.raw`
// ---- a site --------------------------------------------------------------------------------------------------------
#define PTX_INJECT(...) PTX_INJECT_DETAIL_SITE(__VA_ARGS__)
#define PTX_INJECT_TOK(name, ...) PTX_INJECT_DETAIL_SITE(#name, ##__VA_ARGS__)

#define PTX_INJECT_DETAIL_SITE(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_SITE_, PTX_INJECT_DETAIL_ARGUMENTS(__VA_ARGS__))(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SITE_0(...) \
  static_assert(false, "PTX_INJECT: a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD")
#define PTX_INJECT_DETAIL_SITE_1(...) PTX_INJECT_DETAIL_CHECK(PTX_INJECT_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)
#define PTX_INJECT_DETAIL_SITE_2(...) \
  static_assert(false, "PTX_INJECT: a site takes at most ${maxOperands} operands")

// Arguments that are wrong are reported in place of the asm statement, which would only add noise.
#define PTX_INJECT_DETAIL_CHECK(count, ...) PTX_INJECT_DETAIL_CHECK_I(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_CHECK_I(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_CHECKED_, \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_BAD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BAD(argument) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_, PTX_INJECT_DETAIL_IS_TUPLE(argument))(argument)
#define PTX_INJECT_DETAIL_BAD_0(argument) , ~
#define PTX_INJECT_DETAIL_BAD_1(argument) PTX_INJECT_DETAIL_BAD_TYPE argument
#define PTX_INJECT_DETAIL_BAD_TYPE(word, type, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_BAD_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))
#define PTX_INJECT_DETAIL_BAD_TYPE_0 , ~
#define PTX_INJECT_DETAIL_BAD_TYPE_1

#define PTX_INJECT_DETAIL_CHECKED_1(count, ...) \
  do { PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_COMPLAIN, __VA_ARGS__) } while (0)
#define PTX_INJECT_DETAIL_COMPLAIN(argument) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_, PTX_INJECT_DETAIL_IS_TUPLE(argument))(argument)
#define PTX_INJECT_DETAIL_COMPLAIN_0(argument) \
  static_assert(sizeof(#argument) == 1, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD, found " #argument); \
  static_assert(sizeof(#argument) > 1, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD after a comma, found nothing");
#define PTX_INJECT_DETAIL_COMPLAIN_1(argument) PTX_INJECT_DETAIL_COMPLAIN_TYPE argument
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE(word, type, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))(word)
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_0(word) \
  static_assert(false, "PTX_INJECT: unknown type " word ", define PTX_TYPE_INFO_" word " as PTX_TYPES_DESC(...)");
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_1(word)

// Canonical order is one walk for each direction.
#define PTX_INJECT_DETAIL_CHECKED_0(count, ...) \
  PTX_INJECT_DETAIL_SORTED( \
    PTX_INJECT_DETAIL_FIRST(__VA_ARGS__), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MODS, __VA_ARGS__) \
     PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_OUTS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_INS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_NUMBERS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_KEPT, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MEMORY, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_HOST, __VA_ARGS__)))
#define PTX_INJECT_DETAIL_SORTED(name, written, read, number, kept, memory, host) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_SORTED_, \
    PTX_INJECT_DETAIL_OPERANDS(~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)) \
  (name, written, read, number, kept, memory, host)
#define PTX_INJECT_DETAIL_SORTED_0(name, ...) PTX_INJECT_DETAIL_SITE_0(name)
#define PTX_INJECT_DETAIL_SORTED_1(name, written, read, number, kept, memory, host) \
  PTX_INJECT_DETAIL_EMIT( \
    PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read), \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_LIST number), \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_LIST kept), \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_LIST memory), \
    written, read, number, host, name PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)
#define PTX_INJECT_DETAIL_SORTED_2(name, ...) PTX_INJECT_DETAIL_SITE_2(name)
#define PTX_INJECT_DETAIL_EMIT(...) PTX_INJECT_DETAIL_EMIT_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_EMIT_I(count, numbered, kept, memory, written, read, number, host, name, ...) \
  do { \
    static_assert(ptx_inject::detail::has_names("\1" name PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_CHECK_NAME, ~, __VA_ARGS__)), \
      "PTX_INJECT: a site and each of its operands need a name, on one line"); \
    static_assert(ptx_inject::detail::has_escapes(name PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_CHECK_NAME, ~, __VA_ARGS__)), \
      "PTX_INJECT: in names % is written %%; give an operand whose expression has one a name: (type, name, expression)"); \
    static_assert(PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_LIST number) <= 1, "PTX_INJECT: a site has one number"); \
    PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_CHECK_WRITABLE, ~, __VA_ARGS__) \
    PTX_INJECT_DETAIL_BODY(count, numbered, kept, memory, written, read, number, host, name, __VA_ARGS__) \
  } while (0)
#define PTX_INJECT_DETAIL_CHECK_NAME(i, operand) "\1" PTX_INJECT_DETAIL_NAME operand
#define PTX_INJECT_DETAIL_CHECK_WRITABLE(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_DIRECTION operand, _WRITABLE)(PTX_INJECT_DETAIL_EXPRESSION operand)
#define PTX_INJECT_DETAIL_MOD_WRITABLE(expression) \
  static_assert(decltype(ptx_inject::detail::is_writable expression)::value, \
    "PTX_INJECT: expected PTX_OUT and PTX_MOD with a variable that can be written, found " #expression);
#define PTX_INJECT_DETAIL_OUT_WRITABLE(expression) PTX_INJECT_DETAIL_MOD_WRITABLE(expression)
#define PTX_INJECT_DETAIL_IN_WRITABLE(expression)

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
// Operand i of the asm statement is also register _x<i>: an asm statement numbers what it writes first, and so does a
// site. The number of a site is an operand of its own, after all others.
#define PTX_INJECT_DETAIL_BODY(count, numbered, kept, memory, written, read, number, host, name, ...) \
    asm PTX_INJECT_DETAIL_QUALIFIER_##kept ("{\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_DECLARE, ~, __VA_ARGS__) \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_LOAD, ~, __VA_ARGS__) \
        "// PTX_INJECT_START " name PTX_INJECT_DETAIL_SUFFIX_##numbered(count) "\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_MARK, ~, __VA_ARGS__) \
        "// PTX_INJECT_END\n\t" \
        PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_STORE, ~, __VA_ARGS__) \
        "}" \
        : PTX_INJECT_DETAIL_BINDINGS(~ PTX_INJECT_DETAIL_LIST written) \
        : PTX_INJECT_DETAIL_BINDINGS(~ PTX_INJECT_DETAIL_LIST read PTX_INJECT_DETAIL_LIST number) \
        PTX_INJECT_DETAIL_CLOBBERS_##memory);
#define PTX_INJECT_DETAIL_QUALIFIER_0
#define PTX_INJECT_DETAIL_QUALIFIER_1 volatile
#define PTX_INJECT_DETAIL_SUFFIX_0(count)
#define PTX_INJECT_DETAIL_SUFFIX_1(count) "_%" #count
#define PTX_INJECT_DETAIL_CLOBBERS_0
#define PTX_INJECT_DETAIL_CLOBBERS_1 : "memory"
#else
// What a site would read is not evaluated, and what it would write is only referred to, so that host code compiles
// without a word about variables that are unused or never set.
#define PTX_INJECT_DETAIL_BODY(count, numbered, kept, memory, written, read, number, host, name, ...) \
    PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_SKIP, ~, __VA_ARGS__) \
    PTX_INJECT_DETAIL_SKIP_NUMBER_##numbered number \
    PTX_INJECT_DETAIL_LIST host
#endif
#define PTX_INJECT_DETAIL_SKIP(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_DIRECTION operand, _SKIP)(PTX_INJECT_DETAIL_EXPRESSION operand)
#define PTX_INJECT_DETAIL_MOD_SKIP(expression) ptx_inject::detail::refer_to expression;
#define PTX_INJECT_DETAIL_OUT_SKIP(expression) ptx_inject::detail::refer_to expression;
#define PTX_INJECT_DETAIL_IN_SKIP(expression) (void)sizeof expression;
#define PTX_INJECT_DETAIL_SKIP_NUMBER_0(...)
#define PTX_INJECT_DETAIL_SKIP_NUMBER_1(nothing, number) \
  (void)sizeof(ptx_inject::detail::constant<PTX_INJECT_DETAIL_EXPRESSION number>);

#define PTX_INJECT_DETAIL_DECLARE(i, operand) ".reg ." PTX_INJECT_DETAIL_REGISTER operand " %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_LOAD(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_DIRECTION operand, _LOAD)(i, PTX_INJECT_DETAIL_MOV operand)
#define PTX_INJECT_DETAIL_MOD_LOAD(i, mov) "mov." mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_LOAD(i, mov)
#define PTX_INJECT_DETAIL_IN_LOAD(i, mov) "mov." mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_MARK(i, operand) \
  "// _x" #i PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_DIRECTION operand, _LETTER) \
  PTX_INJECT_DETAIL_REGISTER operand " " PTX_INJECT_DETAIL_WORD operand " " PTX_INJECT_DETAIL_NAME operand "\n\t"
#define PTX_INJECT_DETAIL_MOD_LETTER " m "
#define PTX_INJECT_DETAIL_OUT_LETTER " o "
#define PTX_INJECT_DETAIL_IN_LETTER " i "
#define PTX_INJECT_DETAIL_STORE(i, operand) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_DIRECTION operand, _STORE)(i, PTX_INJECT_DETAIL_MOV operand)
#define PTX_INJECT_DETAIL_MOD_STORE(i, mov) "mov." mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_STORE(i, mov) "mov." mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_IN_STORE(i, mov)

#define PTX_INJECT_DETAIL_BINDINGS(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMMAS_, PTX_INJECT_DETAIL_COUNT(__VA_ARGS__))(PTX_INJECT_DETAIL_BINDING, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BINDING(operand) PTX_INJECT_DETAIL_BINDING_OF operand
#define PTX_INJECT_DETAIL_BINDING_OF(direction, word, type, name, ...) \
  PTX_INJECT_DETAIL_CAT(direction, _BINDING)(type, __VA_ARGS__)
#define PTX_INJECT_DETAIL_MOD_BINDING(type, ...) \
  "+" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_OUT_BINDING(type, ...) \
  "=" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write, __VA_ARGS__))
#define PTX_INJECT_DETAIL_IN_BINDING(type, ...) \
  PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (read, __VA_ARGS__))
#define PTX_INJECT_DETAIL_NUMBER_BINDING(type, ...) "n"(ptx_inject::detail::constant<(__VA_ARGS__)>::value)

// ---- the preprocessor's arithmetic ---------------------------------------------------------------------------------
#define PTX_INJECT_DETAIL_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)
#define PTX_INJECT_DETAIL_CAT_I(a, b) a##b
#define PTX_INJECT_DETAIL_SECOND(...) PTX_INJECT_DETAIL_SECOND_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SECOND_I(first, second, ...) second
#define PTX_INJECT_DETAIL_IS_TUPLE(x) PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE x, 0, ~)
#define PTX_INJECT_DETAIL_PROBE(...) ~, 1
`;
