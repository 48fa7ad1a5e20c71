import { css } from 'lit';
import { columnLayoutStyles } from './column-layout.js';

/** Layout of a chat: scrolling message column, status line, composer. */
export const frameStyles = css`
  /* A long line must not widen a grid or flex container of the host page. */
  .transcript,
  .composer,
  .status-bar {
    contain: inline-size;
    contain-intrinsic-inline-size: min(
      calc(18 * var(--_ubik-rem)),
      100vw - calc(2 * var(--_ubik-rem))
    );
  }
  .transcript,
  .scroller {
    flex: 1;
    min-height: 0;
  }
  .transcript {
    position: relative;
    display: flex;
    flex-direction: column;
  }
  .scroller {
    overflow: hidden auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
    scrollbar-width: thin;
    /* The focus is indicated by a bar at the start instead of a frame around all messages. */
    &:focus-visible {
      outline: 0;
      box-shadow: inset 3px 0 0 var(--_accent);
      &:dir(rtl) {
        box-shadow: inset -3px 0 0 var(--_accent);
      }
    }
  }
  .column,
  .status-bar,
  .composer {
    width: 100%;
    max-width: calc(46 * var(--_ubik-rem));
    margin-inline: auto;
    padding-inline: var(--_ubik-rem);
  }
  .column {
    display: flow-root;
    min-height: 100%;
    padding-block: calc(1.5 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
    &.is-opening {
      align-content: end;
    }
    &.is-empty {
      display: grid;
      align-content: center;
      padding-block-end: 10%;
    }
  }
  .skippable {
    content-visibility: auto;
    contain-intrinsic-size: auto calc(100 * var(--_ubik-rem));
  }
  /* WebKit gives a skipped box that contains skipped boxes a height of 0. The condition selects WebKit: no other engine has the property. */
  @supports (hanging-punctuation: first) {
    .box.skippable {
      content-visibility: visible;
    }
  }
  .scroll-to-end {
    position: absolute;
    inset: auto 0 calc(0.5 * var(--_ubik-rem));
    width: fit-content;
    margin-inline: auto;
    padding-inline: calc(0.875 * var(--_ubik-rem));
    border-radius: calc(1.375 * var(--_ubik-rem));
    background: var(--_background);
    box-shadow: 0 calc(0.125 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem)) rgb(0 0 0 / 14%);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    &:hover {
      background: var(--_surface);
    }
  }
  .starter,
  .request-bar {
    width: 100%;
    min-height: calc(2.75 * var(--_ubik-rem));
    padding: calc(0.5 * var(--_ubik-rem)) var(--_ubik-rem);
  }

  /* Status line */
  .status-bar .line {
    flex-wrap: wrap;
    padding-block: calc(0.375 * var(--_ubik-rem));
  }
  /* A long button label wraps below the text before it squeezes the text into a narrow column. */
  .words {
    flex: 1 1 calc(10 * var(--_ubik-rem));
  }
  .request-bar span {
    flex: 1;
  }
  .request-bar {
    border-color: var(--_accent);
    background: var(--_tint);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    strong {
      color: var(--_accent);
    }
  }

  /* Composer */
  .composer {
    padding-block: calc(0.25 * var(--_ubik-rem))
      max(calc(0.5 * var(--_ubik-rem)), env(safe-area-inset-bottom));
  }
  .field {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: calc(0.25 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem));
    border: 1px solid var(--_field-line);
    border-radius: var(--_round);
    background: var(--_background);
    &:focus-within {
      border-color: var(--_accent);
      box-shadow: 0 0 0 1px var(--_accent);
    }
    textarea {
      flex: 1;
      min-width: min(calc(8 * var(--_ubik-rem)), 50%);
      field-sizing: content;
      max-height: calc(6lh + var(--_ubik-rem));
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      border: 0;
      outline: 0;
      background: none;
      resize: none;
      font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
      line-height: 1.5;
    }
    .attach ~ textarea {
      padding-inline-start: calc(0.25 * var(--_ubik-rem));
    }
  }
  .attached {
    flex: 1 0 100%;
    min-width: 0;
    &:empty {
      display: none;
    }
  }
  :host([data-dropping]) .field,
  [data-dropping] {
    outline: 2px dashed var(--_accent);
    outline-offset: -4px;
  }
  .attach {
    border-radius: var(--_control-radius);
    color: var(--_muted);
    &:hover {
      background: var(--_hover);
    }
  }
  .attach,
  .send {
    display: grid;
    flex: none;
    place-items: center;
    width: calc(2.5 * var(--_ubik-rem));
    height: calc(2.5 * var(--_ubik-rem));
    min-height: 0;
  }
  .send {
    border-radius: calc(var(--_round) - calc(0.25 * var(--_ubik-rem)));
    background: var(--_accent);
    color: var(--_on-accent);
    &:hover {
      opacity: 0.88;
    }
    &[data-act='stop'] {
      background: var(--_text);
      color: var(--_background);
      .icon {
        fill: currentColor;
      }
    }
    &[aria-disabled='true'] {
      background: var(--_hover);
      color: var(--_muted);
      opacity: 1;
    }
  }
  .below {
    min-height: calc(1.5 * var(--_ubik-rem));
    padding: calc(0.125 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem)) 0;
    text-wrap: pretty;
  }
  /* The hint is of use only while something is written. */
  .composer:not(:focus-within) .keys {
    visibility: hidden;
  }
  @media (forced-colors: active) {
    .scroller:focus-visible {
      outline: 2px solid;
      outline-offset: -2px;
    }
  }
  @media (pointer: coarse) {
    :is(button:not(.cite), .choice, .disclosure > summary) {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
    .tree summary {
      padding-block: calc(0.75 * var(--_ubik-rem));
    }
    .attach,
    .send {
      width: calc(2.75 * var(--_ubik-rem));
      height: calc(2.75 * var(--_ubik-rem));
    }
    .keys {
      display: none;
    }
  }
`;

