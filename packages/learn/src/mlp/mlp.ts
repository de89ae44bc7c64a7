// The multilayer perceptron: its public interface.
import { type Check, isList, isNumber, isOneOf, isWhole, unexpected } from "@mm-ptx/types/internal";
import { LearnError } from "../error.js";
import { Arena, Parts } from "../model/arena.js";
import { type Backend, COMPUTE_CHECKS, type ComputeOptions, chooseBackend } from "../model/backend.js";
import { finiteScore, type Predictor } from "../model/model.js";
import { LIMIT, Scaling } from "../model/scaling.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkOutputs, countRows, invalid, notFitted, readOptions } from "../options.js";
import { below } from "../random.js";
import { checkHasRows, checkTable, checkTableFinite, type Table } from "../table.js";
import { JavaScriptMlp } from "./javascript.js";
import { type Activation, PASS_ROWS, placeMlp, savedBlocks } from "./layout.js";
import { Network } from "./network.js";
import { packMlp, unpackMlp } from "./saved.js";
import { webAssemblyMlp } from "./webassembly.js";

/** How a multilayer perceptron is made. */
export interface MlpOptions extends ComputeOptions {
  /** The number of values in a row, up to 4,096. */
  readonly columns: number;
  /** The widths of one or two hidden layers, from 1 to 256 each; default `[64, 64]`. */
  readonly hidden?: readonly number[];
  /** Default `tanh`. */
  readonly activation?: Activation;
  /** The learning rate of Adam, from 1e-6 to 0.1; default 0.003. */
  readonly rate?: number;
  /** The largest number of rows in a step, from 1 to 4,096; default 256. */
  readonly batch?: number;
  /** Determines the initial weights and the batches of `fit`: an integer from 0 to 2^32 - 1; default 0. */
  readonly seed?: number;
}

/** How a saved multilayer perceptron is loaded. */
export type MlpLoadOptions = ComputeOptions;

const areWidths: Check = (value, name) =>
  Array.isArray(value) && (value.length === 1 || value.length === 2)
    ? isList(isWhole(1, 256))(value, name)
    : unexpected(name, "a list of one or two widths", value);

const CHECKS: Readonly<Record<keyof MlpOptions, Check>> = {
  columns: isWhole(1, 4096),
  hidden: areWidths,
  activation: isOneOf(["relu", "tanh"]),
  rate: isNumber(1e-6, 0.1),
  batch: isWhole(1, 4096),
  seed: isWhole(0, 2 ** 32 - 1),
  ...COMPUTE_CHECKS,
};

/** What a multilayer perceptron is besides its parameters. */
export interface MlpState {
  readonly columns: number;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  readonly rate: number;
  readonly batch: number;
  readonly seed: number;
  /** The steps so far, and the rows that `fit` has drawn. */
  steps: number;
  drawn: number;
}

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
    const taken = readOptions<MlpOptions>(options, CHECKS, { required: ["columns"] });
    const {
      columns,
      hidden = [64, 64],
      activation = "tanh",
      rate = 0.003,
      batch = 256,
      seed = 0,
      backend,
      workers,
    } = taken;
    this.columns = columns;
    this.backend = chooseBackend(backend);
    this.#state = { columns, hidden: [...hidden], activation, rate, batch, seed, steps: 0, drawn: 0 };
    const parts = new Parts();
    const places = placeMlp(parts, this.#state);
    this.#scaling = new Scaling(parts, columns + 1);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native") {
      const [first, second = 0] = hidden;
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
    const compute = readOptions<MlpLoadOptions>(options, COMPUTE_CHECKS);
    const { options: saved, state, firstPower, secondPower, scaling, blocks } = unpackMlp(bytes, CHECKS);
    const model = new Mlp({ ...saved, ...compute });
    Object.assign(model.#state, state);
    Object.assign(model.#network, { firstPower, secondPower });
    model.#scaling.numbers.set(scaling);
    savedBlocks(model.#arena.u32, model.#network.places).forEach((block, index) => {
      block.set(blocks[index]!);
    });
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined")
      model.#native?.state.set([state.steps, state.drawn, firstPower!, secondPower!]);
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
      return takeState(this.#native, this.#state, this.#network);
    }
    checkFinite("rows", rows, columns);
    checkFinite("labels", labels, 1);
    if (!this.fitted) {
      this.#scaling.freeze(0, rows, columns, count);
      this.#scaling.freeze(columns, labels, 1, count);
    }
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
      return takeState(this.#native, this.#state, this.#network);
    }
    checkTableFinite(rows);
    const { count, values, labels, columns } = rows;
    if (!this.fitted) this.#scaling.freezeTable(rows);
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
    if (!this.fitted) throw notFitted("a `step` or `fit` before a prediction");
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
    const mean = this.#scaling.mean(columns);
    const deviation = this.#scaling.deviation(columns);
    const pass = Math.min(this.#state.batch, PASS_ROWS);
    for (let first = 0; first < count; first += pass) {
      const size = Math.min(pass, count - first);
      f32.set(count <= pass ? rows : rows.subarray(first * columns, (first + size) * columns), input);
      this.#network.scale(size, columns, this.#scaling.statistics);
      this.#network.forward(size);
      for (let row = 0; row < size; row++) {
        const value = f32[output + row * outputStride]!;
        scores[first + row] = finiteScore(mean + value * deviation, mean);
      }
    }
  }

  /**
   * The model as bytes, with what Adam needs to continue.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    if (!this.fitted) throw notFitted("a `step` or `fit` before `save`");
    return packMlp(this.#state, this.#network, this.#scaling.numbers, this.#arena);
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
        f32[outputErrors + at] = (2 * Math.max(-2 * LIMIT, Math.min(2 * LIMIT, error))) / count;
      }
      network.backward(rows, first > 0);
    }
    if (!Number.isFinite(squares)) {
      throw new LearnError(
        "NOT_FINITE",
        "expected finite weights, found ones that diverged; a lower `rate` helps",
      );
    }
    network.descend(this.#state.rate);
    this.#state.steps++;
    return squares / count;
  }
}

/** Takes over what changed in native code; returns the error of the last step. */
function takeState({ state }: NativeModel, mlp: MlpState, network: Network): number {
  mlp.steps = state[0]!;
  mlp.drawn = state[1]!;
  network.firstPower = state[2]!;
  network.secondPower = state[3]!;
  return state[4]!;
}
