// ptx_inject.h: marks places in a CUDA kernel where PTX is put in after the CUDA compiler has run.
// Written by @mm-ptx/inject from a description of types; change that, not this file.
// SPDX-License-Identifier: MIT
//
//   float z;
//   PTX_INJECT("func", PTX_IN(F32, x), PTX_MOD(F32, sum, total[0]), PTX_OUT(F32, z));
//
// A site has a name and 1 to 32 operands, in any order: PTX_IN is read by what is put in, PTX_OUT written, PTX_MOD
// both. An operand is (type, variable) or (type, name, expression); a bit-field can be read only. In the compiled PTX each
// operand has a register of its own, %_x0, %_x1 and so on in the order mod, out, in. The compiler may repeat a site (loops
// that it unrolls, functions that it inlines) and removes one whose results nobody uses. Before C++20, -Wpedantic takes
// (type, variable) only from a header that -isystem finds.
//
// Names: PTX_INJECT_TOK(func, ...) takes the site's name as a word. In names % is written %%, and they are one line.
//
// Types: F16 F16X2 S32 U32 F32 B32 PHILOX f16 f16X2 s32 u32 f32 b32; and your own:
//   #define PTX_TYPE_INFO_ANGLE PTX_TYPES_DESC(f32, f32, f, ID)
// that is register type, suffix of its mov, asm constraint, and how a variable is bound to the asm statement: ID as it
// is, U16 and U32 through the bits of an object of that size, such as __half and __half2. PTX_INJECT_NO_DEFAULT_TYPES,
// defined before the include, leaves all types but PHILOX out.
//
// PTX_PHILOX(state) stands for six operands, those of a Philox state with .key.x .key.y and .ctr.x .ctr.y .ctr.z .ctr.w.
//
// Options stand among the operands:
//   PTX_VOLATILE        the site stays when nobody uses its results, and in its order among other such sites
//   PTX_MEMORY          what is put in reads or writes memory: the site stays, and loads and stores do not cross it
//   PTX_NUMBER(n)       the site's name gets a number, "func" becomes func_7; n is a constant, so that of a template too
//   PTX_HOST(z = 2 * x) what the site does in host code; without it a site does nothing there
//
// Many numbered sites in one kernel, of which each thread takes the one that an index names, and none when there is none:
//   ptx_inject::choose<200>(index, [&](auto n) {
//     PTX_INJECT("func", PTX_NUMBER(n), PTX_IN(F32, x), PTX_OUT(F32, z));
//   });
// The sites are func_0 to func_199, and a thread finds its own by a binary search. NVRTC takes a lambda with auto only under
// its option -default-device.
#ifndef PTX_INJECT_H
#define PTX_INJECT_H

// MSVC, with which this was never tried, gives the year of an old standard for every other.
#if !defined(__cplusplus) || (__cplusplus < 201402L && !defined(_MSC_VER))
#error "ptx_inject.h needs C++14 or later"
#endif

