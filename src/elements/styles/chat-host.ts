import { css } from 'lit';

/** The whole chat; an element that stands alone takes the height that the page gives it. */
export const chatStyles = css`
  :host {
    contain: content;
    height: calc(40 * var(--_ubik-rem));
    max-height: 100dvh;
    min-width: 0;
  }
  :host([layout='page']) {
    height: 100dvh;
  }
  .ubik {
    background: var(--_background);
  }
  /* A window over the page, and nothing until there is what draws it. */
  :host(:is([layout='bubble'], [layout='panel'])) {
    position: fixed;
    z-index: var(--ubik-z-index, 2147483000);
    contain: none;
    height: auto;
    max-height: none;
  }
  :host(:is([layout='bubble'], [layout='panel'])) .ubik:not(.window, .launch) {
    display: none;
  }
  .main {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  /* Until there is what places it. */
  .side {
    display: none;
  }
  :host([density='compact']) {
    .ubik {
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      line-height: 1.45;
    }
    .message:not(.able) {
      margin-block-end: var(--_ubik-rem);
    }
  }
`;
