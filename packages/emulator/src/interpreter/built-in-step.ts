// The step of a call to a built-in function.
import { BUILT_INS, type BuiltInHost, bitsOf, writeBits } from "../built-ins/index.js";
import type { Call } from "../program/program.js";
import type { Builder } from "./builder.js";
import { bytesOf, placeOf } from "./call-values.js";

export function builtInStep(builder: Builder, name: string, { args, results }: Call): () => void {
  const { machine } = builder;
  const builtIn = BUILT_INS.get(name)!;
  const from = args.map((operand) => placeOf(builder, operand));
  const [result] = results.map((operand) => placeOf(builder, operand));
  const host: BuiltInHost = {
    launch: machine.launch,
    place: () => machine.place(),
    offset(address, bytes, access) {
      // The memory may have grown during the call.
      machine.refresh();
      const [low, high] = [Number(address & 0xffffffffn), Number(address >> 32n)];
      return machine.generic(low, high, 0, bytes, access, "generic");
    },
    trap: (detail) => machine.trap(detail),
  };
  return () => {
    const values = from.map((place) => bitsOf(bytesOf(machine, machine.frame, place)));
    const value = builtIn(host, values);
    machine.refresh();
    if (result !== undefined) writeBits(bytesOf(machine, machine.frame, result), value);
  };
}
