import { css } from 'lit';

/** One message, and the lines that fold in it. */
export const messageStyles = css`
  .message {
    position: relative;
    margin-block-end: 1.5rem;
  }
  .message.user {
    inline-size: fit-content;
    max-inline-size: 85%;
    margin-inline-start: auto;
    padding: 0.5rem 0.875rem;
    border-radius: var(--_round);
    border-end-end-radius: var(--_control);
    background: var(--_tint);
  }
  .plain {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  .body,
  .content {
    display: flow-root;
  }
  .body > * + *,
  .content > * + * {
    margin-block-start: 0.75rem;
  }
  .tail:not(:empty) {
    margin-block-start: 0.75rem;
  }
  .glyph {
    display: inline-flex;
    flex: none;
    align-self: center;
    block-size: 1.55em;
    align-items: center;
    color: var(--_muted);
  }

  /* One line that folds: step, tool, thought, answered request */
  .fold > summary {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 1.75rem;
    padding: 0.125rem 0.25rem;
    margin-inline: -0.25rem;
    border-radius: var(--_control);
    list-style: none;
    cursor: pointer;
    font-size: 0.875rem;
  }
  .fold > summary::-webkit-details-marker {
    display: none;
  }
  .fold > summary:hover {
    background: var(--_hover);
  }
  .fold > summary .line {
    display: flex;
    flex: 1;
    gap: 0 0.5rem;
    min-inline-size: 0;
    white-space: nowrap;
  }
  .line > * {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .line > .number {
    flex: none;
  }
  /* What matters less gives way first. */
  .line > .status {
    flex-shrink: 500;
  }
  .line > .essence {
    flex-shrink: 1000;
  }
  .fold > summary .meta {
    flex: none;
    font-variant-numeric: tabular-nums;
  }
  .icon-chevron {
    color: var(--_muted);
    transition: rotate 150ms;
  }
  :dir(rtl) .icon-chevron {
    rotate: 180deg;
  }
  .fold[open] > summary > .icon-chevron {
    rotate: 90deg;
  }
  .title {
    font-weight: 550;
  }
  .number,
  .essence,
  .status {
    color: var(--_muted);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  [data-state='running'] > summary .glyph,
  .working .glyph,
  .busy .glyph {
    color: var(--_accent);
    animation: breathe 1.6s ease-in-out infinite;
  }
  [data-state='running'] > summary .icon-dot,
  .working .icon-dot,
  .busy .icon-dot {
    fill: currentColor;
  }
  .step[data-state='completed'] > summary .glyph,
  .tool[data-state='done'] > summary .glyph {
    color: var(--_success);
  }
  [data-state='failed'] > summary .glyph {
    color: var(--_danger);
  }
  .fold[data-state='failed'] > summary .line {
    flex-wrap: wrap;
  }
  .fold[data-state='failed'] > summary .glyph {
    align-self: start;
  }
  .fold[data-state='failed'] > summary .essence {
    flex: 1 1 0;
  }
  .fold[data-state='failed'] > summary .status {
    flex: 1 0 100%;
    white-space: normal;
  }
  @keyframes breathe {
    50% {
      opacity: 0.35;
    }
  }

  @media (pointer: coarse) {
    .fold > summary {
      min-block-size: 2.75rem;
    }
  }

  /* Step: a rail at the start carries what is in it */
  .step > .content {
    margin-block: 0.375rem 0.25rem;
    margin-inline-start: 0.4375rem;
    padding-inline-start: 1rem;
    border-inline-start: 1px solid var(--_line);
  }
  .step.single > summary {
    display: none;
  }
  .step.single > .content {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .body > .checkpoint,
  .body > .checkpoint + .step,
  .step + .step,
  .step + .tool,
  .tool + .step,
  .tool + .tool,
  .thinking + .tool,
  .tool + .thinking,
  .thinking + .step {
    margin-block-start: 0.25rem !important;
  }
  .thinking > .content {
    margin-block: 0.25rem;
    margin-inline-start: 0.4375rem;
    padding-inline-start: 1rem;
    border-inline-start: 1px solid var(--_line);
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .activity {
    color: var(--_muted);
  }
`;
