// What a registry's page of a package shows: where the package comes from, and links that lead there. The root's manifest
// is the only place that decides on the repository.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const { repository } = readManifest(".");
const WEB = repository!.url.replace(/^git\+(.*)\.git$/, "$1");

const PUBLISHED = ["packages", "packages/cuda/npm", "packages/emulator/npm", "packages/learn/npm"]
  .flatMap(packagesIn)
  .filter((folder) => readManifest(folder).private !== true);

it("the repository has an address of its own", () => {
  expect(WEB).toMatch(/^https:\/\/[^/]+\/[^/]+\/[^/]+$/);
  expect(PUBLISHED.length).toBeGreaterThan(7);
});

it.each(PUBLISHED)("the manifest of %s names its folder of the repository", (folder) => {
  expect(readManifest(folder)).toMatchObject({
    repository: { ...repository, directory: folder },
    homepage: `${WEB}/tree/main/${folder}#readme`,
    bugs: `${WEB}/issues`,
  });
});

it.each(PUBLISHED)(
  "the manifest of %s says how it is published, what it needs and under which terms",
  (folder) => {
    expect(readManifest(folder)).toMatchObject({
      version: readManifest(".").version,
      license: expect.stringMatching(/^MIT(?: AND [A-Za-z0-9.-]+(?: WITH [A-Za-z0-9.-]+)?)*$/),
      engines: { node: ">=20.19" },
      publishConfig: { access: "public", provenance: true },
    });
    expect(readManifest(folder).files?.length).toBeGreaterThan(0);
  },
);

it("no package holds NVIDIA's compiler", () => {
  const files = PUBLISHED.flatMap((folder) => readManifest(folder).files ?? []);
  expect(files.filter((file) => /mmptxc|nvptxcompiler|nvjitlink|nvrtc/i.test(file))).toEqual([]);
});

it.each(PUBLISHED)("the README of %s links to files of the repository by their addresses", (folder) => {
  const file = join(ROOT, folder, "README.md");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  const wrong = targets.filter((target) => {
    if (target === `${WEB}#readme`) return false;
    if (!target.startsWith(WEB)) return !/^(https:|#)/.test(target);
    const [, path] = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(target.slice(WEB.length)) ?? [];
    return path === undefined || !existsSync(join(ROOT, path));
  });
  expect(wrong).toEqual([]);
});
