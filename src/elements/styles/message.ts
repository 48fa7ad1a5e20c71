import { css } from 'lit';

/** Messages and the disclosure lines in them. */
export const messageStyles = css`
  .message {
    position: relative;
    margin-block-end: calc(1.5 * var(--_ubik-rem));
    &.user {
      width: fit-content;
      max-width: 85%;
      margin-inline-start: auto;
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.875 * var(--_ubik-rem));
      border-radius: var(--_round);
      border-end-end-radius: var(--_control-radius);
      background: var(--_tint);
    }
  }
  /* Avatar drawn by the host page, beside the message. */
  .avatar {
    position: absolute;
    inset-block-start: 0;
    width: calc(2 * var(--_ubik-rem));
    overflow: clip;
  }
  .pictured {
    &.assistant {
      padding-inline-start: calc(2.75 * var(--_ubik-rem));
      > .avatar {
        inset-inline-start: 0;
      }
    }
    &.user {
      margin-inline-end: calc(2.75 * var(--_ubik-rem));
      > .avatar {
        inset-inline-end: calc(-2.75 * var(--_ubik-rem));
      }
    }
  }
  .placeholder {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .body,
  .content {
    display: flow-root;
    /* Not "+ *": a universal selector for siblings makes browsers invalidate a whole table when its columns come and go. */
    > :where(:not(:first-child)) {
      margin-block-start: calc(0.75 * var(--_ubik-rem));
    }
  }
  /* Space for the actions below a message; those of a question are outside its background. */
  .has-actions.assistant {
    margin-block-end: var(--_ubik-rem);
    > .message-footer {
      min-height: calc(1.75 * var(--_ubik-rem));
    }
  }
  .has-actions.user {
    margin-block-end: calc(2.25 * var(--_ubik-rem));
    > .message-footer {
      position: absolute;
      inset-block-start: 100%;
      inset-inline-end: 0;
      width: max-content;
      min-width: 100%;
      max-width: calc(100vw - 2 * var(--_ubik-rem));
      justify-content: end;
    }
  }
  .message-header > :is(.note, .buttons) {
    margin-block-end: calc(0.5 * var(--_ubik-rem));
  }
  .message-footer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(0.125 * var(--_ubik-rem));
  }
  /* Buttons that show an icon. */
  .bare {
    display: inline-grid;
    flex: none;
    place-items: center;
    min-width: calc(1.75 * var(--_ubik-rem));
    min-height: calc(1.75 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    color: var(--_muted);
    &:hover:not([aria-disabled='true']) {
      background: var(--_hover);
      color: var(--_text);
    }
    @media (pointer: coarse) {
      min-width: calc(2.75 * var(--_ubik-rem));
    }
  }
  /* The buttons below a message are visible only while the message is hovered or contains the focus. They are always visible below the last
     message, and on devices without hover. The pager of the versions and a button whose menu is open are visible everywhere. */
  @media (hover: hover) {
    :is(
      .box:not(:last-child) .message,
      .group:not(:last-child) > .message,
      .message:not(:last-child)
    ) {
      &:not(:hover, :focus-within) > .message-footer {
        > .bare:not([aria-expanded='true']),
        > .action-bar > .bare:not([aria-expanded='true']) {
          opacity: 0;
        }
      }
    }
  }
  .message-status,
  .request + .request {
    margin-block-start: calc(0.75 * var(--_ubik-rem));
  }
  .assistant > .message-footer {
    /* The icon of the first button is aligned with the text. */
    margin-inline-start: calc(-0.4375 * var(--_ubik-rem));
    &:has(.copy) {
      margin-block-start: calc(0.5 * var(--_ubik-rem));
    }
  }
  /* Steps, tools and thinking are closer together than texts. */
  .body > .checkpoint,
  :is(.body > .checkpoint, .run, .step, .call, .thinking) + :is(.step, .call, .thinking) {
    margin-block-start: calc(0.25 * var(--_ubik-rem));
  }
  .glyph {
    display: inline-flex;
    flex: none;
    align-self: center;
    align-items: center;
  }

  /* Disclosure line of a step, tool, thinking or answered request */
  .disclosure > summary {
    min-height: calc(1.75 * var(--_ubik-rem));
    padding: calc(0.125 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem));
    margin-inline: calc(-0.25 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    list-style: none;
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    &::-webkit-details-marker {
      display: none;
    }
    .line {
      display: flex;
      flex: 1;
      gap: 0 calc(0.5 * var(--_ubik-rem));
      min-width: 0;
      white-space: nowrap;
    }
    .meta {
      flex: none;
    }
  }
  .line > * {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .line > .number {
    flex: none;
  }
  /* An open disclosure shows its whole title. */
  [open] > summary > .line {
    flex-wrap: wrap;
    white-space: normal;
  }
  /* Less important text shrinks first, and completely: otherwise a fraction of a pixel would cut the last letters of
     the title. The topic is what a call is about, such as its title or arguments; the status is its state, activity or reason. */
  .line > .status {
    flex-shrink: 1e5;
  }
  .line > .topic {
    flex-shrink: 1e10;
  }
  .title {
    font-weight: 550;
  }
  .icon-chevron {
    &:dir(rtl) {
      rotate: 180deg;
    }
    [open] > summary > & {
      rotate: 90deg;
    }
  }

  /* Running, done, failed */
  :is([data-state='running'] > :is(summary, .line), .working, .busy),
  .tool[data-state='waiting'] > summary {
    .glyph {
      color: var(--_accent);
    }
    .icon-dot {
      fill: currentColor;
    }
  }
  .working progress {
    flex: none;
    width: calc(6 * var(--_ubik-rem));
    height: calc(0.375 * var(--_ubik-rem));
    align-self: center;
    accent-color: var(--_accent);
  }
  /* Shown after 300 ms, because work that ends sooner need not be shown. */
  .working,
  .busy {
    animation: appear 1ms 300ms backwards;
  }
  @media (prefers-reduced-motion: no-preference) {
    .icon-chevron {
      transition: rotate 150ms;
    }
    :is([data-state='running'] > summary, .working, .busy) .glyph {
      animation: breathe 1.6s ease-in-out infinite;
    }
  }
  /* Streaming text already shows that work is in progress. */
  .message.writing .glyph {
    animation: none;
  }
  @keyframes breathe {
    50% {
      opacity: 0.35;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  :is(.step[data-state='completed'], .tool[data-state='done']) > summary .glyph {
    color: var(--_success);
  }
  /* The reason is shown in full, on a line of its own. */
  .disclosure[data-state='failed'] > summary {
    .line {
      flex-wrap: wrap;
    }
    .glyph {
      align-self: start;
    }
    .topic {
      flex: 1 1 0;
    }
    .status {
      flex: 1 0 100%;
      white-space: normal;
    }
  }

  /* The state is shown in full, on a new line if space is short. */
  .tool[data-state='incomplete'] > summary {
    .line {
      flex-wrap: wrap;
    }
    .topic {
      flex: 1 1 calc(2 * var(--_ubik-rem));
      max-width: max-content;
    }
  }

  /* A vertical line beside the content */
  :is(.step:not(.single), .thinking) > .content {
    margin-block: calc(0.375 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem));
    margin-inline-start: calc(0.4375 * var(--_ubik-rem));
    padding-inline-start: var(--_ubik-rem);
    border-inline-start: var(--_border);
  }
  .thinking > .content {
    color: var(--_muted);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
  }
  .single > summary {
    display: none !important;
  }
`;
