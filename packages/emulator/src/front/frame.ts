// Lays out the local memory of one call of a function. `.param` variables of disjoint scopes share memory, because
// compilers open one such scope around each call. `.local` variables do not share, because their addresses may be kept.
import type { ProgramVariable } from "../program/program.js";
import { alignedTo } from "./variable.js";

/** The alignment of a frame. Its size is a multiple of it. */
const FRAME_ALIGN = 16;

/** Places the variables of a function. */
export class Frame {
  readonly #variables: ProgramVariable[] = [];
  /** Indices of the variables that are placed after all `.local` ones. */
  readonly #params = new Set<number>();
  #localBytes = 0;
  #paramBytes = 0;
  #mostParamBytes = 0;
  readonly #scopes: number[] = [];

  /** Adds a variable and returns its index. */
  add(variable: ProgramVariable): number {
    const isParam = variable.space === "param";
    const offset = alignedTo(isParam ? this.#paramBytes : this.#localBytes, variable.align);
    const end = offset + variable.bytes;
    if (isParam) {
      this.#params.add(this.#variables.length);
      this.#paramBytes = end;
      this.#mostParamBytes = Math.max(this.#mostParamBytes, end);
    } else this.#localBytes = end;
    return this.addPlaced({ ...variable, offset });
  }

  /** Adds a variable that is not placed in the frame. */
  addPlaced(variable: ProgramVariable): number {
    return this.#variables.push(variable) - 1;
  }

  /** Enters a scope. */
  enter(): void {
    this.#scopes.push(this.#paramBytes);
  }

  /** Leaves the innermost scope. */
  leave(): void {
    this.#paramBytes = this.#scopes.pop() ?? 0;
  }

  get bytes(): number {
    return alignedTo(this.#paramStart() + this.#mostParamBytes, FRAME_ALIGN);
  }

  /** The variables with their offsets. */
  placed(): readonly ProgramVariable[] {
    const start = this.#paramStart();
    return this.#variables.map((variable, index) =>
      Object.freeze(this.#params.has(index) ? { ...variable, offset: start + variable.offset } : variable),
    );
  }

  /** Where `.param` variables begin, aligned for the strictest of them. */
  #paramStart(): number {
    let align = FRAME_ALIGN;
    for (const index of this.#params) align = Math.max(align, this.#variables[index]!.align);
    return alignedTo(this.#localBytes, align);
  }
}
