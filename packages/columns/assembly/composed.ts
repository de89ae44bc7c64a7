// A kernel that runs other kernels one after the other, on parts of a block that are small enough for scratch columns.
import { RecipeField } from "../src/machine/recipe-layout.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

export function composed(step: usize, offset: usize, rows: usize): void {
  const recipe: usize = load<u32>(step, Step.extra);
  const shape = load<u32>(recipe, RecipeField.shape);
  const constantCount: usize = (shape >> RecipeField.constantShift) & 255;
  const first = recipe + RecipeField.constants + constantCount * RecipeField.constantBytes;
  const end = first + <usize>(shape & 255) * RecipeField.stepBytes;
  // First comes the step that is being run, then the addresses of registers.
  const inner: usize = load<u32>(recipe, RecipeField.scratch);
  const places = inner + <usize>RecipeField.places;
  let scratch = inner + <usize>RecipeField.columns;
  for (let register: usize = RecipeField.firstScratch; register < <usize>RecipeField.registerCount; register++) {
    store<u32>(places + (register << 2), <u32>scratch);
    scratch += 1 << RecipeField.columnShift;
  }
  const bytes = min<usize>(rows, RecipeField.rows) << 3;
  for (let constant: usize = 0; constant < constantCount; constant++) {
    const value = v128.load64_splat(recipe + constant * RecipeField.constantBytes, RecipeField.constants);
    const place: usize = load<u32>(places + (constant << 2), RecipeField.firstScratch << 2);
    for (let at: usize = 0; at < bytes; at += 16) v128.store(place + at, value);
  }
  for (let operand: usize = 0; operand < <usize>RecipeField.result; operand++) {
    store<u32>(places + (operand << 2), <u32>addressOf(load<u32>(step + (operand << 2), Step.a), offset));
  }
  store<u32>(places, load<u32>(step, Step.target), RecipeField.result << 2);
  for (let from: usize = 0; from < rows; from += RecipeField.rows) {
    const count = min<usize>(rows - from, RecipeField.rows);
    for (let at = first; at < end; at += RecipeField.stepBytes) {
      let registers = load<u32>(at, RecipeField.registers);
      for (let field: usize = Step.target; field <= <usize>Step.d; field += 4) {
        store<u32>(inner + field, load<u32>(places + ((registers & RecipeField.registerMask) << 2)));
        registers >>= RecipeField.registerBits;
      }
      store<u64>(inner, load<u64>(at, RecipeField.least), Step.least);
      call_indirect<void>(load<u32>(at, RecipeField.kernel), inner, <usize>0, count);
    }
    let wide = shape >> RecipeField.wideShift;
    for (let register: usize = 0; register <= <usize>RecipeField.result; register++) {
      const place = places + (register << 2);
      store<u32>(place, load<u32>(place) + (RecipeField.rows << (2 + (wide & 1))));
      wide >>= 1;
    }
  }
}
