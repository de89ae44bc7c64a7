// A field for a number. While it is written, the text stays as the reader has written it; what the field refuses is named.
import { useEffect, useId, useState } from "preact/hooks";
import { Words } from "./words.js";

/** The numbers that a field accepts. */
export interface Range {
  /** What it accepts, for messages. */
  readonly words: string;
  readonly accepts: (value: number) => boolean;
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  /** By default, any finite number. */
  readonly range?: Range;
  readonly onChange: (value: number) => void;
}

const NUMBERS: Range = { words: "a number", accepts: Number.isFinite };

/** Accepts integers from `least` to `most`. */
export const integers = (least: number, most: number): Range => ({
  words: least === most ? `${least}` : `an integer from ${least} to ${most}`,
  accepts: (value) => Number.isInteger(value) && value >= least && value <= most,
});

export function NumberField({ label, value, range = NUMBERS, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const id = useId();
  useEffect(() => setRefused(undefined), [value]);
  const isWrong = draft !== undefined && !isAccepted(draft, range);
  const found = isWrong ? draft : refused;
  const message =
    found === undefined
      ? ""
      : `Expected ${range.words}, found \`${found.slice(0, 40)}\`; it is still ${value}.`;
  return (
    <span class="number-field">
      <input
        type="text"
        inputMode="decimal"
        class="number"
        aria-label={label}
        aria-invalid={isWrong}
        {...(message !== "" && { "aria-describedby": id })}
        value={draft ?? `${value}`}
        onInput={({ currentTarget: { value: text } }) => {
          setDraft(text);
          setRefused(undefined);
          if (isAccepted(text, range)) onChange(Number(text));
        }}
        onBlur={() => {
          if (isWrong) setRefused(draft);
          setDraft(undefined);
        }}
      />
      <span id={id} class="refusal" role="status">
        {message !== "" && <Words>{message}</Words>}
      </span>
    </span>
  );
}

const isAccepted = (text: string, { accepts }: Range) => text.trim() !== "" && accepts(Number(text));
