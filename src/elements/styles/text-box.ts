import { css } from 'lit';

/** A box to write in that stands over the page. The size of its letters keeps a phone from zooming in. */
export const textBox = css`
  box-sizing: border-box;
  width: 100%;
  padding: calc(0.5 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
  border: 1px solid var(--_field-line);
  border-radius: var(--_control);
  background: var(--_background);
  color: var(--_text);
  font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
  resize: vertical;
`;
