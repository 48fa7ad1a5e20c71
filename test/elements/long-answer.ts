import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { nextFrame, setupChat } from './chat-stage.js';

/** A chat whose answer is longer than its box, and the ways to read in it. */
export async function setupLong(prepare?: (chat: UbikChat) => void) {
  const stage = await setupChat(prepare);
  await stage.start();
  const scroller = stage.query('.scroller');
  let length = 0;
  const say = async (text: string): Promise<void> => {
    stage.backend.stream.say(length, text);
    length += text.length;
    await stage.settle();
    // The observer speaks after the layout of the frame in which the text was drawn.
    await nextFrame();
  };
  await say('Paragraph.\n\n'.repeat(60));
  const fromEnd = (): number => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  const scrolled = (): Promise<unknown> =>
    new Promise((resolve) => scroller.addEventListener('scroll', resolve, { once: true }));
  return { ...stage, scroller, say, fromEnd, scrolled };
}
