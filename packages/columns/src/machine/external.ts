// Kernels in JavaScript for operations that have none in WebAssembly. The module is loaded when the first of them is used.
import { operandsOf } from "@mm-ptx/types/code";
import { type ColumnKernel, javaScriptKernel } from "./javascript.js";
import { type JavaScriptLanes, javaScriptLanes, type LaneClass } from "./lanes.js";
import { Class, Flag, Lane, Step } from "./layout.js";
import type { OperationEntry } from "./operations.js";

const CLASSES: Readonly<Record<LaneClass, Class>> = {
  "32": Class.word,
  "64": Class.double,
  pred: Class.predicate,
};

/** The kernels that a machine has used, by their number. */
export class ExternalKernels {
  readonly #kernels: ColumnKernel[] = [];
  readonly #entries = new Map<number, OperationEntry>();
  readonly #memory: WebAssembly.Memory;
  #lanes: JavaScriptLanes;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#lanes = javaScriptLanes(memory.buffer);
  }

  /** How the planner treats an operation, or `undefined` if it has no kernel. */
  entryOf(word: number, externalFunction: number): OperationEntry | undefined {
    const known = this.#entries.get(word);
    if (known !== undefined) return known;
    const kernel = javaScriptKernel(word);
    if (kernel === undefined) return undefined;
    const entry = this.add(word, kernel, externalFunction);
    this.#entries.set(word, entry);
    return entry;
  }

  /** Adds a kernel, and returns how the planner treats its operation. */
  add(word: number, kernel: ColumnKernel, externalFunction: number): OperationEntry {
    const { args, result } = kernel;
    const operands = operandsOf(word);
    const classes = args.reduce((bits, lane, index) => bits | (CLASSES[lane] << (index * Class.bits)), 0);
    const flags =
      classes |
      (CLASSES[result] << Flag.resultShift) |
      (operands << Flag.arityShift) |
      // Whether a kernel looks at the bits of a NaN is not known here.
      (((1 << operands) - 1) << Flag.bitwiseShift);
    this.#kernels.push(kernel);
    return { kernel: externalFunction, flags, extra: this.#kernels.length - 1 };
  }

  /** Runs the kernel of a step on a block of rows. */
  run(step: number, offset: number, rows: number): void {
    if (this.#lanes.words.buffer !== this.#memory.buffer) this.#lanes = javaScriptLanes(this.#memory.buffer);
    const { words } = this.#lanes;
    const place = (field: Step): number => {
      const coded = words[(step + field) / 4]!;
      return (coded & ~Lane.mask) + (coded & Lane.mask) * offset;
    };
    const kernel = this.#kernels[words[(step + Step.extra) / 4]!]!;
    kernel.run(
      this.#lanes,
      place(Step.target),
      place(Step.a),
      place(Step.b),
      place(Step.c),
      place(Step.d),
      rows,
    );
  }
}
