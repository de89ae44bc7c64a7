// The launch and its data: sliders for numbers, contents of buffers, the shape, the checks.
import {
  type Argument,
  type BufferArgument,
  CHECKS,
  ELEMENT_TYPES,
  type ElementType,
  type Fill,
  MOST_ELEMENTS,
  type NumberArgument,
  type NumberType,
} from "../model/state.js";
import { isOwn, type Session, type View } from "../session.js";
import { integers, NumberField, type Range } from "./number-field.js";
import { Triple } from "./triple.js";

const FILLS: Readonly<Record<Fill["from"], string>> = {
  zeros: "zeros",
  range: "range",
  noise: "random",
  csv: "CSV",
};
const NEW_FILLS: { readonly [From in Fill["from"]]: Fill } = {
  zeros: { from: "zeros" },
  range: { from: "range", first: -1, last: 1 },
  noise: { from: "noise", seed: 1, low: -1, high: 1 },
  csv: { from: "csv", text: "1, 2, 3\n" },
};
/** What a block may have at most on any architecture. */
const MOST_SHARED_BYTES = 232_448;

const FLAGS = [
  {
    name: "lockstep",
    text: "Warps in step",
    title: "Threads of a warp run in step, as code without `__syncwarp` expects",
  },
  {
    name: "cooperative",
    text: "Cooperative",
    title: "All blocks are in progress at the same time and can wait for each other",
  },
] as const;

const CHECK_NAMES = {
  memory: "Out of bounds",
  races: "Races",
  uninitialized: "Unwritten values",
  sync: "Barriers",
} as const;

