import { contentOf, stored } from '../controller/scripted-backend.js';
import { pressKey, setupChat } from './chat-fixture.js';

/** Text of the answer. */
export const ANSWER = '**Thirty** days.\n\n- one\n- two\n\n[a](javascript:alert(1)) <b>x</b>';

/** A chat with a question and an answer. */
export async function setupMenu() {
  const fixture = await setupChat();
  const { backend, controller, settle, root, chat } = fixture;
  backend.threads.set(
    't',
    contentOf('t', [stored('q', 'user', 'How long?'), stored('a', 'assistant', ANSWER)]),
  );
  await controller.openThread('t');
  await settle();
  fixture.events.length = 0;
  const more = (role = 'assistant'): HTMLElement => fixture.query(`.${role} .more`);
  const menu = (): HTMLElement | null => root.querySelector('.message-menu');
  const items = (): HTMLElement[] => [
    ...(menu()?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
  ];
  const labels = (): string[] => items().map(({ textContent }) => textContent.trim());
  return {
    ...fixture,
    chat,
    more,
    menu,
    items,
    labels,
    open: async (role?: string) => {
      more(role).focus();
      more(role).click();
      await settle();
      await settle();
    },
    /** Presses the button of a rating. */
    rate: async (name: 'good' | 'bad') => {
      fixture.query(`.${name}-button`).focus();
      fixture.query(`.${name}-button`).click();
      await settle();
      await settle();
    },
    /** Clicks the item with a label. */
    choose: async (name: string) => {
      items()[labels().indexOf(name)]?.click();
      await settle();
    },
    press: (key: string) => pressKey(root.activeElement, key),
    focused: () => root.activeElement?.textContent.trim(),
    readStatus: () => menu()?.querySelector('[role=status]')?.textContent,
  };
}
