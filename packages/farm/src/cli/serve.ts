// `serve`: runs the server until Ctrl-C or SIGTERM.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { adminKeyOf, listedKeys } from "../keys.js";
import { inboxOf } from "../names.js";
import { FarmServer } from "../server/serve.js";
import { gatherStatus } from "../status/gather.js";
import { farmMetricsText, serveMetrics } from "../status/metrics.js";
import { interruptible, type Outcome, UsageError } from "./framework.js";
import { flagsText } from "./server-flags.js";

export interface ServeFlags {
  readonly folder?: string;
  readonly host?: string;
  readonly port?: number;
  readonly monitor?: number;
  readonly metrics?: number;
  readonly metricsHost?: string;
  readonly cert?: string;
  readonly certKey?: string;
  readonly ca?: string;
  readonly insecure?: true;
  readonly json?: true;
}

/** @throws UsageError, FarmError */
export async function serve(flags: ServeFlags): Promise<Outcome> {
  const { folder = "mm-ptx-farm", host = "127.0.0.1", port = 4222, cert, certKey, ca } = flags;
  if ((cert === undefined) !== (certKey === undefined))
    throw new UsageError("expected `--cert` and `--cert-key` together, found only one of them");
  const keys = listedKeys(folder);
  if (!isLoopback(host) && flags.insecure === undefined) refuseOpen(cert !== undefined, keys.length > 0);
  return interruptible(async (signal) => {
    const server = await FarmServer.start({
      folder,
      host,
      port,
      keys,
      ...(flags.monitor === undefined ? {} : { monitor: flags.monitor }),
      ...(keys.length === 0 ? {} : { adminKey: adminKeyOf(folder) }),
      ...(cert === undefined
        ? {}
        : { certificate: { cert, key: certKey!, ...(ca === undefined ? {} : { ca }) } }),
    });
    const { metrics, metricsHost = "127.0.0.1" } = flags;
    let figures: Server | undefined;
    try {
      const { program, connection } = server;
      if (metrics !== undefined)
        figures = await serveMetrics(metricsHost, metrics, {
          text: async () => {
            const problem = await server.problem();
            // Figures of a farm that nobody can ask would look like those of one without workers.
            if (problem !== undefined) throw new Error(problem);
            return farmMetricsText(await gatherStatus(connection, inboxOf("admin", "serve")));
          },
          problem: () => server.problem(),
        });
      const address = host === "0.0.0.0" || host === "::" ? reachable(server.address, cert) : server.address;
      if (flags.json === undefined)
        process.stdout.write(
          readyText(address, program.version, keys.length > 0 ? join(folder, "keys") : undefined, ca),
        );
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      const { restarts, pools } = server;
      return {
        ok: true,
        json: () => ({ ok: true, address, version: program.version, pools, restarts }),
        text: () => "",
      };
    } finally {
      figures?.close();
      await server.stop();
    }
  });
}

/** The address for other machines: with the first name in the certificate that is not for this machine alone. */
const reachable = (address: string, cert: string | undefined): string =>
  address.replace(/127\.0\.0\.1|localhost/, (cert && nameIn(cert)) ?? hostname());

function nameIn(cert: string): string | undefined {
  const { subjectAltName = "" } = new X509Certificate(readFileSync(cert));
  const names = [...subjectAltName.matchAll(/DNS:([\w.-]+)/g)].map(([, name]) => name!);
  return names.find((name) => name !== "localhost");
}

const isLoopback = (host: string): boolean => /^(127\.[\d.]+|localhost|::1)$/.test(host);

function refuseOpen(hasCertificate: boolean, hasKeys: boolean): void {
  if (hasCertificate && hasKeys) return;
  const missing = [
    ...(hasKeys ? [] : ["keys, which `mm-ptx-farm keys` makes"]),
    ...(hasCertificate ? [] : ["a certificate, which `--cert` and `--cert-key` name"]),
  ];
  throw new UsageError(
    `expected ${missing.join(", and ")}, because other machines can reach this address, found none; \`--insecure\` allows it without`,
  );
}

/**
 * What workers and submitters need to connect.
 *
 * @param keys the folder of the keys, if there are any
 */
export function readyText(
  address: string,
  version: string,
  keys: string | undefined,
  ca: string | undefined,
): string {
  const flags = (role: string) =>
    flagsText({
      servers: address,
      ...(keys === undefined ? {} : { key: `${keys}/${role}-NAME.key` }),
      ...(ca === undefined ? {} : { ca }),
    });
  const key = keys === undefined ? "" : `, key: "${keys}/submitter-NAME.key"`;
  const option = key + (ca === undefined ? "" : `, ca: "${ca}"`);
  return (
    `nats-server ${version} serves a farm at ${address}\n` +
    `workers:    mm-ptx-farm worker ${flags("worker")}\n` +
    `submitters: new FarmCompiler({ arch: "sm_90", servers: "${address}"${option} })\n`
  );
}