// ---- types ---------------------------------------------------------------------------------------------------------
#define PTX_TYPES_DESC(register_type, mov_suffix, constraint, bind) \
  (#register_type, #mov_suffix, #constraint, PTX_INJECT_DETAIL_BIND_##bind)
#define PTX_INJECT_DETAIL_BIND_ID(access, ...) __VA_ARGS__
#define PTX_INJECT_DETAIL_BIND_U16(access, ...) ptx_inject::detail::access<unsigned short>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_BIND_U32(access, ...) ptx_inject::detail::access<unsigned int>(__VA_ARGS__)
#define PTX_INJECT_DETAIL_TYPE_REGISTER(register_type, mov_suffix, constraint, bind) register_type
#define PTX_INJECT_DETAIL_TYPE_MOV(register_type, mov_suffix, constraint, bind) mov_suffix
#define PTX_INJECT_DETAIL_TYPE_CONSTRAINT(register_type, mov_suffix, constraint, bind) constraint
#define PTX_INJECT_DETAIL_TYPE_BIND(register_type, mov_suffix, constraint, bind) bind

#ifndef PTX_INJECT_NO_DEFAULT_TYPES
#define PTX_TYPE_INFO_F16 PTX_TYPES_DESC(b16, b16, h, U16)
#define PTX_TYPE_INFO_F16X2 PTX_TYPES_DESC(b32, b32, r, U32)
#define PTX_TYPE_INFO_S32 PTX_TYPES_DESC(s32, s32, r, ID)
#define PTX_TYPE_INFO_U32 PTX_TYPES_DESC(u32, u32, r, ID)
#define PTX_TYPE_INFO_F32 PTX_TYPES_DESC(f32, f32, f, ID)
#define PTX_TYPE_INFO_B32 PTX_TYPES_DESC(b32, b32, r, ID)
#define PTX_TYPE_INFO_f16 PTX_TYPES_DESC(b16, b16, h, U16)
#define PTX_TYPE_INFO_f16X2 PTX_TYPES_DESC(b32, b32, r, U32)
#define PTX_TYPE_INFO_s32 PTX_TYPES_DESC(s32, s32, r, ID)
#define PTX_TYPE_INFO_u32 PTX_TYPES_DESC(u32, u32, r, ID)
#define PTX_TYPE_INFO_f32 PTX_TYPES_DESC(f32, f32, f, ID)
#define PTX_TYPE_INFO_b32 PTX_TYPES_DESC(b32, b32, r, ID)
#endif
#define PTX_TYPE_INFO_PHILOX PTX_TYPES_DESC(u32, u32, r, ID)

// ---- functions -----------------------------------------------------------------------------------------------------
// Clang gets attributes, because an editor may parse CUDA without the headers that define the words.
#if defined(__clang__) && defined(__CUDA__)
#define PTX_INJECT_DETAIL_FUNCTION \
  __attribute__((host)) __attribute__((device)) inline __attribute__((always_inline))
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define PTX_INJECT_DETAIL_FUNCTION __host__ __device__ __forceinline__
#else
#define PTX_INJECT_DETAIL_FUNCTION inline
#endif

namespace ptx_inject {
namespace detail {

template <unsigned Bits, unsigned Value>
PTX_INJECT_DETAIL_FUNCTION constexpr void check_size() {
  static_assert(Bits == Value, "PTX_INJECT: the operand's size differs from that of its type's bind kind");
}

// Reading goes through a const reference, so that constants and temporaries may be read too.
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits read_bits(const volatile Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<const volatile Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION Bits& write_bits(Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<Bits&>(value);
}
template <class Bits, class Value>
PTX_INJECT_DETAIL_FUNCTION volatile Bits& write_bits(volatile Value& value) {
  check_size<sizeof(Bits), sizeof(Value)>();
  return reinterpret_cast<volatile Bits&>(value);
}

// Whether what an expression gives can be written; the compiler itself refuses a bit-field. These are enums, because NVRTC
// makes a global variable of every static member.
template <class Value>
struct writable { enum { value = false }; };
template <class Value>
struct writable<Value&> { enum { value = true }; };
template <class Value>
struct writable<const Value&> { enum { value = false }; };
template <class Value>
struct writable<const volatile Value&> { enum { value = false }; };
template <class Value>
PTX_INJECT_DETAIL_FUNCTION writable<Value> is_writable(Value&&) { return {}; }

// What is wrong with the names of a site and its operands, each begun by a sign \1: 1 when one is not a line with something
// on it, 2 when there is a single %, which the asm statement would take away.
PTX_INJECT_DETAIL_FUNCTION constexpr int check_names(const char* names) {
  bool blank = false;
  for (; *names != 0; names++) {
    const bool begins = *names == 1;
    if (begins && blank) return 1;
    if (!begins && static_cast<unsigned char>(*names) < ' ') return 1;
    if (*names == '%' && *++names != '%') return 2;
    blank = begins || (blank && *names == ' ');
  }
  return blank ? 1 : 0;
}

// The constraint of a value as asm statements check it: by what it is and its size.
template <unsigned Size>
struct integer { enum { constraint = Size == 2 ? 'h' : Size == 4 ? 'r' : Size == 8 ? 'l' : Size == 16 ? 'q' : 0 }; };
template <class Value>
struct scalar : integer<sizeof(Value)> {};
template <>
struct scalar<float> { enum { constraint = 'f' }; };
template <>
struct scalar<double> { enum { constraint = 'd' }; };
template <>
struct scalar<volatile float> : scalar<float> {};
template <>
struct scalar<volatile double> : scalar<double> {};
template <class Value>
PTX_INJECT_DETAIL_FUNCTION scalar<Value> scalar_of(const Value&) { return {}; }

template <class Value>
PTX_INJECT_DETAIL_FUNCTION void refer_to(Value&) {}

// What stands for a number: a type, and a constant wherever an int is wanted.
template <int Number>
struct constant {
  static_assert(Number >= 0, "PTX_INJECT: the number of a site is 0 or more");
  enum { value = Number };
  PTX_INJECT_DETAIL_FUNCTION constexpr operator int() const { return Number; }
};

// The sites from First on, by halves: few comparisons, and templates that are not deep.
template <int First, int Count>
struct range {
  template <class Function>
  static PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function) {
    if (index < First + Count / 2)
      range<First, Count / 2>::choose(index, function);
    else
      range<First + Count / 2, Count - Count / 2>::choose(index, function);
  }
};
template <int First>
struct range<First, 1> {
  template <class Function>
  static PTX_INJECT_DETAIL_FUNCTION void choose(int, const Function& function) {
    function(constant<First>());
  }
};

}  // namespace detail

// Calls function with a constant of the value of index, when that is one of 0 to Count - 1.
template <int Count, class Function>
PTX_INJECT_DETAIL_FUNCTION void choose(int index, const Function& function) {
  static_assert(Count > 0, "PTX_INJECT: expected one site or more to choose from");
  if (index >= 0 && index < Count) detail::range<0, Count>::choose(index, function);
}

}  // namespace ptx_inject

// ---- operands and options ------------------------------------------------------------------------------------------
// An operand is (direction, type word, type, name, expression...). Its name is taken here, before a macro in it could be
// expanded. Everything after the name is the expression, so that one with commas (a template's arguments) needs no
// parentheses. An option is the same with no type, and a field each for number, volatile, memory and host.
#define PTX_IN(type, name, ...) \
  (PTX_INJECT_DETAIL_IN, #type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_OUT(type, name, ...) \
  (PTX_INJECT_DETAIL_OUT, #type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_MOD(type, name, ...) \
  (PTX_INJECT_DETAIL_MOD, #type, PTX_TYPE_INFO_##type, #name, PTX_INJECT_DETAIL_VALUE(name, ##__VA_ARGS__))
#define PTX_NUMBER(number) (PTX_INJECT_DETAIL_OPTION, ~, (), (, (PTX_INJECT_DETAIL_NUMBER, ~, ~, ~, number)), (), (), ())
#define PTX_VOLATILE (PTX_INJECT_DETAIL_OPTION, ~, (), (), (, ~), (), ())
#define PTX_MEMORY (PTX_INJECT_DETAIL_OPTION, ~, (), (), (), (, ~), ())
#define PTX_HOST(...) (PTX_INJECT_DETAIL_OPTION, ~, (), (), (), (), (__VA_ARGS__;))
#define PTX_PHILOX(state) \
  PTX_IN(PHILOX, philox_key_x, (state).key.x), PTX_IN(PHILOX, philox_key_y, (state).key.y), \
  PTX_MOD(PHILOX, philox_ctr_x, (state).ctr.x), PTX_IN(PHILOX, philox_ctr_y, (state).ctr.y), \
  PTX_IN(PHILOX, philox_ctr_z, (state).ctr.z), PTX_IN(PHILOX, philox_ctr_w, (state).ctr.w)

#define PTX_INJECT_DETAIL_VALUE(...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_VALUE_, PTX_INJECT_DETAIL_PARTS(__VA_ARGS__))(__VA_ARGS__)
#define PTX_INJECT_DETAIL_VALUE_0(name) name
#define PTX_INJECT_DETAIL_VALUE_1(name, ...) __VA_ARGS__

// Lists have a comma before each thing in them, so that they are joined by writing them side by side. Four macros keep an
// argument of one sort, and four what an option has in a field.
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

// ---- a site --------------------------------------------------------------------------------------------------------
#define PTX_INJECT(...) PTX_INJECT_DETAIL_SITE(PTX_INJECT_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)
#define PTX_INJECT_TOK(name, ...) PTX_INJECT(#name, ##__VA_ARGS__)

// A count that is a tuple is an argument: there are more than can be counted. Else most sites have operands alone, and for
// those the preprocessor has the least to do: ODD gives a list with one thing for anything else, an option or what is wrong.
#define PTX_INJECT_DETAIL_SITE(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_SITE_, PTX_INJECT_DETAIL_IS_TUPLE(count))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_SITE_1(count, ...) do { PTX_INJECT_DETAIL_COMPLAIN_MANY } while (0)
#define PTX_INJECT_DETAIL_SITE_0(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_ODD_, \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_CALL_##count(PTX_INJECT_DETAIL_ODD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_ODD(argument) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE argument, (, ~), ~))
#define PTX_INJECT_DETAIL_ODD_MANY , ~
#define PTX_INJECT_DETAIL_ODD_HEAD(name) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_HEAD name, (), ~))
#define PTX_INJECT_DETAIL_PROBE_HEAD(...) ~, (, ~)
#define PTX_INJECT_DETAIL_PROBE(sort, word, type, ...) sort##_PROBE type
#define PTX_INJECT_DETAIL_MOD_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_OUT_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_IN_PROBE(...) ~, ()
#define PTX_INJECT_DETAIL_OPTION_PROBE(...) ~, (, ~)
#define PTX_INJECT_DETAIL_LIST_OF(list) PTX_INJECT_DETAIL_LIST list
#define PTX_INJECT_DETAIL_SECOND(...) PTX_INJECT_DETAIL_SECOND_I(__VA_ARGS__)
#define PTX_INJECT_DETAIL_SECOND_I(first, second, ...) second

// Canonical order is one walk for each direction.
#define PTX_INJECT_DETAIL_ODD_0(count, ...) \
  PTX_INJECT_DETAIL_SORTED(PTX_INJECT_DETAIL_FIRST(__VA_ARGS__, ~), count, \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_MODS, __VA_ARGS__) \
     PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_OUTS, __VA_ARGS__)), \
    (PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_INS, __VA_ARGS__)))
