// The multilayer perceptron: its public interface.
import { LearnError } from "../error.js";
import { Arena, Parts } from "../model/arena.js";
import { type Backend, chooseBackend, computeOptions } from "../model/backend.js";
import { limited, type Predictor } from "../model/model.js";
import { LIMIT, Scaling } from "../model/scaling.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkFitted, checkOutputs, countRows, invalid } from "../options.js";
import { below } from "../random.js";
import { checkHasRows, checkTable, checkTableFinite, type Table } from "../table.js";
import { JavaScriptMlp } from "./javascript.js";
import { PASS_ROWS, placeMlp, savedBlocks } from "./layout.js";
import { Network } from "./network.js";
import { areWidths, CHECKS, DEFAULTS, type MlpLoadOptions, type MlpOptions } from "./options.js";
import { type MlpState, packMlp, unpackMlp, widthsOf } from "./saved.js";
import { webAssemblyMlp } from "./webassembly.js";

/** The seed of the rows that `fit` draws differs from that of the weights. */
const DRAWS = 0x6a09e667;

/**
 * A multilayer perceptron with one output, trained with Adam on the squared error. Rows and labels are scaled by the
 * statistics of the first rows that it learns, which are frozen, and limited to 5 deviations. `step` and `predictInto` allocate
 * nothing for a row.
 */
