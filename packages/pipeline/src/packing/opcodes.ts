// Groups of instructions by what they do to memory and to the flow of control. An instruction that is in no group counts as
// one that may do anything. The names are those of PTX ISA 9.0, Instruction Set, without modifiers.

const group = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** They compute their first operand from the others, of one thread or of a warp, and touch no memory. */
export const VALUE_OPCODES = group(
  "add sub mul mad mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe bfi bmsk szext dp4a dp2a",
  "addc subc madc fma rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign testp set setp selp slct",
  "and or xor not cnot lop3 shf shl shr mov prmt cvt cvta isspacep",
  "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2",
  "vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4",
  "shfl vote match redux activemask elect mma movmatrix",
);

/** Those of them whose result depends on which threads of the warp take part. */
export const WARP_OPCODES = group("shfl vote match redux activemask elect");

/** They order threads of a block or of a warp, and compute nothing. */
export const ORDER_OPCODES = group("bar barrier membar fence nanosleep");

/** They read memory that no kernel writes without a store to surfaces. */
export const TEXTURE_OPCODES = group("tex tld4 txq");

/** They have no effect but on the flow of control. */
export const CONTROL_OPCODES = group("bra brx ret exit trap");

/** Hints that compute nothing. */
export const HINT_OPCODES = group("prefetch prefetchu applypriority");

/** Whether an instruction, as a table names it, only computes a value. */
export const isValueInstruction = (mnemonic: string): boolean =>
  VALUE_OPCODES.has(mnemonic.split(".", 1)[0]!);
