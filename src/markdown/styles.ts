/**
 * The style sheet of Markdown content, as text for a constructable style sheet. Its colours and sizes come from the design tokens
 * `--ubik-*`; it has defaults for all of them, so that it also works without the elements.
 */
export const markdownCss: string = `
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
  :where(p, ul, ol, blockquote, details, .ubik-alert, .ubik-code, .ubik-table, .ubik-html) { margin: 0 0 var(--_m-space); }
  :is(p, h1, h2, h3, h4, h5, h6, li, th, td, summary) { unicode-bidi: plaintext; text-align: start; }
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
  :is(li + li, .ubik-items > :first-child) { margin-block-start: 0.25em; }
  li > p + :is(ul, ol) { margin-block-start: -0.5em; }
  :is(li:has(> p) + li, .ubik-items > li:first-child:has(> p)) { margin-block-start: 0.6em; }
  /* A box that can be skipped (content-visibility) clips its content, so it is extended to the start by the room of the markers: in a ul by the padding of the list (8% of the list are 8.69% of its content box), in an ol by the width of three digits. */
  .ubik-items {
    --_m-marker: min(1.6em, 8.69%);
    display: flow-root;
    margin-inline-start: calc(-1 * var(--_m-marker));
    padding-inline-start: var(--_m-marker);
    contain-intrinsic-size: auto 150lh;
  }
  ol > .ubik-items { --_m-marker: 2.6em; }
  li:has(> .ubik-task:first-child, > p:first-child > .ubik-task:first-child) { list-style: none; }
  .ubik-task { margin-block: 0; margin-inline: -1.4em 0.4em; vertical-align: -0.1em; accent-color: var(--ubik-accent, auto); }
  :is(blockquote, .ubik-alert) { padding-inline-start: min(var(--_m-space), 5%); border-inline-start: var(--_m-border); border-width: 3px; }
  details { padding-inline-start: 1.2em; }
  summary { margin-inline-start: -1.2em; font-weight: 600; cursor: pointer; }
  [open] > summary { margin-block-end: 0.25em; }
  > :first-child { margin-block-start: 0; }
  :is(blockquote, .ubik-alert, details, li) > :is(p, ul, ol):last-child, > :last-child { margin-block-end: 0; }
  hr { border: 0; border-block-start: var(--_m-border); margin-block: var(--ubik-space-4, var(--_ubik-rem, 1rem)); }
  :is(code, kbd, .ubik-html) { font-family: var(--ubik-font-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace); font-size: max(12px, 0.9em); }
  .ubik-html { white-space: pre-wrap; }
  :is(:not(pre) > code, kbd) { padding: 0.15em 0.35em; border-radius: 0.3em; background: var(--_m-surface); direction: ltr; unicode-bidi: isolate; }
  kbd { border: var(--_m-border); border-block-end-width: 2px; }
  mark { border-radius: 0.2em; background: color-mix(in srgb, #f5c400 40%, transparent); color: inherit; }
  :is(sub, sup) { line-height: 0; }
  :is(.ubik-link, .ubik-image, .ubik-code-language) { unicode-bidi: plaintext; }
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
  :is(a, button, pre, summary, .ubik-table, .ubik-fence):focus-visible {
    outline: 2px solid var(--ubik-focus, var(--ubik-accent, Highlight));
    outline-offset: 2px;
  }
}
/* The class marks the groups of blocks to which no more blocks are added, and the sections, which contain twelve groups each (dom/block-groups.ts). The margin has room for long numbers of list items. */
.ubik-complete { content-visibility: auto; overflow-clip-margin: 3em; }
/* The height of a section that was never rendered: twelve times that of a group, which is set above. */
:where(.ubik-complete) { contain-intrinsic-size: auto calc(720 * var(--_ubik-rem, 1rem)); }
/* Mixed with the colour of the text, the colours have enough contrast on any background on which the text has enough. */
.ubik-alert {
  --_m-alert: var(--ubik-link, color-mix(in oklab, #2f6fdf 60%, currentColor));
  --_m-icon: path(evenodd, "M8 1a7 7 0 1 0 .01 0zM7 4h2v2H7zm0 3h2v5H7z");
  .ubik-markdown & { border-color: var(--_m-alert); }
}
.ubik-alert-tip {
  --_m-alert: var(--ubik-success, color-mix(in oklab, #1c8f52 60%, currentColor));
  --_m-icon: path(evenodd, "M8 1a5 5 0 0 0-3 9v2h6v-2a5 5 0 0 0-3-9zM5 13h6v2H5z");
}
.ubik-alert-important {
  --_m-alert: color-mix(in oklab, #8250df 60%, currentColor);
  --_m-icon: path(evenodd, "M1 2h14v10H8l-4 3v-3H1zM7 4h2v4H7zm0 5h2v2H7z");
}
.ubik-alert-warning {
  --_m-alert: color-mix(in oklab, #b07d00 60%, currentColor);
  --_m-icon: path(evenodd, "M8 1l8 14H0zM7 6h2v4H7zm0 5h2v2H7z");
}
.ubik-alert-caution {
  --_m-alert: var(--ubik-danger, color-mix(in oklab, #d1342f 60%, currentColor));
  --_m-icon: path(evenodd, "M5 1h6l4 4v6l-4 4H5l-4-4V5zM7 4h2v5H7zm0 6h2v2H7z");
}
.ubik-markdown .ubik-alert-title {
  display: flex;
  align-items: center;
  gap: 0.4em;
  margin-block-end: 0.25em;
  color: var(--_m-alert);
  font-weight: 600;
  /* A shape needs no image, which a Content-Security-Policy could forbid. */
  &::before {
    content: "";
    inline-size: 16px;
    block-size: 16px;
    background: currentColor;
    forced-color-adjust: none;
    clip-path: var(--_m-icon);
  }
}
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
  &:has(> pre[hidden]) [aria-pressed] { display: none; }
  &[data-wrapped] pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  &[data-wrapped] .ubik-code-part { inline-size: auto; }
}
/* Before the first drawing of the host page is complete, the box is inert: it has its width but takes no room. */
.ubik-fence { overflow-x: auto; &[inert] { block-size: 0; overflow: hidden; } }
/* Formulas are clipped to their box, with a margin for accents and slanted letters. */
.ubik-markdown math { contain: paint; overflow-clip-margin: 0.25em; }
/* The padding has room for the margin of formulas, so that the margin is neither clipped nor scrolled to. */
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
  /* A table that scrolls does not wrap numbers and dates. In columns of a fixed width they might overlap. */
  &:where(:not(.ubik-fixed-columns)) td:where(.ubik-short) { white-space: nowrap; }
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
  .ubik-markdown details::details-content { block-size: auto; content-visibility: visible; }
  .ubik-markdown :is(p, li, pre) { orphans: 3; widows: 3; }
  :is(.ubik-break, .ubik-code-head button) { display: none; }
  .ubik-markdown :is(h1, h2, h3, h4, h5, h6, thead, summary, .ubik-code-head, .ubik-alert-title) { break-after: avoid; }
  .ubik-markdown :is(tr, img, .ubik-formula, .ubik-fence) { break-inside: avoid; }
}
`;
