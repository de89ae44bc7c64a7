// Fetching a compiler: which index is asked, what is refused, and that nothing half-written is left.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { COMPILER_NAMES, COMPILERS, type CompilerName } from "../../src/fetch/compilers.js";
import { download } from "../../src/fetch/download.js";
import { fetchWheels } from "../../src/fetch/fetch-wheel.js";
import { packageIndex } from "../../src/fetch/index-url.js";
import { install } from "../../src/fetch/install.js";
import { FetchProblem } from "../../src/fetch/problem.js";
import { UNWATCHED, type Watch, watchOn } from "../../src/fetch/watch.js";
import { type Wheel, wheelFor } from "../../src/fetch/wheel.js";
import { PLATFORMS } from "../../src/native/platform.js";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-fetch-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (words: string) => new TextEncoder().encode(words);
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const zipOf = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, words]) => [name, text(words)])));
const wheelOf = (
  files: Readonly<Record<string, string>>,
  changes: Partial<Wheel> = {},
  name: CompilerName = "nvjitlink",
) => {
  const bytes = zipOf(files);
  const sha256 = hashOf(bytes);
  const wheel: Wheel = {
    ...wheelFor(COMPILERS[name], "linux-x64")!,
    sha256,
    bytes: bytes.length,
    platforms: new Map([
      [sha256, "linux-x64"],
      [hashOf(text(name)), "win32-x64"],
    ]),
    ...changes,
  };
  return { wheel, bytes };
};
const FILES = {
  "nvidia/cu13/lib/libnvJitLink.so.13": "the library",
  "nvidia/cu13/include/nvJitLink.h": "a header",
  "nvidia_nvjitlink-13.0.88.dist-info/licenses/License.txt": "the license",
  "nvidia_nvjitlink-13.0.88.dist-info/METADATA": "not needed",
};

const PTXAS_FILES = {
  "nvidia/cu13/bin/ptxas": "the program",
  "nvidia/cu13/bin/nvcc": "not needed",
  "nvidia_cuda_nvcc-13.0.88.dist-info/licenses/License.txt": "its license",
};

test.each(COMPILER_NAMES)("there is a wheel of %s for each platform with a native package", (name) => {
  expect(Object.keys(COMPILERS[name].files).sort()).toEqual([...PLATFORMS].sort());
  expect(wheelFor(COMPILERS[name], "sunos-x64")).toBeUndefined();
  expect(wheelFor(COMPILERS[name], "toString")).toBeUndefined();
});

describe("the package index", () => {
  const home = join(folder, "home");
  const none = { XDG_CONFIG_DIRS: join(folder, "nowhere") };

  test.skipIf(process.platform === "win32")("is the first that the environment or a file names", () => {
    const file = join(home, ".config", "pip", "pip.conf");
    mkdirSync(join(home, ".config", "pip"), { recursive: true });
    writeFileSync(
      file,
      "[install]\nindex-url = https://not.this\n[global]\ntimeout = 5\nindex-url = https://file\n",
    );
    expect(packageIndex(none, home)).toEqual({ url: "https://file", named: file });
    expect(packageIndex({ ...none, PIP_INDEX_URL: "https://pip" }, home)?.url).toBe("https://pip");
    const both = { ...none, PIP_INDEX_URL: "https://pip", MM_PTX_PYPI_INDEX: "https://ours" };
    expect(packageIndex(both, home)).toEqual({ url: "https://ours", named: "MM_PTX_PYPI_INDEX" });
  });
});

