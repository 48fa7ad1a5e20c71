import { html, type TemplateResult } from 'lit';

/** SVG paths on a grid of 16 units. */
export const ICON_PATHS = {
  chevron: 'M6 4l4 4-4 4',
  check: 'M3.5 8.5l3 3 6-7',
  dot: 'M8 5.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5',
  ring: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10',
  ban: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10M4.5 4.5l7 7',
  attachment:
    'M11 5.5L6.5 10a1.2 1.2 0 0 0 1.7 1.7l4.6-4.6a2.6 2.6 0 0 0-3.7-3.7L4.4 8.1a4 4 0 0 0 5.7 5.7l3.4-3.4',
  flag: 'M4.5 14V2.5h7.5L10 5.5l2 3H4.5',
  pencil: 'M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2z',
  send: 'M8 13V3.5M3.5 8L8 3.5 12.5 8',
  stop: 'M4.5 4.5h7v7h-7z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  alert: 'M8 2.5l6 11H2zM8 6.5v3.2m0 1.6v.6',
  question:
    'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M6.3 6.3a1.8 1.8 0 1 1 2.3 2c-.4.2-.6.4-.6.9m0 1.6v.6',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof ICON_PATHS;

/** Renders an icon in the colour of the text. It is hidden from assistive technology, so add a label. */
export function renderIcon(name: IconName): TemplateResult {
  return drawIcon(name, ICON_PATHS[name]);
}

/** Renders an icon that only one lazy-loaded file uses, from its SVG path on a grid of 16 units. */
export function drawIcon(name: string, path: string): TemplateResult {
  return html`<svg class="icon icon-${name}" viewBox="0 0 16 16" aria-hidden="true">
    <path d=${path} />
  </svg>`;
}

/** Renders a short text that is used as an icon. It is hidden from assistive technology, so the `title` of its button is the name. */
export function renderSymbol(symbol: string): TemplateResult {
  return html`<span aria-hidden="true">${symbol}</span>`;
}
