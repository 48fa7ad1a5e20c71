import { css, unsafeCSS } from 'lit';
import { frameCss, launcherCss } from './window-css.js';

/** Styles of a chat with the layout `bubble` or `panel`. `unsafeCSS` gets constants of this package only. */
export const windowStyles = css`
  ${unsafeCSS(frameCss)}
  ${unsafeCSS(launcherCss)}
  :host(:not([open])) .window,
  :host([open][layout='panel']) .launcher {
    display: none;
  }
  /* Also with side panels, whose styles set another position. */
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
    inline-size: min(var(--_inline-size, calc(26 * var(--_ubik-rem))), 100vw);
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
    inline-size: calc(1.5 * var(--_ubik-rem));
    block-size: calc(1.5 * var(--_ubik-rem));
    cursor: nwse-resize;
    touch-action: none;
    &:dir(rtl) {
      cursor: nesw-resize;
    }
    /* An arc with the radius of the corner. */
    &::before {
      position: absolute;
      inset-block-start: calc(0.3125 * var(--_ubik-rem));
      inset-inline-start: calc(0.3125 * var(--_ubik-rem));
      inline-size: calc(0.625 * var(--_ubik-rem));
      block-size: calc(0.625 * var(--_ubik-rem));
      border: 0 solid var(--_muted);
      border-block-start-width: 2px;
      border-inline-start-width: 2px;
      border-start-start-radius: calc(
        var(--ubik-radius, calc(0.625 * var(--_ubik-rem))) * 1.4 - calc(0.3125 * var(--_ubik-rem))
      );
      opacity: 0.6;
      content: '';
    }
    &:is(:hover, :focus-visible)::before {
      opacity: 1;
    }
  }
  :host([layout='panel']) .window-size {
    inset-block: 0;
    inline-size: calc(0.5 * var(--_ubik-rem));
    block-size: auto;
    cursor: ew-resize;
    &::before {
      inset-block: 40%;
      inset-inline-start: calc(0.125 * var(--_ubik-rem));
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
