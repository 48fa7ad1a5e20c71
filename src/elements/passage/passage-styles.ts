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
    gap: 0.5rem;
    width: min(24rem, 100%);
    padding: 0.75rem 1rem;
    background: var(--_background);
    box-shadow: 0 0 2rem rgb(0 0 0 / 24%);
    outline: 0;
    .head {
      display: flex;
      align-items: start;
      justify-content: space-between;
      gap: 0.5rem;
    }
    h2 {
      margin: 0;
      font-size: 1rem;
      font-weight: 600;
    }
    .quiet {
      align-self: start;
      min-width: 2rem;
      text-align: center;
    }
    blockquote {
      flex: 0 1 auto;
      min-height: 0;
      margin: 0;
      padding-inline-start: 0.75rem;
      overflow: auto;
      border-inline-start: 2px solid var(--_line);
      font-size: 0.875rem;
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
  @container ubik (max-width: 47.99rem) {
    .passage {
      width: 100%;
      box-shadow: none;
    }
  }
  @container ubik (min-width: 68rem) {
    .passage {
      position: static;
      flex: none;
      width: 22rem;
      border-inline-start: var(--_border);
      box-shadow: none;
    }
    .reading > .end.filled {
      display: none;
    }
  }
`;
