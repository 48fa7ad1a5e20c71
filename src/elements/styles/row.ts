import { css } from 'lit';

/** A chat with something beside its messages: its width is its own, whatever stands there. */
export const rowStyles = css`
  position: relative;
  flex-direction: row;
  container: ubik / inline-size;
  contain-intrinsic-inline-size: min(18rem, 100vw - 2rem);
`;
