// The macros of the header that are the same for every description. Macros of a program, such as
// `#define I 3` or `#define NONE 0`, cannot break them, for three reasons: all names begin with PTX_ or ptxi_,
// the sorts of arguments are parts of macro names, and choices depend on digits.

/** The beginning of the header, before the types. Programs use the names without DETAIL, so these stay as they are. */
export const PROLOGUE = String.raw`#ifndef PTX_INJECT_H
#define PTX_INJECT_H

// MSVC, which has not been tested, reports an old standard in __cplusplus whatever standard is selected.
#if !defined(__cplusplus) || (__cplusplus < 201103L && !defined(_MSC_VER))
#error "ptx_inject.h needs C++11 or later"
#endif

// The version of mm-ptx whose programs compile with this header.
#define PTX_INJECT_VERSION_MAJOR 1
#define PTX_INJECT_VERSION_MINOR 1
#define PTX_INJECT_VERSION_PATCH 1
#define PTX_INJECT_VERSION 10101
#define PTX_INJECT_VERSION_STRING "1.1.1"

// ---- text and names ------------------------------------------------------------------------------------------------
// Macros in the arguments are expanded first.
#define PTX_STR(...) PTX_INJECT_DETAIL_STR(__VA_ARGS__)
#define PTX_INJECT_DETAIL_STR(...) #__VA_ARGS__
#define PTX_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)
#define PTX_TYPES_STR(...) PTX_INJECT_DETAIL_STR(__VA_ARGS__)
#define PTX_TYPES_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)

// ---- types ---------------------------------------------------------------------------------------------------------
#define PTX_TYPES_DESC(register_type, mov_type, constraint, kind) (register_type, mov_type, constraint, kind)
#define PTX_TYPES_BIND_ID(...) (__VA_ARGS__)
#define PTX_TYPES_BIND_U16(...) ptx_inject::ptxi_bits<unsigned short>(__VA_ARGS__)
#define PTX_TYPES_BIND_U32(...) ptx_inject::ptxi_bits<unsigned int>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_TYPE_REGISTER(register_type, mov_type, constraint, kind) #register_type
#define PTX_INJECT_DETAIL_TYPE_MOV(register_type, mov_type, constraint, kind) #mov_type
#define PTX_INJECT_DETAIL_TYPE_CONSTRAINT(register_type, mov_type, constraint, kind) #constraint
#define PTX_INJECT_DETAIL_TYPE_BIND(register_type, mov_type, constraint, kind) PTX_TYPES_BIND_##kind

// A type as text, for asm statements that are written by hand, and an expression as its asm operand.
#define PTX_REGTYPE_STR(type) PTX_INJECT_DETAIL_APPLY(PTX_INJECT_DETAIL_TYPE_REGISTER, PTX_TYPES_CAT(PTX_TYPE_INFO_, type))
#define PTX_MOV_STR(type) PTX_INJECT_DETAIL_APPLY(PTX_INJECT_DETAIL_TYPE_MOV, PTX_TYPES_CAT(PTX_TYPE_INFO_, type))
#define PTX_CONSTRAINT_STR(type) \
  PTX_INJECT_DETAIL_APPLY(PTX_INJECT_DETAIL_TYPE_CONSTRAINT, PTX_TYPES_CAT(PTX_TYPE_INFO_, type))
#define PTX_BIND(type, ...) \
  PTX_INJECT_DETAIL_APPLY(PTX_INJECT_DETAIL_TYPE_BIND, PTX_TYPES_CAT(PTX_TYPE_INFO_, type))(__VA_ARGS__)
#define PTX_INJECT_DETAIL_APPLY(m, tuple) m tuple
`;

