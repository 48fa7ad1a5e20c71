import { css } from 'lit';

/** Text field in a popover, in a dialog, or in the form for inputs above the composer. A font size of at least 16 px keeps iOS from zooming in. */
export const floatingFieldStyles = css`
  box-sizing: border-box;
  width: 100%;
  padding: calc(0.5 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
  border: 1px solid var(--_field-line);
  border-radius: var(--_control-radius);
  background: var(--_background);
  color: var(--_text);
  font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
  resize: vertical;
`;
