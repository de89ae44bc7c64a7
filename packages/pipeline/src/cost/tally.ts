// Adds up the cost of instructions.
import type { Instruction } from "./instruction.js";
import {
  matrixRateOf,
  pipeOf,
  rateOf,
  SASS_PIPES,
  type SassPipe,
  type ThroughputFamily,
} from "./throughput.js";

/** The cost of some machine code that is executed once from its beginning to its end. */
export interface CodeCost {
  readonly instructions: number;
  readonly bytes: number;
  /** The number of instructions by pipe. */
  readonly counts: Readonly<Record<SassPipe, number>>;
  /**
   * By pipe, the clocks for which a warp's instructions keep it busy: a scheduler has a quarter of its multiprocessor's results per clock.
   * Instructions without a known rate are 0 here.
   */
  readonly clocks: Readonly<Record<SassPipe, number>>;
  /**
   * The clocks that a scheduler needs for each warp if there are enough warps to hide all latencies: one for each instruction, or the
   * clocks of the busiest pipe, whichever is more.
   */
  readonly issueSlots: number;
  /** What `issueSlots` come from: the pipe that is busiest, or the scheduler's issue of instructions. */
  readonly limit: SassPipe | "issue";
  /** Opcodes that no table has, each with how often it occurs. They are in `counts.other`. */
  readonly other: Readonly<Record<string, number>>;
  /** Matrix instructions without a known rate, each with how often it occurs. Their `clocks` are missing. */
  readonly unrated: Readonly<Record<string, number>>;
}

/** A scheduler serves a quarter of its multiprocessor, so its share of one result per clock takes a warp this many clocks. */
const CLOCKS_PER_RESULT = 128;
/** Of the multiprocessor's schedulers. */
const SCHEDULERS = 4;

const zeros = (): Record<SassPipe, number> =>
  Object.fromEntries(SASS_PIPES.map((pipe) => [pipe, 0])) as Record<SassPipe, number>;

export class Tally {
  readonly #family: ThroughputFamily;
  readonly #counts = zeros();
  readonly #clocks = zeros();
  readonly #other = new Map<string, number>();
  readonly #unrated = new Map<string, number>();
  #instructions = 0;
  #bytes = 0;

  constructor(family: ThroughputFamily) {
    this.#family = family;
  }

  /** @param bytes the bytes of the instruction */
  add(instruction: Instruction, bytes: number): void {
    const { kind, opcode } = instruction;
    const pipe = pipeOf(kind);
    const clocks = clocksOf(instruction, this.#family);
    this.#instructions++;
    this.#bytes += bytes;
    this.#counts[pipe]++;
    this.#clocks[pipe] += clocks ?? 0;
    if (kind === "unknown") count(this.#other, opcode);
    if (kind === "tensor" && clocks === undefined) count(this.#unrated, opcode);
  }

  /** The sum of what was added. */
  cost(): CodeCost {
    const [limit, issueSlots] = SASS_PIPES.reduce<[SassPipe | "issue", number]>(
      (most, pipe) => (this.#clocks[pipe] > most[1] ? [pipe, this.#clocks[pipe]] : most),
      ["issue", this.#instructions],
    );
    return {
      instructions: this.#instructions,
      bytes: this.#bytes,
      counts: { ...this.#counts },
      clocks: { ...this.#clocks },
      issueSlots,
      limit,
      other: Object.fromEntries(this.#other),
      unrated: Object.fromEntries(this.#unrated),
    };
  }
}

/** The clocks for which a warp's instruction keeps its pipe busy; `undefined` if no rate is known. */
export function clocksOf(
  { kind, passes, matrix }: Instruction,
  family: ThroughputFamily,
): number | undefined {
  if (matrix !== undefined) {
    const rate = matrixRateOf(matrix.opcode, family);
    return rate === undefined ? undefined : (matrix.multiplyAdds * SCHEDULERS) / rate;
  }
  const rate = rateOf(kind, family);
  return rate === undefined ? undefined : (passes * CLOCKS_PER_RESULT) / rate;
}

const count = (counts: Map<string, number>, key: string): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + 1);
