// The model of a screen with everything that it has learned: rows, predictions that came true, and when it is fitted again.
import { LearnError, Linear, Neighbours, type Predictor, Table, Trees, Watch } from "@mm-ptx/learn";
import { SearchError } from "../error.js";
import { badState, numberOf, numbersOf } from "../parts.js";
import type { PartState, StateArray } from "../plain.js";
import { isChosenBetter, type Reason } from "./lottery.js";
import type { ScreeningOptions, ScreenModel } from "./options.js";

/** The words of a signature. */
const WORDS = 4;
/** The model is fitted again when this part of the rows is new. */
const PART = 8;

/** A prediction, what came, and its reason. */
const PAIR = 3;

/** A model that can be fitted to its table again. */
interface Learning extends Predictor {
  fit?(rows: Table): void;
  save?(): Uint8Array;
}

/** How a learner is made. */
export interface LearnerOptions {
  readonly columns: number;
  readonly model: ScreenModel | Uint8Array;
  readonly window: number;
  readonly every: number;
  readonly watch: NonNullable<ScreeningOptions["watch"]>;
}

export class Learner {
  readonly columns: number;
  readonly #options: LearnerOptions;
  #table: Table;
  #model: Learning;
  #watch: Watch;
  /** The predictions in the window of the watch, each with what came and with its reason, in a ring. */
  #pairs: Float64Array;
  #paired = 0;
  /** For each place of the table the signature of its candidate, and the tickets of signatures. */
  readonly #signatures: Uint32Array;
  readonly #tickets = new Map<string, number>();
  /** The rows and changed labels since the last fit. */
  #fresh = 0;

  /** @throws SearchError INVALID_ARGUMENT, FILE_FORMAT for a saved model that is not one of these features */
  constructor(options: LearnerOptions) {
    this.columns = options.columns;
    this.#options = options;
    this.#table = new Table({ columns: options.columns, capacity: options.window });
    this.#signatures = new Uint32Array(WORDS * options.window);
    this.#watch = guarded("INVALID_ARGUMENT", () => new Watch(options.watch));
    this.#pairs = new Float64Array(PAIR * this.#watch.window);
    const { model } = options;
    this.#model = model instanceof Uint8Array ? this.#loaded(model) : this.#made(model);
  }

  get predictor(): Predictor {
    return this.#model;
  }

  get watch(): Watch {
    return this.#watch;
  }

