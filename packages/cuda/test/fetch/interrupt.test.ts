// Ctrl-C and SIGTERM while `fetch` downloads: it ends at once, and leaves neither files nor processes.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPILERS } from "../../src/fetch/compilers.js";
import { wheelFor } from "../../src/fetch/wheel.js";
import { CommandLine } from "../support/command-line.js";
import { send } from "../support/processes.js";

const WHEEL = wheelFor(COMPILERS.ptxas, `${process.platform}-${process.arch}`);

let line: CommandLine;
let server: Server;
let asked = 0;
beforeAll(async () => {
  line = new CommandLine();
  for (const name of ["bin", "empty", "tmp"]) mkdirSync(line.path(name));
  // A pip that begins to write a wheel, and does not finish.
  const pip = `case "$*" in *--version*) exit 0;; esac\nmkdir "$TMPDIR/pip" && echo part > "$TMPDIR/pip/a.whl"\nsleep 600 &\necho $! > '${line.path("pid")}'\nwait\n`;
  writeFileSync(line.path("bin/python3"), `#!/bin/sh\nPATH=/bin:/usr/bin\n${pip}`, { mode: 0o755 });
  server = createServer((request, response) => {
    if (request.url === "/file") {
      asked++;
      // The headers and the first bytes only.
      response.writeHead(200).write("PK");
    } else response.setHeader("content-type", "text/html").end(`<a href="/file">${WHEEL?.file}</a>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  line.remove();
});

/** Sends a signal as soon as the program has got far enough. @returns how it ended */
async function interrupted(signal: NodeJS.Signals, env: NodeJS.ProcessEnv, hasBegun: () => boolean) {
  const { NODE_OPTIONS: _, MM_PTX_PYPI_INDEX: __, PIP_INDEX_URL: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [line.main, "fetch", "ptxas"], {
    env: { ...inherited, MM_PTX_CACHE_DIR: line.path("cache"), TMPDIR: line.path("tmp"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  await until(hasBegun);
  child.kill(signal);
  return { code: await ended, output };
}

const isAlive = (pid: number): boolean => send(pid, 0 as unknown as NodeJS.Signals);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const left = (): string[] => [
  ...readdirSync(line.path("tmp")),
  ...(existsSync(line.path("cache"))
    ? readdirSync(line.path("cache"), { recursive: true, encoding: "utf8" })
    : []),
];

describe.runIf(process.platform !== "win32" && WHEEL !== undefined)("fetch", { timeout: 60_000 }, () => {
  test("ends with pip on SIGTERM", async () => {
    const pid = () => (existsSync(line.path("pid")) ? Number(readFileSync(line.path("pid"), "utf8")) : 0);
    const env = { PATH: `${line.path("bin")}:/nowhere` };
    expect(await interrupted("SIGTERM", env, () => pid() > 0)).toEqual({ code: 143, output: "" });
    await until(() => !isAlive(pid()));
    await until(() => left().length === 0);
  });

  test("ends its download on Ctrl-C", async () => {
    const env = {
      PATH: line.path("empty"),
      MM_PTX_PYPI_INDEX: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    expect(await interrupted("SIGINT", env, () => asked > 0)).toEqual({ code: 130, output: "" });
    expect(left()).toEqual([]);
  });

  test("unpacks nothing of a wheel that is not NVIDIA's", async () => {
    line.write("other.whl", "other");
    const { code, stderr } = await line.run(["fetch", "ptxas", "other.whl"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: expected nvidia_cuda_nvcc-.*, found `other\.whl` with [0-9a-f]{64}: it is another file/,
    );
    expect(left()).toEqual([]);
  });
});
