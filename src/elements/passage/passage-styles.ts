import { css } from 'lit';
import { rowStyles } from '../styles/row.js';

/** What a citation points to: beside the conversation where there is room, else over it. */
export const passageStyles = css`
  .reading {
    ${rowStyles}
  }
  .passage {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    z-index: 4;
    display: flex;
    flex-direction: column;
    gap: calc(0.5 * var(--_ubik-rem));
    width: min(calc(24 * var(--_ubik-rem)), 100%);
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    background: var(--_background);
    box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
    outline: 0;
    .head {
      display: flex;
      align-items: start;
      justify-content: space-between;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    h2 {
      margin: 0;
      font-size: var(--_ubik-rem);
      font-weight: 600;
    }
    .quiet {
      align-self: start;
      min-width: calc(2 * var(--_ubik-rem));
      text-align: center;
    }
    blockquote {
      flex: 0 1 auto;
      min-height: 0;
      margin: 0;
      padding-inline-start: calc(0.75 * var(--_ubik-rem));
      overflow: auto;
      border-inline-start: 2px solid var(--_line);
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    }
    .cited-text {
      white-space: pre-wrap;
      unicode-bidi: plaintext;
    }
    mark {
      background: var(--_tint);
      color: inherit;
      text-decoration: underline;
      text-decoration-thickness: 1px;
      text-decoration-color: var(--_accent);
      text-underline-offset: 0.2em;
    }
  }
  @container ubik (max-width: 51.19em) {
    .passage {
      width: 100%;
      box-shadow: none;
    }
  }
  @container ubik (min-width: 72.54em) {
    .passage {
      position: static;
      flex: none;
      width: calc(22 * var(--_ubik-rem));
      border-inline-start: var(--_border);
      box-shadow: none;
    }
    .reading > .end.filled {
      display: none;
    }
  }
`;
