import { css } from 'lit';

/** Layout of a chat with a panel beside its messages. Its width does not depend on the contents. */
export const panelLayoutStyles = css`
  position: relative;
  flex-direction: row;
  container: ubik / inline-size;
  contain-intrinsic-inline-size: min(
    calc(18 * var(--_ubik-rem)),
    100vw - calc(2 * var(--_ubik-rem))
  );
`;

/** Text field in a popover or dialog. A font size of at least 16 px keeps iOS from zooming in. */
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
