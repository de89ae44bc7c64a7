// The card that shows where the time went: a bar for each stage.
import type { Stage } from "../scheduling/counts.js";
import { type Box, frame, nothing, PADDING } from "./card.js";
import { percent, time } from "./figures.js";
import type { Ink, Picture } from "./svg.js";

/** The stages in the order of the work, and who does it. */
export const STAGES: Readonly<Record<Stage, Ink>> = {
  signatures: "host",
  stubs: "host",
  packing: "host",
  compile: "compile",
  load: "device",
  launch: "device",
  read: "device",
  timing: "device",
  results: "host",
};

const NAMES_WIDTH = 78;
const FIGURES_WIDTH = 124;

export function stagesCard(picture: Picture, box: Box, milliseconds: Readonly<Record<Stage, number>>): void {
  frame(picture, box, "Time by stage", "sums over all threads");
  const stages = Object.entries(STAGES) as [Stage, Ink][];
  const all = stages.reduce((sum, [stage]) => sum + milliseconds[stage], 0);
  if (all === 0) {
    nothing(picture, box, "nothing was run");
    return;
  }
  const most = Math.max(...stages.map(([stage]) => milliseconds[stage]));
  const left = box.x + PADDING + NAMES_WIDTH;
  const width = box.width - 2 * PADDING - NAMES_WIDTH - FIGURES_WIDTH;
  const top = box.y + 68;
  const slot = (box.height - 68 - 16) / stages.length;
  for (const [i, [stage, ink]] of stages.entries()) {
    const middle = top + slot * (i + 0.5);
    const value = milliseconds[stage];
    const words = `${time(value)}, ${percent(value / all)}`;
    picture.text(left - 10, middle + 4, stage, { size: 12, anchor: "end" });
    // Slivers stay wide enough to be seen.
    const long = value === 0 ? 0 : Math.max(2, (value / most) * width);
    if (long > 0)
      picture.rect(left, middle - 8, long, 16, {
        ink,
        radius: Math.min(3, long / 2),
        title: `${stage}: ${words}`,
      });
    picture.text(left + long + 8, middle + 4, words, { size: 12, ink: "muted" });
  }
}
