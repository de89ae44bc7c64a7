// The language of a program, and other programs to load in its place.
import { LANGUAGES, type Language, type SiteText } from "../model/state.js";
import type { Session, View } from "../session.js";

export const NAMES: Readonly<Record<Language, string>> = {
  stack: "Stack PTX",
  formula: "Formula",
  ptx: "PTX",
};

export function LanguageChoice({
  session,
  name,
  source,
}: {
  session: Session;
  name: string;
  source: SiteText;
}) {
  return (
    <select
      aria-label="Language"
      value={source.language}
      onChange={({ currentTarget }) => session.setLanguage(name, currentTarget.value as Language)}
    >
      {LANGUAGES.map((language) => (
        <option key={language} value={language}>
          {NAMES[language]}
        </option>
      ))}
    </select>
  );
}

export function VariantChoice({ session, view }: { session: Session; view: View }) {
  const { state, example, site: name } = view;
  const variants = state.kernel === undefined ? (example.variants[name] ?? []) : [];
  const original = example.state.sites[name];
  if (variants.length === 0 || original === undefined) return null;
  return (
    <select
      class="load"
      aria-label="Load another program"
      value=""
      onChange={({ currentTarget }) => {
        const loaded = [original, ...variants][Number(currentTarget.value)];
        if (loaded) session.setSite(name, { language: loaded.language, text: loaded.text });
        currentTarget.value = "";
      }}
    >
      <option value="">Load…</option>
      <option value="0">The original</option>
      {variants.map(({ title }, i) => (
        <option key={title} value={i + 1}>
          {title}
        </option>
      ))}
    </select>
  );
}
