// A module of its own for the elementary functions: it is compiled once, and all translated kernels of a thread call
// the functions of one instance.
import { cosine, sine } from "@mm-ptx/types/internal/floats";
import { Code } from "../binary/code.js";
import { ENVIRONMENT, ModuleBuilder } from "../binary/module.js";
import { Expressions } from "./expressions.js";
import { FUNCTIONS } from "./functions.js";
import { type ElementaryFunctions, OF_VECTOR } from "./signature.js";

let instance: ElementaryFunctions | undefined;

/** The functions of this thread. */
export function elementaryFunctions(): ElementaryFunctions {
  instance ??= instantiate();
  return instance;
}

function instantiate(): ElementaryFunctions {
  const builder = new ModuleBuilder();
  const ofNumber = { parameters: ["f64"], results: ["f64"] } as const;
  const large = { sine: builder.import("sine", ofNumber), cosine: builder.import("cosine", ofNumber) };
  for (const [name, write] of Object.entries(FUNCTIONS)) {
    const code = new Code(1);
    write(new Expressions(code), () => void code.get(0), large);
    const index = builder.function(OF_VECTOR);
    builder.define(index, code);
    builder.export(name, index);
  }
  const memory = new WebAssembly.Memory({ initial: 0 });
  const module = new WebAssembly.Module(builder.encode());
  const { exports } = new WebAssembly.Instance(module, { [ENVIRONMENT]: { memory, sine, cosine } });
  return exports as ElementaryFunctions;
}
