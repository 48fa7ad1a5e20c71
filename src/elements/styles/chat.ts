import { css } from 'lit';

/** The frame: a column of messages that scrolls, a line of state, the composer. */
export const transcriptStyles = css`
  .transcript {
    position: relative;
    flex: 1;
    min-block-size: 0;
    display: flex;
    flex-direction: column;
  }
  .scroller {
    flex: 1;
    min-block-size: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
    scrollbar-width: thin;
  }
  .scroller:focus-visible {
    outline-offset: -2px;
  }
  .column {
    display: flow-root;
    max-inline-size: 46rem;
    min-block-size: 100%;
    margin-inline: auto;
    padding: 1.5rem 1rem 0.5rem;
  }
  .group.closed {
    content-visibility: auto;
    contain-intrinsic-size: auto 100rem;
  }
  .latest {
    position: absolute;
    inset-block-end: 0.5rem;
    inset-inline: 0;
    inline-size: fit-content;
    min-block-size: 2rem;
    margin-inline: auto;
    padding: 0.25rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: 1.375rem;
    background: var(--_background);
    box-shadow: 0 0.125rem 0.5rem rgb(0 0 0 / 14%);
    font-size: 0.8125rem;
  }
  .latest:hover {
    background: var(--_surface);
  }
  .column:has(> .empty:not([hidden])) {
    display: grid;
    align-content: center;
    padding-block-end: 10%;
  }
  .empty {
    display: grid;
    gap: 1.5rem;
  }
  .empty.blank {
    visibility: hidden;
  }
  .greeting {
    font-size: 1.375rem;
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  .starters {
    display: grid;
    gap: 0.5rem;
  }
  .starter {
    inline-size: 100%;
    min-block-size: 2.75rem;
    padding: 0.625rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .starter:hover {
    background: var(--_hover);
  }
`;

/** The line of state and the composer. */
export const composerStyles = css`
  .status-bar {
    inline-size: 100%;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding-inline: 1rem;
  }
  .status-bar .line {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding-block: 0.375rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .status-bar .words {
    flex: 1;
    overflow: visible;
  }
  .request-bar {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    inline-size: 100%;
    min-block-size: 2.75rem;
    padding: 0.5rem 0.875rem;
    border: 1px solid var(--_accent);
    border-radius: var(--_radius);
    background: var(--_tint);
    font-size: 0.875rem;
  }
  .request-bar span {
    flex: 1;
  }
  .request-bar strong {
    color: var(--_accent);
  }
  .composer {
    inline-size: 100%;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 0.25rem 1rem max(0.5rem, env(safe-area-inset-bottom));
  }
  .field {
    display: flex;
    align-items: end;
    gap: 0.25rem;
    padding: 0.25rem;
    border: 1px solid color-mix(in oklab, var(--_text) 24%, transparent);
    border-radius: var(--_round);
    background: var(--_background);
  }
  .field:focus-within {
    border-color: var(--_accent);
    box-shadow: 0 0 0 1px var(--_accent);
  }
  .field textarea {
    flex: 1;
    min-inline-size: 0;
    field-sizing: content;
    max-block-size: calc(6lh + 1rem);
    padding: 0.5rem 0.75rem;
    border: 0;
    outline: 0;
    background: none;
    resize: none;
    overflow-y: auto;
    font-size: max(0.9375rem, 16px);
    line-height: 1.5;
  }
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .send {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 2.5rem;
    block-size: 2.5rem;
    min-block-size: 0;
    border-radius: calc(var(--_round) - 0.25rem);
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .send[data-act='stop'] {
    background: var(--_text);
    color: var(--_background);
  }
  .send[data-act='stop'] .icon {
    fill: currentColor;
  }
  .send:hover:not([aria-disabled='true']) {
    opacity: 0.88;
  }
  .send[aria-disabled='true'] {
    background: var(--_hover);
    color: var(--_muted);
    opacity: 1;
  }
  @media (pointer: coarse) {
    .send {
      inline-size: 2.75rem;
      block-size: 2.75rem;
    }
    .keys {
      display: none;
    }
  }
  .below {
    min-block-size: 1.25rem;
    padding: 0.125rem 0.75rem 0;
  }
  .below .complaint {
    display: flex;
    gap: 0.375rem;
    align-items: start;
  }
  .below .icon {
    block-size: 1.55em;
  }
  .below .meta {
    font-size: 0.75rem;
  }
  @media (forced-colors: active) {
    .send {
      border: 1px solid ButtonText;
    }
  }
`;

/** The whole chat. */
export const chatStyles = css`
  :host {
    contain: content;
    block-size: 40rem;
    max-block-size: 100dvh;
    min-inline-size: 0;
  }
  :host([layout='page']) {
    block-size: 100dvh;
  }
  :host([density='compact']) .ubik {
    font-size: 0.875rem;
    line-height: 1.45;
  }
  :host([density='compact']) .message {
    margin-block-end: 1rem;
  }
  .ubik {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    background: var(--_background);
  }
`;