#define PTX_INJECT_DETAIL_FIRST(first, ...) first
#define PTX_INJECT_DETAIL_SORTED(name, count, written, read) \
  PTX_INJECT_DETAIL_EMIT(name, 0, (~), written, read, count, ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)

// With options, or arguments that are wrong: those are reported in place of the asm statement, which would only add noise.
#define PTX_INJECT_DETAIL_ODD_1(count, ...) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_CHECKED_, \
    PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_CALL_##count(PTX_INJECT_DETAIL_BAD, __VA_ARGS__)))(count, __VA_ARGS__)
#define PTX_INJECT_DETAIL_BAD(argument) \
  PTX_INJECT_DETAIL_LIST_OF(PTX_INJECT_DETAIL_SECOND(PTX_INJECT_DETAIL_PROBE_BAD argument, (, ~), ~))
#define PTX_INJECT_DETAIL_BAD_MANY , ~
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
#define PTX_INJECT_DETAIL_COMPLAIN_MANY static_assert(false, "PTX_INJECT: a site takes at most 32 operands");
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
    PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read), \
    ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read)
#define PTX_INJECT_DETAIL_EMIT_COUNTED(...) PTX_INJECT_DETAIL_EMIT(__VA_ARGS__)

// What is printed about operands gets the place of each, and no expression: (place, direction, word, name, type...).
#define PTX_INJECT_DETAIL_EMIT(name, optional, options, written, read, count, ...) \
  PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, count, \
    ~ PTX_INJECT_DETAIL_INDEXED_##count(PTX_INJECT_DETAIL_PLACED, __VA_ARGS__))
