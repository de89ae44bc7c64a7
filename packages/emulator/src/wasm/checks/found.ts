// What the checks have found since threads last waited, on its way to the log. Groups of four threads find things step by
// step. The log gets them in the order in which the interpreter finds them: thread by thread from wait to wait.
import type { LaunchChecks } from "../../run/checks.js";
import type { InstructionPlace, RaceFault, RecordedFault } from "../../run/fault.js";

/** With more, findings are passed on early, and only their order differs. */
const MOST = 2 ** 16;

interface Found {
  readonly thread: number;
  readonly fault: RecordedFault;
  /** For a race that is not one if it is found the other way round later, the other thread. */
  readonly unless: number | undefined;
}

const isSamePlace = (one: InstructionPlace, other: InstructionPlace): boolean =>
  one.function === other.function && one.instruction === other.instruction;

const areOpposite = (one: RecordedFault, other: RaceFault): boolean =>
  one.kind === "RACE" &&
  one.address === other.address &&
  isSamePlace(one, other.other) &&
  isSamePlace(one.other, other);

export class FoundByThread {
  readonly #log: LaunchChecks | undefined;
  #found: Found[] = [];

  constructor(log: LaunchChecks | undefined) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  add(thread: number, fault: RecordedFault, unless?: number): void {
    if (this.#found.length >= MOST) this.passOn();
    this.#found.push({ thread, fault, unless });
  }

  /**
   * Adds a race with an earlier access of another thread.
   *
   * @param isDoubtful whether that thread has started over, so that its access may not be an earlier one
   */
  addRace(thread: number, fault: RaceFault, other: number, isDoubtful: boolean): void {
    const opposite = this.#found.findIndex(
      (each) => each.unless === thread && each.thread === other && areOpposite(each.fault, fault),
    );
    if (opposite >= 0) this.#found.splice(opposite, 1);
    this.add(thread, fault, isDoubtful ? other : undefined);
  }

  /** Forgets what a thread and the later ones have found, which start over. Unwritten values are marked as written. */
  startOver(thread: number): void {
    this.#found = this.#found.filter((each) => each.thread < thread || each.fault.kind === "UNINITIALIZED");
  }

  /** Passes everything on to the log. */
  passOn(): void {
    if (this.#found.length === 0) return;
    const found = this.#found.toSorted((one, other) => one.thread - other.thread);
    this.#found = [];
    for (const { fault } of found) this.#log!.record(fault);
  }
}
