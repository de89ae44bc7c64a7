// Lessons: what a model has learned after each batch, when it pays, and how a terminal shows that.
import { describe, expect, it } from "vitest";
import { lessonLines, sentenceOf, shownTime, summaryOf } from "../../src/cli/lesson-lines.js";
import { CostLesson, type LessonBatch, type LessonStep } from "../../src/index.js";
import { fails } from "../support/recorded.js";

const COLUMNS = 5;
const COUNT = 20;

/** Programs whose costs follow from their features. */
function batch(number: number, asking: number): LessonBatch {
  const features = Float32Array.from(
    { length: COUNT * COLUMNS },
    (_, at) => ((at + number * 100) * 7919) % 23,
  );
  const row = (program: number) => features.subarray(program * COLUMNS, (program + 1) * COLUMNS);
  const costs = [
    Float32Array.from({ length: COUNT }, (_, program) => 10 + row(program)[0]! * 2 + row(program)[1]!),
    Float32Array.from({ length: COUNT }, (_, program) => 8 + Math.min(20, row(program)[2]!)),
  ];
  return { features, costs, asking, making: 2 };
}

/** A clock that goes on by 10 microseconds whenever it is read. */
const clock = () => {
  let now = 0;
  return () => {
    now += 0.01;
    return now;
  };
};

function lesson(asking: number, batches = 20): LessonStep[] {
  const course = new CostLesson(COLUMNS, ["instructions", "registers"], clock());
  return Array.from({ length: batches }, (_, number) => course.step(batch(number, asking)));
}

describe("a lesson", () => {
  it("predicts before it learns, and errs less and less", () => {
    const steps = lesson(5000);
    expect(steps[0]!.costs.map(({ predicted, error }) => [predicted.every(Number.isNaN), error])).toEqual([
      [true, Number.NaN],
      [true, Number.NaN],
    ]);
    const [instructions, registers] = steps.at(-1)!.costs;
    expect(instructions).toMatchObject({ name: "instructions", came: expect.any(Float32Array) });
    expect(instructions!.error).toBeLessThan(0.35 * instructions!.constantError);
    expect(instructions!.error).toBeLessThan(steps[2]!.costs[0]!.error);
    expect(registers!.error).toBeLessThan(0.5 * registers!.constantError);
    expect(instructions!.rho).toBeGreaterThan(0.9);
    expect(steps.at(-1)!.compiled).toBe(400);
  });

  it("pays where asking the compiler takes long, and not where it takes no time", () => {
    const dear = lesson(5000).at(-1)!;
    expect(dear.paysSince).toBeGreaterThan(20);
    expect(dear.saved).toBeGreaterThan(0);
    expect(dear.saved).toBeLessThan(5000);
    const cheap = lesson(1).at(-1)!;
    expect(cheap).toMatchObject({ paysSince: undefined, compiler: 1 });
    expect(cheap.saved).toBeLessThan(0);
  });

  it("refuses costs of other programs", () => {
    const course = new CostLesson(COLUMNS, ["instructions", "registers"]);
    const { costs, ...rest } = batch(0, 1);
    expect(() => course.step({ ...rest, costs: [costs[0]!] })).toThrow(
      fails("INVALID_ARGUMENT", /2 costs of 20 programs/),
    );
    for (const length of [0, COLUMNS + 1])
      expect(() => course.step({ ...rest, costs, features: new Float32Array(length) })).toThrow(
        fails("INVALID_ARGUMENT", /programs of 5 features each/),
      );
    for (const columns of [0, 1.5, Number.NaN])
      expect(() => new CostLesson(columns, ["instructions"])).toThrow(fails("INVALID_ARGUMENT", /columns/));
    expect(() => new CostLesson(COLUMNS, [])).toThrow(fails("INVALID_ARGUMENT", /the names of costs/));
  });
});

describe("a terminal", () => {
  it("shows plots of equal width, the errors, and when the model pays", () => {
    const steps = lesson(5000);
    const lines = lessonLines(steps, "\t{\n\t.reg .f32 %_s0_<1>;\n\tadd.f32 %_s0_0, %_x1, %_x2;\n\t}", 400);
    expect(lines[0]).toBe("400 of 400 programs compiled");
    expect(lines[1]).toBe("  add.f32 %_s0_0, %_x1, %_x2;");
    const plots = lines.filter((line) => line.includes(" |"));
    expect(plots.length).toBe(12);
    expect(new Set(plots.map(({ length }) => length)).size).toBe(1);
    expect(plots.some((line) => /[.oO@]/.test(line))).toBe(true);
    expect(lines.at(-1)).toMatch(/^ASKING THE MODEL PAYS since \d+ programs: .* saved/);
    expect(lines.join("\n")).toContain("error of instructions");
    expect(sentenceOf(steps.at(-1)!)).toMatch(
      /^400 programs: instructions off by \d.*, compiler 5.0 ms, model .*, pays since/,
    );
  });

  it("shows the beginning, when nothing is predicted yet", () => {
    const lines = lessonLines(lesson(5000, 1), "mov.f32 %_x0, %_x1;", 400);
    expect(lines.at(-1)).toBe("asking the model does not pay yet");
    expect(lines.some((line) => /[oO@]/.test(line.slice(6, 40)) && line.includes(" |"))).toBe(false);
  });

  it("says in the end what the model is off by, or that it has predicted nothing", () => {
    expect(summaryOf(lesson(5000).at(-1)!)).toMatch(
      /^After 400 programs, the model is off by \d+\.\d machine instructions on average; the best constant would be off by \d+\.\d\.\nAsking the compiler takes 5\.0 ms, asking the model .*\. It pays since \d+ programs: each program that is compiled saves .*\.\n$/,
    );
    const first = summaryOf(lesson(5000, 1).at(-1)!);
    expect(first).toMatch(/^After 20 programs, the model has not predicted anything yet: /);
    expect(first).toMatch(/It did not pay in this run\.\n$/);
    expect(first).not.toContain("NaN");
  });

  it.each([
    [2, "2.0 µs"],
    [123, "123 µs"],
    [8500, "8.5 ms"],
  ])("shows %d microseconds", (microseconds, expected) => {
    expect(shownTime(microseconds)).toBe(expected);
  });
});
