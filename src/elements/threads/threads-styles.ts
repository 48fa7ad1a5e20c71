import { css } from 'lit';

/** Styles of `<ubik-thread-list>`. */
export const threadsStyles = css`
  .ubik {
    background: var(--_background);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
  }
  .threads {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
    contain: inline-size;
    contain-intrinsic-inline-size: min(
      calc(14 * var(--_ubik-rem)),
      100vw - calc(2 * var(--_ubik-rem))
    );
  }
  .thread-header {
    display: grid;
    gap: calc(0.5 * var(--_ubik-rem));
    padding: calc(0.75 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem))
      calc(0.5 * var(--_ubik-rem));
    input {
      width: 100%;
    }
  }
  .threads input {
    min-width: 0;
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    border: 1px solid var(--_field-line);
    border-radius: var(--_control-radius);
    background: var(--_background);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    &:focus-visible {
      border-color: var(--_accent);
      outline-offset: 0;
    }
  }
  .thread-new {
    text-align: center;
  }
  /* iOS zooms in on a focused field with smaller text. */
  @media (any-pointer: coarse) {
    .threads input {
      font-size: max(calc(0.875 * var(--_ubik-rem)), 16px);
    }
  }
  .thread-scroller {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
    /* VirtualWindow restores the scroll position itself. */
    overflow-anchor: none;
    padding: 0 calc(0.5 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
    scrollbar-width: thin;
  }
  .thread-group > h3 {
    padding: calc(0.75 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem))
      calc(0.25 * var(--_ubik-rem));
    color: var(--_muted);
    font-size: max(12px, calc(0.75 * var(--_ubik-rem)));
    font-weight: 600;
    &::first-letter {
      text-transform: uppercase;
    }
  }
  .thread {
    content-visibility: auto;
    contain-intrinsic-size: auto calc(2.25 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    > .buttons {
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem))
        calc(0.5 * var(--_ubik-rem));
    }
    > .error-text {
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
    }
    &:focus-within {
      content-visibility: visible;
    }
    &:hover,
    &:has([aria-current], [aria-expanded='true']) {
      background: var(--_hover);
    }
  }
  .thread-line {
    display: flex;
    align-items: center;
    gap: calc(0.25 * var(--_ubik-rem));
  }
  .thread-open {
    display: flex;
    flex: 1;
    align-items: center;
    gap: calc(0.5 * var(--_ubik-rem));
    min-width: 0;
    min-height: calc(2.25 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    &:focus-visible {
      outline-offset: -2px;
    }
    &[aria-current] {
      font-weight: 600;
    }
    &[aria-busy='true'] {
      opacity: 0.6;
    }
  }
  .thread-title {
    flex: 1;
    overflow: hidden;
    /* A title of the other direction is cut at its own end, and aligned like the others. */
    text-align: -webkit-match-parent;
    text-align: match-parent;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [data-status='unread'] .thread-title {
    font-weight: 600;
  }
  .thread-status {
    display: flex;
    color: var(--_accent);
    [data-status='failed'] & {
      color: var(--_danger);
    }
    .icon-dot {
      fill: currentColor;
    }
  }
  .thread-more {
    display: grid;
    flex: none;
    place-items: center;
    width: calc(2.25 * var(--_ubik-rem));
    min-height: calc(2.25 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    color: var(--_muted);
    .icon {
      stroke-width: 2.4;
    }
    &:hover {
      background: var(--_hover);
      color: var(--_text);
    }
    &:focus-visible {
      outline-offset: -2px;
    }
  }
  .thread-undo {
    flex: none;
    margin: calc(0.125 * var(--_ubik-rem));
  }
  .thread:has(.thread-undo) .thread-title {
    padding-inline-start: calc(0.5 * var(--_ubik-rem));
    color: var(--_muted);
  }
  .thread-form {
    padding: calc(0.5 * var(--_ubik-rem));
    input {
      width: 100%;
    }
  }
  .thread-footer {
    min-height: 1px;
    .line,
    .meta {
      padding: calc(0.5 * var(--_ubik-rem));
    }
    .line {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
      color: var(--_muted);
    }
  }
  @media (pointer: coarse) {
    .threads input,
    .thread-more {
      min-width: calc(2.75 * var(--_ubik-rem));
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    .thread:has([aria-current]) {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
