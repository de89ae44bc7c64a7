// Wrong options, servers and keys: a typed error that names what was expected and found.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend } from "@mm-ptx/cuda/backend";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { isDistrusted, openConnection } from "../src/connection.js";
import { FarmError } from "../src/error.js";
import { FarmCompiler, type FarmCompilerOptions } from "../src/index.js";
import { addKey, listedKeys, readKey } from "../src/keys.js";
import { poolOf } from "../src/pool/canary.js";
import { findServer } from "../src/server/program.js";
import { FarmServer } from "../src/server/serve.js";
import { Worker } from "../src/worker/worker.js";
import { freePort, LACKS, ptxOf, TestFarm } from "./support/farm.js";

afterEach(() => vi.unstubAllEnvs());

/** A compiler that leaves all jobs to a farm. */
const remoteWith = (options: Omit<FarmCompilerOptions, "arch" | "cache" | "local">) =>
  new FarmCompiler({ arch: "sm_90", cache: false, local: "never", ...options });

describe("options of a farm's compiler", () => {
  it.each([
    [{ servers: "http://somewhere" }, /option `servers`: expected addresses/],
    [{ servers: "nats://127.0.0.1:65536" }, /option `servers`: expected addresses/],
    [{ servers: ["[::1]:4222", "::1"] }, /option `servers`: expected addresses/],
    [{ servers: [] }, /option `servers`/],
    [{ servers: "nats://a", local: "always" }, /option `local`: expected/],
    [{ servers: "nats://a", submitter: "Who is it?" }, /option `submitter`: expected 1 to 32/],
    [{ local: "never" }, /option `local`: expected `servers` with `never`/],
    [
      { servers: "nats://a", key: "/nowhere/a.key" },
      /expected a key that `mm-ptx-farm keys` made, found \/nowhere\/a.key: no such file$/,
    ],
    [{ servers: "nats://a", patienceMs: -1 }, /option `patienceMs`/],
    [{ servers: "nats://a", pool: "newst" }, /option `pool`: expected `newest`, or a pool such as/],
  ])("%j is refused", (options, message) => {
    const make = () => new FarmCompiler({ arch: "sm_90", ...(options as object) });
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", name: "FarmError" }));
    expect(make).toThrow(message);
  });

  it("of the compiler are refused as a compiler refuses them", () => {
    const options = { arch: "sm_90", worker: 3 };
    expect(() => new FarmCompiler(options)).toThrow("unknown option `worker`, did you mean `workers`?");
  });
});

it("a file without a key is not quoted, because it may be another secret", () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "server.key");
  for (const [text, reason] of [
    ["secret", ": not an object in JSON"],
    ['"secret"', ": not an object in JSON"],
    ['{ "seed": "secret" }', ""],
  ] as const) {
    writeFileSync(path, text);
    expect(() => readKey(path)).toThrow(
      new FarmError(
        "INVALID_ARGUMENT",
        `expected a key that \`mm-ptx-farm keys\` made, found ${path}${reason}`,
      ),
    );
  }
});

describe("the program of the server", () => {
  it("is only the one that the environment names, if it does", async () => {
    vi.stubEnv("MM_PTX_NATS_SERVER", "/nowhere/nats-server");
    await expect(findServer()).rejects.toMatchObject({
      code: "NO_PROGRAM",
      message: expect.stringContaining("/nowhere/nats-server"),
    });
  });

  it.skipIf(process.platform === "win32")("is refused if it is too old", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-"));
    const old = join(folder, "nats-server");
    writeFileSync(old, "#!/bin/sh\necho nats-server: v2.9.10\n", { mode: 0o755 });
    vi.stubEnv("MM_PTX_NATS_SERVER", old);
    await expect(findServer()).rejects.toThrow("it is version 2.9.10");
    rmSync(folder, { recursive: true });
  });
});

it("a compiler that compiles nothing has no pool", async () => {
  const backend = {
    version: "1.2",
    start(_, done) {
      done({ kind: "refused", reason: "empty", offset: 0 });
      return () => {};
    },
  } as Backend;
  await expect(poolOf(backend)).rejects.toMatchObject({ code: "NO_COMPILER" });
});

