// A field for a number. While it is written, the text stays as the reader has written it.
import { useState } from "preact/hooks";

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  /** By default, any finite number. */
  readonly accepts?: (value: number) => boolean;
  readonly onChange: (value: number) => void;
}

/** Accepts integers from `least` to `most`. */
export const integers = (least: number, most: number) => (value: number) =>
  Number.isInteger(value) && value >= least && value <= most;

export function NumberField({ label, value, accepts = Number.isFinite, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState<string>();
  const isWrong = draft !== undefined && !isAccepted(draft, accepts);
  return (
    <input
      type="text"
      inputMode="decimal"
      class="number"
      aria-label={label}
      aria-invalid={isWrong}
      value={draft ?? `${value}`}
      onInput={({ currentTarget: { value: text } }) => {
        setDraft(text);
        if (isAccepted(text, accepts)) onChange(Number(text));
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

const isAccepted = (text: string, accepts: (value: number) => boolean) =>
  text.trim() !== "" && accepts(Number(text));
