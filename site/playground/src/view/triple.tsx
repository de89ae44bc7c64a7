// Three integers: x, y and z.
import type { Dimensions } from "../model/state.js";
import { integers, NumberField } from "./number-field.js";

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
        <NumberField
          key={axis}
          label={`${label} ${axis}`}
          value={value[i] ?? least}
          range={integers(least, most[i] ?? least)}
          onChange={(found) => {
            const [x, y, z] = value.map((old, at) => (at === i ? found : old));
            if (x !== undefined && y !== undefined && z !== undefined) onChange([x, y, z]);
          }}
        />
      ))}
    </fieldset>
  );
}
