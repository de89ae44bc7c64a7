// The error for a launch that WebAssembly cannot run although it was requested.
import { demangle } from "@mm-ptx/ptx";
import type { LineOrigins } from "@mm-ptx/types/core";
import { describeError, quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { frameAt } from "../program/texts.js";
import { placeWords } from "../source/words.js";
import { textPlace } from "./fault-report.js";
import type { LaunchPlan, Refusal } from "./launch.js";

/** @param origins where lines of rendered PTX come from */
export async function refusalError(
  { found, failure }: Refusal,
  launch: LaunchPlan,
  origins: LineOrigins | undefined,
): Promise<EmulatorError> {
  const expected = `expected a kernel ${quoted(demangle(launch.kernel.name))} that WebAssembly can run, found ${found}`;
  if (failure === undefined) return new EmulatorError("UNSUPPORTED", expected);
  const { error: cause } = failure;
  const why = `${expected}: ${describeError(cause)}`;
  const place = await failure.find();
  if (place === undefined) return new EmulatorError("UNSUPPORTED", why, { cause });
  const written = textPlace(place.function, place.instruction, { launch, origins });
  const frame = frameAt(launch.loaded.program, written.span);
  return new EmulatorError("UNSUPPORTED", `${placeWords(written)}: ${why}\n${frame}`, { cause });
}
