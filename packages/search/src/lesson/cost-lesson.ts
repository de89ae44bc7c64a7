// A model that learns what a compiler says about programs, one batch after the other, and when asking it is better than asking the compiler.
import { Table, Trees, Watch } from "@mm-ptx/learn";
import { invalid } from "../options.js";

/** Programs that the compiler has been asked about. */
export interface LessonBatch {
  /** The features of the programs, as consecutive rows. */
  readonly features: Float32Array;
  /** For each cost that is learned, what the compiler says of each program. */
  readonly costs: readonly Float32Array[];
  /** What asking the compiler took for one of them, in microseconds. */
  readonly asking: number;
  /** What making and describing one of them took, in microseconds. */
  readonly making: number;
}

/** What is known of one cost after a batch. */
export interface LearnedCost {
  readonly name: string;
  /** What was predicted for each program of the batch before the compiler was asked; NaN before anything had been learned. */
  readonly predicted: Float32Array;
  readonly came: Float32Array;
  /** The mean error of the last predictions, and that of the best constant. NaN without predictions. */
  readonly error: number;
  readonly constantError: number;
  /** The share of the cheapest tenth that is among the tenth with the lowest predictions. */
  readonly recall: number;
  /** Spearman's rank correlation of predictions and costs. */
  readonly rho: number;
}

/** What is known after a batch. */
export interface LessonStep {
  /** The programs that the compiler has been asked about so far. */
  readonly compiled: number;
  readonly costs: readonly LearnedCost[];
  /** What it takes to ask the compiler, and the model, about one program, in microseconds; with the model, its fits are included. */
  readonly compiler: number;
  readonly model: number;
  /** The microseconds that the model saves for each program that is compiled, by the formula of the guide; negative if it costs time. */
  readonly saved: number;
  /** The number of programs after which the model has paid since; `undefined` while it does not. */
  readonly paysSince: number | undefined;
}

/** How many programs are made for each that is compiled, if the model chooses. */
const EXCESS = 10;
const WINDOW = 300;
const MOST_COLUMNS = 4096;
/** The model is fitted again when this part of the rows is new. */
const PART = 8;

interface Lesson {
  readonly name: string;
  readonly table: Table;
  readonly trees: Trees;
  readonly watch: Watch;
  /** The last predictions with what came. */
  readonly pairs: [number, number][];
}

/** Learns costs. It has no clock of its own unless one is given, so that recorded batches give the same steps everywhere but for times. */
export class CostLesson {
  readonly columns: number;
  readonly #lessons: readonly Lesson[];
  readonly #now: () => number;
  #compiled = 0;
  #asking = 0;
  #making = 0;
  #fitting = 0;
  #predicting = 0;
  #predicted = 0;
  #paysSince: number | undefined;

  /**
   * @param columns the number of features
   * @param names the costs that are learned; the first one decides whether the model pays
   * @param now a clock in milliseconds
   * @throws SearchError INVALID_ARGUMENT
   */
  constructor(columns: number, names: readonly string[], now: () => number = () => performance.now()) {
    if (!Array.isArray(names) || names.length === 0) throw invalid("the names of costs", names);
    if (!Number.isInteger(columns) || columns < 1 || columns > MOST_COLUMNS)
      throw invalid(`1 to ${MOST_COLUMNS} columns`, columns);
    this.columns = columns;
    this.#now = now;
    this.#lessons = names.map((name: string) => {
      const table = new Table({ columns, capacity: 4096 });
      return {
        name,
        table,
        // What a compiler says has no noise.
        trees: new Trees(table, { sample: "all" }),
        watch: new Watch({ window: WINDOW, least: 60 }),
        pairs: [],
      };
    });
  }

  /**
   * Predicts the programs of a batch, compares the predictions with what the compiler says, and then learns it.
   * @throws SearchError INVALID_ARGUMENT for no programs, and for costs that are not those of the programs; LearnError for rows that are not finite
   */
  step({ features, costs, asking, making }: LessonBatch): LessonStep {
    const count = features.length / this.columns;
    if (!Number.isInteger(count) || count < 1)
      throw invalid(`programs of ${this.columns} features each`, features.length);
    if (costs.length !== this.#lessons.length || costs.some(({ length }) => length !== count))
      throw invalid(
        `${this.#lessons.length} costs of ${count} programs`,
        costs.map(({ length }) => length),
      );
    const learned = this.#lessons.map((lesson, index) => this.#learn(lesson, features, costs[index]!));
    this.#compiled += count;
    this.#asking += asking * count;
    this.#making += making * count;
    const perProgram = this.#making / this.#compiled;
    const inference = this.#predicted === 0 ? 0 : this.#predicting / this.#predicted;
    const fit = this.#fitting / this.#compiled;
    const compiler = this.#asking / this.#compiled;
    const { recall, chance } = this.#lessons[0]!.watch.report();
    const fewer = chance > 0 ? recall / chance : 0;
    const saved = compiler * (1 - 1 / Math.max(1, fewer)) - (EXCESS * (perProgram + inference) + fit);
    const pays = this.#lessons[0]!.watch.useful && saved > 0;
    if (!pays) this.#paysSince = undefined;
    else this.#paysSince ??= this.#compiled;
    return {
      ...{ compiled: this.#compiled, costs: learned, compiler, model: perProgram + inference + fit, saved },
      paysSince: this.#paysSince,
    };
  }

  #learn(
    { name, table, trees, watch, pairs }: Lesson,
    features: Float32Array,
    came: Float32Array,
  ): LearnedCost {
    const predicted = new Float32Array(came.length).fill(Number.NaN);
    if (trees.fitted) {
      const began = this.#now();
      trees.predictInto(features, predicted);
      this.#predicting += 1000 * (this.#now() - began);
      this.#predicted += came.length;
      for (const [index, cost] of came.entries()) {
        // Cheap programs are the good ones.
        watch.add(-predicted[index]!, -cost);
        pairs.push([predicted[index]!, cost]);
      }
      pairs.splice(0, pairs.length - WINDOW);
    }
    table.addAll(features, came);
    // Often at first, and then whenever an eighth of the rows is new.
    if (table.added - trees.learned >= table.added / PART) {
      const began = this.#now();
      trees.fit();
      this.#fitting += 1000 * (this.#now() - began);
    }
    const truths = pairs.map(([, cost]) => cost).sort((a, b) => a - b);
    const middle = truths[truths.length >> 1] ?? Number.NaN;
    const mean = (of: (pair: [number, number]) => number): number =>
      pairs.length === 0 ? Number.NaN : pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
    const { recall, rho } = watch.report();
    return {
      ...{ name, predicted, came: came.slice(), recall, rho },
      error: mean(([prediction, cost]) => Math.abs(prediction - cost)),
      constantError: mean(([, cost]) => Math.abs(middle - cost)),
    };
  }
}
