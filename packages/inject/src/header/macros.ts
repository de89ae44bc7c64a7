// The macros for names, types and the arguments of a site, which are the same for every description. Macros of a program,
// such as `#define I 3` or `#define NONE 0`, cannot break them or those of site.ts, for three reasons: all names begin with
// PTX_ or ptxi_, the sorts of arguments are parts of macro names, and choices depend on digits.

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
