import { css } from 'lit';

/** A chat with something beside its messages: its width is its own, whatever stands there. */
export const rowStyles = css`
  position: relative;
  flex-direction: row;
  container: ubik / inline-size;
  contain-intrinsic-inline-size: min(
    calc(18 * var(--_ubik-rem)),
    100vw - calc(2 * var(--_ubik-rem))
  );
`;
