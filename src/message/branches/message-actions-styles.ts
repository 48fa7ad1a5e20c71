import { css } from 'lit';
import { addSheets } from '../../dom/sheets.js';

const messageActionsStyles = css`
  .action-bar,
  .versions {
    display: inline-flex;
    align-items: center;
  }
  .action-bar {
    gap: calc(0.25 * var(--_ubik-rem));
    margin-inline-start: auto;
  }
  .assistant .action-bar {
    margin-inline-start: 0;
  }
  .bare {
    display: inline-grid;
    flex: none;
    place-items: center;
    min-width: calc(1.75 * var(--_ubik-rem));
    min-height: calc(1.75 * var(--_ubik-rem));
    border-radius: var(--_control);
    color: var(--_muted);
    &:hover:not([aria-disabled='true']) {
      background: var(--_hover);
      color: var(--_text);
    }
  }
  .versions {
    color: var(--_muted);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    .previous-button .icon {
      rotate: 180deg;
    }
    .icon-chevron:dir(rtl) {
      rotate: 180deg;
    }
    .previous-button .icon:dir(rtl) {
      rotate: 0deg;
    }
  }
  /* Visible while the message is hovered or contains the focus; always on devices without hover. */
  @media (hover: hover) {
    :is(.edit-button, .regenerate-button) {
      opacity: 0;
    }
    .user:not(:hover, :focus-within) > .message-footer > .more[aria-expanded='false'] {
      opacity: 0;
    }
    .message:is(:hover, :focus-within) > .message-footer :is(.edit-button, .regenerate-button) {
      opacity: 1;
      &[aria-disabled='true'] {
        opacity: 0.5;
      }
    }
  }
  @media (pointer: coarse) {
    .bare {
      min-width: calc(2.75 * var(--_ubik-rem));
    }
  }
  .edited {
    width: 100% !important;
    > .body,
    > .message-footer {
      display: none;
    }
  }
  .edit {
    display: grid;
    gap: calc(0.5 * var(--_ubik-rem));
    textarea {
      width: 100%;
      min-height: calc(4.5 * var(--_ubik-rem));
      max-height: 50vh;
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      field-sizing: content;
      font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
      resize: vertical;
    }
  }
  .action-notices:not(:empty) {
    margin-block-start: calc(0.5 * var(--_ubik-rem));
  }
`;

/** Adopts the styles of message actions, which are loaded with them. */
export function adoptMessageActionsStyles({ shadowRoot }: Element): void {
  if (shadowRoot) addSheets(shadowRoot, [messageActionsStyles]);
}
