// `mm-ptx-search learn`: a model learns what the compiler says about random programs, while one watches.
import { availableParallelism } from "node:os";
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { CostLesson, type LessonStep } from "../lesson/cost-lesson.js";
import { compiledPrograms, LESSON_COSTS } from "../node/lesson/compiled-programs.js";
import {
  colorsOf,
  Interrupted,
  Interruption,
  interruptible,
  type Outcome,
  optionProblemOf,
} from "./framework.js";
import { watchKeys } from "./keys.js";
import { lessonLines, sentenceOf, summaryOf } from "./lesson-lines.js";
import { Screen } from "./screen.js";

export interface LearnFlags {
  readonly programs?: number;
  readonly arch?: string;
  readonly seed?: number;
  readonly workers?: number;
  readonly quiet?: true;
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best));

const PROGRAMS = 600;
const BATCH = 20;
const ARCH = "sm_90";

/** @throws SearchError, Interruption */
export async function learn(flags: LearnFlags): Promise<Outcome> {
  const { programs = PROGRAMS, arch = ARCH, seed = 1, workers = availableParallelism(), quiet } = flags;
  const { stderr, env } = process;
  const colors = colorsOf(stderr, env);
  const screen = stderr.isTTY && !quiet ? new Screen(stderr) : undefined;
  const steps: LessonStep[] = [];
  const lesson = new CostLesson(CODE_FEATURES.length, LESSON_COSTS);
  await interruptible(async (signal) => {
    const unwatch = watchKeys(() => process.emit("SIGINT"));
    try {
      for await (const batch of compiledPrograms({ programs, batch: BATCH, arch, seed, workers, signal })) {
        const step = lesson.step(batch);
        steps.push(step);
        screen?.draw(lessonLines(steps, longest(batch.stubs), programs));
        if (screen === undefined && !quiet) stderr.write(`${colors.dim(sentenceOf(step))}\n`);
      }
    } catch (error) {
      throw optionProblemOf(error);
    } finally {
      unwatch();
    }
    if (signal.reason instanceof Interrupted) throw new Interruption(signal.reason.exitCode, "interrupted");
  });
  const last = steps.at(-1)!;
  return {
    ok: true,
    json: () => ({
      ...{ ok: true, arch, seed, compiled: last.compiled, paysSince: last.paysSince ?? null },
      ...{
        compilerMicroseconds: last.compiler,
        modelMicroseconds: last.model,
        savedMicroseconds: last.saved,
      },
      costs: last.costs.map(({ name, error, constantError, recall, rho }) => ({
        name,
        error,
        constantError,
        recall,
        rho,
      })),
      steps: steps.map(({ compiled, costs, saved, paysSince }) => ({
        ...{ compiled, saved, paysSince: paysSince ?? null },
        costs: costs.map(({ predicted, came, error }) => ({
          predicted: Array.from(predicted, (value) => (Number.isNaN(value) ? null : value)),
          came: [...came],
          error: Number.isNaN(error) ? null : error,
        })),
      })),
    }),
    text: () => summaryOf(last),
  };
}
