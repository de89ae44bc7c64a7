// The parcel: jobs that are sent together because they have the same options, the same time limit and the
// same kernel. A parcel that is too large for a message is a blob, which its worker asks for.

import type { CodeOptions } from "@mm-ptx/cuda";
import { bytesOf, wordsOf } from "@mm-ptx/types/internal";
import { checkForm, type Form, MOST_PROGRAMS } from "../programs/form.js";
import type { Programs } from "../programs/programs.js";
import { decodeFrame, encodeFrame, isCount, isObject, Pieces, wrong } from "./frame.js";

/** Bytes that a submitter keeps and a worker asks for. */
export interface Blob {
  /** Its SHA-256 in 64 hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
}

/** A job in a parcel: PTX, the stubs of the parcel's template, or programs for the parcel's kernel. */
export type ParcelJob = Uint8Array | readonly string[] | Programs;

export interface Parcel {
  readonly options: CodeOptions;
  /** 0: no limit. */
  readonly timeoutMs: number;
  /** A `PtxTemplate` as JSON for jobs that are stubs, a kernel file without programs for jobs that are programs. */
  readonly setup?: Blob | undefined;
  /** How jobs that are programs are used; absent for others. */
  readonly form?: Form | undefined;
  readonly jobs: readonly ParcelJob[];
  /** How many workers have died while they had these jobs. */
  readonly deaths: number;
}

/** The most jobs in a parcel that a worker takes. */
export const MOST_JOBS = 4096;
/** The longest PTX that a worker takes, in bytes. */
export const LONGEST_PTX = 16 * 2 ** 20;
const LARGEST_BLOB = 4 * LONGEST_PTX;
const INSTRUCTION_BYTES = 8;

export function encodeParcel({ jobs, ...others }: Parcel, deflates = true): Buffer {
  const parts: Uint8Array[] = [];
  const words = jobs.map((job) => {
    if (job instanceof Uint8Array) {
      parts.push(job);
      return job.length;
    }
    if ("words" in job) {
      parts.push(bytesOf(job.words));
      return job.counts;
    }
    return job.map((stub) => {
      const bytes = Buffer.from(stub);
      parts.push(bytes);
      return bytes.length;
    });
  });
  return encodeFrame("jobs", { ...others, jobs: words }, parts, deflates);
}

/** The message in place of a parcel that is a blob. */
export const encodeReference = (parcel: Blob): Buffer => encodeFrame("jobs", { parcel }, [], false);

/** @returns the parcel, or the blob that contains it. @throws FarmError `FRAME` */
export function decodeParcel(message: Uint8Array): Parcel | Blob {
  const { head, bytes } = decodeFrame("jobs", message);
  if (!isObject(head)) throw wrong("a head of jobs", "something else");
  if (isBlob(head.parcel)) return head.parcel;
  const { options, timeoutMs, setup, form, jobs, deaths } = head;
  if (!isObject(options)) throw wrong("options", "something else");
  if (!isCount(timeoutMs) || !isCount(deaths)) throw wrong("a time limit and deaths", "something else");
  if (setup !== undefined && !isBlob(setup)) throw wrong("a setup's hash", "something else");
  if (!Array.isArray(jobs) || jobs.length > MOST_JOBS) throw wrong(`at most ${MOST_JOBS} jobs`, "others");
  const made = form === undefined ? undefined : checkForm(form);
  const pieces = new Pieces(bytes);
  const read = jobs.map((job: unknown): ParcelJob => {
    if (typeof job === "number") return pieces.take(job);
    if (!Array.isArray(job)) throw wrong("a job", "something else");
    if (setup === undefined) throw wrong("a setup", "none");
    if (made !== undefined) return programsOf(job, pieces);
    return job.map((length: unknown) => pieces.take(length).toString("utf8"));
  });
  pieces.end();
  return {
    options: options as unknown as CodeOptions,
    timeoutMs,
    setup: setup as Blob | undefined,
    form: made,
    jobs: read,
    deaths,
  };
}

function programsOf(counts: readonly unknown[], pieces: Pieces): Programs {
  if (counts.length > MOST_PROGRAMS || !counts.every(isCount))
    throw wrong(`the lengths of at most ${MOST_PROGRAMS} programs`, "something else");
  const all = counts.reduce((sum, count) => sum + count, 0);
  // A copy, which is aligned.
  return { counts, words: wordsOf(new Uint8Array(pieces.take(INSTRUCTION_BYTES * all))) };
}

function isBlob(value: unknown): value is Blob {
  if (!isObject(value)) return false;
  const { hash, bytes } = value;
  return typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) && isCount(bytes) && bytes <= LARGEST_BLOB;
}
