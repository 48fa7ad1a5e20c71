/**
 * The style sheet of Markdown content, as plain text for a constructable style sheet. It takes its colours and sizes from the
 * tokens `--ubik-*`, with defaults of its own, so that it works alone.
 */
export const markdownCss = `
.ubik-markdown {
  contain-intrinsic-size: auto 60rem;
  overflow-wrap: anywhere;
  line-height: var(--ubik-line-height, 1.55);
}
.ubik-markdown:has(+ .ubik-markdown) { content-visibility: auto; }
.ubik-markdown + .ubik-markdown { margin-block-start: var(--ubik-space-3, 0.75rem); }
.ubik-markdown > :first-child { margin-block-start: 0; }
.ubik-markdown > :last-child { margin-block-end: 0; }
.ubik-markdown :is(p, ul, ol, blockquote, hr, .ubik-code, .ubik-table) {
  margin-block: 0 var(--ubik-space-3, 0.75rem);
  margin-inline: 0;
}
.ubik-markdown :is(p, h1, h2, h3, h4, h5, h6, li, th, td) { unicode-bidi: plaintext; text-align: start; }
.ubik-markdown :is(h1, h2, h3, h4, h5, h6) {
  margin-block: 1.25em 0.5em;
  font-weight: 600;
  line-height: 1.3;
}
.ubik-markdown h1 { font-size: min(1.5em, 1.375rem); }
.ubik-markdown h2 { font-size: min(1.25em, 1.375rem); }
.ubik-markdown h3 { font-size: 1.1em; }
.ubik-markdown :is(h4, h5, h6) { font-size: 1em; }
.ubik-markdown h6 { color: var(--ubik-muted, color-mix(in srgb, currentColor 70%, transparent)); }
.ubik-markdown :is(ul, ol) { padding-inline-start: 1.6em; }
.ubik-markdown li > :is(ul, ol) { margin-block-end: 0; }
.ubik-markdown li + li { margin-block-start: 0.25em; }
.ubik-markdown li > p:last-child { margin-block-end: 0; }
.ubik-markdown li > p + :is(ul, ol) { margin-block-start: -0.5em; }
.ubik-markdown li:has(> p) + li { margin-block-start: 0.6em; }
.ubik-markdown li:has(> .ubik-task:first-child, > p:first-child > .ubik-task:first-child) {
  list-style: none;
}
.ubik-task { margin-block: 0; margin-inline: -1.4em 0.4em; vertical-align: -0.1em; accent-color: var(--ubik-accent, auto); }
.ubik-markdown blockquote {
  padding-inline-start: var(--ubik-space-3, 0.75rem);
  border-inline-start: 3px solid var(--ubik-line, color-mix(in srgb, currentColor 16%, transparent));
  color: var(--ubik-muted, color-mix(in srgb, currentColor 75%, transparent));
}
.ubik-markdown blockquote > :last-child { margin-block-end: 0; }
.ubik-markdown hr {
  border: 0;
  border-block-start: 1px solid var(--ubik-line, color-mix(in srgb, currentColor 16%, transparent));
  margin-block: var(--ubik-space-4, 1rem);
}
.ubik-markdown code {
  font-family: var(--ubik-font-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace);
  font-size: 0.9em;
}
.ubik-markdown :not(pre) > code {
  unicode-bidi: isolate;
  padding: 0.1em 0.3em;
  border-radius: 4px;
  background: var(--ubik-surface, color-mix(in srgb, currentColor 7%, transparent));
}
.ubik-code {
  border: 1px solid var(--ubik-line, color-mix(in srgb, currentColor 14%, transparent));
  border-radius: var(--ubik-radius-card, 10px);
  overflow: clip;
}
.ubik-code-head {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: var(--ubik-space-2, 0.5rem);
  min-block-size: 2rem;
  padding-inline: var(--ubik-space-3, 0.75rem) 0.25rem;
  background: var(--ubik-surface, color-mix(in srgb, currentColor 5%, transparent));
  font-size: 0.8125rem;
  color: var(--ubik-muted, color-mix(in srgb, currentColor 70%, transparent));
}
.ubik-code-language { unicode-bidi: isolate; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ubik-code-copy, button.ubik-image {
  font: inherit;
  color: inherit;
  background: none;
  border: 0;
  border-radius: var(--ubik-radius-control, 6px);
  padding: 0.25rem 0.5rem;
  cursor: pointer;
}
.ubik-code-copy:hover, button.ubik-image:hover {
  background: color-mix(in srgb, currentColor 10%, transparent);
}
.ubik-code pre {
  margin: 0;
  padding: var(--ubik-space-3, 0.75rem);
  overflow-x: auto;
  direction: ltr;
  text-align: start;
  tab-size: 4;
  overflow-wrap: normal;
}
.ubik-code-part {
  display: block;
  inline-size: max-content;
  min-inline-size: 100%;
  content-visibility: auto;
  contain-intrinsic-inline-size: auto 1px;
  contain-intrinsic-block-size: auto 50lh;
  unicode-bidi: plaintext;
}
.ubik-code-part:last-child { content-visibility: visible; }
.ubik-table {
  overflow-x: auto;
  border: 1px solid var(--ubik-line, color-mix(in srgb, currentColor 14%, transparent));
  border-radius: var(--ubik-radius-card, 10px);
}
.ubik-table table { border-collapse: collapse; min-inline-size: 100%; font-size: 0.95em; }
.ubik-table :is(th, td) {
  padding: 0.4rem 0.75rem;
  border-block-end: 1px solid var(--ubik-line, color-mix(in srgb, currentColor 12%, transparent));
  vertical-align: top;
  overflow-wrap: normal;
  max-inline-size: 30rem;
}
.ubik-table tbody tr:last-child td { border-block-end: 0; }
.ubik-table th { font-weight: 600; white-space: nowrap; background: var(--ubik-surface, color-mix(in srgb, currentColor 5%, transparent)); }
.ubik-table [align="right"] { text-align: end; font-variant-numeric: tabular-nums; }
.ubik-table [align="center"] { text-align: center; }
.ubik-html { white-space: pre-wrap; font-family: var(--ubik-font-mono, ui-monospace, monospace); font-size: 0.9em; }
a.ubik-link {
  unicode-bidi: isolate;
  color: var(--ubik-link, var(--ubik-accent, LinkText));
  text-decoration: underline;
  text-underline-offset: 0.15em;
  text-decoration-thickness: from-font;
}
span.ubik-link { unicode-bidi: isolate; }
.ubik-link-host { color: var(--ubik-muted, color-mix(in srgb, currentColor 70%, transparent)); }
img.ubik-image { max-inline-size: 100%; block-size: auto; border-radius: var(--ubik-radius-control, 6px); }
button.ubik-image {
  border: 1px dashed var(--ubik-line, color-mix(in srgb, currentColor 30%, transparent));
  text-align: start;
  unicode-bidi: isolate;
}
span.ubik-image { unicode-bidi: isolate; color: var(--ubik-muted, color-mix(in srgb, currentColor 70%, transparent)); }
.ubik-markdown :is(a, button, pre, .ubik-table):focus-visible {
  outline: 2px solid var(--ubik-focus, var(--ubik-accent, Highlight));
  outline-offset: 2px;
}
`;