export function Data({ session, view }: { session: Session; view: View }) {
  const { state } = view;
  const change = (index: number, argument: Argument) =>
    session.change({ arguments: state.arguments.map((old, i) => (i === index ? argument : old)) });
  const setLaunch = (part: Partial<typeof state.launch>) =>
    session.change({ launch: { ...state.launch, ...part } });
  const kernels = view.compiled?.entries.map(({ name }) => name) ?? [state.launch.entry];
  return (
    <section class="card data" aria-labelledby="data-title">
      <header>
        <h2 id="data-title">Data</h2>
      </header>
      <div class="sliders">
        {state.arguments.map((argument, i) =>
          argument.kind === "number" ? (
            <Slider key={argument.name} argument={argument} onChange={(changed) => change(i, changed)} />
          ) : null,
        )}
      </div>
      <details open={isOwn(view)}>
        <summary>Buffers</summary>
        {state.arguments.map((argument, i) =>
          argument.kind === "buffer" ? (
            <Buffer key={argument.name} argument={argument} onChange={(changed) => change(i, changed)} />
          ) : null,
        )}
      </details>
      <details>
        <summary>Launch</summary>
        <div class="row">
          {kernels.length > 1 && (
            <label>
              Kernel{" "}
              <select
                value={state.launch.entry}
                onChange={({ currentTarget }) => session.setEntry(currentTarget.value)}
              >
                {kernels.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <Triple
            label="Blocks"
            value={state.launch.grid}
            least={1}
            most={[65_535, 65_535, 65_535]}
            onChange={(grid) => setLaunch({ grid })}
          />
          <Triple
            label="Threads"
            value={state.launch.block}
            least={1}
            most={[1024, 1024, 64]}
            onChange={(block) => setLaunch({ block })}
          />
          <Field
            label="Dynamic shared memory, bytes"
            text="Dynamic shared memory, bytes"
            value={state.launch.sharedBytes}
            range={integers(0, MOST_SHARED_BYTES)}
            onChange={(sharedBytes) => setLaunch({ sharedBytes })}
          />
          {FLAGS.map(({ name, text, title }) => (
            <label key={name} class="check" title={title}>
              <input
                type="checkbox"
                checked={state.launch[name]}
                onChange={({ currentTarget }) => setLaunch({ [name]: currentTarget.checked })}
              />{" "}
              {text}
            </label>
          ))}
        </div>
      </details>
      <fieldset class="checks">
        <legend>Checks</legend>
        {CHECKS.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={state.checks.includes(name)}
              onChange={({ currentTarget }) =>
                session.change({
                  checks: CHECKS.filter((one) =>
                    one === name ? currentTarget.checked : state.checks.includes(one),
                  ),
                })
              }
            />{" "}
            {CHECK_NAMES[name]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

function Slider({
  argument,
  onChange,
}: {
  argument: NumberArgument;
  onChange: (argument: NumberArgument) => void;
}) {
  const { name, type, value, least, most, step } = argument;
  const set = (found: number) => {
    if (Number.isFinite(found)) onChange({ ...argument, value: found });
  };
  return (
    <div class="slider">
      <span class="name">
        <code>{name}</code> <small>{type}</small>
      </span>
      <input
        type="range"
        aria-label={name}
        min={Math.min(least, value)}
        max={Math.max(most, value)}
        step={step}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
      <NumberField label={`${name}, as a number`} value={value} range={rangeOf(type)} onChange={set} />
    </div>
  );
}

/** What an argument of a type can be. Integers of 64 bits are exact up to 2⁵³. */
function rangeOf(type: NumberType): Range {
  if (type.includes("f")) return { words: "a number", accepts: Number.isFinite };
  const bits = Math.min(53, Number(type.slice(1)));
  if (type.startsWith("u")) return integers(0, 2 ** bits - 1);
  return bits === 53 ? integers(1 - 2 ** 53, 2 ** 53 - 1) : integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1);
}

function Buffer({
  argument,
  onChange,
}: {
  argument: BufferArgument;
  onChange: (argument: BufferArgument) => void;
}) {
  const { name, type, length, fill, shown } = argument;
  const setFill = (part: Partial<Fill>) => onChange({ ...argument, fill: { ...fill, ...part } as Fill });
  return (
    <fieldset class="buffer">
      <legend>{name}</legend>
      <div class="row">
        <select
          aria-label={`Type of ${name}`}
          value={type}
          onChange={({ currentTarget }) =>
            onChange({ ...argument, type: currentTarget.value as ElementType })
          }
        >
          {ELEMENT_TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span>
          ×{" "}
          <NumberField
            label={`Length of ${name}`}
            value={length}
            range={integers(1, MOST_ELEMENTS)}
            onChange={(found) => onChange({ ...argument, length: found })}
          />
        </span>
        <select
          aria-label={`Content of ${name}`}
          value={fill.from}
          onChange={({ currentTarget }) =>
            onChange({ ...argument, fill: NEW_FILLS[currentTarget.value as Fill["from"]] })
          }
        >
          {Object.entries(FILLS).map(([from, title]) => (
            <option key={from} value={from}>
              {title}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={shown}
            onChange={({ currentTarget }) => onChange({ ...argument, shown: currentTarget.checked })}
          />{" "}
          shown
        </label>
      </div>
      <div class="row">
        {fill.from === "range" && (
          <>
            <Field
              label={`First of ${name}`}
              text="from"
              value={fill.first}
              onChange={(first) => setFill({ first })}
            />
            <Field
              label={`Last of ${name}`}
              text="to"
              value={fill.last}
              onChange={(last) => setFill({ last })}
            />
          </>
        )}
        {fill.from === "noise" && (
          <>
            <Field
              label={`Least of ${name}`}
              text="from"
              value={fill.low}
              onChange={(low) => setFill({ low })}
            />
            <Field
              label={`Most of ${name}`}
              text="to"
              value={fill.high}
              onChange={(high) => setFill({ high })}
            />
            <Field
              label={`Seed of ${name}`}
              text="seed"
              value={fill.seed}
              range={integers(0, 2 ** 32 - 1)}
              onChange={(seed) => setFill({ seed })}
            />
          </>
        )}
      </div>
      {fill.from === "csv" && (
        <>
          <textarea
            aria-label={`Content of ${name} as CSV`}
            spellcheck={false}
            rows={6}
            value={fill.text}
            onInput={({ currentTarget }) => setFill({ text: currentTarget.value })}
          />
          <input
            type="file"
            aria-label={`CSV file for ${name}`}
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) =>
              void currentTarget.files?.[0]?.text().then((text) => setFill({ text }))
            }
          />
        </>
      )}
    </fieldset>
  );
}

interface FieldProps {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly range?: Range;
  readonly onChange: (value: number) => void;
}

function Field({ text, ...field }: FieldProps) {
  return (
    <span>
      {text} <NumberField {...field} />
    </span>
  );
}
