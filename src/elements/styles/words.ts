import { css } from 'lit';

/** Words that matter less, wherever they stand. */
export const wordStyles = css`
  .meta,
  .note,
  .status-bar .line,
  .error details,
  label,
  legend,
  .complaint {
    color: var(--_muted);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
  }
  /* Sentences of ours end in no line of one sign, and Japanese is broken between phrases. */
  .meta,
  .note,
  .complaint,
  .words,
  .request-bar span,
  label,
  :is(dialog, dialog section) > p,
  th[scope='row'] {
    text-wrap-style: pretty;
    word-break: auto-phrase;
  }
  .payload h3,
  .divider,
  .sources h3,
  .below .meta {
    font-size: max(12px, calc(0.75 * var(--_ubik-rem)));
  }
  .number,
  .essence,
  .status,
  .activity,
  .glyph,
  .icon-chevron,
  .key,
  .cite-label,
  .payload h3,
  .rows th,
  .sources h3,
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  /* An empty field has no words that could turn it. */
  :placeholder-shown {
    direction: inherit;
  }
  .number,
  .cite,
  .cite-label,
  summary .meta {
    font-variant-numeric: tabular-nums;
  }
  .complaint,
  :is(.error, .failure) .icon,
  [data-state='failed'] > summary .glyph {
    color: var(--_danger);
  }
`;
