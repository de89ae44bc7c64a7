// Whether the reader prefers dark pages, as it changes.
import { useEffect, useState } from "preact/hooks";

const query = matchMedia("(prefers-color-scheme: dark)");

export function useDark(): boolean {
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const listen = () => setDark(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return dark;
}
