// The entry module of a thread that runs packs on an emulated device of its own.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { serveCaller } from "@mm-ptx/types/internal/workers";
import type { ResolvedPlan } from "../launch/resolved.js";
import { DeviceRunner } from "./device-runner.js";
import type { AnswerMessage, RequestMessage } from "./messages.js";
import { emulated } from "./recovery.js";

let runner: DeviceRunner | undefined;
const plans = new Map<number, ResolvedPlan>();

serveCaller(async (message: RequestMessage): Promise<AnswerMessage> => {
  if (message.kind === "open") {
    const device = EmulatedDevice.open(message.options);
    runner = new DeviceRunner(emulated(device), { reading: message.reading });
    return { kind: "answer", answer: undefined };
  }
  const { planId, plan = plans.get(planId)!, work } = message;
  plans.set(planId, plan);
  return { kind: "answer", answer: await runner!.run({ ...work, plan }) };
});
