import { css } from 'lit';
import { addSheets } from '../../dom/sheets.js';

const messageActionsStyles = css`
  .acts,
  .versions {
    display: inline-flex;
    align-items: center;
  }
  .acts {
    gap: calc(0.25 * var(--_ubik-rem));
    margin-inline-start: auto;
  }
  .assistant .acts {
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
    .previous-act .icon {
      rotate: 180deg;
    }
    .icon-chevron:dir(rtl) {
      rotate: 180deg;
    }
    .previous-act .icon:dir(rtl) {
      rotate: 0deg;
    }
  }
  /* Seen when the message is pointed at, or anything in it has the focus; where nothing can hover, always. */
  @media (hover: hover) {
    :is(.edit-act, .again-act) {
      opacity: 0;
    }
    .user:not(:hover, :focus-within) > .foot > .more[aria-expanded='false'] {
      opacity: 0;
    }
    .message:is(:hover, :focus-within) > .foot :is(.edit-act, .again-act) {
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
    > .foot {
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
  .told:not(:empty) {
    margin-block-start: calc(0.5 * var(--_ubik-rem));
  }
`;

/** Gives an element the looks of what is fetched with the acts of messages. */
export function adoptMessageActionsStyles({ shadowRoot }: Element): void {
  if (shadowRoot) addSheets(shadowRoot, [messageActionsStyles]);
}
