// Mutation and crossover with a seed.
import { useState } from "preact/hooks";
import type { CompiledSite } from "../model/compile.js";
import type { Session, View } from "../session.js";
import { integers, NumberField } from "./number-field.js";

const MOST_SEED = 2 ** 32 - 1;

export function Evolve({
  session,
  view,
  site,
}: {
  session: Session;
  view: View;
  site: CompiledSite | undefined;
}) {
  const { state, site: name, example } = view;
  const source = state.sites[name];
  const [kept, setKept] = useState<string>();
  const [partner, setPartner] = useState("0");
  const [problem, setProblem] = useState("");
  const stack = site?.stack;
  if (source?.language !== "stack") return null;
  const original = state.kernel === undefined ? example.state.sites[name] : undefined;
  const variants = state.kernel === undefined ? (example.variants[name] ?? []) : [];
  const partners = [
    ...(original?.language === "stack" ? [{ title: "the original", text: original.text }] : []),
    ...variants.filter(({ language }) => language === "stack"),
    ...(kept === undefined ? [] : [{ title: "the kept program", text: kept }]),
  ];
  const vary = (make: (model: typeof import("../model/evolve.js")) => string) => {
    void import("../model/evolve.js").then((model) => {
      try {
        const text = make(model);
        session.change({
          sites: { ...state.sites, [name]: { ...source, text } },
          seed: state.seed === MOST_SEED ? 0 : state.seed + 1,
        });
        setProblem("");
      } catch (error) {
        setProblem((error as Error).message.split("\n")[0] ?? "");
      }
    });
  };
  const { text } = source;
  const { seed } = state;
  return (
    <fieldset class="evolve" disabled={stack === undefined}>
      <legend class="hidden">Vary the program</legend>
      <span>
        Seed{" "}
        <NumberField
          label="Seed"
          value={seed}
          range={integers(0, MOST_SEED)}
          onChange={(changed) => session.change({ seed: changed })}
        />
      </span>
      <button type="button" onClick={() => vary(({ mutate }) => (stack ? mutate(stack, text, seed) : text))}>
        Mutate
      </button>
      <button
        type="button"
        onClick={() => vary(({ randomProgram }) => (stack ? randomProgram(stack, seed) : text))}
      >
        Random
      </button>
      <button
        type="button"
        onClick={() => {
          if (kept === undefined) setPartner(`${partners.length}`);
          setKept(text);
        }}
        title="Keep this program to cross over with later"
      >
        Keep
      </button>
      {partners.length > 0 && (
        <>
          <button
            type="button"
            onClick={() => {
              const other = partners[Number(partner)]?.text ?? text;
              vary(({ cross }) => (stack ? cross(stack, text, other, seed) : text));
            }}
          >
            Cross over
          </button>
          <select
            class="partner"
            aria-label="Cross over with"
            value={partner}
            onChange={({ currentTarget }) => setPartner(currentTarget.value)}
          >
            {partners.map(({ title }, i) => (
              <option key={title} value={i}>
                with {title}
              </option>
            ))}
          </select>
        </>
      )}
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