export class Mlp implements Predictor {
  readonly columns: number;
  readonly backend: Backend;
  readonly #native: NativeModel | undefined = undefined;
  readonly #arena: Arena;
  readonly #network: Network;
  readonly #scaling: Scaling;
  readonly #state: MlpState;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: MlpOptions) {
    const taken = computeOptions<MlpOptions>(options, { ...CHECKS, hidden: areWidths }, DEFAULTS);
    const { columns, activation, seed } = taken;
    const [first, second = 0] = taken.hidden;
    this.columns = columns;
    this.backend = chooseBackend(taken.backend);
    this.#state = { ...taken, first: first!, second, steps: 0, drawn: 0, firstPower: 1, secondPower: 1 };
    const parts = new Parts();
    const places = placeMlp(parts, taken);
    this.#scaling = new Scaling(parts, columns + 1);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native") {
      const { batch, rate, workers } = taken;
      const numbers = [columns, first!, second, Number(activation === "relu"), batch, seed, rate];
      this.#native = new NativeModel("mlp", numbers, workers);
    }
    this.#arena =
      (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.arena) ||
      new Arena(parts.bytes, this.backend === "webassembly");
    this.#scaling.use(this.#arena);
    const kernels =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.backend === "webassembly"
        ? webAssemblyMlp(this.#arena)
        : new JavaScriptMlp(this.#arena);
    this.#network = new Network(this.#arena, kernels, places, activation);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.#native === undefined)
      this.#network.draw(seed);
  }

  /**
   * Loads a saved model; it continues to learn as the original would.
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  static load(bytes: Uint8Array, options: MlpLoadOptions = {}): Mlp {
    const compute = computeOptions<MlpLoadOptions>(options, {}, {});
    const { state, scaling, blocks } = unpackMlp(bytes);
    const { columns, activation, rate, batch, seed } = state;
    const hidden = widthsOf(state);
    const model = new Mlp({ columns, hidden, activation, rate, batch, seed, ...compute });
    Object.assign(model.#state, state);
    model.#scaling.numbers.set(scaling);
    savedBlocks(model.#arena, model.#network.places).forEach((block, index) => {
      block.set(blocks[index]!);
    });
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined")
      model.#native?.state.set([state.steps, state.drawn, state.firstPower, state.secondPower]);
    return model;
  }

  /** The bytes that the model takes; they never change. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  get fitted(): boolean {
    return this.#state.steps > 0;
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#state.steps;
  }

  /**
   * One step of Adam on a batch.
   * @returns the mean squared error of the batch before the step, in squared deviations of the labels
   * @throws LearnError INVALID_ARGUMENT, also for no rows or more than `batch`; NOT_FINITE; nothing is learned in these cases
   */
  step(rows: Float32Array, labels: Float32Array): number {
    const { columns } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("labels", labels, count);
    if (count < 1 || count > this.#state.batch)
      throw invalid(`1 to ${this.#state.batch} rows in a step`, count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.step(rows, labels);
      return takeState(this.#native, this.#state);
    }
    checkFinite("rows", rows, columns);
    checkFinite("labels", labels, 1);
    if (!this.fitted) this.#scaling.freeze(rows, labels, count);
    const { f32 } = this.#arena;
    const { input, outputErrors, outputStride } = this.#network;
    return this.#learn(count, (first, size) => {
      f32.set(rows.subarray(first * columns, (first + size) * columns), input);
      for (let row = 0; row < size; row++) f32[outputErrors + row * outputStride] = labels[first + row]!;
    });
  }

  /**
   * Takes steps on batches that are drawn at random from a table. The statistics of the first fit are those of its table.
   * @param steps from 1 to 2^20
   * @returns the mean squared error of the last batch, as of `step`
   * @throws LearnError INVALID_ARGUMENT, TOO_FEW_ROWS, NOT_FINITE
   */
  fit(rows: Table, steps: number): number {
    checkTable(rows, this.columns);
    if (!Number.isInteger(steps) || steps < 1 || steps > 2 ** 20) throw invalid("1 to 2^20 steps", steps);
    checkHasRows(rows);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.fit(rows, steps);
      return takeState(this.#native, this.#state);
    }
    checkTableFinite(rows);
    const { count, values, labels, columns } = rows;
    if (!this.fitted) this.#scaling.freeze(values, labels, count, rows);
    const state = this.#state;
    const size = Math.min(count, state.batch);
    const { f32 } = this.#arena;
    const { input, outputErrors, outputStride } = this.#network;
    const draw = (_first: number, drawn: number) => {
      for (let row = 0; row < drawn; row++) {
        const place = rows.place(below(state.seed ^ DRAWS, state.drawn++, count));
        for (let column = 0; column < columns; column++)
          f32[input + row * columns + column] = values[place * columns + column]!;
        f32[outputErrors + row * outputStride] = labels[place]!;
      }
    };
    let error = 0;
    for (let step = 0; step < steps; step++) error = this.#learn(size, draw);
    return error;
  }

  /**
   * Writes a prediction for each of the consecutive rows.
   * @throws LearnError NOT_FITTED, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  predictInto(rows: Float32Array, scores: Float32Array): void {
    checkFitted(this, "a `step` or `fit`");
    const { columns } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("scores", scores, count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, columns, scores);
      return;
    }
    checkFinite("rows", rows, columns);
    const { f32 } = this.#arena;
    const { input, output, outputStride } = this.#network;
    const pass = Math.min(this.#state.batch, PASS_ROWS);
    for (let first = 0; first < count; first += pass) {
      const size = Math.min(pass, count - first);
      f32.set(count <= pass ? rows : rows.subarray(first * columns, (first + size) * columns), input);
      this.#network.scale(size, columns, this.#scaling.statistics);
      this.#network.forward(size);
      for (let row = 0; row < size; row++)
        scores[first + row] = this.#scaling.label(f32[output + row * outputStride]!);
    }
  }

  /**
   * The model as bytes, with what Adam needs to continue.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    checkFitted(this, "a `step` or `fit`");
    return packMlp(this.#state, this.#network.places, this.#scaling.numbers, this.#arena);
  }

  /** A step on a batch. @param take writes some of its rows, from `first` on, into the input, and their labels in place of errors */
  #learn(count: number, take: (first: number, rows: number) => void): number {
    const { f32 } = this.#arena;
    const network = this.#network;
    const { output, outputErrors, outputStride } = network;
    let squares = 0;
    for (let first = 0; first < count; first += PASS_ROWS) {
      const rows = Math.min(PASS_ROWS, count - first);
      take(first, rows);
      network.scale(rows, this.columns, this.#scaling.statistics);
      network.forward(rows);
      for (let row = 0; row < rows; row++) {
        const at = row * outputStride;
        const label = Math.fround(this.#scaling.scaled(this.columns, f32[outputErrors + at]!));
        const error = f32[output + at]! - label;
        squares += error * error;
        // Limited, so that no row can make the weights infinite.
        f32[outputErrors + at] = (2 * limited(error, 2 * LIMIT)) / count;
      }
      network.backward(rows, first > 0);
    }
    if (!Number.isFinite(squares)) {
      throw new LearnError(
        "NOT_FINITE",
        "expected finite weights, found ones that diverged; a lower `rate` helps",
      );
    }
    network.descend(this.#state);
    this.#state.steps++;
    return squares / count;
  }
}

/** Takes over what changed in native code; returns the error of the last step. */
function takeState({ state }: NativeModel, mlp: MlpState): number {
  mlp.steps = state[0]!;
  mlp.drawn = state[1]!;
  mlp.firstPower = state[2]!;
  mlp.secondPower = state[3]!;
  return state[4]!;
}
