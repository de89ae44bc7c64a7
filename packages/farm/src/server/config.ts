// The configuration of nats-server for a farm, as its file.

import { isIPv6 } from "node:net";
import { type KeyEntry, permissionsOf } from "./roles.js";

export interface ServerSetting {
  /** What it calls itself. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The port of the server's own figures over HTTP, which autoscalers read. */
  readonly monitor?: number | undefined;
  /** Where it keeps the queue. */
  readonly store: string;
  /** The file that it writes its process number to. */
  readonly pidFile: string;
  /** Who may connect; without keys, everybody who reaches it, which only a server for this machine allows. */
  readonly keys: readonly KeyEntry[];
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** A host and a port, as in addresses. */
export const endpointOf = (host: string, port: number): string =>
  `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** The text of a configuration file, which is JSON: nats-server reads it as well. */
export function serverConfig({
  name,
  host,
  port,
  monitor,
  store,
  pidFile,
  keys,
  certificate,
}: ServerSetting): string {
  const config = {
    server_name: name,
    host,
    port,
    ...(monitor === undefined ? {} : { http: endpointOf(host, monitor) }),
    pid_file: pidFile,
    max_payload: 2 ** 20,
    max_pending: 256 * 2 ** 20,
    write_deadline: "10s",
    ping_interval: "10s",
    ping_max: 3,
    jetstream: { store_dir: store, max_memory_store: 0, max_file_store: 8 * 2 ** 30 },
    ...(certificate === undefined ? {} : { tls: { cert_file: certificate.cert, key_file: certificate.key } }),
    ...(keys.length === 0
      ? {}
      : {
          authorization: {
            users: keys.map((key) => ({ nkey: key.public, permissions: permissionsOf(key) })),
          },
        }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