/** The macros for the arguments of a site. */
export const ARGUMENTS = String.raw`
// ---- operands and options ------------------------------------------------------------------------------------------
// An operand is (direction, type word, type, name, expression...). Macros in the type and in the name are expanded
// before the name is made into text. An option has no type, and one field each for number, volatile, memory and host.
#define PTX_IN(...) PTX_INJECT_DETAIL_OPERAND(PTX_INJECT_DETAIL_IN, __VA_ARGS__)
#define PTX_OUT(...) PTX_INJECT_DETAIL_OPERAND(PTX_INJECT_DETAIL_OUT, __VA_ARGS__)
#define PTX_MOD(...) PTX_INJECT_DETAIL_OPERAND(PTX_INJECT_DETAIL_MOD, __VA_ARGS__)
#define PTX_IN_2(type, name) PTX_INJECT_DETAIL_OPERAND_2(PTX_INJECT_DETAIL_IN, type, name)
#define PTX_OUT_2(type, name) PTX_INJECT_DETAIL_OPERAND_2(PTX_INJECT_DETAIL_OUT, type, name)
#define PTX_MOD_2(type, name) PTX_INJECT_DETAIL_OPERAND_2(PTX_INJECT_DETAIL_MOD, type, name)
#define PTX_IN_3(type, name, expression) PTX_INJECT_DETAIL_OPERAND_3(PTX_INJECT_DETAIL_IN, type, name, expression)
#define PTX_OUT_3(type, name, expression) PTX_INJECT_DETAIL_OPERAND_3(PTX_INJECT_DETAIL_OUT, type, name, expression)
#define PTX_MOD_3(type, name, expression) PTX_INJECT_DETAIL_OPERAND_3(PTX_INJECT_DETAIL_MOD, type, name, expression)
#define PTX_NUMBER(number) (PTX_INJECT_DETAIL_OPTION, ~, (), (, (PTX_INJECT_DETAIL_NUMBER, ~, ~, ~, number)), (), (), ())
#define PTX_VOLATILE (PTX_INJECT_DETAIL_OPTION, ~, (), (), (, ~), (), ())
#define PTX_MEMORY (PTX_INJECT_DETAIL_OPTION, ~, (), (), (), (, ~), ())
#define PTX_HOST(...) (PTX_INJECT_DETAIL_OPTION, ~, (), (), (), (), (__VA_ARGS__;))
#define PTX_PHILOX(state) \
  PTX_IN(PHILOX, philox_key_x, (state).key.x), PTX_IN(PHILOX, philox_key_y, (state).key.y), \
  PTX_MOD(PHILOX, philox_ctr_x, (state).ctr.x), PTX_IN(PHILOX, philox_ctr_y, (state).ctr.y), \
  PTX_IN(PHILOX, philox_ctr_z, (state).ctr.z), PTX_IN(PHILOX, philox_ctr_w, (state).ctr.w)

// The commas of an expression outside parentheses make more parts, as in pick<a, b>(x); it is still one expression.
#define PTX_INJECT_DETAIL_OPERAND(direction, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_OPERAND_, PTX_INJECT_DETAIL_PARTS(__VA_ARGS__))(direction, __VA_ARGS__)
#define PTX_INJECT_DETAIL_OPERAND_1(direction, type) \
  (direction, #type, PTX_TYPE_INFO_##type, "", ptx_inject_expected_a_variable_after_the_type)
#define PTX_INJECT_DETAIL_OPERAND_2(direction, type, name) (direction, #type, PTX_TYPE_INFO_##type, #name, name)
#define PTX_INJECT_DETAIL_OPERAND_3(direction, type, name, expression) \
  (direction, #type, PTX_TYPE_INFO_##type, #name, expression)
#define PTX_INJECT_DETAIL_OPERAND_4(direction, type, name, ...) \
  (direction, #type, PTX_TYPE_INFO_##type, #name, \
    (static_cast<decltype(ptx_inject::ptxi_one_expression(__VA_ARGS__))>(__VA_ARGS__)))

// Lists have a comma before each element, so that writing them side by side joins them. Four macros each keep the arguments
// of one sort, and four others extract one field of an option.
#define PTX_INJECT_DETAIL_LIST(...) __VA_ARGS__
#define PTX_INJECT_DETAIL_MODS(sort, ...) sort##_MODS((sort, __VA_ARGS__))
#define PTX_INJECT_DETAIL_OUTS(sort, ...) sort##_OUTS((sort, __VA_ARGS__))
#define PTX_INJECT_DETAIL_INS(sort, ...) sort##_INS((sort, __VA_ARGS__))
#define PTX_INJECT_DETAIL_OPTIONS(sort, ...) sort##_OPTIONS((sort, __VA_ARGS__))
#define PTX_INJECT_DETAIL_MOD_MODS(argument) , argument
#define PTX_INJECT_DETAIL_MOD_OUTS(argument)
#define PTX_INJECT_DETAIL_MOD_INS(argument)
#define PTX_INJECT_DETAIL_MOD_OPTIONS(argument)
#define PTX_INJECT_DETAIL_OUT_MODS(argument)
#define PTX_INJECT_DETAIL_OUT_OUTS(argument) , argument
#define PTX_INJECT_DETAIL_OUT_INS(argument)
#define PTX_INJECT_DETAIL_OUT_OPTIONS(argument)
#define PTX_INJECT_DETAIL_IN_MODS(argument)
#define PTX_INJECT_DETAIL_IN_OUTS(argument)
#define PTX_INJECT_DETAIL_IN_INS(argument) , argument
#define PTX_INJECT_DETAIL_IN_OPTIONS(argument)
#define PTX_INJECT_DETAIL_OPTION_MODS(argument)
#define PTX_INJECT_DETAIL_OPTION_OUTS(argument)
#define PTX_INJECT_DETAIL_OPTION_INS(argument)
#define PTX_INJECT_DETAIL_OPTION_OPTIONS(argument) , argument
#define PTX_INJECT_DETAIL_NUMBERS(sort, word, type, number, kept, memory, host) PTX_INJECT_DETAIL_LIST number
#define PTX_INJECT_DETAIL_VOLATILES(sort, word, type, number, kept, memory, host) PTX_INJECT_DETAIL_LIST kept
#define PTX_INJECT_DETAIL_MEMORIES(sort, word, type, number, kept, memory, host) PTX_INJECT_DETAIL_LIST memory
#define PTX_INJECT_DETAIL_HOSTS(sort, word, type, number, kept, memory, host) PTX_INJECT_DETAIL_LIST host
`;

