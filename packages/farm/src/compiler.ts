// The compiler of a farm: a `PtxCompiler` whose jobs are compiled by workers on other machines, and here.

import { PtxCompiler } from "@mm-ptx/cuda";
import { localBackend, type OpenBackend } from "@mm-ptx/cuda/backend";
import type { FarmFigures } from "./figures.js";
import { Front } from "./front/front.js";
import { divideOptions, type FarmCompilerOptions } from "./options.js";

/**
 * Compiles PTX to cubins on the workers of a farm and on this machine. Its methods, results, errors and cubins are those of a
 * `PtxCompiler`, and it can be used wherever one is expected. Without `servers` it compiles on this machine alone.
 *
 * Dispose it when you are done: its connection keeps the process alive.
 */
export class FarmCompiler extends PtxCompiler {
  readonly #front: Front | undefined;

  /**
   * Finds this machine's compiler; the connection is opened with the first job. While no server answers, this machine compiles
   * alone, unless `local` is `never`, and a warning with the code `MM_PTX_FARM_ALONE` says so.
   *
   * @throws FarmError `INVALID_ARGUMENT` for an option of the farm
   * @throws PtxCompileError `INVALID_ARGUMENT` for any other option; `UNAVAILABLE` if this machine has no
   * compiler and `pool` or `local: "never"` is missing
   */
  constructor(options: FarmCompilerOptions) {
    const [farm, own] = divideOptions(options);
    let front: Front | undefined;
    const open: OpenBackend = (resolved) => {
      if (farm.local === "only") return localBackend(resolved);
      front = new Front(farm, resolved);
      return front;
    };
    super(own, open);
    this.#front = front;
  }

  /** What the farm did for this compiler; `undefined` without `servers`. */
  get farm(): FarmFigures | undefined {
    return this.#front?.figures();
  }
}
