// Where links in documents lead on the site: to the page of the document that they name, and to the repository for
// every other file. A link to a file that does not exist is an error.

import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT, readManifest } from "../../scripts/lib/workspace.mjs";
import { pageOf, SOURCES } from "./pages.mjs";

/** The address of the repository, without a slash at its end. */
export const REPOSITORY = readManifest(ROOT, ".").repository.url.replace(/^git\+(.*)\.git$/, "$1");

/** Documents that are pages, by their paths and, for a README, by that of its folder. */
const PAGES = new Map(
  SOURCES.flatMap((source) => {
    const page = `/${pageOf(source)}`;
    const paths = source.endsWith("/README.md") ? [source, posix.dirname(source)] : [source];
    return paths.map((path) => /** @type {const} */ ([path, page]));
  }),
);

/** A link to a file that is not in the repository. */
export class DeadLink extends Error {
  /**
   * @param {string} source
   * @param {string} target
   */
  constructor(source, target) {
    super(`${source}: expected a link to a file of the repository, found \`${target}\``);
  }
}

/**
 * What a link names in the repository.
 *
 * @param {string} target as the document has it
 * @param {string} source the document
 * @returns {{ path: string, hash: string } | undefined} `undefined` for other addresses and places of the same page
 */
function inRepository(target, source) {
  const [, address = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
  const [, named] =
    /^\/(?:blob|tree)\/main\/(.+)$/.exec(
      address.startsWith(REPOSITORY) ? address.slice(REPOSITORY.length) : "",
    ) ?? [];
  if (named !== undefined) return { path: decodeURI(named).replace(/\/$/, ""), hash };
  if (address === "" || /^(?:[a-z][a-z+.-]*:|\/)/i.test(address)) return undefined;
  return { path: posix.join(posix.dirname(source), decodeURI(address)).replace(/\/$/, ""), hash };
}

/**
 * The target of a link on the site.
 *
 * @param {string} target as the document has it
 * @param {string} source the document, as a path in the repository
 * @returns {string} a page by its path from the root of the site's source, such as `/guide/stack.md#places`, or an
 *   address of the repository; other addresses, and places of the same page, unchanged
 * @throws {DeadLink} if there is no such file
 */
export function linkOnSite(target, source) {
  const named = inRepository(target, source);
  if (named === undefined) return target;
  const { path, hash } = named;
  const page = PAGES.get(path);
  if (page !== undefined) return `${page}${hash}`;
  if (path.startsWith("..") || !existsSync(join(ROOT, path))) throw new DeadLink(source, target);
  const kind = statSync(join(ROOT, path)).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${path}${hash}`;
}

/**
 * The file of a picture in the repository.
 *
 * @param {string} target as the document has it
 * @param {string} source the document
 * @returns {string | undefined} `undefined` for a picture from another place
 * @throws {DeadLink} if there is no such file
 */
export function pictureFile(target, source) {
  const path = inRepository(target, source)?.path;
  if (path !== undefined && !existsSync(join(ROOT, path))) throw new DeadLink(source, target);
  return path;
}
