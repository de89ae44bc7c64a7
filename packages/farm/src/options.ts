// The options of a farm's compiler: a closed list with defaults.

import { hostname } from "node:os";
import type { PtxCompilerOptions } from "@mm-ptx/cuda";
import { type Checks, isOneOf, isWhole, optionProblem, unexpected } from "@mm-ptx/types/internal";
import { isAddress } from "./address.js";
import { FarmError } from "./error.js";
import { readKey } from "./keys.js";
import { isToken, TOKEN_WORDS } from "./names.js";
import type { Role } from "./server/roles.js";

/** How to reach the server of a farm. */
export interface ServerOptions {
  /**
   * An address such as `nats://farm.example:4222`, or several addresses of one server, of which one has to
   * answer.
   */
  readonly servers: string | readonly string[];
  /** The path of a file with a key that `mm-ptx-farm keys` made. Default: none, for a farm on this machine alone. */
  readonly key?: string;
  /** The path of a file with the certificate that signed the server's. Default: those that this machine trusts. */
  readonly ca?: string;
}

/** Options of a `FarmCompiler` besides those of a `PtxCompiler`. */
export interface FarmOptions extends Partial<ServerOptions> {
  /**
   * Whether this machine compiles as well: `help` compiles jobs that have not been sent to the farm, `only`
   * opens no connection, and `never` leaves everything to the farm. Default: `help`.
   */
  readonly local?: "help" | "only" | "never";
  /** The name of this submitter in figures and in the server's limits. Default: the name in the key, otherwise the name of this machine. */
  readonly submitter?: string;
  /**
   * The pool of workers, as `mm-ptx-farm status` prints it, or `newest`: the pool with the latest compiler,
   * as soon as it has as many cores as the pools with earlier ones; required if this machine has no compiler.
   * Default: the pool whose workers make the same machine code as this machine.
   */
  readonly pool?: string;
  /**
   * The share of jobs, from 0 to 1, that this machine compiles as well, to compare. A worker whose answer
   * differs is named in a warning with the code `MM_PTX_FARM_WORKER`, and its answers are not used from then
   * on. This needs a compiler on this machine, and only works with the pool that makes the same machine code.
   * Default: 0.
   */
  readonly verify?: number;
  /**
   * How long jobs wait for a server and for workers before they fail with `UNAVAILABLE`, if this machine does not compile them:
   * with `local: "never"`, or for a pool with other machine code. Before, a warning with the code `MM_PTX_FARM_WAITING` says what
   * they wait for. If the server rejects the key, they fail at once. Default: 60,000.
   */
  readonly patienceMs?: number;
}

/** Options of a `FarmCompiler`. */
export type FarmCompilerOptions = PtxCompilerOptions & FarmOptions;

/** All options of a farm with their defaults. */
export interface ResolvedFarm {
  readonly servers: readonly string[];
  readonly key: string | undefined;
  readonly ca: string | undefined;
  readonly local: "help" | "only" | "never";
  readonly submitter: string;
  readonly pool: string | undefined;
  readonly verify: number;
  readonly patienceMs: number;
}

const isText = (value: unknown, name: string): string | undefined =>
  typeof value === "string" && value !== "" ? undefined : unexpected(name, "a text", value);
/** The word that a user writes instead of a pool's name. */
export const NEWEST = "newest";
/** A version, a processor and a hash: any other name waits for workers that can't come. */
const POOL = /^[a-z0-9_]{1,17}-[a-z0-9]{1,8}-[0-9a-f]{8}$/;
const isPool = (value: unknown, name: string): string | undefined =>
  value === NEWEST || (typeof value === "string" && POOL.test(value))
    ? undefined
    : unexpected(name, `\`${NEWEST}\`, or a pool such as \`13_0_88-x64-1fa24275\``, value);
const isName = (value: unknown, name: string): string | undefined =>
  isToken(value) ? undefined : unexpected(name, TOKEN_WORDS, value);
const isShare = (value: unknown, name: string): string | undefined =>
  typeof value === "number" && value >= 0 && value <= 1
    ? undefined
    : unexpected(name, "a number from 0 to 1", value);
const areServers = (value: unknown, name: string): string | undefined =>
  isAddress(value) || (Array.isArray(value) && value.length > 0 && value.every(isAddress))
    ? undefined
    : unexpected(name, "addresses such as `nats://127.0.0.1:4222`", value);

const SERVER_CHECKS = { servers: areServers, key: isText, ca: isText };
const CHECKS: Checks & Readonly<Record<keyof FarmOptions, unknown>> = {
  ...SERVER_CHECKS,
  local: isOneOf(["help", "only", "never"]),
  submitter: isName,
  pool: isPool,
  verify: isShare,
  patienceMs: isWhole(0, 86_400_000),
};

const FARM_NAMES = Object.keys(CHECKS);

/** A name for this machine that can be a part of a subject. */
export const hostToken = (): string =>
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .slice(0, 20) || "host";

/** @throws FarmError `INVALID_ARGUMENT` */
export function checkServer(options: ServerOptions, role: Role): void {
  refuse(optionProblem(options, SERVER_CHECKS, { required: ["servers"] }));
  if (options.key !== undefined) readKey(options.key, role);
}

/**
 * Splits options into those of the farm and those of the compiler.
 *
 * @throws FarmError `INVALID_ARGUMENT`
 */
export function divideOptions(options: FarmCompilerOptions): [ResolvedFarm, PtxCompilerOptions] {
  if (typeof options !== "object" || options === null)
    throw new FarmError("INVALID_ARGUMENT", unexpected("options", "an object", options));
  const farm: Record<string, unknown> = {};
  const compiler: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options))
    (FARM_NAMES.includes(name) ? farm : compiler)[name] = value;
  refuse(optionProblem(farm, CHECKS));
  const {
    servers = [],
    key,
    ca,
    local,
    submitter,
    pool,
    verify = 0,
    patienceMs = 60_000,
  } = farm as FarmOptions;
  const owner = key === undefined ? undefined : readKey(key, "submitter").name;
  if (owner !== undefined && submitter !== undefined && submitter !== owner)
    refuse(unexpected("submitter", `\`${owner}\`, as in the key`, submitter));
  const all = typeof servers === "string" ? [servers] : servers;
  if (all.length === 0 && local === "never")
    throw new FarmError("INVALID_ARGUMENT", "option `local`: expected `servers` with `never`, found none");
  const resolved = {
    servers: all,
    key,
    ca,
    local: all.length === 0 ? "only" : (local ?? "help"),
    submitter: submitter ?? owner ?? hostToken(),
    pool,
    verify,
    patienceMs,
  } as const;
  return [Object.freeze(resolved), compiler as unknown as PtxCompilerOptions];
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new FarmError("INVALID_ARGUMENT", problem);
}
