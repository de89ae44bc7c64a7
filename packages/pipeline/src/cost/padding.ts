// Where the instructions of a section end: the assembler adds a branch to itself, which nothing reaches, and fills up with NOP.

/** The bytes of an instruction, from Volta on. */
export const INSTRUCTION_BYTES = 16;

const NOP = 0x7918;
/** `BRA` to itself without a predicate, as two words: the one before sm_90, and from sm_90 on. */
const SELF_BRANCHES: readonly (readonly [number, number])[] = [
  [0x00007947, 0xfffffff0],
  [0x00fc7947, 0xfffffffc],
];

/** The number of bytes of a section's code without the padding at its end. */
export function bytesWithoutPadding(code: Uint8Array): number {
  const words = new DataView(code.buffer, code.byteOffset, code.byteLength);
  let end = code.length - (code.length % INSTRUCTION_BYTES);
  while (end > 0 && words.getUint16(end - INSTRUCTION_BYTES, true) === NOP) end -= INSTRUCTION_BYTES;
  if (end === 0) return 0;
  const [first, second] = [
    words.getUint32(end - INSTRUCTION_BYTES, true),
    words.getUint32(end - INSTRUCTION_BYTES + 4, true),
  ];
  const isSelfBranch = SELF_BRANCHES.some(([low, high]) => first === low && second === high);
  return isSelfBranch ? end - INSTRUCTION_BYTES : end;
}
