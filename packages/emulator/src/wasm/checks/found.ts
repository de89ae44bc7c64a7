// Findings of the checks since threads last waited, on their way to the log. Groups of four threads find things step by
// step. The log gets them in the order in which the interpreter finds them: thread by thread from wait to wait.
import type { LaunchChecks } from "../../run/checks.js";
import type { InstructionPlace, RaceFault, RecordedFault } from "../../run/fault.js";
import type { Neighbor } from "../../run/neighbor.js";

/** With more, findings are passed on early, and only their order differs. */
const MOST = 2 ** 16;

interface Found {
  readonly thread: number;
  readonly fault: RecordedFault;
  /** Known once the threads may have allocated or freed memory. */
  neighbor: Neighbor | undefined;
  /** Set for a race that was found again later, with its accesses in the other order. */
  isWithdrawn: boolean;
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
  /** The number of faults whose neighbors are known. */
  #settled = 0;
  /** Races that do not count if the other thread finds them later, with their accesses in the other order. */
  readonly #doubtful = new Map<number, Found[]>();

  constructor(log: LaunchChecks | undefined) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  add(thread: number, fault: RecordedFault): Found {
    if (this.#found.length >= MOST) this.passOn();
    const found: Found = { thread, fault, neighbor: undefined, isWithdrawn: false };
    this.#found.push(found);
    return found;
  }

  /** Finds out which allocations the faults concern, before a thread may allocate or free memory. */
  settle(): void {
    for (; this.#settled < this.#found.length; this.#settled++) {
      const found = this.#found[this.#settled]!;
      found.neighbor ??= this.#log!.neighborOf(found.fault);
    }
  }

  /**
   * Adds a race with an earlier access of another thread.
   *
   * @param isDoubtful whether that thread has started over, so that its access may not be an earlier one
   */
  addRace(thread: number, fault: RaceFault, other: number, isDoubtful: boolean): void {
    const doubtful = this.#doubtful.get(thread);
    const opposite =
      doubtful?.findIndex((each) => each.thread === other && areOpposite(each.fault, fault)) ?? -1;
    if (opposite >= 0) for (const each of doubtful!.splice(opposite, 1)) each.isWithdrawn = true;
    const found = this.add(thread, fault);
    if (!isDoubtful) return;
    const known = this.#doubtful.get(other);
    if (known === undefined) this.#doubtful.set(other, [found]);
    else known.push(found);
  }

  /**
   * Discards the findings of a thread and of all later ones, because these threads start over. Unwritten values are
   * marked as written.
   */
  startOver(thread: number): void {
    const isKept = (each: Found) => each.thread < thread || each.fault.kind === "UNINITIALIZED";
    for (const each of this.#found) each.isWithdrawn ||= !isKept(each);
    this.#found = this.#found.filter(isKept);
    this.#settled = 0;
    for (const [other, list] of this.#doubtful)
      this.#doubtful.set(
        other,
        list.filter(({ isWithdrawn }) => !isWithdrawn),
      );
  }

  /** Passes everything on to the log. */
  passOn(): void {
    if (this.#found.length === 0) return;
    const found = this.#found
      .filter(({ isWithdrawn }) => !isWithdrawn)
      .toSorted((one, other) => one.thread - other.thread);
    this.#found = [];
    this.#settled = 0;
    this.#doubtful.clear();
    for (const { fault, neighbor } of found) this.#log!.record(fault, neighbor);
  }
}