/** Empty state with greeting and starter questions, and the plain text of a question before the views are loaded. */
export const emptyStateStyles = css`
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
    --_greeting-size: calc(1.375 * var(--_ubik-rem));
    /* The first block of a Markdown greeting is its title, the others are text. */
    > .ubik-markdown {
      font-size: var(--_ubik-text);
      font-weight: 400;
    }
  }
  .greeting,
  .greeting > .ubik-markdown:first-child > :first-child {
    font-size: var(--_greeting-size);
    font-weight: 600;
    line-height: 1.3;
    text-wrap: balance;
  }
  .question-placeholder {
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

/** Styles for little height. */
const shortStyles = css`
  .column {
    padding-block-start: calc(0.5 * var(--_ubik-rem));
  }
  .side-toggles {
    padding-block: 0;
  }
  .greeting {
    --_greeting-size: calc(1.0625 * var(--_ubik-rem));
  }
  .keys {
    display: none;
  }
`;

/** Shrinks everything except the messages where little height is available: in a low or zoomed window, or above an on-screen keyboard. */
export const shortViewportStyles = css`
  @media (max-height: 30rem) {
    .ubik {
      ${shortStyles}
    }
  }
  [data-keyboard] {
    ${shortStyles}
    .side-toggles {
      display: contents;
      > button {
        display: none;
      }
    }
    .below {
      min-height: 0;
    }
  }
`;

/** Host of a whole chat. Standalone elements get their height from the host page. */
export const chatHostStyles = css`
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
  /* Fixed window over the page; hidden until its code is loaded. */
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
  [data-gated] > :is(.transcript, .composer),
  [data-gated] :is(.request-bar, .side-toggles > button) {
    display: none;
  }
  [data-sides] {
    ${columnLayoutStyles}
  }
  /* A column where the chat is wide enough. Otherwise hidden, until it is opened as a drawer. */
  .side {
    position: relative;
    display: none;
    flex: none;
    flex-direction: column;
    width: var(--_side-width, calc(16 * var(--_ubik-rem)));
    border: 0 solid var(--_line);
    border-inline-end-width: 1px;
  }
  .end {
    width: var(--_side-width, calc(20 * var(--_ubik-rem)));
    border-inline-width: 1px 0;
  }
  /* Has a box only where the buttons of drawers, or of collapsed columns, are shown. Their code is loaded later. */
  .side-toggles {
    display: flex;
    align-items: center;
    box-sizing: content-box;
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.375 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    border-block-end: var(--_border);
  }
  .ubik:not([data-sides='1'], [data-sides='2']) .side-toggles {
    display: contents;
  }
  @media (pointer: coarse) {
    .side-toggles {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  /* Elements in the slots inherit the accent colour of the host page. That of .ubik may be lightened, or the default one. */
  slot {
    accent-color: var(--_page-accent, auto);
  }
  .side ::slotted(*) {
    flex: 1;
    min-height: 0;
  }
  /* In the default density, an em is 0.9375 of the unit of sizes (size-unit.ts). From 51.2em on, which are 48 units, one column has room
     beside the messages; from 72.54em on, which are 68, two have. The same widths are in side-panels.ts, for the buttons,
     and in details-area.ts. */
  @container ubik (min-width: 51.2em) {
    .start.filled:not(.is-collapsed),
    :not([data-sides='2']) > .end.filled:not(.is-collapsed) {
      display: flex;
    }
    :not([data-sides='2']) > .main > .side-toggles:not(.is-collapsed) {
      display: contents;
    }
  }
  @container ubik (min-width: 72.54em) {
    .end.filled:not(.is-collapsed) {
      display: flex;
    }
    .side-toggles:not(.is-collapsed) {
      display: contents;
    }
  }
  :host([density='compact']) {
    .ubik {
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      line-height: 1.45;
    }
    .message:not(.has-actions) {
      margin-block-end: var(--_ubik-rem);
    }
  }
`;
