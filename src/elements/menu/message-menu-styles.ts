import { css } from 'lit';
import { floatingFieldStyles } from '../styles/fragments.js';

/** Menu of a message. */
export const menuStyles = css`
  .message-menu {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    min-width: calc(13 * var(--_ubik-rem));
    max-width: min(calc(22 * var(--_ubik-rem)), 100vw - var(--_ubik-rem));
    max-height: calc(100dvh - var(--_ubik-rem));
    margin: 0;
    padding: calc(0.25 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    box-shadow: 0 calc(0.25 * var(--_ubik-rem)) calc(1.25 * var(--_ubik-rem)) rgb(0 0 0 / 18%);
    overflow: auto;
    overscroll-behavior: contain;
    > .meta,
    [role='group'] > .meta {
      display: block;
      padding: calc(0.375 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
      color: var(--_muted);
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
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
      margin-block-start: calc(0.25 * var(--_ubik-rem));
      padding-block-start: calc(0.25 * var(--_ubik-rem));
      border-block-start: var(--_border);
    }
    [role^='menuitem'] {
      display: flex;
      justify-content: space-between;
      align-items: center;
      gap: calc(0.75 * var(--_ubik-rem));
      box-sizing: border-box;
      width: 100%;
      min-height: calc(2 * var(--_ubik-rem));
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
      border-radius: var(--_control);
      text-align: start;
      &:focus-visible {
        background: var(--_hover);
        outline-offset: -2px;
      }
    }
    /* On touch screens the hover style would stick. */
    @media (hover: hover) {
      [role^='menuitem']:hover {
        background: var(--_hover);
      }
    }
    form {
      display: grid;
      gap: calc(0.5 * var(--_ubik-rem));
      width: min(calc(20 * var(--_ubik-rem)), 100vw - calc(2.5 * var(--_ubik-rem)));
      padding: calc(0.625 * var(--_ubik-rem));
    }
    textarea {
      ${floatingFieldStyles}
      min-height: calc(4 * var(--_ubik-rem));
    }
    @media (pointer: coarse) {
      [role^='menuitem'] {
        min-height: calc(2.75 * var(--_ubik-rem));
      }
    }
    /* On narrow screens the menu is a sheet at the lower edge, so that the answer stays visible above it.
       "!important" overrides the position that was set for the button. */
    @media (width < 30rem) {
      inset: auto 0 0 !important;
      width: 100%;
      max-width: none;
      max-height: 75dvh;
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem))
        max(calc(0.5 * var(--_ubik-rem)), env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-radius: calc(var(--_radius) * 1.4) calc(var(--_radius) * 1.4) 0 0;
      box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
      [role='group'] {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        column-gap: calc(0.5 * var(--_ubik-rem));
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
