// How a worker answers a parcel: compiles its jobs while their submitter wants them, and sends the outcomes.

import { wrong } from "../frames/frame.js";
import { type Answer, encodeAnswer } from "../frames/outcomes.js";
import { decodeParcel, type Parcel } from "../frames/parcel.js";
import type { Addressee, Answers } from "./answers.js";
import type { WorkerBlobs } from "./blobs.js";
import { Lock } from "./lock.js";
import { Ended, type Running, RunningParcels } from "./running.js";
import type { ParcelWork } from "./work.js";

/** From this delivery on, the jobs of a parcel are compiled one by one, so that the one that kills workers is known. */
const CAREFUL_FROM = 3;

/** How a parcel came to this worker. */
export interface Had {
  readonly deliveries: number;
  readonly since: number;
  /** Whether it came from the server's queue, which waits for an acknowledgement. */
  readonly isQueued: boolean;
}

interface Ways {
  /** How often a submitter is asked whether it still wants a parcel. */
  readonly askMs: number;
  /** Whether answers are deflated. */
  readonly deflates: boolean;
}

export class Answering {
  /** Parcels that it has rejected. */
  refused = 0;
  readonly #id: string;
  readonly #answers: Answers;
  readonly #blobs: WorkerBlobs;
  readonly #work: ParcelWork;
  readonly #ways: Ways;
  readonly #running: RunningParcels;
  /** A job that may kill this worker runs alone, so that no other one is suspected. */
  readonly #lock = new Lock();

  constructor(id: string, answers: Answers, blobs: WorkerBlobs, work: ParcelWork, ways: Ways) {
    this.#id = id;
    this.#answers = answers;
    this.#blobs = blobs;
    this.#work = work;
    this.#ways = ways;
    this.#running = new RunningParcels(answers, ways.askMs);
  }

  /** Whether a parcel has been answered. */
  hasAnswered(to: Addressee): boolean {
    return this.#answers.earlier(to) !== undefined;
  }

  /** A parcel that is being compiled. */
  running(to: Addressee): Running | undefined {
    return this.#running.get(to);
  }

  /** @returns whether the submitter has receipted the answer, or needs none; otherwise it has gone */
  async answer(to: Addressee, bytes: Uint8Array, had: Had): Promise<boolean> {
    const earlier = this.#answers.earlier(to);
    if (earlier !== undefined) return this.#send(to, had, earlier);
    if (had.deliveries > 1 || this.#answers.isAbsent(to)) {
      const wanted = await this.#answers.tell(to, "wanted");
      if (wanted !== "yes") return wanted !== undefined;
    }
    try {
      const parcel = await this.#parcel(to, bytes);
      if (had.deliveries + parcel.deaths >= CAREFUL_FROM)
        return await this.#lock.alone(() => this.#answerCarefully(to, had, parcel));
      const outcomes = await this.#lock.shared(() => this.#compile(to, parcel));
      const answer = this.#encoded(had, { first: 0, outcomes });
      this.#answers.keep(to, answer);
      return await this.#send(to, had, answer);
    } catch (error) {
      if (error instanceof Ended) return !error.hasGone;
      return this.#refuse(to, had, (error as Error).message);
    }
  }

  async #send(to: Addressee, { isQueued }: Had, answer: Uint8Array): Promise<boolean> {
    return isQueued ? this.#answers.send(to, answer) : this.#answers.sendOnce(to, answer);
  }

  /** @throws FarmError `FRAME`, Error if a parcel that is a blob does not come */
  async #parcel(to: Addressee, bytes: Uint8Array): Promise<Parcel> {
    const direct = decodeParcel(bytes);
    if (!("hash" in direct)) return direct;
    const parcel = decodeParcel(await this.#blobs.get(to, direct));
    if ("hash" in parcel) throw wrong("a parcel", "another reference");
    return parcel;
  }

  /** @throws Ended if the submitter has gone or does not want the outcomes any more, and as `ParcelWork.compile` */
  async #compile(to: Addressee, parcel: Parcel): Promise<Answer["outcomes"]> {
    return this.#running.run(to, (running) => this.#work.compile(to, parcel, running));
  }

  /** Answers each job before the next one begins, and tells before each that it begins. */
  async #answerCarefully(to: Addressee, had: Had, parcel: Parcel): Promise<boolean> {
    for (let first = 0; first < parcel.jobs.length; first++) {
      if ((await this.#answers.tell(to, `at ${first} ${this.#id}`)) === undefined) return false;
      const one = { ...parcel, jobs: parcel.jobs.slice(first, first + 1) };
      const outcomes = await this.#compile(to, one);
      if (!(await this.#answers.send(to, this.#encoded(had, { first, outcomes })))) return false;
    }
    return true;
  }

  async #refuse(to: Addressee, had: Had, refused: string): Promise<boolean> {
    this.refused++;
    return this.#answers.send(to, this.#encoded(had, { first: 0, outcomes: [], refused }));
  }

  #encoded({ deliveries, since }: Had, content: Pick<Answer, "first" | "outcomes" | "refused">): Buffer {
    const heldMs = performance.now() - since;
    return encodeAnswer({ worker: this.#id, deliveries, heldMs, ...content }, this.#ways.deflates);
  }
}