/** The macros that turn a site into an asm statement or, in host code, into checks and its `PTX_HOST`. */
export const site = (maxOperands: number): string => String.raw`
// ---- a site --------------------------------------------------------------------------------------------------------
#define PTX_INJECT(...) PTX_INJECT_DETAIL_SITE(PTX_INJECT_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)
#define PTX_INJECT_TOK(name, ...) PTX_INJECT(PTX_STR(name), ##__VA_ARGS__)

// The operands of a site as a sequence, (PTX_IN(F32, x))(PTX_OUT(F32, z)).
#define PTX_INJECT_IMPL(name, operands) \
  PTX_INJECT_DETAIL_APPLY(PTX_INJECT, (name PTX_INJECT_DETAIL_SEQUENCE(PTX_INJECT_DETAIL_ELEMENT operands)))
#define PTX_INJECT_DETAIL_ELEMENT(...) , __VA_ARGS__ PTX_INJECT_DETAIL_NEXT
#define PTX_INJECT_DETAIL_NEXT(...) , __VA_ARGS__ PTX_INJECT_DETAIL_ELEMENT
#define PTX_INJECT_DETAIL_SEQUENCE(...) PTX_INJECT_DETAIL_SEQUENCE_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SEQUENCE_I(...) __VA_ARGS__##_END
#define PTX_INJECT_DETAIL_ELEMENT_END
#define PTX_INJECT_DETAIL_NEXT_END

// Most sites have only operands, and take the path with the least work for the preprocessor. ODD gives a non-empty list
// for options and for mistakes.
#define PTX_INJECT_DETAIL_SITE(...) PTX_INJECT_DETAIL_SITE_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SITE_I(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_ODD_, \
    PTX_INJECT_DETAIL_HAS(~ PTX_INJECT_DETAIL_CALL_##count(PTX_INJECT_DETAIL_ODD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_ODD(argument) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE argument, (, 1), ~))
#define PTX_INJECT_DETAIL_ODD_MANY(argument) PTX_INJECT_DETAIL_PAST(argument)
#define PTX_INJECT_DETAIL_ODD_HEAD(name) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_HEAD name, (), ~))
#define PTX_INJECT_DETAIL_PROBE_HEAD(...) ~, (, 1)
#define PTX_INJECT_DETAIL_PROBE(sort, word, type, ...) sort##_PROBE type
#define PTX_INJECT_DETAIL_MOD_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_OUT_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_IN_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_PAD_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_OPTION_PROBE(...) ~, (, 1)
// What follows the longest list: padding, or an argument that is one too many.
#define PTX_INJECT_DETAIL_PAST(argument) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_PAST argument, (, 1), ~))
#define PTX_INJECT_DETAIL_PROBE_PAST(sort, ...) PTX_INJECT_DETAIL_PAST_##sort
#define PTX_INJECT_DETAIL_PAST_PTX_INJECT_DETAIL_PAD ~, ()
#define PTX_INJECT_DETAIL_LIST_OF(list) PTX_INJECT_DETAIL_LIST list
#define PTX_INJECT_DETAIL_SECOND(...) PTX_INJECT_DETAIL_SECOND_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SECOND_I(first, second, ...) second
// Whether a list has elements, each of which is 1.
#define PTX_INJECT_DETAIL_HAS(...) PTX_INJECT_DETAIL_SECOND_I(__VA_ARGS__, 0, ~)

// Canonical order takes one walk for each direction.
#define PTX_INJECT_DETAIL_ODD_0(count, ...) \
  PTX_INJECT_DETAIL_SORTED(PTX_INJECT_DETAIL_FIRST(__VA_ARGS__, ~), count, \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MODS, __VA_ARGS__) \
     PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_OUTS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_INS, __VA_ARGS__)))
#define PTX_INJECT_DETAIL_FIRST(first, ...) first
#define PTX_INJECT_DETAIL_SORTED(name, count, written, read) \
  PTX_INJECT_DETAIL_EMIT(name, 0, (~), written, read, ~, count, ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)

// A site with options or mistakes. Mistakes are reported in place of the asm statement, which would only add noise.
#define PTX_INJECT_DETAIL_ODD_1(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_CHECKED_, \
    PTX_INJECT_DETAIL_HAS(~ PTX_INJECT_DETAIL_CALL_##count(PTX_INJECT_DETAIL_BAD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BAD(argument) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_BAD argument, (, 1), ~))
#define PTX_INJECT_DETAIL_BAD_MANY(argument) PTX_INJECT_DETAIL_PAST(argument)
#define PTX_INJECT_DETAIL_BAD_HEAD(name) PTX_INJECT_DETAIL_ODD_HEAD(name)
#define PTX_INJECT_DETAIL_PROBE_BAD(sort, word, type, ...) PTX_INJECT_DETAIL_PROBE_TYPE type
#define PTX_INJECT_DETAIL_PROBE_TYPE(...) ~, ()
#define PTX_INJECT_DETAIL_CHECKED_1(count, ...) \
  do { PTX_INJECT_DETAIL_CALL_##count(PTX_INJECT_DETAIL_COMPLAIN, __VA_ARGS__) } while (0)
#define PTX_INJECT_DETAIL_COMPLAIN(argument) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_, PTX_INJECT_DETAIL_IS_TUPLE(argument))(argument)
#define PTX_INJECT_DETAIL_COMPLAIN_0(argument) \
  static_assert(sizeof(#argument) == 1, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD, found " #argument); \
  static_assert(sizeof(#argument) > 1, "PTX_INJECT: expected PTX_IN, PTX_OUT or PTX_MOD after a comma, found nothing");
#define PTX_INJECT_DETAIL_COMPLAIN_1(argument) PTX_INJECT_DETAIL_COMPLAIN_TYPE argument
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE(sort, word, type, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_TYPE_, PTX_INJECT_DETAIL_IS_TUPLE(type))(word)
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_0(word) \
  static_assert(false, "PTX_INJECT: unknown type " word ", define PTX_TYPE_INFO_" word " as PTX_TYPES_DESC(...)");
#define PTX_INJECT_DETAIL_COMPLAIN_TYPE_1(word)
#define PTX_INJECT_DETAIL_COMPLAIN_HEAD(name) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_HEAD_, PTX_INJECT_DETAIL_IS_TUPLE(name))
#define PTX_INJECT_DETAIL_COMPLAIN_HEAD_0
#define PTX_INJECT_DETAIL_COMPLAIN_HEAD_1 \
  static_assert(false, "PTX_INJECT: expected the site's name before its operands, found an operand");
#define PTX_INJECT_DETAIL_COMPLAIN_MANY(argument) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMPLAIN_MANY_, PTX_INJECT_DETAIL_HAS(~ PTX_INJECT_DETAIL_PAST(argument)))
#define PTX_INJECT_DETAIL_COMPLAIN_MANY_0
#define PTX_INJECT_DETAIL_COMPLAIN_MANY_1 \
  static_assert(false, "PTX_INJECT: a site takes at most ${maxOperands} operands and options");
#define PTX_INJECT_DETAIL_IS_TUPLE(x) PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_TUPLE x, 0, ~)
#define PTX_INJECT_DETAIL_PROBE_TUPLE(...) ~, 1

#define PTX_INJECT_DETAIL_CHECKED_0(count, ...) \
  PTX_INJECT_DETAIL_SORTED_ODD(PTX_INJECT_DETAIL_FIRST(__VA_ARGS__, ~), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MODS, __VA_ARGS__) \
     PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_OUTS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_INS, __VA_ARGS__)), \
    (~ PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_OPTIONS, __VA_ARGS__)))
#define PTX_INJECT_DETAIL_SORTED_ODD(name, written, read, options) \
  PTX_INJECT_DETAIL_EMIT_COUNTED(name, PTX_INJECT_DETAIL_ANY options, options, written, read, \
    PTX_INJECT_DETAIL_NUMBER_OF(~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read), \
    PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read), \
    ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)
#define PTX_INJECT_DETAIL_EMIT_COUNTED(...) PTX_INJECT_DETAIL_EMIT(__VA_ARGS__)

// For the text of the asm statement, operands have an index and no expression: (i, direction, word, name, type...).
#define PTX_INJECT_DETAIL_EMIT(name, optional, options, written, read, next, count, ...) \
  PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, next, count, \
    ~ PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_PLACED, __VA_ARGS__))
#define PTX_INJECT_DETAIL_PLACED(i, operand) , (i, PTX_INJECT_DETAIL_PRINTED operand)
#define PTX_INJECT_DETAIL_PRINTED(direction, word, type, name, ...) direction, word, name, PTX_INJECT_DETAIL_LIST type
#define PTX_INJECT_DETAIL_CHECKS(count, names, writable, optional, options) \
    static_assert(count > 0, "PTX_INJECT: a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD"); \
    PTX_INJECT_DETAIL_CHECK_NAMES(names) \
    writable \
    PTX_INJECT_DETAIL_CHECK_OPTIONS_##optional(options)
#if __cplusplus >= 201402L || defined(_MSC_VER)
#define PTX_INJECT_DETAIL_CHECK_NAMES(names) \
    constexpr int ptxi_names = ptx_inject::ptxi_check_names(names); \
    static_assert(ptxi_names != 1, "PTX_INJECT: a site and each of its operands need a name, on one line"); \
    static_assert(ptxi_names != 2, \
      "PTX_INJECT: in names % is written %%; give an operand whose expression has one a name: (type, name, expression)");
#else
// Without loops in constant expressions, names are not checked, except that they are text.
#define PTX_INJECT_DETAIL_CHECK_NAMES(names) static_assert(sizeof(names) > 0, "");
#endif
#define PTX_INJECT_DETAIL_CHECK_NAME(i, direction, word, name, ...) "\1" name
#define PTX_INJECT_DETAIL_CHECK_WRITABLE(direction, word, type, name, ...) \
  static_assert(decltype(ptx_inject::ptxi_is_writable(PTX_INJECT_DETAIL_TYPE_BIND type (__VA_ARGS__)))::ptxi_value, \
    "PTX_INJECT: expected PTX_OUT and PTX_MOD with a variable that can be written, found operand " name);
#define PTX_INJECT_DETAIL_CHECK_OPTIONS_0(options)
#define PTX_INJECT_DETAIL_CHECK_OPTIONS_1(options) \
  static_assert(PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)) <= 1, \
    "PTX_INJECT: a site has one number");

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
// Operand i of the asm statement is bound to register _x<i>, because both an asm statement and a site number the operands
// that they write first. The number of a site is an operand of its own, after all others.
#define PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, next, count, ...) \
  do { \
    PTX_INJECT_DETAIL_CHECKS(count, "\1" name PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_CHECK_NAME, __VA_ARGS__), \
      PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_CHECK_WRITABLE, ~ PTX_INJECT_DETAIL_LIST written), optional, options) \
    asm PTX_INJECT_DETAIL_QUALIFIER_##optional(options) ("{\n\t" \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_DECLARE, __VA_ARGS__) \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_LOAD, __VA_ARGS__) \
        "// PTX_INJECT_START " name PTX_INJECT_DETAIL_SUFFIX_##optional(next, options) "\n\t" \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MARK, __VA_ARGS__) \
        "// PTX_INJECT_END\n\t" \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_STORE, __VA_ARGS__) \
        "}" \
        : PTX_INJECT_DETAIL_COMMAS_OF(PTX_INJECT_DETAIL_BINDING, ~ PTX_INJECT_DETAIL_LIST written) \
        : PTX_INJECT_DETAIL_COMMAS_OF(PTX_INJECT_DETAIL_BINDING, \
            ~ PTX_INJECT_DETAIL_LIST read PTX_INJECT_DETAIL_NUMBER_##optional(options)) \
        PTX_INJECT_DETAIL_CLOBBERS_##optional(options)); \
  } while (0)
#else
// In host code, inputs are not evaluated and outputs are only referred to, which avoids warnings about unused or unset
// variables. Types are checked explicitly; in device code, asm statements check them.
#define PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, next, count, ...) \
  do { \
    PTX_INJECT_DETAIL_CHECKS(count, "\1" name PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_CHECK_NAME, __VA_ARGS__), \
      PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_CHECK_WRITABLE, ~ PTX_INJECT_DETAIL_LIST written), optional, options) \
    PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_SKIP, ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read) \
    PTX_INJECT_DETAIL_HOST_##optional(options) \
  } while (0)
#endif

#define PTX_INJECT_DETAIL_DECLARE(i, direction, word, name, register_type, ...) \
  ".reg ." #register_type " %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_LOAD(i, direction, word, name, register_type, mov, ...) direction##_LOAD(i, mov)
#define PTX_INJECT_DETAIL_MOD_LOAD(i, mov) "mov." #mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_LOAD(i, mov)
#define PTX_INJECT_DETAIL_IN_LOAD(i, mov) "mov." #mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_MARK(i, direction, word, name, register_type, ...) \
  "// _x" #i direction##_LETTER #register_type " " word " " name "\n\t"
#define PTX_INJECT_DETAIL_MOD_LETTER " m "
#define PTX_INJECT_DETAIL_OUT_LETTER " o "
#define PTX_INJECT_DETAIL_IN_LETTER " i "
#define PTX_INJECT_DETAIL_STORE(i, direction, word, name, register_type, mov, ...) direction##_STORE(i, mov)
#define PTX_INJECT_DETAIL_MOD_STORE(i, mov) "mov." #mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_STORE(i, mov) "mov." #mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_IN_STORE(i, mov)

#define PTX_INJECT_DETAIL_BINDING(direction, word, type, name, ...) direction##_BINDING(type, __VA_ARGS__)
#define PTX_INJECT_DETAIL_MOD_BINDING(type, ...) \
  "+" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (__VA_ARGS__))
#define PTX_INJECT_DETAIL_OUT_BINDING(type, ...) \
  "=" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (__VA_ARGS__))
#define PTX_INJECT_DETAIL_IN_BINDING(type, ...) \
  PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (__VA_ARGS__))
#define PTX_INJECT_DETAIL_NUMBER_BINDING(type, ...) \
  "n"(static_cast<int>(ptx_inject::ptxi_constant<(__VA_ARGS__)>::ptxi_value))

#define PTX_INJECT_DETAIL_SKIP(direction, word, type, name, ...) direction##_SKIP(word, type, name, __VA_ARGS__)
#define PTX_INJECT_DETAIL_MOD_SKIP(word, type, name, ...) \
  PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, __VA_ARGS__) \
  ptx_inject::ptxi_refer_to(__VA_ARGS__);
#define PTX_INJECT_DETAIL_OUT_SKIP(word, type, name, ...) PTX_INJECT_DETAIL_MOD_SKIP(word, type, name, __VA_ARGS__)
#define PTX_INJECT_DETAIL_IN_SKIP(word, type, name, ...) PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, __VA_ARGS__)
#define PTX_INJECT_DETAIL_NUMBER_SKIP(word, type, name, ...) (void)sizeof(ptx_inject::ptxi_constant<(__VA_ARGS__)>);
#define PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, ...) \
  static_assert(ptx_inject::ptxi_fits( \
      decltype(ptx_inject::ptxi_scalar_of(PTX_INJECT_DETAIL_TYPE_BIND type (__VA_ARGS__)))::ptxi_constraint, \
      *PTX_INJECT_DETAIL_TYPE_CONSTRAINT type), "PTX_INJECT: operand " name " does not fit its type " word);

// ---- options, which most sites do not have -------------------------------------------------------------------------
#define PTX_INJECT_DETAIL_QUALIFIER_0(options)
#define PTX_INJECT_DETAIL_QUALIFIER_1(options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_VOLATILES, volatile, options)
#define PTX_INJECT_DETAIL_SUFFIX_0(next, options)
#define PTX_INJECT_DETAIL_SUFFIX_1(next, options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_NUMBERS, "_%" #next, options)
#define PTX_INJECT_DETAIL_NUMBER_0(options)
#define PTX_INJECT_DETAIL_NUMBER_1(options) PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)
#define PTX_INJECT_DETAIL_CLOBBERS_0(options)
#define PTX_INJECT_DETAIL_CLOBBERS_1(options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_MEMORIES, : "memory", options)
#define PTX_INJECT_DETAIL_HOST_0(options)
#define PTX_INJECT_DETAIL_HOST_1(options) \
  PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_SKIP, ~ PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)) \
  PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_HOSTS, options)
// GIVEN is the contents of a field of all options, and WHEN is the text if any option has contents in that field.
#define PTX_INJECT_DETAIL_GIVEN(field, options) PTX_INJECT_DETAIL_EACH_OF(field, PTX_INJECT_DETAIL_LIST options)
#define PTX_INJECT_DETAIL_WHEN(field, text, options) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_WHEN_, PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_GIVEN(field, options)))(text)
#define PTX_INJECT_DETAIL_WHEN_0(text)
#define PTX_INJECT_DETAIL_WHEN_1(text) text

// ---- the preprocessor's arithmetic ---------------------------------------------------------------------------------
#define PTX_INJECT_DETAIL_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)
#define PTX_INJECT_DETAIL_CAT_I(a, b) a##b
`;
