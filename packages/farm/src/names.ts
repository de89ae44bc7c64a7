// The names of a farm: its subjects, its stream, and the consumers of its pools.

/** A part of a subject: what names submitters, workers and pools. */
const TOKEN = /^[a-z0-9_-]{1,32}$/;
const PARCEL = /^[0-9a-f]{16}\.\d{1,10}$/;

export const TOKEN_WORDS = "1 to 32 of the characters a to z, 0 to 9, `_` and `-`";

export const isToken = (value: unknown): value is string => typeof value === "string" && TOKEN.test(value);

/** Whether a text names a parcel: the session of a submitter, and a number in it. */
export const isParcelName = (value: unknown): value is string =>
  typeof value === "string" && PARCEL.test(value);

export const STREAM = "mm_jobs";
export const JOBS = "mm.jobs.*.*";
/** Asks all workers for their state. */
export const STATUS = "mm.status";
/** Asks all submitters for theirs. They do not see requests for workers, so none can pretend to be one. */
export const SUBMITTERS = "mm.submitters";
/** Asks `serve` for the consumer of a pool. */
export const DECLARE = "mm.declare";
/** What the server reports about jobs that it has handed out as often as it may. */
export const EXHAUSTED = `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${STREAM}.>`;

export const consumerOf = (pool: string): string => `p_${pool}`;
export const jobsOf = (pool: string, submitter: string): string => `mm.jobs.${pool}.${submitter}`;
/**
 * A parcel for a worker that has a core for it now, or without content the question whether the worker has begun with it. The
 * parcel's name is in the subject, because headers take longer to read.
 */
export const directOf = (worker: string, submitter: string, parcel: string): string =>
  `mm.direct.${worker}.${submitter}.${parcel}`;
/** The same for a parcel that may wait for the worker's next core, and the question whether the worker still has it. */
export const aheadOf = (worker: string, submitter: string, parcel: string): string =>
  `mm.ahead.${worker}.${submitter}.${parcel}`;
export const jobsOfPool = (pool: string): string => `mm.jobs.${pool}.*`;
export const resultsOf = (submitter: string, parcel: string): string => `mm.results.${submitter}.${parcel}`;
export const blobOf = (submitter: string, session: string, hash: string, part: number): string =>
  `mm.blob.${submitter}.${session}.${hash}.${part}`;

/** The prefix of the subjects on which someone receives replies. */
export const inboxOf = (role: string, name: string): string => `_INBOX_${role}.${name}`;

/** What the subject of a job says; without the queue, it names a worker in place of the pool, and the parcel. */
export function placesIn(subject: string): {
  readonly pool: string;
  readonly submitter: string;
  readonly parcel: string;
} {
  const [, , pool = "", submitter = "", session, number] = subject.split(".");
  return { pool, submitter, parcel: `${session}.${number}` };
}

/** Headers of messages. */
export const HEADERS = {
  /** The session and number of a job's parcel. */
  parcel: "Mm-Parcel",
  /** What a worker tells a submitter: see `Telling`. */
  telling: "Mm-Telling",
  /** Which part of an answer a message is: `<answer>/<part>/<parts>`. */
  part: "Mm-Part",
} as const;
