import assert from 'node:assert/strict';
import { closeBrowser, openChat, type ChatPage } from './chat-page.js';
import { startDemo, type DemoProcess } from './demo-process.js';
import { KeyboardUser } from './keyboard-user.js';

/** What is done in the story, by what it is called; each goes on from the one before. */
export type KeyboardScenarios = Readonly<Record<string, (story: KeyboardSession) => Promise<void>>>;

/** The field and the list of the messages, as they are heard. */
export const FIELD = 'textbox Message';
export const MESSAGES = 'region Conversation';

/** One person who has a keyboard and nothing else, in one long conversation on one page. */
export class KeyboardSession {
  readonly demo: DemoProcess;
  readonly chat: ChatPage;
  readonly user: KeyboardUser;
  /** Answers that were awaited so far. */
  #ended = 0;

  private constructor(demo: DemoProcess, chat: ChatPage, person: KeyboardUser) {
    this.demo = demo;
    this.chat = chat;
    this.user = person;
  }

  /** Opens the demo's page with room for both sides. */
  static async start(): Promise<KeyboardSession> {
    const demo = await startDemo();
    const chat = await openChat(demo.url);
    await chat.page.setViewport({ width: 1400, height: 900 });
    // What is heard is English, whatever the machine and the page speak.
    await chat.page.evaluate(() => {
      document.documentElement.lang = 'en';
    });
    return new KeyboardSession(demo, chat, await KeyboardUser.create(chat.page));
  }

  async close(): Promise<void> {
    await closeBrowser();
    await this.demo.close();
  }

  /** Writes a message where the focus is, and waits for the answer. */
  async ask(text: string): Promise<void> {
    await this.user.expectFocus(FIELD);
    await this.user.type(text);
    await this.user.press('Enter');
    await this.waitForAnswer();
  }

  /** Waits until one more answer is complete. */
  async waitForAnswer(): Promise<void> {
    this.#ended += 1;
    await this.chat.fired('ubik-run-completed', this.#ended);
  }

  /** Waits until the root of an element shows a text. */
  async waitForText(element: string, text: string): Promise<void> {
    await this.chat.page.waitForFunction(
      (from, wanted) => document.querySelector(from)?.shadowRoot?.textContent?.includes(wanted),
      {},
      element,
      text,
    );
  }

  /** Waits until nothing of the chat fits a selector any more. */
  async waitUntilRemoved(selector: string): Promise<void> {
    await this.chat.page.waitForFunction(
      (wanted) => !document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
      {},
      selector,
    );
  }

  /** Presses the button that has the focus, and takes a file in the window of the system that it opens. */
  async chooseFile(path: string): Promise<void> {
    const { page } = this.chat;
    const opened = page.waitForFileChooser();
    // A question and its answer: the browser knows by now that somebody waits for the window.
    await page.evaluate(() => undefined);
    await this.user.press('Enter');
    await (await opened).accept([path]);
  }

  /** Sends the form that the focus is in, and goes on at the next one that asks something, else in the field. */
  async sendAnswer(next = FIELD, question = ''): Promise<void> {
    const { user: person } = this;
    await person.moveTo('button Submit');
    await person.press('Enter');
    await person.expectFocus(next);
    if (question) assert.ok((await person.readFocusContext()).includes(question));
  }
}
