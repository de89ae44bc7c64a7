// What the header says about itself to its reader: the whole manual of its macros.

/** @param maxOperands the most operands of a site */
export const introduction = (maxOperands: number, typeNames: readonly string[]): string => `\
// ptx_inject.h: marks places in a CUDA kernel where PTX is put in after the CUDA compiler has run.
// Written by @mm-ptx/inject from a description of types; change that, not this file.
// SPDX-License-Identifier: MIT
//
//   float z;
//   PTX_INJECT("func", PTX_IN(F32, x), PTX_MOD(F32, sum, total[0]), PTX_OUT(F32, z));
//
// A site has a name and 1 to ${maxOperands} operands, in any order: PTX_IN is read by what is put in, PTX_OUT written, PTX_MOD
// both. An operand is (type, variable) or (type, name, expression); a bit-field can be read only. In the compiled PTX each
// operand has a register of its own, %_x0, %_x1 and so on in the order mod, out, in. The compiler may repeat a site (loops
// that it unrolls, functions that it inlines) and removes one whose results nobody uses. Before C++20, -Wpedantic takes
// (type, variable) only from a header that -isystem finds.
//
// Names: PTX_INJECT_TOK(func, ...) takes the site's name as a word. In names % is written %%, and they are one line.
//
// Types: ${typeNames.join(" ")}; and your own:
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
`;
