// A connection to the server of a farm: how it is opened, and what is made of its errors.

import { readFileSync } from "node:fs";
import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  errors,
  type NatsConnection,
  nkeyAuthenticator,
} from "@nats-io/transport-node";
import { FarmError } from "./error.js";
import { readKey } from "./keys.js";

export interface Address {
  readonly servers: readonly string[];
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
}

/** The time limit of an attempt to connect, and of each attempt to reconnect. */
const ATTEMPT_MS = 5_000;
/** The shortest pause between two attempts; the longest is twice as long. */
const PAUSE_MS = 250;
/** The server and the client notice within this time that the other one is gone without a word. */
const PING_MS = 5_000;
/** How long a server may take to answer a ping when somebody asks; probes wait for a second by default. */
const ANSWER_MS = 800;

/**
 * Connects once; a connection that is lost later is reopened until it is closed.
 *
 * @param inbox the prefix of subjects for replies, which the server's permissions name
 * @throws FarmError `UNREACHABLE`, `DENIED`, `INVALID_ARGUMENT`
 */
export async function openConnection(address: Address, name: string, inbox: string): Promise<NatsConnection> {
  const options: ConnectionOptions = {
    servers: [...address.servers],
    name,
    inboxPrefix: inbox,
    timeout: ATTEMPT_MS,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: pauses(),
    pingInterval: PING_MS,
    maxPingOut: 2,
    ignoreClusterUpdates: true,
    // A stack trace for each request takes as long as the request.
    noAsyncTraces: true,
  };
  if (address.key !== undefined)
    options.authenticator = nkeyAuthenticator(new TextEncoder().encode(readKey(address.key).seed));
  if (address.ca !== undefined || address.servers.some((each) => each.startsWith("tls:")))
    options.tls = address.ca === undefined ? {} : { ca: textOf(address.ca) };
  try {
    return await connect(options);
  } catch (cause) {
    throw connectionError(cause, address.servers, address.key !== undefined);
  }
}

/**
 * Returns the client's function for the pause before the next attempt to connect, in milliseconds. The client adds that pause to
 * the time of day of the last attempt, and would wait for hours after the clock has been set back. Therefore, once a clock that
 * cannot be set says that the pause is over, the function returns minus infinity, and the client connects.
 */
function pauses(): () => number {
  let [last, pause] = [0, 0];
  return () => {
    const now = performance.now();
    if (now < last + pause) return pause;
    last = now;
    pause = PAUSE_MS * (1 + Math.random());
    return Number.NEGATIVE_INFINITY;
  };
}

/** What to do about certificates that are not accepted, by what the client says about them. */
const CERTIFICATES: readonly (readonly [problem: RegExp, advice: string])[] = [
  [/altnames/, "use a name of its certificate in the address, or a certificate that has this name as well"],
  [
    /self.signed|unable to (?:get|verify)/i,
    "name the certificate that signed the server's with `ca`, on the command line `--ca`",
  ],
];

const certificateAdvice = (message: string): string | undefined =>
  CERTIFICATES.find(([problem]) => problem.test(message))?.[1];

/** Whether a connection could not be opened because of the server's certificate, which the next attempt does not change. */
export const isDistrusted = ({ code, message }: FarmError): boolean =>
  code === "UNREACHABLE" && certificateAdvice(message) !== undefined;

/** The error for a connection that could not be opened, or that was closed for good. */
export function connectionError(cause: unknown, servers: readonly string[], hasKey = true): FarmError {
  const { message } = cause as Error;
  const where = servers.join(", ");
  if (isDenied(cause) || /authoriz|authentic|permission/i.test(message)) {
    const what = hasKey ? "the key" : "a connection without a key";
    return new FarmError("DENIED", `expected ${where} to accept ${what}, found: ${message}`, { cause });
  }
  const advice = certificateAdvice(message);
  const text = `expected a server at ${where}, found: ${message}${advice === undefined ? "" : `; ${advice}`}`;
  return new FarmError("UNREACHABLE", text, { cause });
}

/** Why nothing can be sent or received at this moment, if the server is not connected or does not answer. */
export async function linkProblem(connection: NatsConnection): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, `nats-server has not answered for ${ANSWER_MS} ms`);
  });
  const answered = connection.rtt().then(
    () => undefined,
    () => "no connection to nats-server",
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the server refuses the key or a subject. */
export const isDenied = (error: unknown): boolean =>
  error instanceof AuthorizationError || error instanceof errors.PermissionViolationError;

/** Whether nobody listens to the subject of a request. */
export const isUnheard = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError ||
  (error instanceof errors.RequestError && error.isNoResponders());

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new FarmError(
      "INVALID_ARGUMENT",
      `expected a file to read, found ${path}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

/** Whether a server is on this machine. */
export const isHere = (servers: readonly string[]): boolean =>
  servers.every((each) => /^(?:\w+:\/\/)?(?:127\.[\d.]+|localhost|\[::1\])(?::|$)/.test(each));
