// What becomes of nats-server when the process that started it is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FarmServer } from "../src/server/serve.js";
import { freePort, LACKS } from "./support/farm.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

function isAlive(pid: number): boolean {
  try {
    // A process that nobody has waited for has no command any more.
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}

/** The number of a child with this name. */
function childOf(parent: number, name: string): number {
  for (const pid of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (status.includes(`Name:\t${name}\n`) && status.includes(`PPid:\t${parent}\n`)) return Number(pid);
    } catch {
      // It has ended.
    }
  }
  throw new Error(`expected a child ${name} of ${parent}, found none`);
}

describe.skipIf(LACKS !== undefined || process.platform !== "linux")("a nats-server", () => {
  function folders(): string {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-serve-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }
  async function serve(folder: string, port: number): Promise<ChildProcess> {
    const words = [MAIN, "serve", "--folder", folder, "--port", `${port}`];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => {
      child.kill();
    });
    await once(child.stdout!, "data");
    return child;
  }
  const natsOf = (folder: string): number => Number(readFileSync(join(folder, "nats-server.pid"), "utf8"));

  it("ends with the process that started it, even if that is killed", async () => {
    const folder = folders();
    const child = await serve(folder, await freePort());
    const nats = natsOf(folder);
    expect(isAlive(nats)).toBe(true);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(nats)).toBe(false), 10_000);
  });

  it("that was left running is ended when its folder is served again, and no other process is", async () => {
    const folder = folders();
    const port = await freePort();
    const child = await serve(folder, port);
    const nats = natsOf(folder);
    const guard = childOf(child.pid!, "sh");
    await expect(FarmServer.start({ folder, port: await freePort() })).rejects.toMatchObject({
      code: "SERVER",
      message: `expected nobody else who serves ${folder}, found process ${child.pid}`,
    });
    expect(isAlive(nats)).toBe(true);
    process.kill(guard, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(guard)).toBe(false));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(nats)).toBe(true);
    const server = await FarmServer.start({ folder, port });
    expect(isAlive(nats)).toBe(false);
    expect(server.pid).toBe(natsOf(folder));
    await server.stop();
    // The number may be that of another process later.
    writeFileSync(join(folder, "nats-server.pid"), `${process.pid}\n`);
    await (await FarmServer.start({ folder, port })).stop();
  });

  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  it.skipIf(!addresses.some(({ address }) => address === "::1"))(
    "listens at an address of IPv6",
    async () => {
      const [port, monitor] = [await freePort(), await freePort()];
      const server = await FarmServer.start({ folder: folders(), host: "::1", port, monitor });
      onTestFinished(() => server.stop());
      expect(server.address).toBe(`nats://[::1]:${port}`);
      expect((await fetch(`http://[::1]:${monitor}/healthz`)).status).toBe(200);
    },
  );
});