#define PTX_INJECT_DETAIL_PLACED(i, operand) , (i, PTX_INJECT_DETAIL_PRINTED operand)
#define PTX_INJECT_DETAIL_PRINTED(direction, word, type, name, ...) direction, word, name, PTX_INJECT_DETAIL_LIST type
#define PTX_INJECT_DETAIL_CHECKS(count, names, writable, optional, options) \
    static_assert(count > 0, "PTX_INJECT: a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD"); \
    static_assert(count <= 32, "PTX_INJECT: a site takes at most 32 operands"); \
    constexpr int ptx_inject_names = ptx_inject::detail::check_names(names); \
    static_assert(ptx_inject_names != 1, "PTX_INJECT: a site and each of its operands need a name, on one line"); \
    static_assert(ptx_inject_names != 2, \
      "PTX_INJECT: in names % is written %%; give an operand whose expression has one a name: (type, name, expression)"); \
    writable \
    PTX_INJECT_DETAIL_CHECK_OPTIONS_##optional(options)
#define PTX_INJECT_DETAIL_CHECK_NAME(i, direction, word, name, ...) "\1" name
#define PTX_INJECT_DETAIL_CHECK_WRITABLE(direction, word, type, name, ...) \
  static_assert(decltype(ptx_inject::detail::is_writable(__VA_ARGS__))::value, \
    "PTX_INJECT: expected PTX_OUT and PTX_MOD with a variable that can be written, found operand " name);
#define PTX_INJECT_DETAIL_CHECK_OPTIONS_0(options)
#define PTX_INJECT_DETAIL_CHECK_OPTIONS_1(options) \
  static_assert(PTX_INJECT_DETAIL_COUNT(~ PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)) <= 1, \
    "PTX_INJECT: a site has one number");

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
// Operand i of the asm statement is also register _x<i>: an asm statement numbers what it writes first, and so does a
// site. The number of a site is an operand of its own, after all others.
#define PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, count, ...) \
  do { \
    PTX_INJECT_DETAIL_CHECKS(count, "\1" name PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_CHECK_NAME, __VA_ARGS__), \
      PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_CHECK_WRITABLE, ~ PTX_INJECT_DETAIL_LIST written), optional, options) \
    asm PTX_INJECT_DETAIL_QUALIFIER_##optional(options) ("{\n\t" \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_DECLARE, __VA_ARGS__) \
        PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_LOAD, __VA_ARGS__) \
        "// PTX_INJECT_START " name PTX_INJECT_DETAIL_SUFFIX_##optional(count, options) "\n\t" \
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
// What a site would read is not evaluated, and what it would write is only referred to, so that host code compiles
// without a word about variables that are unused or never set. Types are checked, which asm statements do elsewhere.
#define PTX_INJECT_DETAIL_STATEMENT(name, optional, options, written, read, count, ...) \
  do { \
    PTX_INJECT_DETAIL_CHECKS(count, "\1" name PTX_INJECT_DETAIL_EACH_##count(PTX_INJECT_DETAIL_CHECK_NAME, __VA_ARGS__), \
      PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_CHECK_WRITABLE, ~ PTX_INJECT_DETAIL_LIST written), optional, options) \
    PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_SKIP, ~ PTX_INJECT_DETAIL_LIST written PTX_INJECT_DETAIL_LIST read) \
    PTX_INJECT_DETAIL_HOST_##optional(options) \
  } while (0)
