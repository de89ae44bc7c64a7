// Steps, updates, fits and predictions leave the same few bytes on the heap however many rows there are, and no memory grows.
import { expect, it } from "vitest";
import { bytesPerCall } from "../../../tests/support/heap.js";
import { Linear, Mlp, Neighbours, Pca, Table, Trees } from "../src/index.js";
import { findAddon } from "../src/native/addon.js";
import { syntheticRows } from "./support/data.js";

const COLUMNS = 6;
/** What a call may leave: numbers and closures, but nothing for each row. */
const FEW = 2000;
/** What a fit of trees may leave in JavaScript, where the engine boxes some sums of a tree: less than a number for each row and level. */
const FIT = { javascript: 6000, webassembly: FEW, native: FEW };
const ROWS = 400;

const { rows, labels } = syntheticRows(ROWS, COLUMNS, 1);
const table = new Table({ columns: COLUMNS, capacity: ROWS });
table.addAll(rows, labels);
const scores = new Float32Array(ROWS);
const SOME = 48;
const someRows = rows.slice(0, SOME * COLUMNS);
const [means, deviations] = [new Float32Array(SOME), new Float32Array(SOME)];

const BACKENDS = (["javascript", "webassembly", "native"] as const).filter(
  (backend) => backend !== "native" || findAddon().addon !== undefined,
);

it.each(BACKENDS)("trees in %s", async (backend) => {
  const model = new Trees(table, { trees: 5, backend, label: "best tenth" });
  const { bytes } = model;
  model.fit();
  expect(await bytesPerCall(() => model.fit(), { long: true })).toBeLessThan(FIT[backend]);
  expect(await bytesPerCall(() => model.predictInto(rows, scores))).toBeLessThan(FEW);
  expect(model.bytes).toBe(bytes);
});

it.each(BACKENDS)("a linear model in %s", async (backend) => {
  const model = new Linear({ columns: COLUMNS, features: 16, backend });
  const { bytes } = model;
  const row = rows.slice(0, COLUMNS);
  expect(await bytesPerCall(() => model.update(row, 1))).toBeLessThan(FEW);
  expect(await bytesPerCall(() => model.predictInto(someRows, means, deviations))).toBeLessThan(FEW);
  expect(model.bytes).toBe(bytes);
});

it.each(BACKENDS)("a perceptron in %s", async (backend) => {
  const model = new Mlp({ columns: COLUMNS, hidden: [8], batch: 32, backend });
  const { bytes } = model;
  const [batch, batchLabels] = [rows.slice(0, 32 * COLUMNS), labels.slice(0, 32)];
  expect(await bytesPerCall(() => model.step(batch, batchLabels))).toBeLessThan(FEW);
  expect(await bytesPerCall(() => model.predictInto(someRows, means))).toBeLessThan(FEW);
  expect(model.bytes).toBe(bytes);
});

it.each(BACKENDS)("neighbours in %s", async (backend) => {
  const model = new Neighbours(table, { backend });
  expect(await bytesPerCall(() => model.predictInto(someRows, means), { long: true })).toBeLessThan(FEW);
  expect(await bytesPerCall(() => model.noveltyInto(someRows, means), { long: true })).toBeLessThan(FEW);
});

it.skipIf(!BACKENDS.includes("native"))("models with workers", async () => {
  const options = { backend: "native", workers: 3 } as const;
  const near = new Neighbours(table, options);
  const linear = new Linear({ columns: COLUMNS, features: 16, ...options });
  linear.fit(table);
  const { bytes } = linear;
  expect(await bytesPerCall(() => near.predictInto(rows, scores))).toBeLessThan(FEW);
  expect(await bytesPerCall(() => linear.predictInto(rows, scores))).toBeLessThan(FEW);
  expect(linear.bytes).toBe(bytes);
});

it.each(BACKENDS)("principal components in %s", async (backend) => {
  const model = new Pca({ columns: COLUMNS, components: 2, backend });
  const { bytes } = model;
  const projected = new Float32Array(2 * ROWS);
  expect(await bytesPerCall(() => model.update(rows), { long: true })).toBeLessThan(FEW);
  expect(await bytesPerCall(() => model.projectInto(rows, projected))).toBeLessThan(FEW);
  expect(model.bytes).toBe(bytes);
});

it("a table", async () => {
  const ring = new Table({ columns: COLUMNS, capacity: 50 });
  const row = rows.slice(0, COLUMNS);
  expect(await bytesPerCall(() => ring.add(row, 1))).toBeLessThan(FEW);
  expect(await bytesPerCall(() => ring.addAll(rows, labels))).toBeLessThan(FEW);
});
