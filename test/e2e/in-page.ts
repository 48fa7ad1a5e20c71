/** Functions that tests run in the page of a chat. They use nothing from outside, because only their code is sent. */

/** Focuses an element in the shadow root of another one. Returns whether it has the focus: an element without a box cannot. */
export function focusElement(host: string, selector: string): boolean {
  const root = document.querySelector(host)?.shadowRoot;
  const found = root?.querySelector<HTMLElement>(selector);
  found?.focus();
  return found != null && root?.activeElement === found;
}

/** Focuses a button of the chat, given its name, if it is enabled. Returns whether it has the focus. */
export function focusButton(name: string): boolean {
  const root = document.querySelector('ubik-chat')?.shadowRoot;
  const found = [...(root?.querySelectorAll('button') ?? [])].find(
    (button) =>
      !button.disabled &&
      button.ariaDisabled !== 'true' &&
      [button.textContent?.trim(), button.ariaLabel, button.title].includes(name),
  );
  found?.focus();
  return found !== undefined && root?.activeElement === found;
}

/** Whether the chat, or another element, shows a text. */
export function hasText(text: string, host = 'ubik-chat'): boolean {
  return document.querySelector(host)?.shadowRoot?.textContent?.includes(text) ?? false;
}

/**
 * Whether everything received is rendered: the chat shows messages or its empty state, no view of them is still being loaded, and no frame
 * is pending. Needs `watchFrames`.
 */
export function isRendered(): boolean {
  const root = document.querySelector('ubik-chat')?.shadowRoot;
  const hasContent = root?.querySelector('.column.is-empty, .message') != null;
  // What is shown until the code for a question, for Markdown, for a request and for data is loaded.
  const loading = '.question-placeholder:not(:empty), .text.plain, .message [aria-busy=true]';
  return hasContent && root.querySelector(loading) === null && window.pendingFrames.size === 0;
}

/** Returns the text of the messages, one line for each, without what may differ after a reload: activity, times, statuses and buttons. */
export function readTranscript(): string {
  const root = document.querySelector('ubik-chat')?.shadowRoot;
  const messages = [...(root?.querySelectorAll('.message') ?? [])];
  return messages
    .map((message) => {
      const copy = message.cloneNode(true);
      if (!(copy instanceof Element)) return '';
      for (const node of copy.querySelectorAll(
        '.run, .meta, .status, .report, .message-status, .message-footer, .action-notices, .hidden, time, button',
      )) {
        node.remove();
      }
      return copy.textContent?.replaceAll(/\s+/g, ' ').trim();
    })
    .join('\n');
}
