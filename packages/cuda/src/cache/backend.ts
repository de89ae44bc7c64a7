// A backend with a cache in front: finished compiles come from memory or disk, and equal jobs in flight share one
// compile.

import type { Backend, BackendJob, BackendOutcome } from "../ptx/backend.js";
import { cacheKey } from "./key.js";
import type { TieredCache } from "./tiers.js";

type Done = (outcome: BackendOutcome) => void;
type Compiled = Extract<BackendOutcome, { kind: "compiled" }>;

/** Equal jobs that wait for the same compile. */
interface Flight {
  readonly members: Set<Done>;
  readonly priority: number;
  forget: () => void;
}

/**
 * The number of cubins that needed no compile. Jobs that failed together with an equal one count as failures instead.
 */
export interface CacheCounts {
  fromCache: number;
  duplicates: number;
}

const NOTHING = (): void => {};

/**
 * The number of hits reported per turn of the event loop, because each may make its caller start another job, which
 * reads a file.
 */
const HITS_A_TURN = 32;

/**
 * Puts a cache in front of a backend. Jobs with different timeouts are never joined; each keeps its own timeout.
 *
 * @param tenant on whose behalf jobs are compiled; others do not find their results
 */
export function cachingBackend(
  inner: Backend,
  cache: TieredCache,
  counts: CacheCounts,
  tenant?: string,
): Backend {
  const keyOf = (job: BackendJob): string => cacheKey(job, inner, tenant);
  const flights = new Map<string, Flight>();
  const hits = new Set<() => void>();
  let telling = false;
  let failedDuplicates = 0;
  let closed = false;

  const tellHits = (): void => {
    let left = HITS_A_TURN;
    try {
      for (const hit of hits) {
        if (left-- === 0) break;
        hits.delete(hit);
        hit();
      }
    } finally {
      telling = hits.size > 0;
      if (telling) setImmediate(tellHits);
    }
  };
  const tellLater = (hit: () => void): void => {
    hits.add(hit);
    if (!telling) setImmediate(tellHits);
    telling = true;
  };

  const kept = (key: string): Compiled | undefined => {
    const entry = cache.get(key, "cubin");
    if (entry === undefined) return undefined;
    // A caller may modify its result or transfer its memory to another thread.
    return { kind: "compiled", cubin: entry.output.slice(), log: entry.log, milliseconds: 0, from: "cache" };
  };
  const keep = (key: string, { cubin, log }: Compiled): void =>
    cache.put(key, "cubin", { output: cubin, log });
  const launch = (key: string, flightKey: string, job: BackendJob, done: Done): Flight => {
    const { identity } = inner;
    const flight: Flight = { members: new Set([done]), priority: job.priority, forget: NOTHING };
    flight.forget = inner.start(job, (outcome) => {
      if (flights.get(flightKey) === flight) flights.delete(flightKey);
      // With another identity, it makes other machine code now than that which the key is for.
      if (outcome.kind === "compiled" && inner.identity === identity) keep(key, outcome);
      let first = true;
      for (const member of [...flight.members]) {
        // An earlier callback may have closed the cache or cancelled this member.
        if (closed || !flight.members.delete(member)) continue;
        if (!first && outcome.kind === "compiled") counts.duplicates++;
        else if (!first) failedDuplicates++;
        member(first ? outcome : duplicateOf(outcome));
        first = false;
      }
    });
    flights.set(flightKey, flight);
    return flight;
  };

  return {
    get name() {
      return inner.name;
    },
    get version() {
      return inner.version;
    },
    get takesRecipes() {
      return inner.takesRecipes;
    },
    get window() {
      return inner.window;
    },
    start(job, done) {
      const key = keyOf(job);
      const entry = kept(key);
      if (entry !== undefined) {
        counts.fromCache++;
        const hit = (): void => done(entry);
        tellLater(hit);
        return () => hits.delete(hit);
      }
      const flightKey = `${key} ${job.timeoutMs}`;
      let flight = flights.get(flightKey);
      if (flight !== undefined && flight.priority >= job.priority) flight.members.add(done);
      else flight = launch(key, flightKey, job, done);
      const joined = flight;
      return () => {
        if (!joined.members.delete(done) || joined.members.size > 0) return;
        joined.forget();
        if (flights.get(flightKey) === joined) flights.delete(flightKey);
      };
    },
    run(job) {
      const key = keyOf(job);
      const entry = kept(key);
      if (entry !== undefined) {
        counts.fromCache++;
        return entry;
      }
      const outcome = inner.run(job);
      if (outcome.kind === "compiled") keep(key, outcome);
      return outcome;
    },
    stats() {
      const stats = inner.stats();
      return { ...stats, failed: stats.failed + failedDuplicates };
    },
    close() {
      closed = true;
      hits.clear();
      flights.clear();
      inner.close();
    },
  };
}

/** The same outcome for another caller, with separate memory. */
function duplicateOf(outcome: BackendOutcome): BackendOutcome {
  return outcome.kind === "compiled"
    ? { ...outcome, cubin: outcome.cubin.slice(), from: "duplicate" }
    : outcome;
}
