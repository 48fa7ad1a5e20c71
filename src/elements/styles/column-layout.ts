import { css } from 'lit';

/** Layout of a chat with a column beside its messages. The width of the chat does not depend on its contents. */
export const columnLayoutStyles = css`
  position: relative;
  flex-direction: row;
  container: ubik / inline-size;
  contain-intrinsic-inline-size: min(
    calc(18 * var(--_ubik-rem)),
    100vw - calc(2 * var(--_ubik-rem))
  );
`;
