import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { nextFrame, setupChat } from './chat-fixture.js';

/** A chat whose answer is longer than its scroll container; `fromEnd` returns the distance from the end. */
export async function setupLongAnswer(prepare?: (chat: UbikChat) => void) {
  const fixture = await setupChat(prepare);
  await fixture.start();
  const scroller = fixture.query('.scroller');
  let length = 0;
  const appendText = async (text: string): Promise<void> => {
    fixture.backend.stream.append(length, text);
    length += text.length;
    await fixture.settle();
    // The resize observer runs after layout in the frame that renders the text.
    await nextFrame();
  };
  let lastScrollTop = scroller.scrollTop;
  scroller.addEventListener('scroll', () => (lastScrollTop = scroller.scrollTop));
  /** Resolves when the scroll event for the current position was dispatched. */
  const scrolled = async (): Promise<void> => {
    while (lastScrollTop !== scroller.scrollTop) {
      await new Promise((resolve) => {
        scroller.addEventListener('scroll', resolve, { once: true });
      });
    }
  };
  await appendText('Paragraph.\n\n'.repeat(60));
  await scrolled();
  const fromEnd = (): number => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  return { ...fixture, scroller, appendText, fromEnd, scrolled };
}
