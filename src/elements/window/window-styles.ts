import { css, unsafeCSS } from 'lit';
import { frameCss, launcherCss } from './window-css.js';

/** A chat that stands in a window of its own, in the corner or at the side of the page. The texts from the file beside are ours. */
export const windowStyles = css`
  ${unsafeCSS(frameCss)}
  ${unsafeCSS(launcherCss)}
  :host(:not([open])) .window,
  :host([open][layout='panel']) .launcher {
    display: none;
  }
  /* Whatever stands beside the messages. */
  .ubik.window {
    position: fixed;
    outline: 0;
  }
  .launch {
    display: contents;
  }
  :host([layout='panel']) .window {
    inset-block: 0;
    inset-inline-end: 0;
    inline-size: min(var(--_inline-size, 26rem), 100vw);
    block-size: auto;
    border-width: 0;
    border-inline-start-width: 1px;
    border-radius: 0;
  }
  .window-size {
    position: absolute;
    z-index: 4;
    inset-block-start: 0;
    inset-inline-start: 0;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    cursor: nwse-resize;
    touch-action: none;
    &:dir(rtl) {
      cursor: nesw-resize;
    }
    /* An arc inside the corner, round like it. */
    &::before {
      position: absolute;
      inset-block-start: 0.3125rem;
      inset-inline-start: 0.3125rem;
      inline-size: 0.625rem;
      block-size: 0.625rem;
      border: 0 solid var(--_muted);
      border-block-start-width: 2px;
      border-inline-start-width: 2px;
      border-start-start-radius: calc(var(--ubik-radius, 0.625rem) * 1.4 - 0.3125rem);
      opacity: 0.6;
      content: '';
    }
    &:is(:hover, :focus-visible)::before {
      opacity: 1;
    }
  }
  :host([layout='panel']) .window-size {
    inset-block: 0;
    inline-size: 0.5rem;
    block-size: auto;
    cursor: ew-resize;
    &::before {
      inset-block: 40%;
      inset-inline-start: 0.125rem;
      inline-size: 0;
      block-size: auto;
      border-width: 0;
      border-inline-start-width: 2px;
      border-radius: 0;
    }
  }
  @media (width < 30rem), (height < 26rem) {
    :host([open]) .launcher,
    .window-size {
      display: none;
    }
    :host([layout='panel']) .window {
      inline-size: 100vw;
    }
  }
`;
