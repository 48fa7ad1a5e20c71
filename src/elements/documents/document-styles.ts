import { css } from 'lit';

/** Styles of `<ubik-documents>` and of attachments in the composer. */
export const documentStyles = css`
  .drop-hint {
    display: none;
    flex: 1 0 100%;
    padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem)) 0;
    color: var(--_accent);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    text-align: center;
    :host([data-dropping]) & {
      display: block;
    }
  }
  .documents {
    flex: 1;
    min-height: 0;
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    overflow: hidden auto;
    overscroll-behavior: contain;
    > div,
    .picker {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(0.5 * var(--_ubik-rem));
      align-content: start;
      > button {
        justify-self: start;
      }
    }
    h2 {
      margin: 0;
      font-size: var(--_ubik-rem);
      font-weight: 600;
    }
    .meta:empty {
      display: none;
    }
    :is(div, .picker) > .quiet {
      justify-self: start;
    }
    input[type='search'] {
      width: 100%;
      min-height: calc(2 * var(--_ubik-rem));
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control-radius);
      background: var(--_background);
      color: var(--_text);
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      /* iOS zooms in on a focused field with smaller text. */
      @media (any-pointer: coarse) {
        min-height: calc(2.75 * var(--_ubik-rem));
        font-size: max(calc(0.875 * var(--_ubik-rem)), 16px);
      }
    }
  }
  .file {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 0 calc(0.625 * var(--_ubik-rem));
    align-items: center;
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    /* In rows without .file-line (uploads and removed documents), the buttons are on the line of the state, and the name has the whole width. */
    .buttons {
      grid-area: 2 / -2;
      flex-wrap: nowrap;
      gap: calc(0.125 * var(--_ubik-rem));
    }
    .file-name {
      grid-column: 2 / -1;
      /* Aligned with the other names, even if the direction of the name differs. */
      text-align: -webkit-match-parent;
      text-align: match-parent;
    }
    .file-name,
    .file-state > :first-child {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    /* Contains the state and the buttons beside it. The buttons wrap below the state where they would cut its words. */
    .file-line {
      display: flex;
      flex-wrap: wrap;
      grid-column: 2 / -1;
      align-items: center;
      justify-content: space-between;
      column-gap: calc(0.375 * var(--_ubik-rem));
    }
    /* A date that does not fit wraps to a second line, which is clipped. The words of the date can wrap, too, so that it does not widen the state. */
    .file-state {
      display: flex;
      flex: 1 1 auto;
      width: min-content;
      min-width: 0;
      flex-wrap: wrap;
      column-gap: 0.25em;
      height: 1lh;
      overflow: hidden;
    }
    /* The reason for a failure needs the whole width. */
    &:is([data-state='failed'], [data-state='refused']) {
      .file-name {
        grid-column: 2;
      }
      .file-line {
        display: contents;
      }
      .buttons {
        grid-row: 1;
      }
      > p {
        grid-column: 2 / -1;
      }
    }
    .quiet {
      display: inline-grid;
      place-items: center;
      min-height: calc(1.75 * var(--_ubik-rem));
      min-width: calc(1.75 * var(--_ubik-rem));
      padding: 0 calc(0.375 * var(--_ubik-rem));
      border-color: transparent;
      color: var(--_muted);
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
      &[aria-pressed='true'] {
        background: var(--_tint);
        color: var(--_accent);
        .icon-star {
          fill: currentColor;
        }
      }
    }
    > :is(p, progress) {
      grid-column: 2;
    }
    > .reupload {
      grid-column: 2 / -1;
      justify-self: start;
      margin-block-start: calc(0.25 * var(--_ubik-rem));
      padding-inline: calc(0.625 * var(--_ubik-rem));
      border-color: var(--_line);
      color: inherit;
    }
    p .glyph {
      height: auto;
      vertical-align: middle;
    }
    progress {
      width: 100%;
      height: calc(0.25 * var(--_ubik-rem));
      accent-color: var(--_accent);
    }
  }
  .file-icon {
    display: grid;
    grid-row: span 2;
    place-items: center;
    min-width: calc(2 * var(--_ubik-rem));
    min-height: calc(2.25 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: var(--_control-radius);
    border-start-end-radius: calc(0.625 * var(--_ubik-rem));
    background: var(--_surface);
    color: var(--_muted);
    font-size: calc(0.5625 * var(--_ubik-rem));
    font-weight: 600;
    &:not([data-type=''])::before {
      content: attr(data-type) / '';
      text-transform: uppercase;
    }
    .icon {
      width: var(--_ubik-rem);
      height: var(--_ubik-rem);
      stroke-width: 1.2;
    }
  }
  /* Repeated here, because the element of the documents does not load the styles of messages. */
  .file .file-state .glyph {
    display: inline-flex;
    color: var(--_success);
  }
  .file .file-state .busy .glyph {
    color: var(--_accent);
    .icon {
      fill: currentColor;
    }
  }
  /* The buttons of a ready document are visible while its row is hovered or contains the focus. Toggles that are on are always visible, as are
     all buttons on devices without hover. */
  @media (hover: hover) {
    .documents
      .file:not(:hover, :focus-within)[data-state='ready']
      .buttons
      > .quiet:not([aria-pressed='true']) {
      opacity: 0;
    }
  }
  .drop-zone {
    display: grid;
    gap: calc(0.375 * var(--_ubik-rem));
    justify-items: start;
    padding: calc(0.75 * var(--_ubik-rem));
    border: 1px dashed var(--_field-line);
    border-radius: var(--_radius);
  }
  /* The results of the picker have no icon. */
  .picker .file {
    grid-template-columns: minmax(0, 1fr) auto;
    > * {
      grid-area: auto;
    }
  }
  .documents .file {
    padding-block: calc(0.5 * var(--_ubik-rem));
    border-block-start: var(--_border);
  }
  .attached .chips {
    /* In a low window, many files must not push the field out of the chat. The padding has room for focus rings. */
    max-height: min(calc(14 * var(--_ubik-rem)), 25dvh);
    margin: 0 0 calc(-0.25 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem));
    overflow: hidden auto;
    overscroll-behavior: contain;
    .chip {
      display: flex;
      align-items: center;
      gap: calc(0.25 * var(--_ubik-rem));
      max-width: 100%;
      padding-inline-end: 0;
      bdi {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    }
    .file {
      flex: 1 0 100%;
      padding-inline: calc(0.25 * var(--_ubik-rem));
    }
  }
  .dismiss {
    display: inline-grid;
    place-items: center;
    min-width: calc(1.5 * var(--_ubik-rem));
    min-height: calc(1.5 * var(--_ubik-rem));
  }
  @media (pointer: coarse) {
    .file .quiet,
    .dismiss {
      min-width: calc(2.75 * var(--_ubik-rem));
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    .file .quiet[aria-pressed='true'] {
      border-color: Highlight;
    }
  }
`;
