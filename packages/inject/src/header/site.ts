// The macros of a site: they check its arguments, put its operands in order, and write the asm statement.

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