it("a compiler that makes another byte has another pool", async () => {
  const poolWith = (byte: number) =>
    poolOf({
      version: "1.2",
      start(job, done) {
        const cubin = Buffer.concat([Buffer.from(String(job.source)), Buffer.of(byte)]);
        done({ kind: "compiled", cubin, log: "", milliseconds: 0, from: "compiled" });
        return () => {};
      },
    } as Backend);
  const [one, same, other] = await Promise.all([poolWith(0), poolWith(0), poolWith(1)]);
  expect(one).toMatch(new RegExp(`^1_2-${process.arch}-[0-9a-f]{8}$`));
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

it("a server that does not answer", async () => {
  const servers = `nats://127.0.0.1:${await freePort()}`;
  await expect(openConnection({ servers: [servers] }, "test", "_INBOX_x.y")).rejects.toMatchObject({
    code: "UNREACHABLE",
    message: expect.stringContaining(servers),
  });
});

const inUse = (port: number, by: string, flag = "--port"): RegExp =>
  new RegExp(
    `^expected a free port, found 127.0.0.1:${port}, which is in use${by} \\(EADDRINUSE\\): stop what uses it, or choose another port with \`${flag}\`$`,
  );

describe.skipIf(LACKS !== undefined)(`servers${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  it("that cannot start say why", async () => {
    await using farm = await TestFarm.start();
    const port = Number(new URL(farm.servers).port);
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-"));
    await expect(FarmServer.start({ folder, port })).rejects.toMatchObject({
      code: "SERVER",
      message: expect.stringMatching(inUse(port, " by the server mm-ptx-farm-\\w+")),
    });
    const [other, monitor] = [await freePort(), port];
    await expect(FarmServer.start({ folder, port: other, monitor })).rejects.toMatchObject({
      code: "SERVER",
      message: expect.stringMatching(inUse(port, "", "--monitor")),
    });
    // An address for documentation, which no machine has.
    await expect(FarmServer.start({ folder, port: other, host: "192.0.2.1" })).rejects.toMatchObject({
      code: "SERVER",
      message: `expected a free port, found 192.0.2.1:${other}, which is one of another machine (EADDRNOTAVAIL): choose an address of this one with \`--host\``,
    });
    rmSync(folder, { recursive: true });
  });

  it("say so, too, when the server that has their address asks for a key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    addKey(folder, "worker", "w1");
    const options = { folder, keys: listedKeys(folder), adminKey: join(folder, "admin.key") };
    await using farm = await TestFarm.start(options);
    const port = Number(new URL(farm.servers).port);
    const start = FarmServer.start({ folder: join(folder, "other"), port });
    await expect(start).rejects.toMatchObject({
      code: "SERVER",
      message: expect.stringMatching(inUse(port, "")),
    });
  });

  it("without a farm are refused by workers", async () => {
    const { path } = await findServer();
    const port = await freePort();
    const child = spawn(path, ["-a", "127.0.0.1", "-p", `${port}`], { stdio: ["ignore", "ignore", "pipe"] });
    await once(child.stderr!, "data");
    const start = Worker.start({ servers: `nats://127.0.0.1:${port}`, workers: 1, cache: false });
    await expect(start).rejects.toMatchObject({ code: "NOT_A_FARM" });
    child.kill();
    await once(child, "exit");
  });

  it.skipIf(findOnPath(["openssl"], process.env) === undefined)(
    "with a certificate are reached by its name, and by no other",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-tls-"));
      const [cert, key] = [join(folder, "server.pem"), join(folder, "server.key")];
      const words =
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
      execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
      await using farm = await TestFarm.start({ certificate: { cert, key, ca: cert } });
      expect(farm.servers).toMatch(/^tls:\/\/localhost:/);
      await farm.worker({ ca: cert });
      const options = { arch: "sm_90", cache: false, local: "never", servers: farm.servers } as const;
      await using compiler = new FarmCompiler({ ...options, ca: cert });
      expect((await compiler.compile(ptxOf(1))).arch).toBe("sm_90");

      // The machine does not trust who signed it.
      await using distrusting = new FarmCompiler({ ...options, patienceMs: 1500 });
      await expect(distrusting.compile(ptxOf(1))).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/self.signed certificate; name the certificate .* with `ca`/),
      });

      // The certificate of this server is for another name than the one that it is reached by.
      const [otherCert, otherKey] = [join(folder, "other.pem"), join(folder, "other.key")];
      const otherWords = words.replaceAll("localhost", "farm.example").split(" ");
      execFileSync("openssl", [...otherWords, "-keyout", otherKey, "-out", otherCert], { stdio: "ignore" });
      const port = await freePort();
      const tls = ["--tls", "--tlscert", otherCert, "--tlskey", otherKey];
      const child = spawn((await findServer()).path, ["-a", "127.0.0.1", "-p", `${port}`, ...tls], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      await once(child.stderr!, "data");
      const other = { servers: [`tls://localhost:${port}`], ca: otherCert };
      await vi.waitFor(() =>
        expect(openConnection(other, "test", "_INBOX_x.y")).rejects.toMatchObject({
          code: "UNREACHABLE",
          message: expect.stringMatching(
            /certificate's altnames: .*farm\.example; use a name of its certificate/,
          ),
        }),
      );
      const certificate = { cert: otherCert, key: otherKey, ca: otherCert };
      const start = FarmServer.start({ folder: join(folder, "served"), port: await freePort(), certificate });
      await expect(start).rejects.toSatisfy(isDistrusted);
      child.kill();
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  );

  it("accept their keys, and refuse others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-"));
    const [worker, alice] = [addKey(folder, "worker", "w1"), addKey(folder, "submitter", "alice")];
    expect(() => addKey(folder, "submitter", "alice")).toThrow("expected a new name");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const keys = listedKeys(folder);
    expect(keys.map(({ role, name }) => `${role} ${name}`)).toContain("admin serve");
    expect(readKey(alice)).toMatchObject({ role: "submitter", name: "alice" });
    await using farm = await TestFarm.start({ folder, keys, adminKey: join(folder, "admin.key") });
    await farm.worker({ key: worker });
    await using compiler = remoteWith({ servers: farm.servers, key: alice });
    expect((await compiler.compile(ptxOf(1))).arch).toBe("sm_90");
    const make = (options: object) => () =>
      new FarmCompiler({ arch: "sm_90", servers: farm.servers, ...options });
    expect(make({ key: worker })).toThrow("expected a key with the role submitter, found");
    expect(make({ key: alice, submitter: "bob" })).toThrow("option `submitter`: expected `alice`");
    await expect(Worker.start({ servers: farm.servers, key: alice })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("expected a key with the role worker"),
    });

    // A key that is removed from the list is one of a stranger from the next start on.
    const port = Number(new URL(farm.servers).port);
    const second = {
      folder: mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-")),
      adminKey: join(folder, "admin.key"),
    };
    onTestFinished(() => rmSync(second.folder, { recursive: true, force: true }));
    const kept = keys.filter(({ role }) => role !== "worker");
    await farm.server.stop();
    await using restarted = await FarmServer.start({ ...second, port, keys: kept }).then((server) => ({
      server,
      [Symbol.asyncDispose]: () => server.stop(),
    }));
    expect(restarted.server.address).toBe(farm.servers);
    await expect(
      Worker.start({ servers: farm.servers, key: worker, workers: 1, cache: false }),
    ).rejects.toMatchObject({ code: "DENIED" });

    const other = mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-"));
    const stranger = addKey(other, "worker", "w1");
    const refused = [
      [stranger, "to accept the key, found: "],
      [undefined, "to accept a connection without a key, found: "],
    ] as const;
    for (const [key, message] of refused)
      await expect(
        Worker.start({
          servers: farm.servers,
          workers: 1,
          cache: false,
          ...(key === undefined ? {} : { key }),
        }),
      ).rejects.toMatchObject({ code: "DENIED", message: expect.stringContaining(message) });
    // No wait for a server or for workers makes that better.
    await using unknown = remoteWith({ servers: farm.servers, key: addKey(other, "submitter", "alice") });
    await expect(unknown.compile(ptxOf(1))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      cause: { code: "DENIED" },
    });
    rmSync(other, { recursive: true });
  });

  it("that no longer accept a key end its worker, and its submitter connects again when they do", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-keys-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [worker, alice] = [addKey(folder, "worker", "w1"), addKey(folder, "submitter", "alice")];
    const [keys, adminKey] = [listedKeys(folder), join(folder, "admin.key")];
    await using farm = await TestFarm.start({ folder, keys, adminKey });
    const port = Number(new URL(farm.servers).port);
    const running = await farm.worker({ key: worker });
    await using compiler = remoteWith({ servers: farm.servers, key: alice, patienceMs: 4_000 });
    await compiler.compile(ptxOf(1));
    await farm.server.stop();
    const admin = keys.filter(({ role }) => role === "admin");
    const strict = await FarmServer.start({ folder, port, adminKey, keys: admin });
    await expect(running.closed()).rejects.toMatchObject({ code: "DENIED" });
    await expect(compiler.compile(ptxOf(2))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      cause: { code: "DENIED" },
    });
    await strict.stop();
    const again = await FarmServer.start({ folder, port, adminKey, keys });
    const second = await farm.worker({ key: worker });
    // Until then, jobs fail at once.
    while (!compiler.farm!.connected) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await compiler.compile(ptxOf(3))).info.farm).toMatchObject({ worker: second.id });
    await second.drain();
    await again.stop();
  });
});
