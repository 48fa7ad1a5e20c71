import assert from 'node:assert/strict';
import { closeBrowser, openChat, type ChatPage } from './chat-page.js';
import { startDemo, type DemoProcess } from './demo-process.js';
import { KeyboardPerson } from './keyboard-person.js';

/** What is done in the story, by what it is called; each goes on from the one before. */
export type Chapters = Readonly<Record<string, (story: Story) => Promise<void>>>;

/** The field and the list of the messages, as they are heard. */
export const FIELD = 'textbox Message';
export const MESSAGES = 'region Conversation';

/** One person who has a keyboard and nothing else, in one long conversation on one page. */
export class Story {
  readonly demo: DemoProcess;
  readonly chat: ChatPage;
  readonly person: KeyboardPerson;
  /** Answers that were awaited so far. */
  #ended = 0;

  private constructor(demo: DemoProcess, chat: ChatPage, person: KeyboardPerson) {
    this.demo = demo;
    this.chat = chat;
    this.person = person;
  }

  /** Opens the demo's page with room for both sides. */
  static async begin(): Promise<Story> {
    const demo = await startDemo();
    const chat = await openChat(demo.url);
    await chat.page.setViewport({ width: 1400, height: 900 });
    // What is heard is English, whatever the machine and the page speak.
    await chat.page.evaluate(() => {
      document.documentElement.lang = 'en';
    });
    return new Story(demo, chat, await KeyboardPerson.at(chat.page));
  }

  async close(): Promise<void> {
    await closeBrowser();
    await this.demo.close();
  }

  /** Writes a message where the focus is, and waits for the answer. */
  async ask(text: string): Promise<void> {
    await this.person.lands(FIELD);
    await this.person.type(text);
    await this.person.press('Enter');
    await this.ended();
  }

  /** Waits until one more answer is complete. */
  async ended(): Promise<void> {
    this.#ended += 1;
    await this.chat.fired('ubik-run-completed', this.#ended);
  }

  /** Waits until the root of an element shows a text. */
  async shows(element: string, text: string): Promise<void> {
    await this.chat.page.waitForFunction(
      (from, wanted) => document.querySelector(from)?.shadowRoot?.textContent?.includes(wanted),
      {},
      element,
      text,
    );
  }

  /** Waits until nothing of the chat fits a selector any more. */
  async goes(selector: string): Promise<void> {
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
    await this.person.press('Enter');
    await (await opened).accept([path]);
  }

  /** Sends the form that the focus is in, and goes on at the next one that asks something, else in the field. */
  async sendAnswer(next = FIELD, question = ''): Promise<void> {
    const { person } = this;
    await person.goTo('button Submit');
    await person.press('Enter');
    await person.lands(next);
    if (question) assert.ok((await person.hearAround()).includes(question));
  }
}
