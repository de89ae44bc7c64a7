// The work of matrix instructions, which the disassembler prints with their shape.

/** The work of a matrix instruction. */
export interface MatrixWork {
  /** The rate that applies, for example that of `HMMA`, which is stated for f16. */
  readonly opcode: MatrixOpcode;
  /** Multiply-adds of a warp, times how much longer their type takes than the one of the rate. */
  readonly multiplyAdds: number;
}

/** Matrix instructions that warps issue for themselves; those of warp groups run apart from the warps. */
export type MatrixOpcode = "DMMA" | "HMMA" | "IMMA" | "QMMA";

const OPCODES: readonly string[] = ["DMMA", "HMMA", "IMMA", "QMMA"] satisfies MatrixOpcode[];

/** How long types take compared with the one that the rate is stated for: TF32 with f16, 4 bits with 8. */
const TIMES: Readonly<Record<string, number>> = { TF32: 2, S4: 0.5, U4: 0.5 };

/** `16816` and `16x8x16`: rows, columns and depth; without `x`, there are 8 columns. */
const SHAPE = /^(?:(16|8)(8)(\d+)|(\d+)x(\d+)x(\d+))$/;

/** The work of a matrix instruction; `undefined` if it has no rate, or the text no shape. */
export function matrixWork(name: string, modifiers: readonly string[]): MatrixWork | undefined {
  if (!OPCODES.includes(name)) return undefined;
  const shape = modifiers.map((each) => SHAPE.exec(each)).find((match) => match !== null);
  if (shape === undefined || shape === null) return undefined;
  const [, m, n, k, rows, columns, depth] = shape;
  const dense = Number(m ?? rows) * Number(n ?? columns) * Number(k ?? depth);
  // The shape of a sparse instruction includes the zeros that it skips.
  const done = modifiers.includes("SP") ? dense / 2 : dense;
  const time = modifiers.map((each) => TIMES[each]).find((each) => each !== undefined) ?? 1;
  return { opcode: name as MatrixOpcode, multiplyAdds: done * time };
}
