// The pictures of the concepts are what their scripts draw from the packages as they are now.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DRAWINGS, FOLDER } from "../site/pictures/draw.mjs";
import { packagesIn, readManifest } from "./support/workspace.js";

it.each(Object.keys(DRAWINGS) as (keyof typeof DRAWINGS)[])("%s is drawn by its script", (name) => {
  expect(DRAWINGS[name]()).toBe(readFileSync(new URL(name, FOLDER), "utf8"));
});

it("the map has every package", () => {
  const map = DRAWINGS["concept-packages.svg"]();
  const names = packagesIn("packages")
    .map(readManifest)
    .map(({ name }) => name.replace("@mm-ptx/", ""));
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !map.includes(`>${name}</text>`))).toEqual([]);
});
