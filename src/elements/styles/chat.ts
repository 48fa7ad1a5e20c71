import { css } from 'lit';

/** The frame: a column of messages that scrolls, a line of state, the composer. */
export const frameStyles = css`
  /* A page's grid or row must not be widened by the longest line that we could show. */
  .transcript,
  .composer,
  .status-bar {
    contain: inline-size;
    contain-intrinsic-inline-size: min(18rem, 100vw - 2rem);
  }
  .transcript,
  .scroller {
    flex: 1;
    min-height: 0;
  }
  .transcript {
    position: relative;
    display: flex;
    flex-direction: column;
  }
  .scroller {
    overflow: hidden auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
    scrollbar-width: thin;
    &:focus-visible {
      outline-offset: -2px;
    }
  }
  .column,
  .status-bar,
  .composer {
    width: 100%;
    max-width: 46rem;
    margin-inline: auto;
    padding-inline: 1rem;
  }
  .column {
    display: flow-root;
    min-height: 100%;
    padding-block: 1.5rem 0.5rem;
    &.vacant {
      display: grid;
      align-content: center;
      padding-block-end: 10%;
    }
  }
  .closed {
    content-visibility: auto;
    contain-intrinsic-size: auto 100rem;
  }
  .latest {
    position: absolute;
    inset: auto 0 0.5rem;
    width: fit-content;
    margin-inline: auto;
    padding-inline: 0.875rem;
    border-radius: 1.375rem;
    background: var(--_background);
    box-shadow: 0 0.125rem 0.5rem rgb(0 0 0 / 14%);
    font-size: 0.8125rem;
    &:hover {
      background: var(--_surface);
    }
  }
  .starter,
  .request-bar {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.5rem 1rem;
  }

  /* The line of state */
  .status-bar .line {
    flex-wrap: wrap;
    padding-block: 0.375rem;
  }
  /* A button whose word is long goes below, before it makes a pillar of a sentence. */
  .words {
    flex: 1 1 10rem;
  }
  .request-bar span {
    flex: 1;
  }
  .request-bar {
    border-color: var(--_accent);
    background: var(--_tint);
    font-size: 0.875rem;
    strong {
      color: var(--_accent);
    }
  }

  /* The composer */
  .composer {
    padding-block: 0.25rem max(0.5rem, env(safe-area-inset-bottom));
  }
  .field {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.25rem;
    padding: 0.25rem;
    border: 1px solid var(--_field-line);
    border-radius: var(--_round);
    background: var(--_background);
    &:focus-within {
      border-color: var(--_accent);
      box-shadow: 0 0 0 1px var(--_accent);
    }
    textarea {
      flex: 1;
      min-width: min(8rem, 50%);
      field-sizing: content;
      max-height: calc(6lh + 1rem);
      padding: 0.5rem 0.75rem;
      border: 0;
      outline: 0;
      background: none;
      resize: none;
      font-size: max(0.9375rem, 16px);
      line-height: 1.5;
      &[data-secret] {
        -webkit-text-security: disc;
      }
    }
    .attach ~ textarea {
      padding-inline-start: 0.25rem;
    }
  }
  .attached {
    flex: 1 0 100%;
    min-width: 0;
    &:empty {
      display: none;
    }
  }
  :host([data-dropping]) .field,
  [data-dropping] {
    outline: 2px dashed var(--_accent);
    outline-offset: -4px;
  }
  .attach {
    border-radius: var(--_control);
    color: var(--_muted);
    &:hover {
      background: var(--_hover);
    }
  }
  .attach,
  .send {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.5rem;
    height: 2.5rem;
    min-height: 0;
  }
  .send {
    border-radius: calc(var(--_round) - 0.25rem);
    background: var(--_accent);
    color: var(--_on-accent);
    &:hover {
      opacity: 0.88;
    }
    &[data-act='stop'] {
      background: var(--_text);
      color: var(--_background);
      .icon {
        fill: currentColor;
      }
    }
    &[aria-disabled='true'] {
      background: var(--_hover);
      color: var(--_muted);
      opacity: 1;
    }
  }
  .below {
    position: relative;
    min-height: 1.5rem;
    padding: 0.125rem 0.75rem 0;
    text-wrap: pretty;
    &:has(.to-keys) {
      padding-inline-end: 2.5rem;
    }
  }
  .to-keys {
    position: absolute;
    inset-block-start: 0;
    inset-inline-end: 0.5rem;
    width: 1.5rem;
    height: 1.5rem;
    border-radius: 50%;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-align: center;
    &:hover {
      background: var(--_hover);
    }
  }
  @media (pointer: coarse) {
    :is(button:not(.cite), .choice, .fold > summary) {
      min-height: 2.75rem;
    }
    .tree summary {
      padding-block: 0.75rem;
    }
    .more,
    .attach,
    .send {
      width: 2.75rem;
      height: 2.75rem;
    }
    .keys {
      display: none;
    }
    .to-keys {
      inset-inline-end: 0;
      width: 2.75rem;
    }
    /* A finger alone has no keys. */
    @media (hover: none) {
      .to-keys {
        display: none;
      }
    }
  }
`;
