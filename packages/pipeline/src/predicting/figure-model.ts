// Learns one figure, and keeps how far the last predictions were from what came.
import { Table, Trees } from "@mm-ptx/learn";

/** The model is fitted again when this part of its rows is new. */
const PART = 8;
/** Predictions whose errors count. */
const ERRORS = 500;

export class FigureModel {
  readonly #rows: Table;
  readonly #trees: Trees;
  readonly #least: number;
  #fresh = 0;
  /** What came minus what was predicted, for the last predictions. */
  readonly #errors = new Float64Array(ERRORS);
  #compared = 0;
  readonly #score = new Float32Array(1);

  constructor(columns: number, least: number, window: number) {
    this.#rows = new Table({ columns, capacity: window, nonFinite: "drop" });
    this.#trees = new Trees(this.#rows);
    this.#least = least;
  }

  /** The prediction, or `null` if too little has been learned. */
  predict(features: Float32Array): number | null {
    if (!this.#trees.fitted) return null;
    this.#trees.predictInto(features, this.#score);
    return this.#score[0]!;
  }

  /** How sure it is that a program with this prediction exceeds a limit: the share of errors that would make it so; 0 with too few. */
  confidence(prediction: number, limit: number): number {
    const count = Math.min(this.#compared, ERRORS);
    if (count < this.#least) return 0;
    let above = 0;
    for (let index = 0; index < count; index++) if (prediction + this.#errors[index]! > limit) above++;
    // As if there had been one more error, on the other side.
    return above / (count + 1);
  }

  /** Learns what came, after comparing it with what was predicted. */
  learn(features: Float32Array, predicted: number | null, came: number): void {
    if (!Number.isFinite(came)) return;
    if (predicted !== null) this.#errors[this.#compared++ % ERRORS] = came - predicted;
    if (this.#rows.add(features, came) < 0) return;
    this.#fresh++;
    const { count } = this.#rows;
    if (count < this.#least || (this.#trees.fitted && this.#fresh < Math.max(this.#least, count / PART)))
      return;
    this.#trees.fit();
    this.#fresh = 0;
  }
}
