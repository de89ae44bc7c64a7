// The pictures of the concepts are what their scripts draw from the packages as they are now.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DRAWINGS, FOLDER } from "../site/pictures/draw.mjs";

it.each(Object.keys(DRAWINGS) as (keyof typeof DRAWINGS)[])("%s is drawn by its script", (name) => {
  expect(DRAWINGS[name]()).toBe(readFileSync(new URL(name, FOLDER), "utf8"));
});
