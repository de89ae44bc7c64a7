// Downloads a wheel from a Python package index over HTTPS (PEP 503, PEP 691).

import { setTimeout } from "node:timers/promises";
import type { Watch } from "./watch.js";
import type { Wheel } from "./wheel.js";

const TIMEOUT_MS = 600_000;
const ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";
/** More than the page of any project has. */
const MOST_PAGE_BYTES = 64 * 2 ** 20;

const TRIES = 3;
const PAUSE_MS = 500;

/** Tries again when the connection fails. @throws Error with what is wrong */
export async function downloadFrom(index: string, wheel: Wheel, watch: Watch): Promise<Uint8Array> {
  for (let tries = 1; ; tries++) {
    try {
      return await downloadOnce(index, wheel, watch);
    } catch (error) {
      // What `fetch` throws then, and no error of ours.
      if (!(error instanceof TypeError) || tries === TRIES) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

async function downloadOnce(index: string, wheel: Wheel, watch: Watch): Promise<Uint8Array> {
  const { project, file, bytes } = wheel;
  const page = `${index.replace(/\/+$/, "")}/${project}/`;
  if (!/^https?:\/\//.test(page))
    throw new Error("expected an address that begins with https://, found another one");
  const listed = await get(page, ACCEPT);
  const text = Buffer.from(await bodyOf(listed, MOST_PAGE_BYTES, () => {})).toString("utf8");
  const isJson = listed.headers.get("content-type")?.includes("json") === true;
  const link = isJson ? linkInJson(text, file) : linkInHtml(text, file);
  if (link === undefined) throw new Error(`expected ${file} in ${shown(page)}, found no such file`);
  const response = await get(linked(link, listed.url, index), "*/*");
  return bodyOf(response, bytes, (done) => watch.progress(done, bytes));
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

/** An address without its credentials. */
function shown(address: string): string {
  const url = new URL(address);
  [url.username, url.password] = ["", ""];
  return url.href;
}

async function bodyOf(
  response: Response,
  most: number,
  progress: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > most) throw new Error(`expected ${most} bytes at most, found more`);
    chunks.push(chunk);
    progress(length);
  }
  return Buffer.concat(chunks);
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
