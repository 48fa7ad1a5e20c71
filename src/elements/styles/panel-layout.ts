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
