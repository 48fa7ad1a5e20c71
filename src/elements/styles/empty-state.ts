import { css } from 'lit';

/** What is shown in place of messages: the greeting with its questions, and a question until messages can be drawn. */
export const vacantStyles = css`
  .empty,
  .starters {
    display: grid;
    gap: calc(0.5 * var(--_ubik-rem));
  }
  .empty {
    gap: calc(1.5 * var(--_ubik-rem));
    &.blank {
      visibility: hidden;
    }
  }
  .greeting {
    font-size: calc(1.375 * var(--_ubik-rem));
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  .asked {
    width: fit-content;
    max-width: 85%;
    margin-inline-start: auto;
    padding: calc(0.5 * var(--_ubik-rem)) calc(0.875 * var(--_ubik-rem));
    border-radius: var(--_round);
    background: var(--_tint);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
`;
