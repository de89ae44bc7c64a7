// What the checks have found since threads last waited, on its way to the log. Groups of four threads find things step by
// step. The log gets them in the order in which the interpreter finds them: thread by thread from wait to wait.
import type { LaunchChecks } from "../../run/checks.js";
import type { RecordedFault } from "../../run/fault.js";

/** With more, findings are passed on early, and only their order differs. */
const MOST = 2 ** 16;

interface Found {
  readonly thread: number;
  readonly fault: RecordedFault;
}

export class FoundByThread {
  readonly #log: LaunchChecks | undefined;
  #found: Found[] = [];

  constructor(log: LaunchChecks | undefined) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  add(thread: number, fault: RecordedFault): void {
    if (this.#found.length >= MOST) this.passOn();
    this.#found.push({ thread, fault });
  }

  /** Forgets the races of a thread and the later ones, which start over. Other findings are made once they cannot. */
  startOver(thread: number): void {
    this.#found = this.#found.filter((each) => each.thread < thread || each.fault.kind !== "RACE");
  }

  /** Passes everything on to the log. */
  passOn(): void {
    if (this.#found.length === 0) return;
    const found = this.#found.toSorted((one, other) => one.thread - other.thread);
    this.#found = [];
    for (const { fault } of found) this.#log!.record(fault);
  }
}
