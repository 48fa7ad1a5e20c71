import { css } from 'lit';

/** A box to write in that stands over the page. The size of its letters keeps a phone from zooming in. */
export const textBox = css`
  box-sizing: border-box;
  width: 100%;
  padding: 0.5rem 0.625rem;
  border: 1px solid var(--_field-line);
  border-radius: var(--_control);
  background: var(--_background);
  color: var(--_text);
  font-size: max(0.9375rem, 16px);
  resize: vertical;
`;
