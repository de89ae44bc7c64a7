// The entry module of a worker, in Node and in browsers.
import { serveCaller } from "@mm-ptx/types/internal/workers";
import { Control } from "./control.js";
import { takePart } from "./kinds.js";
import type { EndMessage, TaskMessage } from "./messages.js";
import { Share } from "./share.js";

serveCaller(({ task, data, control, workers }: TaskMessage): Promise<EndMessage> => {
  return takePart(task, data, new Share(new Control(control), workers));
});
