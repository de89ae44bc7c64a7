// The entry module of a thread that runs packs on an emulated device of its own.
import { EmulatedDevice } from "@mm-ptx/emulator";
import type { TypedArray } from "@mm-ptx/types/device";
import { serveCaller } from "@mm-ptx/types/internal/workers";
import type { ResolvedPlan } from "../launch/resolved.js";
import { DeviceRunner } from "./device-runner.js";
import type { AnswerMessage, RequestMessage } from "./messages.js";
import { emulated } from "./recovery.js";

let runner: DeviceRunner | undefined;
const plans = new Map<number, ResolvedPlan>();
const inputs = new Map<number, TypedArray>();

const withInputs = (plan: ResolvedPlan): ResolvedPlan => ({
  ...plan,
  args: plan.args.map((argument) =>
    argument.kind === "input" ? { ...argument, data: inputs.get(argument.id)! } : argument,
  ),
});

serveCaller(async (message: RequestMessage): Promise<AnswerMessage> => {
  if (message.kind === "open") {
    const device = EmulatedDevice.open(message.options);
    runner = new DeviceRunner(emulated(device), { reading: message.reading });
    return { kind: "answer", answer: undefined };
  }
  const { planId, work } = message;
  for (const [id, data] of message.inputs) inputs.set(id, data);
  const plan = message.plan === undefined ? plans.get(planId)! : withInputs(message.plan);
  plans.set(planId, plan);
  return { kind: "answer", answer: await runner!.run({ ...work, plan }) };
});
