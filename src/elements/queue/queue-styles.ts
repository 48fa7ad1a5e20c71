import { css } from 'lit';

/** The messages that wait, above the field. */
export const queueStyles = css`
  .waiting {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.25rem;
    padding-block-end: 0.25rem;
    [role='status'] {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      gap: 0.25rem 0.5rem;
      padding-inline: 0.75rem;
    }
    ol {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.25rem;
      max-height: 30vh;
      overflow-y: auto;
      overscroll-behavior: contain;
    }
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0 0.5rem;
      align-items: center;
      padding-block: 0.25rem;
      padding-inline: 0.75rem 0.25rem;
      border: 1px dashed var(--_line);
      border-radius: var(--_control);
      background: var(--_surface);
      font-size: 0.875rem;
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
      gap: 0.125rem;
      li > & .quiet {
        display: grid;
        place-items: center;
        min-width: 2rem;
        padding: 0;
        border-color: transparent;
        color: var(--_muted);
      }
    }
    form {
      display: grid;
      gap: 0.375rem;
    }
    form textarea {
      width: 100%;
      field-sizing: content;
      max-height: calc(6lh + 1rem);
      padding: 0.5rem;
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      resize: none;
      font-size: max(0.875rem, 16px);
    }
    .ways {
      display: flex;
      flex-wrap: wrap;
      gap: 0.375rem;
    }
  }
  @media (pointer: coarse) {
    .waiting .buttons .quiet {
      min-width: 2.75rem;
    }
  }
`;
