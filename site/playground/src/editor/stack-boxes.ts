// Draws the stacks after an instruction as boxes, the top of each at its right end.
import type { StackPicture } from "../model/stack-pictures.js";

/** The most values of a stack that are drawn. */
const MOST = 6;

/** The column at which the boxes begin, unless the text of their line is longer. */
const COLUMN = 26;

/** Equal for pictures that look the same. */
export function lookOf({ stacks, remark, skipped }: StackPicture, length: number): string {
  const shown = stacks.map(({ name, values }) => [
    name,
    values.length,
    ...values.slice(-MOST).map(({ id, label, text, live }) => [id % 8, label, text, live]),
  ]);
  return JSON.stringify([length, shown, skipped && remark]);
}

/** @param length of the text of the line, in characters */
export function drawStacks({ stacks, remark, skipped }: StackPicture, length: number): HTMLElement {
  const row = element("span", "stacks");
  row.style.left = `${Math.max(COLUMN, length + 2)}ch`;
  for (const { name, values } of stacks) {
    const stack = element("span", "stack");
    if (stacks.length > 1 || name !== "F32") stack.append(element("span", "stack-name", name));
    const boxes = element("span", "boxes");
    if (values.length > MOST) boxes.append(element("span", "more", `+${values.length - MOST}`));
    for (const value of values.slice(-MOST)) {
      const box = element("span", `box tone${value.id < 0 ? "-number" : value.id % 8}`, value.label);
      if (!value.live) box.classList.add("unused");
      box.title = value.text;
      boxes.append(box);
    }
    stack.append(boxes);
    row.append(stack);
  }
  if (skipped) row.append(element("span", "remark", remark));
  return row;
}

function element(tag: string, className: string, text = ""): HTMLElement {
  const created = document.createElement(tag);
  created.className = className;
  created.textContent = text;
  return created;
}
