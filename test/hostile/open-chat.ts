import type { TestPage } from './security-fixture.js';

/** Inserts a chat into the page and waits until it can be used. The service is UBIK at `/api` by default. */
export async function openChat(
  testPage: TestPage,
  attributes: Readonly<Record<string, string>> = {},
) {
  const isUbik = attributes['service'] === undefined;
  await testPage.page.evaluate(
    (all) => {
      const chat = document.createElement('ubik-chat');
      for (const [name, value] of Object.entries(all)) chat.setAttribute(name, value);
      document.body.append(chat);
    },
    { ...(isUbik && { 'base-url': '/api' }), ...attributes },
  );
  const box = await testPage.page.waitForSelector('ubik-chat >>> .field textarea', {
    visible: true,
  });
  return {
    ask: async (): Promise<void> => {
      await box?.type('Go on.');
      await testPage.page.keyboard.press('Enter');
    },
    /** Waits until a selector matches. */
    find: (selector: string) =>
      testPage.page.waitForFunction(
        (wanted) => document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
        {},
        selector,
      ),
    /** Waits until the chat contains a text. */
    shows: (text: string) =>
      testPage.page.waitForFunction(
        (wanted) => document.querySelector('ubik-chat')?.shadowRoot?.textContent.includes(wanted),
        {},
        text,
      ),
    /** Resolves at the next event of a type. Call it before the action that causes the event. */
    next: (type: string): Promise<void> =>
      testPage.page.evaluate(
        (wanted) =>
          new Promise<void>((resolve) => {
            const chat = document.querySelector('ubik-chat');
            chat?.addEventListener(wanted, () => resolve(), { once: true });
          }),
        type,
      ),
    /** Number of matches of a selector. */
    count: (selector: string) =>
      testPage.page.evaluate(
        (wanted) =>
          document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll(wanted).length,
        selector,
      ),
  };
}

/** Opens all disclosures and hovers the first three citations. */
export async function openDisclosures(testPage: TestPage): Promise<void> {
  await testPage.page.evaluate(async () => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    for (const disclosure of root?.querySelectorAll('details') ?? []) disclosure.open = true;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    for (const mark of [...(root?.querySelectorAll('[part~=citation]') ?? [])].slice(0, 3)) {
      mark.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}
