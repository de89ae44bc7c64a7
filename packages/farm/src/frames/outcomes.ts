// The answer to a parcel: the outcomes of its jobs from `first` on, or the reason why a worker rejects it.

import type { BackendOutcome, Failure, Origin, RefusalReason } from "@mm-ptx/cuda/backend";
import { isToken } from "../names.js";
import { differencesOf, withDifferences } from "./differences.js";
import { decodeFrame, encodeFrame, isCount, isObject, Pieces, wrong } from "./frame.js";

/**
 * The worker can't generate the PTX of a job's programs; its submitter can, or finds out why that is
 * impossible.
 */
export interface Unmade {
  readonly kind: "unmade";
}

export interface Answer {
  /** The worker, for messages and figures. */
  readonly worker: string;
  /** How often the server has handed the parcel out, including to this worker. */
  readonly deliveries: number;
  /** How long the worker had the parcel, in milliseconds. */
  readonly heldMs: number;
  readonly first: number;
  readonly outcomes: readonly (BackendOutcome | Unmade)[];
  /** Why the worker rejects the parcel. */
  readonly refused?: string;
}

/** The most bytes of cubins in an answer, so that a small one can't make its submitter run out of memory. */
const LARGEST = 256 * 2 ** 20;

/** The last cubin of each length, from which the next one of that length is sent as differences. */
type Bases = Map<number, Uint8Array>;

/** The answer as a message. A cubin that is nearly equal to the last one of its length is sent as the differences from that one. */
export function encodeAnswer({ outcomes, ...others }: Answer, deflates = true): Buffer {
  const parts: Uint8Array[] = [];
  const bases: Bases = new Map();
  const length = (bytes: Uint8Array): number => {
    parts.push(bytes);
    return bytes.length;
  };
  const words = outcomes.map((outcome) => {
    switch (outcome.kind) {
      case "compiled": {
        const { kind, cubin, log, milliseconds, from } = outcome;
        const base = bases.get(cubin.length);
        const differences = base && differencesOf(base, cubin);
        bases.set(cubin.length, cubin);
        const sent =
          differences === undefined
            ? { cubin: length(cubin) }
            : { cubin: cubin.length, differences: length(differences) };
        return { kind, ...sent, log: length(Buffer.from(log)), milliseconds, from };
      }
      case "failed":
        return { ...outcome, log: length(Buffer.from(outcome.log)) };
      default:
        return outcome;
    }
  });
  return encodeFrame("outcomes", { ...others, outcomes: words }, parts, deflates);
}

/** @throws FarmError `FRAME` */
export function decodeAnswer(message: Uint8Array): Answer {
  const { head, bytes } = decodeFrame("outcomes", message);
  if (!isObject(head)) throw wrong("a head of outcomes", "something else");
  const { worker, deliveries, heldMs, first, outcomes, refused } = head;
  if (!isToken(worker) || !isCount(deliveries) || !isTime(heldMs))
    throw wrong("a worker, and how long it had the parcel", "something else");
  if (!isCount(first) || !Array.isArray(outcomes)) throw wrong("outcomes", "something else");
  const [pieces, bases]: [Pieces, Bases] = [new Pieces(bytes), new Map()];
  let left = LARGEST;
  const read = outcomes.map((one: unknown) => {
    const outcome = outcomeOf(one, pieces, bases);
    if (outcome.kind === "compiled") left -= outcome.cubin.length;
    if (left < 0) throw wrong(`at most ${LARGEST} bytes of cubins`, "more");
    return outcome;
  });
  pieces.end();
  const reason = typeof refused === "string" ? { refused } : {};
  return { worker, deliveries, heldMs, first, outcomes: read, ...reason };
}

const ORIGINS: readonly unknown[] = ["compiled", "cache", "duplicate"] satisfies Origin[];
const REASONS: readonly unknown[] = ["empty", "nul", "non-ascii", "long-token"] satisfies RefusalReason[];
const FAILURES: readonly unknown[] = [
  "refused-by-compiler",
  "unsupported-version",
  "memory",
  "crashed",
  "internal",
] satisfies Failure["is"][];

const isTime = (value: unknown): value is number => typeof value === "number" && value >= 0;

function outcomeOf(one: unknown, pieces: Pieces, bases: Bases): BackendOutcome | Unmade {
  if (!isObject(one)) throw wrong("an outcome", "something else");
  if (one.kind === "unmade") return { kind: "unmade" };
  const { kind, milliseconds } = one;
  if (kind !== "refused" && !isTime(milliseconds))
    throw wrong("the milliseconds of a compile", "something else");
  const took = milliseconds as number;
  switch (kind) {
    case "compiled": {
      const cubin = cubinOf(one, pieces, bases);
      const log = pieces.take(one.log).toString("utf8");
      if (!ORIGINS.includes(one.from)) throw wrong("where a cubin is from", "something else");
      return { kind, cubin, log, milliseconds: took, from: one.from as Origin };
    }
    case "failed":
      return {
        kind,
        failure: failureOf(one.failure),
        log: pieces.take(one.log).toString("utf8"),
        milliseconds: took,
      };
    case "refused":
      if (!REASONS.includes(one.reason) || !isCount(one.offset))
        throw wrong("why PTX is refused", "something else");
      return { kind, reason: one.reason as RefusalReason, offset: one.offset };
    case "timeout":
      return {
        kind,
        milliseconds: took,
        starting: one.starting === true,
        ...(isTime(one.limitMs) ? { limitMs: one.limitMs } : {}),
      };
    default:
      throw wrong("a known outcome", String(kind));
  }
}

/** A copy, because the result outlives the frame, and its owner may transfer its memory. */
function cubinOf(
  { cubin: length, differences }: Record<string, unknown>,
  pieces: Pieces,
  bases: Bases,
): Uint8Array {
  if (differences === undefined) return rememberedIn(bases, new Uint8Array(pieces.take(length)));
  const base = bases.get(length as number);
  if (base === undefined) throw wrong("a cubin of the same length before", "none");
  return rememberedIn(bases, withDifferences(base, pieces.take(differences)));
}

function rememberedIn(bases: Bases, cubin: Uint8Array): Uint8Array {
  bases.set(cubin.length, cubin);
  return cubin;
}

function failureOf(value: unknown): Failure {
  if (!isObject(value) || !FAILURES.includes(value.is)) throw wrong("a known failure", "something else");
  const { is, how, confined } = value;
  if (is === "refused-by-compiler" || is === "unsupported-version") return { is };
  return {
    is: is as "crashed",
    how: String(how),
    ...(typeof confined === "string" ? { confined } : {}),
  };
}