describe("a wheel", () => {
  test("is unpacked with its license, and nothing else", () => {
    const place = join(folder, "whole");
    const { wheel, bytes } = wheelOf(FILES);
    const { library, license, licenseText } = install(wheel, bytes, place);
    expect(readFileSync(library, "utf8")).toBe("the library");
    expect(license).toBe(join(place, "License.txt"));
    expect(licenseText).toBe("the license");
    expect(readdirSync(place).sort()).toEqual(["License.txt", "lib"]);
  });

  test("replaces what was there, and what a killed process left", () => {
    const place = join(folder, "again");
    for (const [name, days] of [
      ["again", 0],
      ["again.unfinished-1", 1],
      ["again.unfinished-2", 0],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "old"), "old");
      const time = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(folder, name), time, time);
    }
    const { wheel, bytes } = wheelOf(PTXAS_FILES, {}, "ptxas");
    const { library } = install(wheel, bytes, place);
    expect(statSync(library).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o755);
    expect(readdirSync(place).sort()).toEqual(["License.txt", "bin"]);
    // Another process may be unpacking this one.
    expect(readdirSync(folder).filter((name) => name.startsWith("again."))).toEqual(["again.unfinished-2"]);
    rmSync(join(folder, "again.unfinished-2"), { recursive: true });
  });

  test.each([
    [
      "of another hash",
      FILES,
      { sha256: "0".repeat(64) },
      /expected .*\.whl with SHA-256 0{64}, found [0-9a-f]{64}/,
    ],
    ["without the library", { "nvidia/cu13/README": "" }, {}, /to hold lib\/libnvJitLink/],
  ])("%s is refused, and leaves what was there", (_, files, changes, message) => {
    const place = join(folder, "before");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "old"), "old");
    const { wheel, bytes } = wheelOf(files, changes);
    expect(() => install(wheel, bytes, place)).toThrow(FetchProblem);
    expect(() => install(wheel, bytes, place)).toThrow(message);
    expect(readdirSync(place)).toEqual(["old"]);
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test("that was downloaded elsewhere is recognized by its contents", async () => {
    const linker = wheelOf(FILES);
    const assembler = wheelOf(PTXAS_FILES, {}, "ptxas");
    const home = join(folder, "recognized");
    const places = [linker, assembler].map(({ wheel }) => ({
      wheel,
      folder: join(home, wheel.project),
      isSound: () => true,
    }));
    const fetchFrom = (...files: readonly Uint8Array[]) =>
      fetchWheels(places, {
        files: files.map((bytes, i) => ({ name: `file ${i}`, bytes })),
        command: "fetch",
        watch: UNWATCHED,
      });
    await expect(fetchFrom(assembler.bytes, text("other"))).rejects.toThrow(
      /^expected nvidia_nvjitlink.* or nvidia_cuda_nvcc.*, found `file 1` with .*: it is another file, or damaged$/,
    );
    await expect(fetchFrom(text("ptxas"))).rejects.toThrow(
      /^expected nvidia_cuda_nvcc.*, the wheel for linux-x64, found `file 0`, the one for win32-x64$/,
    );
    expect(existsSync(home)).toBe(false);
    const [one] = await fetchFrom(assembler.bytes);
    expect(readFileSync(one!.library, "utf8")).toBe("the program");
    expect(readdirSync(home)).toEqual(["nvidia-cuda-nvcc"]);
    const both = await fetchFrom(linker.bytes, assembler.bytes);
    expect(both.map(({ wheel }) => wheel.project)).toEqual(["nvidia-nvjitlink", "nvidia-cuda-nvcc"]);
  });
});

test("a terminal shows how much has arrived, and nothing else does", () => {
  const shown = (isTTY: boolean, isQuiet: boolean) => {
    const written: string[] = [];
    const watch = watchOn({ isTTY, columns: 25, write: (words: string) => written.push(words) }, isQuiet);
    watch.note("fetching a.whl");
    watch.progress(2 ** 20, 3 * 2 ** 20);
    watch.progress(3 * 2 ** 20, 3 * 2 ** 20);
    watch.end();
    return written.map((words) => words.replace("\r\x1b[K", ""));
  };
  expect(shown(true, false)).toEqual([
    ...["fetching a.whl", "fetching a.whl: 1.0 of 3", "fetching a.whl: 3.0 of 3", ""],
  ]);
  expect(shown(false, false)).toEqual([]);
  expect(shown(true, true)).toEqual([]);
});

