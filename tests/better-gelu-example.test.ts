// The example that evolves a part of GELU has the kernels of the demo in the package.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  GELU_KERNEL,
  PLAIN_KERNEL,
  PRODUCT_KERNEL,
} from "../packages/search/dist/node/demos/activation/kernels.js";

const file = (name: string): string =>
  readFileSync(new URL(`../examples/07-better-gelu/${name}.ptx`, import.meta.url), "utf8");

it.each([
  ["gelu", GELU_KERNEL],
  ["product", PRODUCT_KERNEL],
  ["plain", PLAIN_KERNEL],
])("%s", (name, text) => {
  expect(text).toBe(file(name));
});
