// Styles of CodeMirror without style elements, which a content security policy without 'unsafe-inline' forbids.
import { StyleModule } from "style-mod";

const mounted = new Set<StyleModule>();
let sheet: CSSStyleSheet | undefined;

/**
 * Makes all editors of the page share a constructed style sheet. Its rules are in a layer, so that those of the page
 * come before them.
 */
export function constructStyles(): void {
  StyleModule.mount = (_, modules) => {
    const before = mounted.size;
    for (const one of Array.isArray(modules) ? modules : [modules]) mounted.add(one);
    if (mounted.size === before) return;
    sheet ??= adopted();
    const rules = [...mounted].map((one) => one.getRules()).join("\n");
    sheet.replaceSync(`@layer editor {\n${rules}\n}`);
  };
}

function adopted(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, made];
  return made;
}
