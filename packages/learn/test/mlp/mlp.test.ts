import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mlp, type MlpOptions, Table } from "../../src/index.js";
import { JavaScriptMlp } from "../../src/mlp/javascript.js";
import { placeMlp } from "../../src/mlp/layout.js";
import { Network } from "../../src/mlp/network.js";
import { Arena, Parts } from "../../src/model/arena.js";
import { bitsOf, explained, hashOf, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";

const BACKENDS = ["javascript", "webassembly"] as const;

function scoresOf(model: Mlp, rows: Float32Array): Float32Array {
  const scores = new Float32Array(rows.length / model.columns);
  model.predictInto(rows, scores);
  return scores;
}

function tableOf(rows: Float32Array, labels: Float32Array): Table {
  const table = new Table({ columns: rows.length / labels.length, capacity: labels.length });
  table.addAll(rows, labels);
  return table;
}

describe("a multilayer perceptron", () => {
  const { rows, labels } = syntheticRows(1500, 6, 1);
  const test = syntheticRows(500, 6, 2);
  const table = tableOf(rows, labels);

  it.each(["tanh", "relu"] as const)("learns with %s", (activation) => {
    const model = new Mlp({ columns: 6, activation, rate: 0.01 });
    const first = model.fit(table, 1);
    expect(model.fit(table, 500)).toBeLessThan(first / 4);
    expect(explained(test.labels, scoresOf(model, test.rows))).toBeGreaterThan(0.9);
  });

  it.each([
    ["tanh", "a23d8058"],
    ["relu", "461f65dc"],
  ] as const)(
    "has the same bits in JavaScript and WebAssembly after 200 steps with %s, in every version",
    (activation, golden) => {
      const options = { columns: 6, hidden: [16, 16], batch: 40, activation, seed: 5 };
      const models = BACKENDS.map((backend) => {
        const model = new Mlp({ ...options, backend });
        model.fit(table, 200);
        return model;
      });
      expect(models.map((model) => hashOf(model.save()))).toEqual([golden, golden]);
      const [one, other] = models.map((model) => bitsOf(scoresOf(model, test.rows)));
      expect(one).toEqual(other);
    },
  );

  it.each([
    ["tanh", "78336c47"],
    ["relu", "78b06452"],
  ] as const)("has the same bits with %s if a step has more rows than a pass", (activation, golden) => {
    const wide = syntheticRows(200, 9, 3);
    for (const backend of BACKENDS) {
      const model = new Mlp({ columns: 9, hidden: [21, 10], batch: 150, activation, seed: 5, backend });
      model.fit(tableOf(wide.rows, wide.labels), 20);
      model.step(wide.rows.subarray(0, 65 * 9), wide.labels.subarray(0, 65));
      const saved = model.save();
      const all = new Uint8Array([...saved, ...new Uint8Array(scoresOf(model, wide.rows).buffer)]);
      expect(hashOf(all), backend).toBe(golden);
    }
  });

  it("has the same bits for every shape", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 20 }),
      columns: fc.integer({ min: 1, max: 17 }),
      hidden: fc.array(fc.integer({ min: 1, max: 21 }), { minLength: 1, maxLength: 2 }),
      activation: fc.constantFrom("relu" as const, "tanh" as const),
      batch: fc.integer({ min: 1, max: 9 }),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(shape, ({ count, columns, hidden, activation, batch, seed }) => {
        const data = syntheticRows(count, columns, seed);
        const [one, other] = BACKENDS.map((backend) => {
          const model = new Mlp({ columns, hidden, activation, batch, seed, backend });
          const error = model.fit(tableOf(data.rows, data.labels), 3);
          return [error, hashOf(model.save()), bitsOf(scoresOf(model, data.rows))];
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["tanh", "relu"] as const)("has the gradients of its loss with %s", (activation) => {
    const shape = { columns: 3, hidden: [5, 4], batch: 6 };
    const parts = new Parts();
    const places = placeMlp(parts, shape);
    const arena = new Arena(parts.bytes, false);
    const network = new Network(arena, new JavaScriptMlp(arena), places, activation);
    network.draw(11);
    const data = syntheticRows(6, 3, 4);
    arena.f32.set(data.rows, places.input >> 2);
    network.forward(6);
    for (let row = 0; row < 6; row++) {
      const error = arena.f32[network.output + row * network.outputStride]! - data.labels[row]!;
      arena.f32[network.outputErrors + row * network.outputStride] = (2 * error) / 6;
    }
    network.backward(6, false);
    const values = Float64Array.from(
      arena.f32.subarray(places.parameters >> 2, (places.parameters >> 2) + places.count),
    );
    for (const layer of places.layers) {
      for (let input = 0; input <= layer.inputs; input++) {
        for (let output = 0; output < layer.outputs; output++) {
          const index = ((layer.weights - places.parameters) >> 2) + input * layer.stride + output;
          const lossAt = (change: number) => {
            const changed = values.slice();
            changed[index]! += change;
            return loss(changed, places, activation, data);
          };
          const expected = (lossAt(1e-6) - lossAt(-1e-6)) / 2e-6;
          expect(arena.f32[(places.gradients >> 2) + index]).toBeCloseTo(expected, 4);
        }
      }
    }
  });

  it("takes the steps of Adam", () => {
    const shape = { columns: 1, hidden: [1], batch: 1 };
    const parts = new Parts();
    const places = placeMlp(parts, shape);
    const arena = new Arena(parts.bytes, false);
    const network = new Network(arena, new JavaScriptMlp(arena), places, "tanh");
    const gradients = [0.3, -1.5, 0.02, 2, 0, -0.4];
    const state = { rate: 0.01, firstPower: 1, secondPower: 1 };
    let [value, first, second] = [0, 0, 0];
    gradients.forEach((gradient, index) => {
      arena.f32[places.gradients >> 2] = gradient;
      network.descend(state);
      first = 0.9 * first + 0.1 * gradient;
      second = 0.999 * second + 0.001 * gradient * gradient;
      const [mean, square] = [first / (1 - 0.9 ** (index + 1)), second / (1 - 0.999 ** (index + 1))];
      value -= (0.01 * mean) / (Math.sqrt(square) + 1e-8);
      expect(arena.f32[places.parameters >> 2]).toBeCloseTo(value, 5);
    });
  });

  it("continues after it was saved and loaded", () => {
    const model = new Mlp({ columns: 6, hidden: [9], seed: 3 });
    model.fit(table, 20);
    const loaded = Mlp.load(model.save());
    expect(loaded.fit(table, 10)).toBe(model.fit(table, 10));
    expect(loaded.save()).toEqual(model.save());
    expect(bitsOf(scoresOf(loaded, test.rows))).toEqual(bitsOf(scoresOf(model, test.rows)));
  });

  it("learns from batches of any size up to its own", () => {
    const model = new Mlp({ columns: 6, batch: 8 });
    for (const size of [8, 1, 5]) {
      expect(model.step(rows.subarray(0, size * 6), labels.subarray(0, size))).toBeGreaterThanOrEqual(0);
    }
    expect(model.steps).toBe(3);
    expect(codeOf(() => model.step(rows.subarray(0, 54), labels.subarray(0, 9)))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.step(new Float32Array(), new Float32Array()))).toBe("INVALID_ARGUMENT");
  });

  it("gives finite scores for one row, equal labels and values at the end of the range", () => {
    for (const [values, label] of [
      [
        [3.4e38, -3.4e38],
        [3.4e38, -3.4e38],
      ],
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1e-45, 0],
        [1e-45, 0],
      ],
      [[5], [6]],
    ] as const) {
      const model = new Mlp({ columns: 1, rate: 0.1 });
      model.fit(tableOf(Float32Array.from(values), Float32Array.from(label)), 50);
      expect(scoresOf(model, Float32Array.of(-3.4e38, 0, 3.4e38)).every(Number.isFinite)).toBe(true);
    }
  });

  it("refuses what it cannot learn or predict, and learns nothing", () => {
    const model = new Mlp({ columns: 2 });
    const row = Float32Array.of(1, 2);
    expect(codeOf(() => model.predictInto(row, new Float32Array(1)))).toBe("NOT_FITTED");
    expect(codeOf(() => model.save())).toBe("NOT_FITTED");
    expect(codeOf(() => model.fit(new Table({ columns: 2, capacity: 2 }), 1))).toBe("TOO_FEW_ROWS");
    expect(codeOf(() => model.fit(table, 1))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => model.step(row, Float32Array.of(Number.NaN)))).toBe("NOT_FINITE");
    expect(codeOf(() => model.step(Float32Array.of(Number.NaN, 1), Float32Array.of(1)))).toBe("NOT_FINITE");
    expect(model.fitted).toBe(false);
    for (const options of [
      { hidden: [] },
      { hidden: [1, 2, 3] },
      { hidden: [0] },
      { rate: 1 },
      { activation: "elu" },
    ]) {
      expect(codeOf(() => new Mlp({ columns: 2, ...options } as MlpOptions))).toBe("INVALID_ARGUMENT");
    }
  });

  it("refuses bytes with any changed bit", () => {
    const model = new Mlp({ columns: 1, hidden: [2] });
    model.step(Float32Array.of(1, 2), Float32Array.of(3, 4));
    const saved = model.save();
    for (let bit = 0; bit < saved.length * 8; bit += 11) {
      const flipped = saved.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(codeOf(() => Mlp.load(flipped))).toBe("BAD_MODEL");
    }
  });
});

/** The mean squared error of a network in f64. */
function loss(
  parameters: Float64Array,
  { layers, parameters: start }: ReturnType<typeof placeMlp>,
  activation: "relu" | "tanh",
  { rows, labels }: { rows: Float32Array; labels: Float32Array },
): number {
  let sum = 0;
  labels.forEach((label, row) => {
    let values = Array.from(rows.subarray(row * 3, (row + 1) * 3));
    layers.forEach((layer, index) => {
      values = Array.from({ length: layer.outputs }, (_, output) => {
        const weightAt = (input: number) =>
          parameters[((layer.weights - start) >> 2) + input * layer.stride + output]!;
        const total = values.reduce(
          (part, value, input) => part + value * weightAt(input),
          weightAt(layer.inputs),
        );
        if (index === layers.length - 1) return total;
        return activation === "tanh" ? Math.tanh(total) : Math.max(0, total);
      });
    });
    sum += (values[0]! - label) ** 2;
  });
  return sum / labels.length;
}