#endif

#define PTX_INJECT_DETAIL_DECLARE(i, direction, word, name, register_type, ...) \
  ".reg ." register_type " %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_LOAD(i, direction, word, name, register_type, mov, ...) direction##_LOAD(i, mov)
#define PTX_INJECT_DETAIL_MOD_LOAD(i, mov) "mov." mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_LOAD(i, mov)
#define PTX_INJECT_DETAIL_IN_LOAD(i, mov) "mov." mov " %%_x" #i ", %" #i ";\n\t"
#define PTX_INJECT_DETAIL_MARK(i, direction, word, name, register_type, ...) \
  "// _x" #i direction##_LETTER register_type " " word " " name "\n\t"
#define PTX_INJECT_DETAIL_MOD_LETTER " m "
#define PTX_INJECT_DETAIL_OUT_LETTER " o "
#define PTX_INJECT_DETAIL_IN_LETTER " i "
#define PTX_INJECT_DETAIL_STORE(i, direction, word, name, register_type, mov, ...) direction##_STORE(i, mov)
#define PTX_INJECT_DETAIL_MOD_STORE(i, mov) "mov." mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_OUT_STORE(i, mov) "mov." mov " %" #i ", %%_x" #i ";\n\t"
#define PTX_INJECT_DETAIL_IN_STORE(i, mov)

#define PTX_INJECT_DETAIL_BINDING(direction, word, type, name, ...) direction##_BINDING(type, __VA_ARGS__)
#define PTX_INJECT_DETAIL_MOD_BINDING(type, ...) \
  "+" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write_bits, __VA_ARGS__))
#define PTX_INJECT_DETAIL_OUT_BINDING(type, ...) \
  "=" PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (write_bits, __VA_ARGS__))
#define PTX_INJECT_DETAIL_IN_BINDING(type, ...) \
  PTX_INJECT_DETAIL_TYPE_CONSTRAINT type (PTX_INJECT_DETAIL_TYPE_BIND type (read_bits, __VA_ARGS__))
#define PTX_INJECT_DETAIL_NUMBER_BINDING(type, ...) "n"(static_cast<int>(ptx_inject::detail::constant<(__VA_ARGS__)>::value))

#define PTX_INJECT_DETAIL_SKIP(direction, word, type, name, ...) direction##_SKIP(word, type, name, __VA_ARGS__)
#define PTX_INJECT_DETAIL_MOD_SKIP(word, type, name, ...) \
  PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, write_bits, __VA_ARGS__) \
  ptx_inject::detail::refer_to(__VA_ARGS__);
#define PTX_INJECT_DETAIL_OUT_SKIP(word, type, name, ...) PTX_INJECT_DETAIL_MOD_SKIP(word, type, name, __VA_ARGS__)
#define PTX_INJECT_DETAIL_IN_SKIP(word, type, name, ...) PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, read_bits, __VA_ARGS__)
#define PTX_INJECT_DETAIL_NUMBER_SKIP(word, type, name, ...) (void)sizeof(ptx_inject::detail::constant<(__VA_ARGS__)>);
#define PTX_INJECT_DETAIL_CHECK_FIT(word, type, name, access, ...) \
  static_assert(decltype(ptx_inject::detail::scalar_of(PTX_INJECT_DETAIL_TYPE_BIND type (access, __VA_ARGS__)))::constraint == \
    *PTX_INJECT_DETAIL_TYPE_CONSTRAINT type, "PTX_INJECT: operand " name " does not fit its type " word);

// ---- options: most sites have none, and nothing of this is looked at -----------------------------------------------
#define PTX_INJECT_DETAIL_QUALIFIER_0(options)
#define PTX_INJECT_DETAIL_QUALIFIER_1(options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_VOLATILES, volatile, options)
#define PTX_INJECT_DETAIL_SUFFIX_0(count, options)
#define PTX_INJECT_DETAIL_SUFFIX_1(count, options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_NUMBERS, "_%" #count, options)
#define PTX_INJECT_DETAIL_NUMBER_0(options)
#define PTX_INJECT_DETAIL_NUMBER_1(options) PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)
#define PTX_INJECT_DETAIL_CLOBBERS_0(options)
#define PTX_INJECT_DETAIL_CLOBBERS_1(options) PTX_INJECT_DETAIL_WHEN(PTX_INJECT_DETAIL_MEMORIES, : "memory", options)
#define PTX_INJECT_DETAIL_HOST_0(options)
#define PTX_INJECT_DETAIL_HOST_1(options) \
  PTX_INJECT_DETAIL_EACH_OF(PTX_INJECT_DETAIL_SKIP, ~ PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_NUMBERS, options)) \
  PTX_INJECT_DETAIL_GIVEN(PTX_INJECT_DETAIL_HOSTS, options)
