// VitePress's renderer with our options, without colours, for tests.

import { createMarkdownRenderer } from "vitepress";
import { MARKDOWN } from "./markdown.mjs";
import { GENERATED } from "./write.mjs";

export const plainRenderer = () =>
  createMarkdownRenderer(GENERATED, { ...MARKDOWN, highlight: (code) => `<pre><code>${code}</code></pre>` });
