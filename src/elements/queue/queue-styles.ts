import { css } from 'lit';

/** The messages that wait, above the field. */
export const queueStyles = css`
  .waiting {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.25 * var(--_ubik-rem));
    padding-block-end: calc(0.25 * var(--_ubik-rem));
    [role='status'] {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      gap: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
      padding-inline: calc(0.75 * var(--_ubik-rem));
    }
    ol {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(0.25 * var(--_ubik-rem));
      max-height: 30vh;
      overflow-y: auto;
      overscroll-behavior: contain;
    }
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0 calc(0.5 * var(--_ubik-rem));
      align-items: center;
      padding-block: calc(0.25 * var(--_ubik-rem));
      padding-inline: calc(0.75 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem));
      border: 1px dashed var(--_line);
      border-radius: var(--_control);
      background: var(--_surface);
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      > :is(p, form) {
        grid-column: 1 / -1;
      }
    }
    .queued {
      display: -webkit-box;
      overflow: hidden;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      white-space: pre-wrap;
    }
    .buttons {
      display: flex;
      gap: calc(0.125 * var(--_ubik-rem));
      li > & .quiet {
        display: grid;
        place-items: center;
        min-width: calc(2 * var(--_ubik-rem));
        padding: 0;
        border-color: transparent;
        color: var(--_muted);
      }
    }
    form {
      display: grid;
      gap: calc(0.375 * var(--_ubik-rem));
    }
    form textarea {
      width: 100%;
      field-sizing: content;
      max-height: calc(6lh + var(--_ubik-rem));
      padding: calc(0.5 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      resize: none;
      font-size: max(calc(0.875 * var(--_ubik-rem)), 16px);
    }
    .ways {
      display: flex;
      flex-wrap: wrap;
      gap: calc(0.375 * var(--_ubik-rem));
    }
  }
  @media (pointer: coarse) {
    .waiting .buttons .quiet {
      min-width: calc(2.75 * var(--_ubik-rem));
    }
  }
`;
