// Sentences with code in backticks.

export function Words({ children }: { children: string }) {
  return (
    <>
      {children.split("`").map((part, i) => (i % 2 === 1 ? <code key={`${i} ${part}`}>{part}</code> : part))}
    </>
  );
}
