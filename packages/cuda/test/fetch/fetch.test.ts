// Fetching a compiler: which index is asked, what is refused, and that nothing half-written is left.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { download } from "../../src/fetch/download.js";
import { packageIndex } from "../../src/fetch/index-url.js";
import { install } from "../../src/fetch/install.js";
import { FetchProblem } from "../../src/fetch/problem.js";
import { WHEEL_PLATFORMS, type Wheel, wheelFor } from "../../src/fetch/wheel.js";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-fetch-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (words: string) => new TextEncoder().encode(words);
const wheelOf = (files: Readonly<Record<string, string>>, changes: Partial<Wheel> = {}) => {
  const bytes = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, words]) => [name, text(words)])),
  );
  const wheel: Wheel = {
    ...wheelFor("linux-x64")!,
    sha256: createHash("sha256").update(bytes).digest("hex"),
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

test("there is a wheel for each platform with a native package", () => {
  expect([...WHEEL_PLATFORMS].sort()).toEqual(["linux-arm64", "linux-x64", "win32-x64"]);
  expect(wheelFor("sunos-x64")).toBeUndefined();
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
    expect(readdirSync(place).sort()).toEqual(["License.txt", "include", "lib"]);
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

  test("cannot write outside of its folder", () => {
    const { wheel, bytes } = wheelOf({ ...FILES, "nvidia/cu13/../../../outside": "x" });
    install(wheel, bytes, join(folder, "deep", "place"));
    expect(existsSync(join(folder, "outside"))).toBe(false);
    expect(existsSync(join(folder, "deep", "outside"))).toBe(false);
  });
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
  const from = (path: string) => {
    vi.stubEnv("MM_PTX_PYPI_INDEX", path);
    return download(wheel, () => {});
  };

  test.each(["html", "json"])("takes the file that an index lists as %s", async (form) => {
    expect(Buffer.from(await from(`${origin}/${form}/`))).toEqual(Buffer.from(bytes));
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
    ["ftp://127.0.0.1", /expected an address that begins with https:\/\//],
  ])("says what is wrong with %s, and what to do instead", async (path, message) => {
    const error: unknown = await from(path.startsWith("/") ? `${origin}${path}` : path).catch(
      (caught) => caught,
    );
    expect(error).toBeInstanceOf(FetchProblem);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(
      `--platform manylinux_2_12_x86_64 ${wheel.project}==${wheel.version}`,
    );
  });
});
