// The kernel around its sites: the function that contains each site, what is moved into and out of the registers of a
// stub, and the meaning of names there. It is read from the PTX once, on first use; text that is not valid PTX is
// understood as far as possible.
import { type DeclarationKind, type PtxModule, readModule } from "@mm-ptx/ptx";
import { legacyRegisters } from "./marked/legacy.js";
import type { Scan } from "./marked/scan.js";

/** The values that a site moves between the kernel and the stub's register of an operand, as written in the PTX. */
export interface OperandValues {
  /** The register (`%f1`) or constant (`0f3F800000`) moved in; `undefined` for `out`, and if no such move is found. */
  readonly movedIn: string | undefined;
  /** The register that the stub's result is moved to; `undefined` for `in`, and if no such move is found. */
  readonly movedOut: string | undefined;
}

/** The value that is moved, by the stub's register. */
type Moves = ReadonlyMap<string, string>;

export class Kernel {
  readonly text: string;
  readonly #scanned: Scan;
  #read: PtxModule | undefined;

  constructor(text: string, scanned: Scan) {
    this.text = text;
    this.#scanned = scanned;
  }

  /** The name of the function that contains an offset. */
  functionNameAt(offset: number): string | undefined {
    return this.#module.functionAt(offset)?.name;
  }

  /**
   * The kind of a name at an offset of the text, according to the innermost declaration; `undefined` if it is not
   * declared there.
   */
  kindAt(name: string, offset: number): DeclarationKind | undefined {
    return this.#module.names.meaningIn(this.#module.scopeAt(offset), name)?.kind;
  }

  /** The values that are moved in and out at site `index` of the text, one entry for each operand. */
  valuesOf(index: number): readonly OperandValues[] {
    const { groups, groupOf, legacy } = this.#scanned;
    const { operands } = groups[groupOf[index]!]!;
    const [movedIn, movedOut] =
      legacy[index] === 1 ? this.#namedBy(index) : [this.#movesBefore(index), this.#movesAfter(index)];
    return Object.freeze(
      operands.map(({ register, direction }) =>
        Object.freeze({
          movedIn: direction === "out" ? undefined : movedIn.get(`%${register}`),
          movedOut: direction === "in" ? undefined : movedOut.get(`%${register}`),
        }),
      ),
    );
  }

  get #module(): PtxModule {
    this.#read ??= readModule(this.text, { tolerant: true });
    return this.#read;
  }

  /** A 0.x site names the kernel's registers in its lines. */
  #namedBy(index: number): [Moves, Moves] {
    const { groups, groupOf, starts } = this.#scanned;
    const { operands } = groups[groupOf[index]!]!;
    const registers = legacyRegisters(this.text, starts[index]!, operands);
    const named = new Map(operands.map((operand, i) => [`%${operand.register}`, registers[i]!]));
    return [named, named];
  }

  /** The moves directly before the site in its scope; if several write one register, the last one counts. */
  #movesBefore(index: number): Moves {
    const { starts, ends } = this.#scanned;
    const { statements } = this.#module;
    const first = index === 0 ? 0 : ends[index - 1]!;
    const moves = new Map<string, string>();
    for (let at = this.#module.statementAt(starts[index]!); at >= 0 && statements.start(at) >= first; at--) {
      if (statements.kind(at) === "variable") continue;
      const move = this.#moveAt(at);
      if (move === undefined) break;
      const [to, from] = move;
      if (!moves.has(to)) moves.set(to, from);
    }
    return moves;
  }

  /** The moves directly after the site in its scope; if several read one register, the first one counts. */
  #movesAfter(index: number): Moves {
    const { starts, ends } = this.#scanned;
    const { statements } = this.#module;
    const end = starts[index + 1] ?? this.text.length;
    const moves = new Map<string, string>();
    let at = this.#module.statementAt(ends[index]!) + 1;
    for (; at < statements.count && statements.start(at) < end; at++) {
      const move = this.#moveAt(at);
      if (move === undefined) break;
      const [to, from] = move;
      if (!moves.has(from)) moves.set(from, to);
    }
    return moves;
  }

  /** Both operands of a statement that is a `mov`. */
  #moveAt(statement: number): [to: string, from: string] | undefined {
    if (this.#module.statements.kind(statement) !== "instruction") return undefined;
    const { guard, opcode, operands } = this.#module.instruction(statement);
    const [to, from] = operands;
    const isMove = opcode.startsWith("mov.") && guard === undefined && operands.length === 2;
    return isMove ? [to!.text, from!.text] : undefined;
  }
}
