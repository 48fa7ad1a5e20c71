import { element } from '../../src/dom/element.js';
import { MessageList } from '../../src/elements/transcript/message-list.js';
import type { Message, MessageFields } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';
import { setupMessageView } from '../message/message-fixture.js';

/** Fails when a list loads code before it shows messages. */
export const loadsNothing = (): never => {
  throw new Error('The list has loaded code.');
};

interface CreateOptions extends Partial<MessageFields> {
  readonly text?: string;
}

/** Heights of a message and of a placeholder, in px. */
export interface ListHeights {
  readonly height?: number;
  readonly placeholder?: number;
}

/** A list in a box of 300 px, whose messages have a fixed height. The test runs its frames. */
export function setupList({ height = 100, placeholder }: ListHeights = {}) {
  const { context: own, frames, root, host, view, errors } = setupMessageView();
  view.dispose();
  const { run, store } = setupMessage();
  const thread = (): Thread => {
    const found = store.threads.get('t');
    if (!found) throw new Error('There is no thread.');
    return found;
  };
  const column = element('div', 'column');
  const scroller = element('div', 'scroller', column);
  const css = `.scroller { height: 300px; overflow: auto; overflow-anchor: none }
    .message { height: ${String(height)}px; overflow: hidden }
    .placeholder { height: ${String(placeholder ?? height)}px }`;
  root.replaceChildren(element('style', '', css), scroller);
  /** Number of the messages that the host page has rendered an avatar for, and not cleaned up. */
  let avatars = 0;
  const context = {
    ...own,
    messageAvatar: () => {
      avatars += 1;
      return () => void (avatars -= 1);
    },
  };
  let measured = 0;
  const { getBoundingClientRect } = scroller;
  scroller.getBoundingClientRect = () => {
    measured += 1;
    return getBoundingClientRect.call(scroller);
  };
  const findMessage = (key: string): Message | undefined => thread().messages.get(key);
  const list = new MessageList({ context, column, scroller, findMessage });
  let created = 0;
  /** Creates messages with the keys `m1`, `m2` and so on. */
  const create = (count: number, { text = 'Text', ...fields }: CreateOptions = {}): Message[] =>
    Array.from({ length: count }, () => {
      const message = `m${String((created += 1))}`;
      const value = { ...ANSWER, status: 'complete', ...fields } as const;
      run(
        { type: 'message', message, value },
        {
          type: 'part',
          message,
          part: 'text',
          parent: null,
          before: null,
          value: { kind: 'text' },
        },
        { type: 'text', message, part: 'text', at: 0, text: `${text} ${message}` },
      );
      return findMessage(message) as Message;
    });
  /** Shows messages, and waits for the code that they need. Resolves to the number of messages added at the end. */
  const show = async (path: readonly Message[]): Promise<number> => {
    for (;;) {
      const added = await new Promise<number | null>((resolve) => {
        const now = list.sync(path, () => {
          resolve(null);
        });
        if (now !== null) resolve(now);
      });
      if (added === null) continue;
      frames.flush();
      return added;
    }
  };
  /** Waits until messages have come near the viewport. */
  const observed = async (): Promise<void> => {
    while (frames.scheduledCount === 0) await new Promise(requestAnimationFrame);
  };
  /** Waits until the intersection observers have reported the current positions. */
  const intersected = () =>
    new Promise<void>((resolve) => {
      const observer = new IntersectionObserver(
        () => {
          observer.disconnect();
          // Observers are called one after the other, in no certain order.
          requestAnimationFrame(() => resolve());
        },
        { root: scroller },
      );
      observer.observe(column);
    });
  /** Scrolls to the start of a list that has opened at its end. */
  const scrollToStart = async (): Promise<void> => {
    await intersected();
    frames.flush();
    scroller.scrollTop = 0;
  };
  const all = (selector: string): HTMLElement[] => [
    ...column.querySelectorAll<HTMLElement>(selector),
  ];
  return {
    all,
    column,
    context,
    create,
    errors,
    frames,
    host,
    list,
    run,
    scroller,
    show,
    thread,
    avatars: () => avatars,
    measured: () => measured,
    /** Number of messages in each group. */
    sizes: () => all('.group').map(({ childElementCount }) => childElementCount),
    texts: () => all('.message').map(({ textContent }) => textContent.trim()),
    nodeOf: ({ key }: Message) => list.viewOf(key)?.node,
    observed,
    intersected,
    scrollToStart,
    /** Renders the messages that have come near the viewport. */
    render: async (): Promise<void> => {
      await observed();
      frames.flush();
    },
    remove: () => {
      list.clear();
      host.remove();
    },
  };
}

/** The texts that a list shows for messages. */
export const textsOf = (path: readonly Message[]): string[] => path.map(({ key }) => `Text ${key}`);
