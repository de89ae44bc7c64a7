// A farm without a server, for the real front: a queue, workers and a network whose every step a schedule chooses. Messages are lost,
// doubled, delayed and reordered, workers die, connections are cut, and the queue is lost.

import type { BackendOutcome } from "@mm-ptx/cuda/backend";
import { errors, type Msg } from "@nats-io/transport-node";
import { encodeAnswer } from "../../src/frames/outcomes.js";
import { decodeParcel } from "../../src/frames/parcel.js";
import type { LinkEvents, Reply } from "../../src/front/link.js";
import type { OpenParcel } from "../../src/front/parcels.js";
import { HEADERS } from "../../src/names.js";

/** A parcel in the queue, or of a worker that has it without the queue. */
interface Message {
  readonly id: number;
  readonly frame: Uint8Array;
  readonly direct: boolean;
  deliveries: number;
  worker: string | undefined;
  /** The next job, if the worker does them one by one. */
  next: number;
}

/** A message of a worker on its way. */
interface Flight {
  readonly of: Message;
  readonly worker: string;
  readonly header: readonly [name: string, value: string];
  readonly data: Uint8Array;
  /** Whether its receipt acknowledges the parcel. */
  readonly isLast: boolean;
}

export const STEPS = [
  "pull",
  "work",
  "deliver",
  "deliver without receipt",
  "lose a message",
  "die",
  "cut",
  "lose the queue",
  "refuse",
  "lose a PubAck",
  "tick",
] as const;
export type Step = (typeof STEPS)[number];

const MOST_DELIVERIES = 4;
const CAREFUL_FROM = 3;
export const POOL = "13_0_88-x64-00000001";
export const POISON = "poison";

/** The outcome of a text, which nothing else has. */
export const outcomeOf = (text: string): BackendOutcome => ({
  kind: "failed",
  failure: { is: "internal", how: text },
  log: "",
  milliseconds: 1,
});

export class Model {
  readonly messages: Message[] = [];
  readonly flights: Flight[] = [];
  /** What the next publications meet. */
  readonly trouble: ("refuse" | "lose a PubAck")[] = [];
  /** Whether workers take single jobs without the queue. */
  takesOffers = true;
  isUp = false;
  deaths = 0;
  events: LinkEvents | undefined;
  #workers = ["worker-0", "worker-1"];
  /** What workers have answered without the queue. */
  readonly #answered = new Map<number, Flight>();
  #made = 2;

  get workers(): readonly string[] {
    return this.#workers;
  }

  publish(id: number, frame: Uint8Array): void {
    const trouble = this.trouble.shift();
    if (trouble === "refuse") throw new Error("maximum messages per subject exceeded");
    this.messages.push({ id, frame, direct: false, deliveries: 0, worker: undefined, next: 0 });
    if (trouble === "lose a PubAck") throw new errors.TimeoutError();
  }

  /** A parcel for a worker without the queue, or the question whether it has it. */
  offer(id: number, worker: string, frame: Uint8Array | undefined): void {
    const reply = (text: Reply) => queueMicrotask(() => this.events!.replied(id, text));
    const known = this.messages.find(
      (message) => message.direct && message.id === id && message.worker === worker,
    );
    const answer = this.#answered.get(id);
    if (!this.#workers.includes(worker)) reply("gone");
    else if (answer?.worker === worker) this.flights.push(answer);
    else if (known !== undefined) reply("yes");
    else if (frame === undefined || !this.takesOffers) reply("no");
    // Otherwise it gets lost.
    else if (this.trouble.shift() === undefined)
      this.messages.push({ id, frame, direct: true, deliveries: 1, worker, next: 0 });
  }

  /** Does a step, with the message that a number chooses. @returns whether there was anything to do */
  step(step: Step, choice: number): boolean {
    const of = <Item>(items: readonly Item[]): Item | undefined => items[choice % Math.max(1, items.length)];
    const flight = of(this.flights);
    switch (step) {
      case "pull":
        return this.#pull(of(this.messages.filter(({ worker }) => worker === undefined)), choice);
      case "work":
        return this.#work(of(this.messages.filter((each) => this.#canWork(each))));
      case "deliver":
        return this.#deliver(flight, true);
      case "deliver without receipt":
        return this.#deliver(flight, false);
      case "lose a message":
        // Without the queue, the worker sends it again when it is asked. Otherwise it does since nothing has receipted it: it stays.
        if (flight?.of.direct) this.flights.splice(this.flights.indexOf(flight), 1);
        return flight !== undefined;
      case "die":
        this.#die(of(this.#workers)!);
        return true;
      case "cut":
        this.#cut();
        this.events!.up();
        return true;
      case "lose the queue":
        this.#cut();
        this.messages.splice(0, Infinity, ...this.messages.filter(({ direct }) => direct));
        this.events!.lost();
        this.events!.up();
        return true;
      case "refuse":
      case "lose a PubAck":
        this.trouble.push(step);
        return true;
      case "tick":
        this.events!.tick();
        return true;
    }
  }

  #cut(): void {
    this.isUp = false;
    this.events!.down(undefined);
    this.isUp = true;
  }

