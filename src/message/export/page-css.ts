/** How an exported page looks, on a screen and on paper. It holds no character that HTML would read. */
export const pageCss = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.3; }
article { margin-block: 1.5rem; }
article header { display: flex; gap: 0.75rem; align-items: baseline; font-size: 0.875rem; }
article header h2 { margin: 0; font-size: 1em; }
time, .note { color: color-mix(in srgb, currentColor 65%, transparent); }
.user { padding: 0.5rem 1rem; border-inline-start: 0.25rem solid #2b5fc4; }
.plain, pre { white-space: pre-wrap; }
pre, .box { padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.5rem; }
pre { overflow: auto; font-size: 0.875em; }
section, details { margin-block: 0.75rem; padding-inline-start: 1rem; border-inline-start: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
section h3, summary { font-size: 0.9375rem; font-weight: 600; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: start; }
.error { color: #b3261e; }
@media print {
  body { max-width: none; margin: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h1, h2, h3, summary, header { break-after: avoid; }
  pre, tr, .box { break-inside: avoid; }
  a[href^='http']::after { content: ' (' attr(href) ')'; font-size: 0.8em; }
}
`;
