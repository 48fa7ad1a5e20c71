import { css } from 'lit';
import { textBox } from '../styles/text-box.js';

/** A dialog over the page. */
export const modalStyles = css`
  .modal {
    width: min(34rem, 100vw - 2rem);
    max-height: min(44rem, 100dvh - 2rem);
    margin: auto;
    padding: 1.25rem;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 22%);
    overflow: auto;
    overscroll-behavior: contain;
    &::backdrop {
      background: rgb(0 0 0 / 45%);
    }
    h2 {
      margin: 0;
      font-size: 1.0625rem;
    }
    header {
      justify-content: space-between;
    }
    /* Ours, and not those of a message. */
    :is(section, .way) > h3 {
      font-size: 0.8125rem;
    }
    /* The heading stays, the map scrolls. */
    &.map {
      display: flex;
      flex-direction: column;
      gap: 0.75rem;
      overflow: hidden;
    }
    ubik-branch-map {
      display: flex;
      flex-direction: column;
      min-height: 0;
    }
    section > ul {
      padding-inline-start: 1.25rem;
      list-style: disc;
    }
    form,
    section {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.25rem;
    }
    form {
      gap: 0.875rem;
    }
    textarea {
      ${textBox}
    }
  }
  @media (forced-colors: active) {
    .modal {
      border: 2px solid CanvasText;
    }
  }
  @media (pointer: coarse) {
    .modal :is(.primary, .quiet) {
      min-height: 2.75rem;
    }
  }
`;
