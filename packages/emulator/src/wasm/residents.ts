// Blocks that have begun and not ended. Usually it is one; where its threads wait for what another block writes, the next
// ones begin beside it, each in memory of its own, and all have their turns.
import type { AreaSource, Areas } from "./areas.js";
import type { Rounds } from "./rounds.js";

/** A block's memory, and where its threads stand. */
export interface Resident {
  readonly areas: Areas;
  /** Undefined where threads wait for nothing. */
  readonly rounds: Rounds | undefined;
}

interface Parked extends Resident {
  /** Its number. */
  readonly block: number;
}

/** What the residents need of the launch. */
export interface ResidentRunner {
  /** The number of the block that runs. */
  block(): number;
  /** Makes a block the one that runs. */
  enter(block: number, areas: Areas): void;
}

export class Residents {
  /** The block that runs, or has ended last. */
  current: Resident;
  readonly #parked: Parked[] = [];
  readonly #source: AreaSource;
  readonly #make: (areas: Areas) => Resident;
  readonly #runner: ResidentRunner;

  constructor(source: AreaSource, make: (areas: Areas) => Resident, runner: ResidentRunner) {
    this.#source = source;
    this.#make = make;
    this.#runner = runner;
    this.current = make(source.take());
  }

  /** Whether no block waits for others. */
  get isEmpty(): boolean {
    return this.#parked.length === 0;
  }

  /** The block that runs can't go on without others: makes room for the next one. */
  park(): void {
    const block = this.#runner.block();
    this.#parked.push({ ...this.current, block });
    const areas = this.#source.more();
    if (areas !== undefined) this.current = this.#make(areas);
    else while (!this.#pass(1)) {}
    this.#runner.enter(block, this.current.areas);
  }

  /** Gives each block that waits for others a turn. @returns whether all have ended */
  resume(): boolean {
    this.#pass(Infinity);
    return this.isEmpty;
  }

  /** Gives turns to those that wait, until so many have ended. @returns whether so many have */
  #pass(most: number): boolean {
    let ended = 0;
    for (const parked of [...this.#parked]) {
      this.current = parked;
      this.#runner.enter(parked.block, parked.areas);
      if (!parked.rounds!.toTheEnd()) continue;
      this.#parked.splice(this.#parked.indexOf(parked), 1);
      if (++ended === most) return true;
    }
    return false;
  }
}