  /**
   * Whether candidates are screened. A model is trusted until enough predictions have shown what it is worth. Then its watch has to find it
   * useful, or those that it chose have to be better than those that were chosen at random beside them: the watch alone is too strict,
   * because it sees little of the candidates that a good model rejects.
   */
  get useful(): boolean {
    if (!this.#model.fitted) return false;
    const { count, least } = this.#watch;
    return count < least || this.#watch.useful || isChosenBetter(this.#pairsInOrder(), PAIR);
  }

  /** A prediction that came true, and why its candidate was evaluated. */
  compare(score: number, truth: number, reason: Reason): void {
    const at = PAIR * (this.#paired++ % this.#watch.window);
    this.#pairs.set([score, truth, reason], at);
    this.#watch.add(score, truth);
  }

  /** Adds a row, or replaces the label of the candidate with this signature if it was evaluated before. */
  add(row: Float32Array, label: number, signature: Uint32Array): void {
    const key = signature.join();
    const known = this.#tickets.get(key);
    if (known === undefined || !this.#table.setLabel(known, label)) {
      const ticket = this.#table.add(row, label);
      const at = WORDS * (ticket % this.#table.capacity);
      if (ticket >= this.#table.capacity)
        this.#forget(this.#signatures.subarray(at, at + WORDS).join(), ticket);
      this.#signatures.set(signature, at);
      this.#tickets.set(key, ticket);
    }
    this.#fresh++;
  }

  /** Fits the model if there are enough new rows. */
  fitIfDue(): void {
    const { count } = this.#table;
    if (this.#fresh < Math.max(this.#options.every, Math.floor(count / PART))) return;
    this.#model.fit?.(this.#table);
    this.#fresh = 0;
  }

  state(): PartState {
    const { count, columns, capacity } = this.#table;
    const rows = new Uint32Array(count * columns);
    const labels = new Uint32Array(count);
    const signatures = new Uint32Array(count * WORDS);
    const values = new Uint32Array(this.#table.values.buffer, 0, columns * capacity);
    const found = new Uint32Array(this.#table.labels.buffer, this.#table.labels.byteOffset, capacity);
    for (let age = 0; age < count; age++) {
      const place = this.#table.place(age);
      rows.set(values.subarray(place * columns, (place + 1) * columns), age * columns);
      labels[age] = found[place]!;
      signatures.set(this.#signatures.subarray(place * WORDS, (place + 1) * WORDS), age * WORDS);
    }
    const saved = this.#model.fitted ? this.#model.save?.() : undefined;
    const arrays: Record<string, StateArray> = { rows, labels, signatures, pairs: this.#pairsInOrder() };
    if (saved !== undefined) arrays.model = saved;
    return { values: { fresh: this.#fresh }, arrays };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const { rows, labels, signatures, model } = state.arrays;
    const { columns } = this;
    const isWhole =
      rows instanceof Uint32Array &&
      labels instanceof Uint32Array &&
      signatures instanceof Uint32Array &&
      rows.length === labels.length * columns &&
      signatures.length === labels.length * WORDS &&
      labels.length <= this.#table.capacity;
    if (!isWhole) throw badState("the rows of a screen");
    const pairs = numbersOf(state, "pairs");
    this.#table = new Table({ columns, capacity: this.#options.window });
    guarded("FILE_FORMAT", () =>
      this.#table.addAll(new Float32Array(rows.slice().buffer), new Float32Array(labels.slice().buffer)),
    );
    this.#signatures.set(signatures);
    this.#tickets.clear();
    for (let ticket = 0; ticket < labels.length; ticket++)
      this.#tickets.set(signatures.subarray(ticket * WORDS, (ticket + 1) * WORDS).join(), ticket);
    const { model: given } = this.#options;
    if (model instanceof Uint8Array) this.#model = this.#loaded(model);
    else this.#model = given instanceof Uint8Array ? this.#loaded(given) : this.#made(given);
    this.#watch = new Watch(this.#options.watch);
    this.#paired = 0;
    if (pairs.length % PAIR !== 0) throw badState("predictions with what came");
    for (let at = 0; at < pairs.length; at += PAIR)
      guarded("FILE_FORMAT", () => this.compare(pairs[at]!, pairs[at + 1]!, pairs[at + 2]! as Reason));
    this.#fresh = numberOf(state, "fresh");
  }

  /** A new model. */
  #made(kind: ScreenModel): Learning {
    if (kind === "neighbours") return new Neighbours(this.#table);
    if (kind === "linear") return new Linear({ columns: this.columns });
    return fitting(new Trees(this.#table));
  }

  /** A model that was saved. @throws SearchError FILE_FORMAT, INVALID_ARGUMENT */
  #loaded(bytes: Uint8Array): Learning {
    const { model } = this.#options;
    return guarded("FILE_FORMAT", () =>
      model === "linear" ? Linear.load(bytes) : fitting(Trees.load(bytes, { rows: this.#table })),
    );
  }

  /** The row of this signature has left the table, unless the signature has another row by now. */
  #forget(key: string, ticket: number): void {
    if (this.#tickets.get(key) === ticket - this.#table.capacity) this.#tickets.delete(key);
  }

  #pairsInOrder(): Float64Array {
    const { window } = this.#watch;
    const count = Math.min(this.#paired, window);
    const pairs = new Float64Array(PAIR * count);
    for (let index = 0; index < count; index++) {
      const at = PAIR * ((this.#paired - count + index) % window);
      pairs.set(this.#pairs.subarray(at, at + PAIR), PAIR * index);
    }
    return pairs;
  }
}

/** Trees know their table. */
const fitting = (trees: Trees): Learning => ({
  columns: trees.columns,
  get fitted() {
    return trees.fitted;
  },
  predictInto: (rows, scores) => trees.predictInto(rows, scores),
  fit: () => trees.fit(),
  save: () => trees.save(),
});

/** Calls something of `@mm-ptx/learn`. @throws SearchError with this code for an error of a saved model, INVALID_ARGUMENT for others */
function guarded<Value>(code: "FILE_FORMAT" | "INVALID_ARGUMENT", call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof LearnError)) throw error;
    throw new SearchError(error.code === "BAD_MODEL" ? "FILE_FORMAT" : code, error.message, { cause: error });
  }
}
