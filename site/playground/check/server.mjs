// Serves a folder to the browsers of the tests, and to `npm run playground -- --serve`.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** @type {Record<string, string>} */
const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Gzipped files by their paths. Files whose names have a hash never change, so they are compressed once for all servers. */
const COMPRESSED = new Map();

/**
 * @typedef {object} Served
 * @property {string} url ends with a slash
 * @property {{ path: string, bytes: number, at: number }[]} log what was sent, gzipped, in order; `at` is a time as of `Date.now`
 * @property {() => Promise<void>} close
 */

/**
 * Serves the files of a folder, gzipped. Browsers may cache files whose names have a hash.
 *
 * @param {string} folder
 * @param {{ port?: number, headers?: Record<string, string> }} [options] port 0, the default, chooses a free one
 * @returns {Promise<Served>}
 */
export async function serveFolder(folder, { port = 0, headers = {} } = {}) {
  /** @type {Served["log"]} */
  const log = [];
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = normalize(decodeURIComponent(pathname)).replace(/[/\\]$/, `${sep}index.html`);
    const isHashed = path.startsWith(`${sep}assets${sep}`);
    try {
      const file = join(folder, path);
      const body = COMPRESSED.get(file) ?? gzipSync(await readFile(file), { level: 9 });
      if (isHashed) COMPRESSED.set(file, body);
      log.push({ path, bytes: body.length, at });
      response.writeHead(200, {
        "content-type": TYPES[extname(path)] ?? "application/octet-stream",
        "content-encoding": "gzip",
        "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-store",
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found");
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port, found none");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
