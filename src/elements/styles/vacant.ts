import { css } from 'lit';

/** What is shown in place of messages: the greeting with its questions, and a question until messages can be drawn. */
export const vacantStyles = css`
  .empty,
  .starters {
    display: grid;
    gap: 0.5rem;
  }
  .empty {
    gap: 1.5rem;
    &.blank {
      visibility: hidden;
    }
  }
  .greeting {
    font-size: 1.375rem;
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  .asked {
    width: fit-content;
    max-width: 85%;
    margin-inline-start: auto;
    padding: 0.5rem 0.875rem;
    border-radius: var(--_round);
    background: var(--_tint);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
`;