describe("a download without pip", () => {
  const { wheel, bytes } = wheelOf(FILES);
  let server: Server;
  let origin = "";
  beforeAll(async () => {
    const page = `<!DOCTYPE html><a href="../../files/other.whl">other.whl</a><a href="../files/a?b&amp;c">${wheel.file}</a>`;
    const json = JSON.stringify({ files: [{ filename: wheel.file, url: "/files/a?b&c" }] });
    server = createServer((request, response) => {
      const locked = `Basic ${Buffer.from("user:se@cret").toString("base64")}`;
      if (request.url?.startsWith("/locked/") && request.headers.authorization !== locked)
        response.writeHead(401).end();
      else if (request.url === "/locked/file") response.end(bytes);
      else if (request.url === `/locked/${wheel.project}/`)
        response.setHeader("content-type", "text/html").end(`<a href="/locked/file">${wheel.file}</a>`);
      else if (request.url === "/files/a?b&c") response.end(bytes);
      else if (request.url === `/html/${wheel.project}/`)
        response.setHeader("content-type", "text/html").end(page.replaceAll("../files", "/files"));
      else if (request.url === `/json/${wheel.project}/`)
        response.setHeader("content-type", "application/vnd.pypi.simple.v1+json").end(json);
      else if (request.url === `/empty/${wheel.project}/`) response.end("");
      else if (request.url === `/long/${wheel.project}/`)
        response.setHeader("content-type", "text/html").end(`<a href="/more">${wheel.file}</a>`);
      else if (request.url === "/more") response.end(Buffer.concat([bytes, bytes]));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // No Python, hence no pip.
    vi.stubEnv("PATH", join(folder, "nowhere"));
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });
  const from = (path: string, watch: Watch = UNWATCHED) => {
    vi.stubEnv("MM_PTX_PYPI_INDEX", path);
    return download(wheel, watch);
  };

  test.each(["html", "json"])("takes the file that an index lists as %s", async (form) => {
    const seen: number[] = [];
    const watch: Watch = { ...UNWATCHED, progress: (done, total) => void seen.push(done, total) };
    expect(Buffer.from(await from(`${origin}/${form}/`, watch))).toEqual(Buffer.from(bytes));
    expect(seen.slice(-2)).toEqual([bytes.length, bytes.length]);
  });

  test("uses the credentials in the address of an index, and never shows them", async () => {
    const address = origin.replace("//", "//user:se%40cret@");
    expect(Buffer.from(await from(`${address}/locked/`))).toEqual(Buffer.from(bytes));
    const error: unknown = await from(`${address}/nothing/`).catch((caught) => caught);
    expect((error as Error).message).toMatch(/status 404/);
    expect((error as Error).message).not.toContain("cret");
  });

  test.each([
    ["/nothing", /status 404/],
    ["/empty", /expected nvidia_nvjitlink.*\.whl in .*, found no such file/],
    ["/long", /expected \d+ bytes at most, found more/],
    ["ftp://127.0.0.1", /expected an address that begins with https:\/\//],
  ])("says what is wrong with %s, and what to do instead", async (path, message) => {
    vi.stubEnv("MM_PTX_PYPI_INDEX", path.startsWith("/") ? `${origin}${path}` : path);
    const place = { wheel, folder: join(folder, "never"), isSound: () => true };
    const options = { files: [], command: "npx mm-ptx fetch nvjitlink", watch: UNWATCHED };
    const error: unknown = await fetchWheels([place], options).catch((caught) => caught);
    expect(error).toBeInstanceOf(FetchProblem);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(
      `--platform manylinux_2_12_x86_64 ${wheel.project}==${wheel.version}\nand here, run \`npx mm-ptx fetch nvjitlink FILE\``,
    );
    expect(existsSync(place.folder)).toBe(false);
  });
});
