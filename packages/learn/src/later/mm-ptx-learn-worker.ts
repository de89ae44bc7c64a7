// The entry module of the thread that trains models later.
import { serveCaller } from "@mm-ptx/types/internal/workers";
import { trainedBytes } from "../trees/trees.js";
import { BEGUN, DONE, FAILED, LENGTH, STATE, type TrainingTask } from "./training.js";

serveCaller((task: TrainingTask<Parameters<typeof trainedBytes>[0]["options"]>): undefined => {
  const { control, result } = task;
  const enter = (state: number): void => {
    Atomics.store(control, STATE, state);
    Atomics.notify(control, STATE);
  };
  enter(BEGUN);
  try {
    const bytes = trainedBytes(task);
    result.set(bytes);
    control[LENGTH] = bytes.length;
    enter(DONE);
  } catch {
    // The caller trains itself then, and gets the error.
    enter(FAILED);
  }
});
