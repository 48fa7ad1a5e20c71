import assert from 'node:assert/strict';
import { closeBrowser, openChat, type ChatPage } from './chat-page.js';
import { startDemo, type DemoProcess } from './demo-process.js';
import { KeyboardUser } from './keyboard-user.js';

/** The scenarios by title. Each continues where the previous one has ended. */
export type KeyboardScenarios = Readonly<
  Record<string, (session: KeyboardSession) => Promise<void>>
>;

/** The message field and the message list, as screen readers announce them. */
export const FIELD = 'textbox Message';
export const MESSAGES = 'region Conversation';

/** A user with only a keyboard, in one long conversation on one page. */
export class KeyboardSession {
  readonly demo: DemoProcess;
  readonly chat: ChatPage;
  readonly user: KeyboardUser;
  /** Number of answers so far. */
  #ended = 0;

  private constructor(demo: DemoProcess, chat: ChatPage, user: KeyboardUser) {
    this.demo = demo;
    this.chat = chat;
    this.user = user;
  }

  /** Opens the demo page in a window that is wide enough for both side columns. */
  static async start(): Promise<KeyboardSession> {
    const demo = await startDemo();
    try {
      return await KeyboardSession.#open(demo);
    } catch (error) {
      await closeBrowser();
      await demo.close();
      throw error;
    }
  }

  static async #open(demo: DemoProcess): Promise<KeyboardSession> {
    const chat = await openChat(demo.url);
    await chat.page.setViewport({ width: 1400, height: 900 });
    // The announced texts are English, whatever the language of the machine.
    await chat.page.evaluate(() => {
      document.documentElement.lang = 'en';
    });
    return new KeyboardSession(demo, chat, await KeyboardUser.create(chat.page));
  }

  async close(): Promise<void> {
    await closeBrowser();
    await this.demo.close();
  }

  /** Types a message into the focused field, sends it and waits for the answer. */
  async ask(text: string): Promise<void> {
    await this.user.expectFocus(FIELD);
    await this.user.type(text);
    await this.user.press('Enter');
    await this.waitForAnswer();
  }

  /** Waits until another answer is complete. */
  async waitForAnswer(): Promise<void> {
    this.#ended += 1;
    await this.chat.waitForEvent('ubik-run-completed', this.#ended);
  }

  /** Waits until no element of the chat matches a selector. */
  async waitUntilRemoved(selector: string): Promise<void> {
    await this.chat.page.waitForFunction(
      (wanted) => !document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
      {},
      selector,
    );
  }

  /** Presses the focused button and chooses a file in the file picker that it opens. */
  async chooseFile(path: string): Promise<void> {
    const { page } = this.chat;
    const opened = page.waitForFileChooser();
    // The browser intercepts the file picker only after it has processed that the test waits for one: a round trip ensures that.
    await page.evaluate(() => undefined);
    await this.user.press('Enter');
    await (await opened).accept([path]);
  }

  /** Submits the focused form, and expects the focus on the next request, else in the message field. */
  async sendAnswer(next = FIELD, question = ''): Promise<void> {
    const { user } = this;
    await user.moveTo('button Submit');
    await user.press('Enter');
    await user.expectFocus(next);
    if (question) assert.ok((await user.readFocusContext()).includes(question));
  }
}