// GIVEN is what options have in a field, WHEN the text when one has anything there.
#define PTX_INJECT_DETAIL_GIVEN(field, options) PTX_INJECT_DETAIL_EACH_OF(field, PTX_INJECT_DETAIL_LIST options)
#define PTX_INJECT_DETAIL_WHEN(field, text, options) \
  PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_WHEN_, PTX_INJECT_DETAIL_ANY(~ PTX_INJECT_DETAIL_GIVEN(field, options)))(text)
#define PTX_INJECT_DETAIL_WHEN_0(text)
#define PTX_INJECT_DETAIL_WHEN_1(text) text

// ---- the preprocessor's arithmetic ---------------------------------------------------------------------------------
#define PTX_INJECT_DETAIL_CAT(a, b) PTX_INJECT_DETAIL_CAT_I(a, b)
#define PTX_INJECT_DETAIL_CAT_I(a, b) a##b

// How many arguments stand after the first: COUNT their number, or 00 for too many, ANY and PARTS whether there is one (1)
// or none (0). Digits, because no macro of a program can have their name.
#define PTX_INJECT_DETAIL_PICK(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, picked, ...) picked
#define PTX_INJECT_DETAIL_COUNT(...) PTX_INJECT_DETAIL_PICK(__VA_ARGS__, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define PTX_INJECT_DETAIL_ANY(...) PTX_INJECT_DETAIL_PICK(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)
#define PTX_INJECT_DETAIL_PICK_PART(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, picked, ...) picked
#define PTX_INJECT_DETAIL_PARTS(...) PTX_INJECT_DETAIL_PICK_PART(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)

// Walks over the arguments after the first: CALL with each of them and, as HEAD, with the first, INDEXED with its place and it; EACH takes tuples and
// calls with what is in them, and COMMAS puts commas between. Walks named OF count first.
#define PTX_INJECT_DETAIL_CALL_0(m, head) m##_HEAD(head)
#define PTX_INJECT_DETAIL_CALL_1(m, head, a0) m##_HEAD(head) m(a0)
#define PTX_INJECT_DETAIL_CALL_2(m, head, a0, a1) m##_HEAD(head) m(a0) m(a1)
#define PTX_INJECT_DETAIL_CALL_3(m, head, a0, a1, a2) m##_HEAD(head) m(a0) m(a1) m(a2)
#define PTX_INJECT_DETAIL_CALL_4(m, head, a0, a1, a2, a3) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3)
#define PTX_INJECT_DETAIL_CALL_5(m, head, a0, a1, a2, a3, a4) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4)
#define PTX_INJECT_DETAIL_CALL_6(m, head, a0, a1, a2, a3, a4, a5) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5)
#define PTX_INJECT_DETAIL_CALL_7(m, head, a0, a1, a2, a3, a4, a5, a6) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6)
#define PTX_INJECT_DETAIL_CALL_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7)
#define PTX_INJECT_DETAIL_CALL_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8)
#define PTX_INJECT_DETAIL_CALL_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9)
#define PTX_INJECT_DETAIL_CALL_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10)
#define PTX_INJECT_DETAIL_CALL_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11)
#define PTX_INJECT_DETAIL_CALL_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12)
#define PTX_INJECT_DETAIL_CALL_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13)
#define PTX_INJECT_DETAIL_CALL_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14)
#define PTX_INJECT_DETAIL_CALL_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15)
#define PTX_INJECT_DETAIL_CALL_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16)
#define PTX_INJECT_DETAIL_CALL_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17)
#define PTX_INJECT_DETAIL_CALL_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18)
#define PTX_INJECT_DETAIL_CALL_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19)
#define PTX_INJECT_DETAIL_CALL_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20)
#define PTX_INJECT_DETAIL_CALL_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21)
#define PTX_INJECT_DETAIL_CALL_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22)
#define PTX_INJECT_DETAIL_CALL_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23)
#define PTX_INJECT_DETAIL_CALL_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24)
#define PTX_INJECT_DETAIL_CALL_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25)
#define PTX_INJECT_DETAIL_CALL_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26)
#define PTX_INJECT_DETAIL_CALL_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27)
#define PTX_INJECT_DETAIL_CALL_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28)
#define PTX_INJECT_DETAIL_CALL_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29)
#define PTX_INJECT_DETAIL_CALL_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30)
#define PTX_INJECT_DETAIL_CALL_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31)
#define PTX_INJECT_DETAIL_CALL_33(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31) m(a32)
#define PTX_INJECT_DETAIL_CALL_34(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31) m(a32) m(a33)
#define PTX_INJECT_DETAIL_CALL_35(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31) m(a32) m(a33) m(a34)
#define PTX_INJECT_DETAIL_CALL_36(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35) m##_HEAD(head) m(a0) m(a1) m(a2) m(a3) m(a4) m(a5) m(a6) m(a7) m(a8) m(a9) m(a10) m(a11) m(a12) m(a13) m(a14) m(a15) m(a16) m(a17) m(a18) m(a19) m(a20) m(a21) m(a22) m(a23) m(a24) m(a25) m(a26) m(a27) m(a28) m(a29) m(a30) m(a31) m(a32) m(a33) m(a34) m(a35)
#define PTX_INJECT_DETAIL_CALL_00(m, ...) m##_MANY

