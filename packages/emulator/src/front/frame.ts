// The local memory of one call of a function. `.param` variables of scopes that don't hold each other share their places, as
// there is one such scope around each call; `.local` ones don't, because their addresses may be kept.
import type { ProgramVariable } from "../program/program.js";
import { alignedTo } from "./variable.js";

/** What a frame is aligned to, and a multiple of what its size is. */
const FRAME_ALIGN = 16;

/** Places the variables of a function. */
export class Frame {
  readonly #variables: ProgramVariable[] = [];
  /** Indices of those that are placed behind all `.local` ones. */
  readonly #params = new Set<number>();
  #localBytes = 0;
  #paramBytes = 0;
  #mostParamBytes = 0;
  readonly #scopes: number[] = [];

  /** Adds a variable, and gives its index. */
  add(variable: ProgramVariable): number {
    const isParam = variable.space === "param";
    const offset = alignedTo(isParam ? this.#paramBytes : this.#localBytes, variable.align);
    const end = offset + variable.size;
    if (isParam) {
      this.#params.add(this.#variables.length);
      this.#paramBytes = end;
      this.#mostParamBytes = Math.max(this.#mostParamBytes, end);
    } else this.#localBytes = end;
    return this.addPlaced({ ...variable, offset });
  }

  /** Adds a variable whose place is not in the frame. */
  addPlaced(variable: ProgramVariable): number {
    return this.#variables.push(variable) - 1;
  }

  /** A scope opens. */
  enter(): void {
    this.#scopes.push(this.#paramBytes);
  }

  /** The innermost scope closes. */
  leave(): void {
    this.#paramBytes = this.#scopes.pop() ?? 0;
  }

  get bytes(): number {
    return alignedTo(this.#paramStart() + this.#mostParamBytes, FRAME_ALIGN);
  }

  /** The variables with their places. */
  placed(): readonly ProgramVariable[] {
    const start = this.#paramStart();
    return this.#variables.map((variable, index) =>
      Object.freeze(this.#params.has(index) ? { ...variable, offset: start + variable.offset } : variable),
    );
  }

  /** Where `.param` variables begin: aligned as the most demanding one. */
  #paramStart(): number {
    let align = FRAME_ALIGN;
    for (const index of this.#params) align = Math.max(align, this.#variables[index]!.align);
    return alignedTo(this.#localBytes, align);
  }
}
