import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { nextFrame, setupChat } from './chat-fixture.js';

/** A chat whose answer is longer than its box, and functions that scroll in it. */
export async function setupLongAnswer(prepare?: (chat: UbikChat) => void) {
  const fixture = await setupChat(prepare);
  await fixture.start();
  const scroller = fixture.query('.scroller');
  let length = 0;
  const say = async (text: string): Promise<void> => {
    fixture.backend.stream.append(length, text);
    length += text.length;
    await fixture.settle();
    // The resize observer runs after layout in the frame that renders the text.
    await nextFrame();
  };
  let heardAt = scroller.scrollTop;
  scroller.addEventListener('scroll', () => (heardAt = scroller.scrollTop));
  /** Resolves when the scroll event for the current position has fired. */
  const scrolled = async (): Promise<void> => {
    while (heardAt !== scroller.scrollTop) {
      await new Promise((resolve) => {
        scroller.addEventListener('scroll', resolve, { once: true });
      });
    }
  };
  await say('Paragraph.\n\n'.repeat(60));
  await scrolled();
  const fromEnd = (): number => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  return { ...fixture, scroller, say, fromEnd, scrolled };
}
