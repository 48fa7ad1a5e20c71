import { css } from 'lit';

/** The list of conversations. */
export const threadsStyles = css`
  .ubik {
    background: var(--_background);
    font-size: 0.875rem;
  }
  .threads {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
    contain: inline-size;
    contain-intrinsic-inline-size: min(14rem, 100vw - 2rem);
  }
  .thread-head {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 0.75rem 0.5rem;
    input {
      width: 100%;
    }
  }
  .threads input {
    min-width: 0;
    min-height: 2.25rem;
    padding: 0.25rem 0.625rem;
    border: 1px solid var(--_field-line);
    border-radius: var(--_control);
    background: var(--_background);
    font-size: max(0.875rem, 16px);
    &:focus-visible {
      border-color: var(--_accent);
      outline-offset: 0;
    }
  }
  .thread-new {
    min-height: 2.25rem;
    text-align: center;
  }
  .thread-scroller {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
    /* The list itself keeps what is read in its place. */
    overflow-anchor: none;
    padding: 0 0.5rem 0.5rem;
    scrollbar-width: thin;
  }
  .thread-group > h3 {
    padding: 0.75rem 0.5rem 0.25rem;
    color: var(--_muted);
    font-size: 0.75rem;
    font-weight: 600;
    &::first-letter {
      text-transform: uppercase;
    }
  }
  .thread {
    content-visibility: auto;
    contain-intrinsic-size: auto 2.25rem;
    border-radius: var(--_control);
    > .buttons {
      padding: 0.25rem 0.5rem 0.5rem;
    }
    > .complaint {
      padding: 0.25rem 0.5rem;
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
    gap: 0.25rem;
  }
  .thread-open {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 0.5rem;
    min-width: 0;
    min-height: 2.25rem;
    padding: 0.25rem 0.5rem;
    border-radius: var(--_control);
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
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [data-mark='unread'] .thread-title {
    font-weight: 600;
  }
  .thread-mark {
    display: flex;
    color: var(--_accent);
    [data-mark='failed'] & {
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
    width: 2.25rem;
    min-height: 2.25rem;
    border-radius: var(--_control);
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
    margin: 0.125rem;
  }
  .thread:has(.thread-undo) .thread-title {
    padding-inline-start: 0.5rem;
    color: var(--_muted);
  }
  .thread-form {
    padding: 0.5rem;
    input {
      width: 100%;
    }
  }
  .thread-foot {
    min-height: 1px;
    .line,
    .meta {
      padding: 0.5rem;
    }
    .line {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.5rem;
      color: var(--_muted);
    }
  }
  @media (pointer: coarse) {
    .threads input,
    .thread-more {
      min-width: 2.75rem;
      min-height: 2.75rem;
    }
  }
  @media (forced-colors: active) {
    .thread:has([aria-current]) {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
