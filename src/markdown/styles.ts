/**
 * The style sheet of Markdown content, as text for a constructable style sheet. Its colours and sizes come from the design tokens
 * `--ubik-*`; it has defaults for all of them, so that it also works without the elements.
 */
export const markdownCss = `
.ubik-markdown {
  --_m-muted: var(--ubik-muted, color-mix(in srgb, currentColor 70%, transparent));
  --_m-border: 1px solid var(--ubik-line, color-mix(in srgb, currentColor 16%, transparent));
  --_m-surface: var(--ubik-surface, color-mix(in srgb, currentColor 6%, transparent));
  --_m-space: var(--ubik-space-3, calc(0.75 * var(--_ubik-rem, 1rem)));
  --_m-control: var(--ubik-radius-control, 6px);
  contain-intrinsic-size: auto calc(60 * var(--_ubik-rem, 1rem));
  overflow-wrap: anywhere;
  line-height: var(--ubik-line-height, 1.55);
  &.ubik-complete { margin-block-end: var(--_m-space); }
  :where(p, ul, ol, blockquote, .ubik-code, .ubik-table, .ubik-html) { margin: 0 0 var(--_m-space); }
  :is(p, h1, h2, h3, h4, h5, h6, li, th, td) { unicode-bidi: plaintext; text-align: start; }
  :is(h1, h2, h3, h4, h5, h6) {
    margin-block: 1.25em 0.5em;
    font-size: 1em;
    font-weight: 600;
    line-height: 1.3;
  }
  :is(h1, h2) { margin-block-start: 1.5em; line-height: 1.25; }
  h1 { font-size: min(1.5em, calc(1.375 * var(--_ubik-rem, 1rem))); }
  h2 { font-size: min(1.333em, calc(1.375 * var(--_ubik-rem, 1rem))); }
  h3 { font-size: 1.1667em; }
  :is(h6, blockquote, .ubik-code-head, .ubik-link-host, span.ubik-image) { color: var(--_m-muted); }
  :is(ul, ol) { padding-inline-start: min(1.6em, 8%); }
  li + li { margin-block-start: 0.25em; }
  li > p + :is(ul, ol) { margin-block-start: -0.5em; }
  li:has(> p) + li { margin-block-start: 0.6em; }
  li:has(> .ubik-task:first-child, > p:first-child > .ubik-task:first-child) { list-style: none; }
  .ubik-task { margin-block: 0; margin-inline: -1.4em 0.4em; vertical-align: -0.1em; accent-color: var(--ubik-accent, auto); }
  blockquote { padding-inline-start: min(var(--_m-space), 5%); border-inline-start: var(--_m-border); border-width: 3px; }
  > :first-child { margin-block-start: 0; }
  :is(blockquote, li) > :is(p, ul, ol):last-child, > :last-child { margin-block-end: 0; }
  hr { border: 0; border-block-start: var(--_m-border); margin-block: var(--ubik-space-4, var(--_ubik-rem, 1rem)); }
  :is(code, .ubik-html) { font-family: var(--ubik-font-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace); font-size: max(12px, 0.9em); }
  .ubik-html { white-space: pre-wrap; }
  :not(pre) > code { padding: 0.15em 0.35em; border-radius: 0.3em; background: var(--_m-surface); }
  :is(:not(pre) > code, .ubik-link, .ubik-image, .ubik-code-language) { unicode-bidi: isolate; }
  :where(.ubik-code, .ubik-table) { border: var(--_m-border); border-radius: var(--ubik-radius-card, 10px); overflow-x: auto; }
  :is(button, .ubik-code-head, .ubik-link-host, .ubik-footnote-back) { user-select: none; -webkit-user-select: none; }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: var(--_m-control);
    padding: calc(0.25 * var(--_ubik-rem, 1rem)) calc(0.5 * var(--_ubik-rem, 1rem));
    text-align: start;
    cursor: pointer;
  }
  button:is(:hover, [aria-pressed=true]) { background: color-mix(in srgb, currentColor 10%, transparent); }
  [aria-pressed=true] { text-decoration: underline; }
  button.ubik-image { border: var(--_m-border); border-style: dashed; }
  :is(a, button, pre, .ubik-table, .ubik-diagram):focus-visible {
    outline: 2px solid var(--ubik-focus, var(--ubik-accent, Highlight));
    outline-offset: 2px;
  }
}
.ubik-complete { content-visibility: auto; }
.ubik-code-head {
  display: flex;
  align-items: center;
  gap: var(--ubik-space-2, calc(0.5 * var(--_ubik-rem, 1rem)));
  min-block-size: calc(2 * var(--_ubik-rem, 1rem));
  padding-inline: var(--_m-space) calc(0.25 * var(--_ubik-rem, 1rem));
  background: var(--_m-surface);
  font-size: max(12px, calc(0.8125 * var(--_ubik-rem, 1rem)));
}
.ubik-code-language { margin-inline-end: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ubik-code-part {
  display: block;
  inline-size: max-content;
  min-inline-size: 100%;
  unicode-bidi: plaintext;
  &:not(:last-child) { content-visibility: auto; }
  &:not(:last-child), .ubik-code-open & { contain-intrinsic-size: auto 1px auto 50lh; }
}
.ubik-code {
  overflow: clip;
  pre {
    margin: 0;
    padding: var(--_m-space);
    overflow-x: auto;
    direction: ltr;
    text-align: start;
    tab-size: 4;
  }
  &:has(.ubik-diagram) [aria-pressed] { display: none; }
  &[data-wrapped] pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  &[data-wrapped] .ubik-code-part { inline-size: auto; }
}
.ubik-diagram { overflow-x: auto; }
/* Formulas are clipped to their box, with a margin for accents and slanted letters. */
.ubik-markdown math { contain: paint; overflow-clip-margin: 0.25em; }
/* The padding has room for that margin, so that it is neither clipped nor scrolled to. */
.ubik-formula { display: block; overflow: auto hidden; padding-block: 0.25em; margin-block: -0.25em; }
.ubik-formula math { inline-size: max-content; min-inline-size: 100%; }
.ubik-table {
  /* In quirks mode, tables inherit neither font nor colour. */
  table { border-collapse: collapse; min-inline-size: 100%; font: inherit; font-size: max(12px, 0.95em); color: inherit; white-space: inherit; }
  :is(th, td) {
    padding: calc(0.4 * var(--_ubik-rem, 1rem)) calc(0.75 * var(--_ubik-rem, 1rem));
    vertical-align: top;
    overflow-wrap: break-word;
    max-inline-size: calc(30 * var(--_ubik-rem, 1rem));
  }
  &.ubik-fixed-columns > table { table-layout: fixed; inline-size: 1px; }
  td { border-block-start: var(--_m-border); }
  th { box-sizing: border-box; font-weight: 600; white-space: nowrap; background: var(--_m-surface); }
  [align=right] { text-align: end; font-variant-numeric: tabular-nums; }
  [align=center] { text-align: center; }
}
.ubik-footnotes {
  margin-block-start: var(--_m-space);
  border-block-start: var(--_m-border);
  font-size: max(12px, 0.9em);
  li > div, li > div > p:last-child { display: inline; }
  li:focus { background: var(--_m-surface); }
}
.ubik-footnote-back { margin-inline-start: 0.4em; }
a.ubik-link, .ubik-footnote > a, .ubik-footnote-back {
  color: var(--ubik-link, var(--ubik-accent, LinkText));
  text-decoration: underline;
  text-decoration-thickness: from-font;
  text-underline-offset: 0.15em;
}
img.ubik-image { max-inline-size: 100%; block-size: auto; border-radius: var(--_m-control); }
@media print {
  .ubik-code pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .ubik-code-part { inline-size: auto; }
  /* Wide tables are printed in a smaller font, so that words are not broken. */
  .ubik-table {
    overflow: visible;
    table { inline-size: 100%; }
    :is(th, td) { white-space: normal; overflow-wrap: anywhere; }
    &:has(th:nth-child(7)) table { font-size: 0.75em; }
    &:has(th:nth-child(11)) table { font-size: 0.6em; }
    &:has(th:nth-child(7)) :is(th, td) { padding-inline: 0.3em; }
  }
  /* On paper, the address is appended to a link. */
  a.ubik-link[href^='http']:not([data-bare]) {
    &::after { content: ' (' attr(href) ')'; direction: ltr; unicode-bidi: isolate; font-size: 0.85em; overflow-wrap: anywhere; }
    .ubik-link-host { display: none; }
  }
  :is(.ubik-code, .ubik-html) { box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .ubik-markdown :is(p, li, pre) { orphans: 3; widows: 3; }
  :is(.ubik-break, .ubik-code-head button) { display: none; }
  .ubik-markdown :is(h1, h2, h3, h4, h5, h6, thead, .ubik-code-head) { break-after: avoid; }
  .ubik-markdown :is(tr, img, .ubik-formula, .ubik-diagram) { break-inside: avoid; }
}
`;
