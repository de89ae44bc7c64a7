// The entry module of a worker, in Node and in browsers.
import { serveCaller } from "@mm-ptx/types/internal/workers";
import { Control } from "./control.js";
import { TASK_MODULES, type TaskModule } from "./kinds.js";
import type { EndMessage, TaskMessage } from "./messages.js";
import { Share } from "./share.js";
import { takePart } from "./take-part.js";

serveCaller(async ({ task, data, control, workers }: TaskMessage): Promise<EndMessage> => {
  const { runShare }: TaskModule<never, unknown> = await TASK_MODULES[task]();
  return takePart(runShare, data as never, new Share(new Control(control), workers));
});
