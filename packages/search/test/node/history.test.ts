// The history of a run: how many points it has, and what they are.
import { expect, it } from "vitest";
import { HistoryRecorder } from "../../src/node/history.js";
import type { LoggedBatch } from "../../src/node/log-lines.js";

const batch = (number: number): LoggedBatch => ({
  ...{ batch: number, made: 1, duplicates: 0, evaluated: 1, evaluations: number + 1, failures: {} },
  ...{ added: 0, improved: 0, elites: number, best: number === 0 ? null : number, qdScore: -number },
  ...{ coverage: null, hash: "", seconds: number / 10 },
});

it("keeps the last batch of each point, and half of the points when there are too many", () => {
  const recorder = new HistoryRecorder(8);
  for (let number = 0; number < 100; number++) {
    recorder.add(batch(number));
    const { evaluations, best, coverage, seconds } = recorder.history();
    expect(evaluations.length).toBeLessThanOrEqual(9);
    expect(evaluations.at(-1)).toBe(number + 1);
    expect([...evaluations]).toEqual([...evaluations].sort((a, b) => a - b));
    expect(seconds.at(-1)).toBe(number / 10);
    expect(best.at(-1)).toBe(number === 0 ? Number.NaN : number);
    expect(coverage.every(Number.isNaN)).toBe(true);
    const copy = new HistoryRecorder(8);
    copy.restore(structuredClone(recorder.state()));
    for (const more of [100, 101, 102]) {
      const other = new HistoryRecorder(8);
      other.restore(copy.state());
      other.add(batch(more));
      copy.add(batch(more));
      expect(other.history()).toEqual(copy.history());
    }
  }
  expect(() => new HistoryRecorder(8).restore({ values: {}, arrays: {} })).toThrow(
    expect.objectContaining({
      code: "FILE_FORMAT",
      message: "expected the history of a run, found something else",
    }),
  );
});