#define PTX_INJECT_DETAIL_EACH_0(...)
#define PTX_INJECT_DETAIL_EACH_1(m, head, a0) m a0
#define PTX_INJECT_DETAIL_EACH_2(m, head, a0, a1) m a0 m a1
#define PTX_INJECT_DETAIL_EACH_3(m, head, a0, a1, a2) m a0 m a1 m a2
#define PTX_INJECT_DETAIL_EACH_4(m, head, a0, a1, a2, a3) m a0 m a1 m a2 m a3
#define PTX_INJECT_DETAIL_EACH_5(m, head, a0, a1, a2, a3, a4) m a0 m a1 m a2 m a3 m a4
#define PTX_INJECT_DETAIL_EACH_6(m, head, a0, a1, a2, a3, a4, a5) m a0 m a1 m a2 m a3 m a4 m a5
#define PTX_INJECT_DETAIL_EACH_7(m, head, a0, a1, a2, a3, a4, a5, a6) m a0 m a1 m a2 m a3 m a4 m a5 m a6
#define PTX_INJECT_DETAIL_EACH_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7
#define PTX_INJECT_DETAIL_EACH_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8
#define PTX_INJECT_DETAIL_EACH_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9
#define PTX_INJECT_DETAIL_EACH_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10
#define PTX_INJECT_DETAIL_EACH_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11
#define PTX_INJECT_DETAIL_EACH_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12
#define PTX_INJECT_DETAIL_EACH_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13
#define PTX_INJECT_DETAIL_EACH_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14
#define PTX_INJECT_DETAIL_EACH_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15
#define PTX_INJECT_DETAIL_EACH_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16
#define PTX_INJECT_DETAIL_EACH_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17
#define PTX_INJECT_DETAIL_EACH_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18
#define PTX_INJECT_DETAIL_EACH_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19
#define PTX_INJECT_DETAIL_EACH_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20
#define PTX_INJECT_DETAIL_EACH_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21
#define PTX_INJECT_DETAIL_EACH_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22
#define PTX_INJECT_DETAIL_EACH_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23
#define PTX_INJECT_DETAIL_EACH_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24
#define PTX_INJECT_DETAIL_EACH_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25
#define PTX_INJECT_DETAIL_EACH_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26
#define PTX_INJECT_DETAIL_EACH_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27
#define PTX_INJECT_DETAIL_EACH_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28
#define PTX_INJECT_DETAIL_EACH_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29
#define PTX_INJECT_DETAIL_EACH_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30
#define PTX_INJECT_DETAIL_EACH_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30 m a31
#define PTX_INJECT_DETAIL_EACH_33(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30 m a31 m a32
#define PTX_INJECT_DETAIL_EACH_34(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30 m a31 m a32 m a33
#define PTX_INJECT_DETAIL_EACH_35(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30 m a31 m a32 m a33 m a34
#define PTX_INJECT_DETAIL_EACH_36(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35) m a0 m a1 m a2 m a3 m a4 m a5 m a6 m a7 m a8 m a9 m a10 m a11 m a12 m a13 m a14 m a15 m a16 m a17 m a18 m a19 m a20 m a21 m a22 m a23 m a24 m a25 m a26 m a27 m a28 m a29 m a30 m a31 m a32 m a33 m a34 m a35
#define PTX_INJECT_DETAIL_EACH_OF(m, ...) PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_EACH_, PTX_INJECT_DETAIL_COUNT(__VA_ARGS__))(m, __VA_ARGS__)

