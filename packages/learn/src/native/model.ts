// A model in native code: its memory, and calls that work on arrays of the caller in place.
import { LearnError } from "../error.js";
import { Arena } from "../model/arena.js";
import { checkFinite } from "../options.js";
import type { Table } from "../table.js";
import { type Addon, findAddon } from "./addon.js";

/** The numbers of models, as in native/learn/model.h. */
const KINDS = { trees: 1, linear: 2, pca: 3, mlp: 4, neighbours: 5 } as const;

/** Memory begins with a head, which holds numbers that change; then follow the parts as `layout.ts` describes them. */
const HEAD_BYTES = 192;
const STATE = 16;
const STATE_NUMBERS = 8;
const MOST_NUMBERS = 10;
const NOT_FINITE = 6;
const DIVERGED = 8;

export class NativeModel {
  readonly arena: Arena;
  /** The changing numbers of the model, as native/learn/model.h names them. */
  readonly state: Float64Array;
  readonly #addon: Addon;
  readonly #memory: Uint8Array;

  readonly #workers: number;

  /**
   * @param numbers a configuration, in the order of its struct in native/learn/mmptx_learn.h
   * @param workers the threads among which calls divide rows; what they need comes after the model
   */
  constructor(kind: keyof typeof KINDS, numbers: readonly number[], workers = 1) {
    this.#workers = workers;
    const { addon } = findAddon();
    this.#addon = addon!;
    const config = new Float64Array(MOST_NUMBERS);
    config.set(numbers);
    const bytes = this.#addon.bytes(KINDS[kind], config, workers);
    const buffer = new ArrayBuffer(bytes + 64);
    const offset = this.#addon.offset(buffer);
    this.#memory = new Uint8Array(buffer, offset, bytes);
    this.#check(this.#addon.init(KINDS[kind], config, this.#memory));
    this.state = new Float64Array(buffer, offset + STATE, STATE_NUMBERS);
    this.arena = new Arena(bytes - HEAD_BYTES, false, { buffer, offset: offset + HEAD_BYTES });
  }

  /** Learns from all rows of a table. @throws LearnError NOT_FINITE */
  fit(rows: Table, steps = 0): void {
    const { values, labels, count } = rows;
    const status = this.#addon.fit(this.#memory, values, labels, rows.place(0), count, steps, this.#workers);
    if (status === NOT_FINITE) this.#notFinite(values, labels, rows.columns);
    this.#check(status);
  }

  /** A step of a perceptron. @throws LearnError NOT_FINITE */
  step(rows: Float32Array, labels: Float32Array): void {
    const status = this.#addon.step(this.#memory, rows, labels);
    if (status === NOT_FINITE) this.#notFinite(rows, labels, rows.length / labels.length);
    this.#check(status);
  }

  /** Learns a row, or a batch of rows. @returns whether all values are finite; if not, nothing was learned */
  update(rows: Float32Array, label = 0): boolean {
    const status = this.#addon.update(this.#memory, rows, label);
    if (status === NOT_FINITE) return false;
    this.#check(status);
    return true;
  }

  /** Writes what is predicted for rows, whose lengths were checked. @throws LearnError NOT_FINITE */
  predict(rows: Float32Array, columns: number, results: Float32Array, second?: Float32Array | boolean): void {
    const status = this.#addon.predict(this.#memory, rows, results, second, this.#workers);
    if (status === NOT_FINITE) checkFinite("rows", rows, columns);
    this.#check(status);
  }

  #notFinite(rows: Float32Array, labels: Float32Array, columns: number): void {
    checkFinite("rows", rows, columns);
    checkFinite("labels", labels, 1);
  }

  #check(status: number): void {
    if (status === 0) return;
    const code = status === DIVERGED || status === NOT_FINITE ? "NOT_FINITE" : "INVALID_ARGUMENT";
    throw new LearnError(code, this.#addon.message(status));
  }
}
