// A registry on this machine (Verdaccio) for trying packages as their users install them. Our packages come from it alone;
// it passes on requests for all others to the registry that npm is configured with. Everything it stores is in a scratch
// folder, and its process ends with the work.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { fetchPackage } from "./fetched.mjs";
import { childEnvironment } from "./process.mjs";
import { findOnPath } from "./tools.mjs";

const execute = promisify(execFile);

const VERDACCIO = "5.33.0";
/** It asks for the version that a tag points to, which not every registry has. */
const OVERRIDES = { "node-fetch": "2.7.0" };
const PATIENCE_MS = 60_000;

/**
 * @typedef {object} Registry
 * @property {string} url without a slash at its end
 * @property {(tarball: string) => Promise<void>} publish
 */

/**
 * @template T
 * @param {string} scratch a folder
 * @param {(registry: Registry) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withRegistry(scratch, work) {
  const verdaccio = await fetchPackage("verdaccio", VERDACCIO, OVERRIDES);
  const npm = findOnPath(["npm"], process.env) ?? "npm";
  const configured = await execute(npm, ["config", "get", "registry"]);
  const url = `http://127.0.0.1:${await freePort()}`;
  const folder = join(scratch, "registry");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.json"),
    JSON.stringify(configuration(folder, url, configured.stdout.trim())),
  );
  const child = spawn(
    process.execPath,
    [join(verdaccio, "bin/verdaccio"), "--config", join(folder, "config.json")],
    {
      cwd: folder,
      env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-4000);
    });
  const ended = once(child, "close");
  // An exception or an exit elsewhere must not leave the registry running.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  try {
    await answering(url, child, () => output);
    const userConfig = join(folder, "npmrc");
    // Anybody may publish, but npm does not send anything without a token.
    writeFileSync(userConfig, `${url.slice(5)}/:_authToken=anybody\n`);
    const publish = async (/** @type {string} */ tarball) => {
      // The command line takes precedence over `publishConfig`: only CI has something that provenance could name.
      const how = [
        `--registry=${url}/`,
        `--userconfig=${userConfig}`,
        "--provenance=false",
        "--access=public",
      ];
      await execute(npm, ["publish", tarball, ...how], {
        cwd: folder,
        env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
      });
    };
    return await work({ url, publish });
  } finally {
    process.off("exit", end);
    child.kill("SIGTERM");
    const timer = setTimeout(end, 5000);
    await ended;
    clearTimeout(timer);
  }
}

/**
 * @param {string} folder
 * @param {string} url
 * @param {string} upstream
 */
function configuration(folder, url, upstream) {
  const anybody = { access: "$all", publish: "$all", unpublish: "$all" };
  return {
    storage: join(folder, "storage"),
    listen: url.slice("http://".length),
    uplinks: { others: { url: upstream, timeout: "60s", max_fails: 10 } },
    // The first pattern that matches counts.
    packages: { "@mm-ptx/*": anybody, "mm-ptx": anybody, "**": { access: "$all", proxy: "others" } },
    auth: { htpasswd: { file: join(folder, "users"), max_users: -1 } },
    max_body_size: "100mb",
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "warn" },
  };
}

/**
 * Waits until the registry answers.
 *
 * @param {string} url
 * @param {import("node:child_process").ChildProcess} child
 * @param {() => string} output
 */
async function answering(url, child, output) {
  const began = performance.now();
  while (performance.now() - began < PATIENCE_MS) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${url}/-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`expected the local registry to answer, found: ${output().trim() || "nothing"}`);
}

/** A port of 127.0.0.1 that nothing listens on. */
async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