#define PTX_INJECT_DETAIL_COMMAS_0(...)
#define PTX_INJECT_DETAIL_COMMAS_1(m, head, a0) m a0
#define PTX_INJECT_DETAIL_COMMAS_2(m, head, a0, a1) m a0, m a1
#define PTX_INJECT_DETAIL_COMMAS_3(m, head, a0, a1, a2) m a0, m a1, m a2
#define PTX_INJECT_DETAIL_COMMAS_4(m, head, a0, a1, a2, a3) m a0, m a1, m a2, m a3
#define PTX_INJECT_DETAIL_COMMAS_5(m, head, a0, a1, a2, a3, a4) m a0, m a1, m a2, m a3, m a4
#define PTX_INJECT_DETAIL_COMMAS_6(m, head, a0, a1, a2, a3, a4, a5) m a0, m a1, m a2, m a3, m a4, m a5
#define PTX_INJECT_DETAIL_COMMAS_7(m, head, a0, a1, a2, a3, a4, a5, a6) m a0, m a1, m a2, m a3, m a4, m a5, m a6
#define PTX_INJECT_DETAIL_COMMAS_8(m, head, a0, a1, a2, a3, a4, a5, a6, a7) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7
#define PTX_INJECT_DETAIL_COMMAS_9(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8
#define PTX_INJECT_DETAIL_COMMAS_10(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9
#define PTX_INJECT_DETAIL_COMMAS_11(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10
#define PTX_INJECT_DETAIL_COMMAS_12(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11
#define PTX_INJECT_DETAIL_COMMAS_13(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12
#define PTX_INJECT_DETAIL_COMMAS_14(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13
#define PTX_INJECT_DETAIL_COMMAS_15(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14
#define PTX_INJECT_DETAIL_COMMAS_16(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15
#define PTX_INJECT_DETAIL_COMMAS_17(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16
#define PTX_INJECT_DETAIL_COMMAS_18(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17
#define PTX_INJECT_DETAIL_COMMAS_19(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18
#define PTX_INJECT_DETAIL_COMMAS_20(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19
#define PTX_INJECT_DETAIL_COMMAS_21(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20
#define PTX_INJECT_DETAIL_COMMAS_22(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21
#define PTX_INJECT_DETAIL_COMMAS_23(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22
#define PTX_INJECT_DETAIL_COMMAS_24(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23
#define PTX_INJECT_DETAIL_COMMAS_25(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24
#define PTX_INJECT_DETAIL_COMMAS_26(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25
#define PTX_INJECT_DETAIL_COMMAS_27(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26
#define PTX_INJECT_DETAIL_COMMAS_28(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27
#define PTX_INJECT_DETAIL_COMMAS_29(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28
#define PTX_INJECT_DETAIL_COMMAS_30(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29
#define PTX_INJECT_DETAIL_COMMAS_31(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30
#define PTX_INJECT_DETAIL_COMMAS_32(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30, m a31
#define PTX_INJECT_DETAIL_COMMAS_33(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30, m a31, m a32
#define PTX_INJECT_DETAIL_COMMAS_34(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30, m a31, m a32, m a33
#define PTX_INJECT_DETAIL_COMMAS_35(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30, m a31, m a32, m a33, m a34
#define PTX_INJECT_DETAIL_COMMAS_36(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35) m a0, m a1, m a2, m a3, m a4, m a5, m a6, m a7, m a8, m a9, m a10, m a11, m a12, m a13, m a14, m a15, m a16, m a17, m a18, m a19, m a20, m a21, m a22, m a23, m a24, m a25, m a26, m a27, m a28, m a29, m a30, m a31, m a32, m a33, m a34, m a35
#define PTX_INJECT_DETAIL_COMMAS_OF(m, ...) PTX_INJECT_DETAIL_CAT(PTX_INJECT_DETAIL_COMMAS_, PTX_INJECT_DETAIL_COUNT(__VA_ARGS__))(m, __VA_ARGS__)

#define PTX_INJECT_DETAIL_INDEXED_0(...)
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
#define PTX_INJECT_DETAIL_INDEXED_33(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30) m(31, a31) m(32, a32)
#define PTX_INJECT_DETAIL_INDEXED_34(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30) m(31, a31) m(32, a32) m(33, a33)
#define PTX_INJECT_DETAIL_INDEXED_35(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30) m(31, a31) m(32, a32) m(33, a33) m(34, a34)
#define PTX_INJECT_DETAIL_INDEXED_36(m, head, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35) m(0, a0) m(1, a1) m(2, a2) m(3, a3) m(4, a4) m(5, a5) m(6, a6) m(7, a7) m(8, a8) m(9, a9) m(10, a10) m(11, a11) m(12, a12) m(13, a13) m(14, a14) m(15, a15) m(16, a16) m(17, a17) m(18, a18) m(19, a19) m(20, a20) m(21, a21) m(22, a22) m(23, a23) m(24, a24) m(25, a25) m(26, a26) m(27, a27) m(28, a28) m(29, a29) m(30, a30) m(31, a31) m(32, a32) m(33, a33) m(34, a34) m(35, a35)

#endif  // PTX_INJECT_H
