// Tabs that arrow keys move between.
interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly badge?: string }[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  /** The element that the tabs control. */
  readonly panel?: string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs({ label, tabs, selected, onSelect, panel }: TabsProps) {
  if (tabs.length === 0) return null;
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const step = STEPS[event.key];
        const index = tabs.findIndex(({ id }) => id === selected);
        if (step === undefined) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        if (next === undefined) return;
        onSelect(next.id);
        event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
        event.preventDefault();
      }}
    >
      {tabs.map(({ id, title, badge }) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-tab={id}
          aria-selected={id === selected}
          {...(panel && { "aria-controls": panel })}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {title}
          {badge && <span class="badge">{badge}</span>}
        </button>
      ))}
    </div>
  );
}
