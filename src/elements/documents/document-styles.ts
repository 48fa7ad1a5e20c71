import { css } from 'lit';

/** The documents of a thread, and the files that go with a message. */
export const documentStyles = css`
  .documents {
    flex: 1;
    min-height: 0;
    padding: 0.75rem 1rem;
    overflow: hidden auto;
    overscroll-behavior: contain;
    > div,
    .found {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.5rem;
      align-content: start;
      > button {
        justify-self: start;
      }
    }
    h2 {
      margin: 0;
      font-size: 1rem;
      font-weight: 600;
    }
    .meta:empty {
      display: none;
    }
    :is(div, .found) > .quiet {
      justify-self: start;
    }
    input[type='search'] {
      width: 100%;
      padding: 0.375rem 0.625rem;
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      color: var(--_text);
      font-size: max(0.875rem, 16px);
    }
  }
  .file {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 0.5rem;
    align-items: center;
    font-size: 0.875rem;
    .buttons {
      gap: 0.125rem;
    }
    .quiet {
      min-height: 1.75rem;
      min-width: 1.75rem;
      padding: 0 0.375rem;
      border-color: transparent;
      color: var(--_muted);
      font-size: 0.8125rem;
      text-align: center;
      &[aria-pressed='true'] {
        background: var(--_tint);
        color: var(--_accent);
      }
    }
    > :is(p, progress) {
      grid-column: 1 / -1;
    }
    > .again {
      justify-self: start;
      margin-block-start: 0.25rem;
      padding-inline: 0.625rem;
      border-color: var(--_line);
      color: inherit;
    }
    > p .glyph {
      height: auto;
    }
    progress {
      width: 100%;
      height: 0.25rem;
      accent-color: var(--_accent);
    }
  }
  .documents .file {
    padding-block: 0.5rem;
    border-block-start: var(--_border);
  }
  .attached .chips {
    margin: 0;
    padding: 0.25rem 0.25rem 0;
    .chip {
      display: flex;
      align-items: center;
      gap: 0.25rem;
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
      padding-inline: 0.25rem;
    }
  }
  .put-away {
    min-width: 1.5rem;
    min-height: 1.5rem;
    text-align: center;
  }
  @media (pointer: coarse) {
    .file .quiet,
    .put-away {
      min-width: 2.75rem;
      min-height: 2.75rem;
    }
  }
  @media (forced-colors: active) {
    .file .quiet[aria-pressed='true'] {
      border-color: Highlight;
    }
  }
`;
