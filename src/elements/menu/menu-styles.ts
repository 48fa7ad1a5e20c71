import { css } from 'lit';
import { textBox } from '../styles/text-box.js';

/** The menu of a message. */
export const menuStyles = css`
  .act-menu {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    min-width: 13rem;
    max-width: min(22rem, 100vw - 1rem);
    max-height: calc(100dvh - 1rem);
    margin: 0;
    padding: 0.25rem;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font-size: 0.875rem;
    box-shadow: 0 0.25rem 1.25rem rgb(0 0 0 / 18%);
    overflow: auto;
    overscroll-behavior: contain;
    > .meta,
    [role='group'] > .meta {
      display: block;
      padding: 0.375rem 0.625rem;
      color: var(--_muted);
      font-size: 0.8125rem;
      &:empty {
        padding: 0;
      }
    }
    .meta > time,
    .meta > span {
      display: block;
    }
    .meta > time::first-letter {
      text-transform: uppercase;
    }
    > p {
      margin: 0;
    }
    [role='group'] + [role='group'],
    .meta:not(:empty) + [role='menu'] {
      margin-block-start: 0.25rem;
      padding-block-start: 0.25rem;
      border-block-start: var(--_border);
    }
    [role^='menuitem'] {
      display: flex;
      justify-content: space-between;
      align-items: center;
      gap: 0.75rem;
      box-sizing: border-box;
      width: 100%;
      min-height: 2rem;
      padding: 0.25rem 0.625rem;
      border-radius: var(--_control);
      text-align: start;
      &:focus-visible {
        background: var(--_hover);
        outline-offset: -2px;
      }
    }
    /* A finger leaves no pointer behind. */
    @media (hover: hover) {
      [role^='menuitem']:hover {
        background: var(--_hover);
      }
    }
    form {
      display: grid;
      gap: 0.5rem;
      width: min(20rem, 100vw - 2.5rem);
      padding: 0.625rem;
    }
    textarea {
      ${textBox}
      min-height: 4rem;
    }
    @media (pointer: coarse) {
      [role^='menuitem'] {
        min-height: 2.75rem;
      }
    }
    /* On a phone a sheet at the lower edge, so that the answer is seen above it; what places it at its button knows of no edge. */
    @media (width < 30rem) {
      inset: auto 0 0 !important;
      width: 100%;
      max-width: none;
      max-height: 75dvh;
      padding: 0.25rem 0.5rem max(0.5rem, env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-radius: calc(var(--_radius) * 1.4) calc(var(--_radius) * 1.4) 0 0;
      box-shadow: 0 0 2rem rgb(0 0 0 / 24%);
      [role='group'] {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        column-gap: 0.5rem;
        > .meta {
          grid-column: 1 / -1;
        }
      }
      form {
        width: auto;
      }
    }
  }
`;
