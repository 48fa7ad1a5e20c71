/** Runs in a page with a chat before its scripts: sends a message in the first frame with a field, and records when the answer is shown. */

/** Times in ms since the epoch; 0 for what has not happened. */
export interface AnswerTimes {
  pressedAt: number;
  shownAt: number;
  completedAt: number;
}

declare global {
  interface Window {
    firstAnswer: AnswerTimes;
  }
}

const times: AnswerTimes = { pressedAt: 0, shownAt: 0, completedAt: 0 };
window.firstAnswer = times;

function now(): number {
  return performance.timeOrigin + performance.now();
}

function send(chat: Element, field: HTMLTextAreaElement): void {
  times.pressedAt = now();
  chat.addEventListener('ubik-run-completed', () => (times.completedAt = now()));
  field.value = 'Which countries does the Danube flow through?';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
  );
}

function check(): void {
  const chat = document.querySelector('ubik-chat');
  const root = chat?.shadowRoot;
  const field = root?.querySelector('textarea');
  if (chat && field && times.pressedAt === 0) send(chat, field);
  if (root?.querySelector('[part~=answer] [part~=text]')?.textContent) times.shownAt = now();
  else requestAnimationFrame(check);
}

requestAnimationFrame(check);
