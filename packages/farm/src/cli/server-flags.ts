// The flags that say how a server is reached.

import type { ServerOptions } from "../options.js";
import { shellWord } from "./framework.js";

export interface ServerFlags {
  readonly servers?: string;
  readonly key?: string;
  readonly ca?: string;
}

export function serverOf({ servers = "nats://127.0.0.1:4222", key, ca }: ServerFlags): ServerOptions {
  return { servers, ...(key === undefined ? {} : { key }), ...(ca === undefined ? {} : { ca }) };
}

/** The flags as the user would write them for another command. */
export const flagsText = ({ servers, key, ca }: ServerOptions): string =>
  [
    `--servers ${[servers].flat().join(",")}`,
    ...(key === undefined ? [] : [`--key ${shellWord(key)}`]),
    ...(ca === undefined ? [] : [`--ca ${shellWord(ca)}`]),
  ].join(" ");
