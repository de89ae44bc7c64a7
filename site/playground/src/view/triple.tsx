// Three integers: x, y and z.
import type { Dimensions } from "../model/state.js";

interface TripleProps {
  readonly label: string;
  readonly value: Dimensions;
  readonly least: number;
  readonly most: readonly number[];
  readonly onChange: (value: Dimensions) => void;
}

const AXES = ["x", "y", "z"] as const;

export function Triple({ label, value, least, most, onChange }: TripleProps) {
  return (
    <fieldset class="triple">
      <legend>{label}</legend>
      {AXES.map((axis, i) => (
        <input
          key={axis}
          type="number"
          aria-label={`${label} ${axis}`}
          min={least}
          max={most[i]}
          value={value[i]}
          onInput={({ currentTarget: { valueAsNumber: found } }) => {
            if (!Number.isInteger(found) || found < least || found > (most[i] ?? 0)) return;
            const [x, y, z] = value.map((old, at) => (at === i ? found : old));
            if (x !== undefined && y !== undefined && z !== undefined) onChange([x, y, z]);
          }}
        />
      ))}
    </fieldset>
  );
}
