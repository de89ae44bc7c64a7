// Small pictures, compared with the files of `goldens`. `UPDATE_GOLDENS=1` rewrites them; look at each one that changes.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PICTURES } from "./support/pictures.js";
import { expectPicture, expectReadable } from "./support/svg.js";

const FOLDER = join(import.meta.dirname, "goldens");
const IS_UPDATING = process.env.UPDATE_GOLDENS === "1";
if (IS_UPDATING) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(join(FOLDER, `${name}.svg`), draw());
}

const names = readdirSync(FOLDER).map((file) => file.replace(/\.svg$/, ""));

describe("pictures", () => {
  it("have a golden each", () => expect(names.sort()).toEqual(Object.keys(PICTURES).sort()));

  it.each(names)("%s is as it was", (name) => {
    const svg = PICTURES[name]!();
    expect(svg).toBe(readFileSync(join(FOLDER, `${name}.svg`), "utf8"));
    expect(PICTURES[name]!()).toBe(svg);
    expectPicture(svg);
    expectReadable(svg);
  });
});
