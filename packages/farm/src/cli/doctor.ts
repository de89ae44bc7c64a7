// `doctor`: reports what this machine has for a farm, and whether its server, its workers and a compile answer.

import { availableParallelism } from "node:os";
import { capabilities } from "@mm-ptx/cuda";
import { FarmCompiler } from "../compiler.js";
import { openConnection } from "../connection.js";
import { readKey } from "../keys.js";
import { inboxOf } from "../names.js";
import { findServer } from "../server/program.js";
import type { Role } from "../server/roles.js";
import { gatherStatus } from "../status/gather.js";
import { columns, type Outcome, printable } from "./framework.js";
import { type ServerFlags, serverOf } from "./server-flags.js";

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
}

const KERNEL = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry doctor() { ret; }\n";
/** Those that workers use. */
const BACKENDS: readonly string[] = ["isolated", "nvjitlink"];
const PATIENCE_MS = 10_000;

export async function doctor(flags: ServerFlags): Promise<Outcome> {
  const findings: Finding[] = [];
  const examine = async (what: string, look: () => string | Promise<string>): Promise<void> => {
    try {
      findings.push({ what, ok: true, found: await look() });
    } catch (error) {
      findings.push({ what, ok: false, found: (error as Error).message });
    }
  };
  await examine("compiler", compilerFound);
  await examine("confinement", confinementFound);
  await examine("nats-server", async () => {
    const { path, version, named } = await findServer();
    return `${version}, ${path} (${named})`;
  });
  const { servers, key, ca } = serverOf(flags);
  await examine("server", async () => {
    const { role, name } = key === undefined ? { role: "viewer", name: "doctor" } : readKey(key);
    const inbox = inboxOf(role, name);
    const connection = await openConnection({ servers: [servers].flat(), key, ca }, "doctor", inbox);
    try {
      const { version } = connection.info!;
      const delay = await connection.rtt();
      const { workers } = await gatherStatus(connection, inbox);
      const pools = [...new Set(workers.map(({ pool }) => pool))].join(", ");
      if (workers.length === 0)
        throw new Error(`nats-server ${version} answers in ${delay} ms, but no worker does`);
      return `nats-server ${version} answers in ${delay} ms; workers: ${workers.length}; pools: ${pools}`;
    } finally {
      await connection.close();
    }
  });
  const mayCompile = key === undefined || roleOf(key) === "submitter";
  if (findings.at(-1)!.ok && mayCompile) await examine("compile", () => compileTook(flags));
  const ok = findings.every((each) => each.ok);
  return {
    ok,
    json: () => ({ ok, findings }),
    text: ({ green, red }) => {
      const rows = findings.map((each) => [each.what, each.ok ? "ok" : "problem", printable(each.found)]);
      const lines = columns(rows);
      return `${lines.map((line) => line.replace(/ (ok|problem) /, (_, word: string) => ` ${word === "ok" ? green(word) : red(word)} `)).join("\n")}\n`;
    },
  };
}

/** The role of a key, if it is one: otherwise that is a finding. */
function roleOf(key: string): Role | undefined {
  try {
    return readKey(key).role;
  } catch {
    return undefined;
  }
}

function compilerFound(): string {
  const { backends } = capabilities();
  const able = backends.find(({ name, available }) => BACKENDS.includes(name) && available);
  if (able === undefined) {
    const tried = backends.filter(({ name }) => BACKENDS.includes(name)).flatMap((each) => each.tried);
    throw new Error(`expected a compiler in worker processes, found none: ${tried.join("; ")}`);
  }
  return `${able.name} ${able.version} on ${process.arch}, ${availableParallelism()} cores`;
}

function confinementFound(): string {
  const { problem } = capabilities().confinement;
  if (problem !== undefined) throw new Error(problem);
  return "compile processes give up files, the network and other processes";
}

async function compileTook(flags: ServerFlags): Promise<string> {
  const compiler = new FarmCompiler({
    ...serverOf(flags),
    arch: "sm_90",
    cache: false,
    local: "never",
    patienceMs: PATIENCE_MS,
  });
  try {
    await compiler.compile(KERNEL);
    const before = performance.now();
    await compiler.compile(`${KERNEL}// again\n`);
    return `a small kernel took ${(performance.now() - before).toFixed(1)} ms on the farm`;
  } finally {
    await compiler.disposeAsync();
  }
}
