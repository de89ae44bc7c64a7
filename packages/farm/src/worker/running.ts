// What a worker compiles for its submitters: each parcel can be ended, and is when its submitter does not wait for it any more.

import type { Addressee, Answers } from "./answers.js";

/** A parcel is not compiled any further. */
export class Ended extends Error {
  /** Whether its submitter has gone; otherwise it does not want the parcel from this worker any more. */
  readonly hasGone: boolean;

  constructor(hasGone: boolean) {
    super(hasGone ? "the submitter has gone" : "the submitter does not want the parcel any more");
    this.hasGone = hasGone;
  }
}

/** A parcel that is being compiled. */
export class Running {
  readonly to: Addressee;
  /** Whether it has been running since the submitters of others were asked last. */
  isOld = false;
  isAsking = false;
  /** Whether a core has begun with it, as far as the worker knows. */
  hasBegun: () => boolean = () => true;
  #ended: Ended | undefined;
  #onEnd: (reason: Ended) => void = () => {};

  constructor(to: Addressee) {
    this.to = to;
  }

  end(reason: Ended): void {
    this.#ended ??= reason;
    this.#onEnd(reason);
  }

  /** @param onEnd called when it is ended, or at once if it has been; only the last one is */
  whenEnded(onEnd: (reason: Ended) => void): void {
    this.#onEnd = onEnd;
    if (this.#ended !== undefined) onEnd(this.#ended);
  }

  /** @throws Ended if it has been ended */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }
}

const nameOf = ({ submitter, parcel }: Addressee): string => `${submitter} ${parcel}`;

/** The parcels that are being compiled, whose submitters are asked regularly whether they still want them. */
export class RunningParcels {
  readonly #running = new Map<string, Running>();
  readonly #answers: Pick<Answers, "tell">;
  readonly #askMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param askMs how often they are asked */
  constructor(answers: Pick<Answers, "tell">, askMs: number) {
    this.#answers = answers;
    this.#askMs = askMs;
  }

  get(to: Addressee): Running | undefined {
    return this.#running.get(nameOf(to));
  }

  /**
   * Compiles a parcel while it is wanted.
   *
   * @param run rejects when what it receives is ended
   */
  async run<Result>(to: Addressee, run: (running: Running) => Promise<Result>): Promise<Result> {
    const [name, running] = [nameOf(to), new Running(to)];
    this.#running.set(name, running);
    this.#timer ??= setInterval(() => this.#ask(), this.#askMs);
    try {
      return await run(running);
    } finally {
      if (this.#running.get(name) === running) this.#running.delete(name);
    }
  }

  #ask(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const running of this.#running.values()) {
      if (running.isOld && !running.isAsking) void this.#askFor(running);
      running.isOld = true;
    }
  }

  async #askFor(running: Running): Promise<void> {
    running.isAsking = true;
    const wanted = await this.#answers.tell(running.to, "wanted");
    running.isAsking = false;
    if (wanted !== "yes") running.end(new Ended(wanted === undefined));
  }
}
