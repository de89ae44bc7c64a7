// Chooses the size of packs by what they cost in this run: a few sizes are tried, then the best one is kept.

/** What packs of a size cost. */
export interface SizeCost {
  readonly kind: "alternatives" | "kernels" | "single";
  readonly size: number;
  /** The number of packs of this size so far. */
  readonly packs: number;
  /** Milliseconds for each program, the least of all packs of this size: in the compiler, and loading, launching and reading. */
  readonly compileMs: number;
  readonly runMs: number;
}

/** The sizes that are tried, in this order, each this many times. They stop when packs get no cheaper. */
const LADDER = [64, 128, 256, 512];
const TRIES = 2;
/** After this many packs of the chosen size, one of half or twice that size is tried: the first packs are slow in any case. */
const PACKS_BETWEEN_TRIES = 12;
/** A larger size has to be cheaper by this factor, because large packs keep more programs waiting. */
const WORTHWHILE = 0.97;

interface Cost {
  packs: number;
  compileMs: number;
  runMs: number;
}

export class SizeTuner {
  #kind: SizeCost["kind"];
  #fixed: number | undefined;
  #most: number;
  readonly #costs = new Map<number, Cost>();
  /** Packs of the current size that are on their way or back. */
  #tried = 0;
  #step = 0;
  #best: number | undefined;
  /** Another size than the best one, for one pack. */
  #trial: number | undefined;
  #packs = 0;
  #trials = 0;

  /** @param most the most programs that a pack may have */
  constructor(kind: SizeCost["kind"], fixed: number | undefined, most: number) {
    this.#kind = kind;
    this.#most = kind === "single" ? 1 : most;
    this.#fixed = kind === "single" ? 1 : fixed;
  }

  get kind(): SizeCost["kind"] {
    return this.#kind;
  }

  /** From now on, each program is run by itself. */
  giveUp(): void {
    this.#kind = "single";
    this.#fixed = 1;
  }

  /** From now on, packs have at most this many programs, because the device has no memory for more. */
  limit(most: number): void {
    this.#most = Math.min(this.#most, most);
  }

  /** The size of the next pack. */
  get size(): number {
    return Math.min(this.#most, this.#fixed ?? this.#trial ?? this.#best ?? LADDER[this.#step]!);
  }

  /** The size that was chosen; undefined while sizes are tried. */
  get chosen(): number | undefined {
    return this.#fixed ?? this.#best;
  }

  /** What each size costs. */
  get curve(): readonly SizeCost[] {
    return [...this.#costs]
      .sort(([a], [b]) => a - b)
      .map(([size, { packs, compileMs, runMs }]) => ({ kind: this.#kind, size, packs, compileMs, runMs }));
  }

  /** A pack of the current size begins. */
  begin(): void {
    if (this.#fixed !== undefined) return;
    if (this.#best !== undefined) {
      this.#trial = undefined;
      if (++this.#packs % PACKS_BETWEEN_TRIES === 0) this.#try(this.#best);
      return;
    }
    this.#tried++;
    if (this.#tried < TRIES) return;
    this.#tried = 0;
    // While results of the last size are not there yet, the next size is tried.
    if (this.#isWorse() || this.#step === LADDER.length - 1 || LADDER[this.#step + 1]! > this.#most)
      this.#settle();
    else this.#step++;
  }

  /** Records what a pack cost. Packs that were not full are no measure of a size. */
  record(size: number, compileMs: number, runMs: number): void {
    if (size !== this.#fixed && !LADDER.includes(size)) return;
    const cost = this.#costs.get(size);
    if (cost === undefined)
      this.#costs.set(size, { packs: 1, compileMs: compileMs / size, runMs: runMs / size });
    else {
      cost.packs++;
      if ((compileMs + runMs) / size >= cost.compileMs + cost.runMs) return;
      cost.compileMs = compileMs / size;
      cost.runMs = runMs / size;
    }
    if (this.#best !== undefined) this.#settle();
  }

  #try(best: number): void {
    const other = this.#trials++ % 2 === 0 ? best / 2 : best * 2;
    if (LADDER.includes(other)) this.#trial = other;
  }

  #costOf(size: number): number {
    const cost = this.#costs.get(size);
    return cost === undefined ? Number.POSITIVE_INFINITY : cost.compileMs + cost.runMs;
  }

  /** Whether the last size that has been measured is no better than the one before. */
  #isWorse(): boolean {
    const measured = LADDER.filter((size) => this.#costs.has(size));
    if (measured.length < 2) return false;
    const [before, last] = measured.slice(-2) as [number, number];
    return this.#costOf(last) > this.#costOf(before) * WORTHWHILE;
  }

  #settle(): void {
    let best = LADDER[0]!;
    for (const size of LADDER)
      if (this.#costOf(size) < this.#costOf(best) * (size > best ? WORTHWHILE : 1)) best = size;
    this.#best = best;
  }
}