  #pull(message: Message | undefined, choice: number): boolean {
    if (message === undefined) return false;
    if (message.deliveries === MOST_DELIVERIES) {
      this.messages.splice(this.messages.indexOf(message), 1);
      this.#tell(message, [HEADERS.telling, "exhausted"]);
      return true;
    }
    message.worker = this.#workers[choice % this.#workers.length]!;
    message.deliveries++;
    message.next = 0;
    // A worker asks about a parcel that another one may have answered.
    if (message.deliveries > 1 && this.#tell(message, [HEADERS.telling, "wanted"]) === "no")
      this.messages.splice(this.messages.indexOf(message), 1);
    return true;
  }

  #canWork(message: Message): boolean {
    return message.worker !== undefined && !this.flights.some(({ of }) => of === message);
  }

  #work(message: Message | undefined): boolean {
    if (message === undefined) return false;
    const worker = message.worker!;
    const parcel = decodeParcel(message.frame);
    if ("hash" in parcel) throw new Error("expected small parcels");
    const texts = parcel.jobs.map((job) => Buffer.from(job as Uint8Array).toString());
    const { next, deliveries } = message;
    const isCareful = deliveries + parcel.deaths >= CAREFUL_FROM;
    if (isCareful) this.#tell(message, [HEADERS.telling, `at ${next} ${worker}`]);
    const now = isCareful ? [texts[next]!] : texts;
    if (now.some((text) => text.includes(POISON))) {
      this.#die(worker);
      return true;
    }
    const first = isCareful ? next : 0;
    const data = encodeAnswer({ worker, deliveries, heldMs: 0, first, outcomes: now.map(outcomeOf) });
    const header = [HEADERS.part, `${worker}-${this.#made++}/0/1`] as const;
    const isLast = first + now.length === texts.length;
    const made = { of: message, worker, header, data, isLast };
    this.flights.push(made);
    if (message.direct) {
      this.messages.splice(this.messages.indexOf(message), 1);
      this.#answered.set(message.id, made);
    }
    return true;
  }

  #deliver(flight: Flight | undefined, isReceipted: boolean): boolean {
    if (flight === undefined) return false;
    this.#tell(flight.of, flight.header, flight.data);
    if (!isReceipted) return true;
    this.flights.splice(this.flights.indexOf(flight), 1);
    flight.of.next++;
    // Whoever has the parcel by now acknowledges it himself.
    const at = this.messages.indexOf(flight.of);
    if (flight.isLast && at !== -1 && flight.of.worker === flight.worker) this.messages.splice(at, 1);
    return true;
  }

  #tell(
    { id }: Message,
    [name, value]: readonly [string, string],
    data: Uint8Array = new Uint8Array(),
  ): string {
    const headers = { get: (asked: string) => (asked === name ? value : "") };
    return this.events!.message(id, { headers, data } as unknown as Msg);
  }

  /** The server hands out again what the worker had; what it has sent may still arrive. */
  #die(worker: string): void {
    this.deaths++;
    this.#workers = this.#workers.map((each) => (each === worker ? `worker-${this.#made++}` : each));
    for (const message of [...this.messages])
      if (message.worker === worker) {
        if (message.direct) this.messages.splice(this.messages.indexOf(message), 1);
        else message.worker = undefined;
      }
  }

  link(events: LinkEvents): object {
    this.events = events;
    const model = this;
    return {
      get isUp() {
        return model.isUp;
      },
      get slots() {
        return model.isUp ? model.workers.length : 0;
      },
      get workers() {
        return model.workers.length;
      },
      pools: [POOL],
      pool: POOL,
      async start() {
        model.isUp = true;
        events.up();
      },
      publish: async ({ id }: OpenParcel, frame: Uint8Array) => model.publish(id, frame),
      offer: ({ id }: OpenParcel, worker: string, _: boolean, frame?: Uint8Array) =>
        model.offer(id, worker, frame),
      members: () => model.workers.map((id) => ({ id, cores: 1 })),
      gone() {},
      close() {},
    };
  }
}
