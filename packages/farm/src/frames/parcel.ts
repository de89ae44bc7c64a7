// The parcel: jobs that travel together, because they have the same options, the same time limit and the same template.

import type { CodeOptions } from "@mm-ptx/cuda";
import { decodeFrame, encodeFrame, isCount, isObject, Pieces, wrong } from "./frame.js";

/** Bytes that a submitter keeps and a worker asks for. */
export interface Blob {
  /** Its SHA-256 in 64 hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
}

/** A job in a parcel: PTX as it is, PTX to ask for, or the stubs of the parcel's template. */
export type ParcelJob = Uint8Array | Blob | readonly string[];

export interface Parcel {
  readonly options: CodeOptions;
  /** 0: no limit. */
  readonly timeoutMs: number;
  /** The template of jobs that are stubs: a `PtxTemplate` as JSON. */
  readonly setup?: Blob | undefined;
  readonly jobs: readonly ParcelJob[];
  /** How many workers have died while they had these jobs. */
  readonly deaths: number;
}

/** The most jobs in a parcel that a worker takes. */
export const MOST_JOBS = 4096;
/** The longest PTX that a worker takes, in bytes. */
export const LONGEST_PTX = 16 * 2 ** 20;

export function encodeParcel({ options, timeoutMs, setup, jobs, deaths }: Parcel, deflates = true): Buffer {
  const parts: Uint8Array[] = [];
  const words = jobs.map((job) => {
    if (job instanceof Uint8Array) {
      parts.push(job);
      return job.length;
    }
    if ("hash" in job) return job;
    return job.map((stub) => {
      const bytes = Buffer.from(stub);
      parts.push(bytes);
      return bytes.length;
    });
  });
  return encodeFrame("jobs", { options, timeoutMs, setup, jobs: words, deaths }, parts, deflates);
}

/** @throws FarmError `FRAME` */
export function decodeParcel(message: Uint8Array): Parcel {
  const { head, bytes } = decodeFrame("jobs", message);
  if (!isObject(head)) throw wrong("a head of jobs", "something else");
  const { options, timeoutMs, setup, jobs, deaths } = head;
  if (!isObject(options)) throw wrong("options", "something else");
  if (!isCount(timeoutMs) || !isCount(deaths)) throw wrong("a time limit and deaths", "something else");
  if (setup !== undefined && !isBlob(setup)) throw wrong("a template's hash", "something else");
  if (!Array.isArray(jobs) || jobs.length > MOST_JOBS) throw wrong(`at most ${MOST_JOBS} jobs`, "others");
  const pieces = new Pieces(bytes);
  const read = jobs.map((job: unknown): ParcelJob => {
    if (typeof job === "number") return pieces.take(job);
    if (Array.isArray(job)) return job.map((length: unknown) => pieces.take(length).toString("utf8"));
    if (isBlob(job)) return job;
    throw wrong("a job", "something else");
  });
  pieces.end();
  if (setup === undefined && read.some((job) => Array.isArray(job))) throw wrong("a template", "none");
  return {
    options: options as unknown as CodeOptions,
    timeoutMs,
    setup: setup as Blob | undefined,
    jobs: read,
    deaths,
  };
}

function isBlob(value: unknown): value is Blob {
  if (!isObject(value)) return false;
  const { hash, bytes } = value;
  return (
    typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) && isCount(bytes) && bytes <= 4 * LONGEST_PTX
  );
}
