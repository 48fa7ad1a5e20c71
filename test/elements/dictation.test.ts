import { expect, waitUntil } from '@open-wc/testing';
import { lazyDictation } from '../../src/elements/composer/composer-tools.js';
import { setupChat } from './chat-fixture.js';

/** A speech recognition whose results the test dispatches. */
class ScriptedRecognition {
  static made: ScriptedRecognition[] = [];
  lang = '';
  continuous = false;
  interimResults = false;
  onresult: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  onend: ((event: Event) => void) | null = null;
  readonly calls: string[] = [];

  constructor() {
    ScriptedRecognition.made.push(this);
  }

  start(): void {
    this.calls.push('start');
  }

  stop(): void {
    this.calls.push('stop');
    this.onend?.(new Event('end'));
  }

  abort(): void {
    this.calls.push('abort');
  }

  /** Dispatches the recognized phrases so far. */
  hear(...pieces: string[]): void {
    this.onresult?.({ results: pieces.map((transcript) => [{ transcript }]) });
  }
}

describe('dictation', () => {
  const own = Object.getOwnPropertyDescriptor(window, 'SpeechRecognition');
  const webkit = Object.getOwnPropertyDescriptor(window, 'webkitSpeechRecognition');
  const put = (value: unknown): void => {
    Object.defineProperty(window, 'SpeechRecognition', { value, configurable: true });
    Object.defineProperty(window, 'webkitSpeechRecognition', {
      value: undefined,
      configurable: true,
    });
  };

  before(() => lazyDictation.load());

  afterEach(() => {
    delete (window as { SpeechRecognition?: unknown }).SpeechRecognition;
    delete (window as { webkitSpeechRecognition?: unknown }).webkitSpeechRecognition;
    if (own) Object.defineProperty(window, 'SpeechRecognition', own);
    if (webkit) Object.defineProperty(window, 'webkitSpeechRecognition', webkit);
  });

  /** A chat with dictation. */
  async function setupDictation(
    lang = 'fr-CA',
    speech = true,
    value: unknown = ScriptedRecognition,
  ) {
    put(value);
    ScriptedRecognition.made = [];
    const fixture = await setupChat((chat) => Object.assign(chat, { speech, lang }));
    const { field, root, settle } = fixture;
    field.focus();
    await settle();
    const button = (): HTMLButtonElement | null => root.querySelector('[part=dictate]');
    const listen = async (): Promise<ScriptedRecognition> => {
      button()?.click();
      await settle();
      const [made] = ScriptedRecognition.made.slice(-1);
      if (!made) throw new Error('No recognition was started.');
      return made;
    };
    return { ...fixture, button, listen };
  }

  it('is offered only when speech is set and the browser supports it', async () => {
    expect((await setupDictation('en', false)).button() === null).to.equal(true);
    expect((await setupDictation('en', true, null)).button() === null).to.equal(true);
    const { button, chat } = await setupDictation('en');
    expect(button()?.title).to.equal('Dictate');
    expect(button()?.ariaPressed).to.equal('false');
    await expect(chat).to.be.accessible();
  });

  it('writes recognized text at the caret, including interim results', async () => {
    const { listen, field, write, settle, controller, button, query } = await setupDictation();
    write('Dear friend');
    field.setSelectionRange(4, 4);
    await waitUntil(() => button()?.title === 'Dicter', 'French is there');
    const heard = await listen();
    expect([heard.lang, heard.continuous, heard.interimResults]).to.deep.equal([
      'fr-CA',
      true,
      true,
    ]);
    expect(button()?.ariaPressed).to.equal('true');
    expect(query('.composer .hidden[role=status]').textContent).to.equal('À l’écoute…');
    heard.hear('old');
    expect(field.value).to.equal('Dear old friend');
    heard.hear('odd', ' and new');
    expect(field.value).to.equal('Dear odd and new friend');
    expect(field.selectionStart).to.equal('Dear odd and new'.length);
    button()?.click();
    await settle();
    expect(heard.calls).to.deep.equal(['start', 'stop']);
    expect(button()?.ariaPressed).to.equal('false');
    expect(controller.getDraft().text).to.equal('Dear odd and new friend');
  });

  it('stops when the user types, and when the message is sent', async () => {
    const { listen, field, write, press, settle, button } = await setupDictation();
    const first = await listen();
    first.hear('one');
    write('one, two');
    await settle();
    expect(first.calls).to.deep.equal(['start', 'abort']);
    expect(button()?.ariaPressed).to.equal('false');
    first.hear('one three');
    expect(field.value).to.equal('one, two');
    const second = await listen();
    press('Enter');
    await settle();
    second.hear('late');
    expect(field.value).to.equal('');
    expect(second.calls).to.include('abort');
  });

  it('stops on Escape, and when the chat is removed', async () => {
    const { listen, press, chat, settle } = await setupDictation();
    const first = await listen();
    expect(press('Escape').defaultPrevented).to.equal(true);
    expect(first.calls).to.deep.equal(['start', 'stop']);
    await settle();
    const second = await listen();
    chat.remove();
    expect(second.calls).to.deep.equal(['start', 'abort']);
  });

  for (const [error, words] of [
    ['not-allowed', 'The microphone is blocked.'],
    ['service-not-allowed', 'The microphone is blocked.'],
    ['audio-capture', 'No microphone found.'],
    ['no-speech', 'No speech detected.'],
    ['something new', 'Dictation didn’t work.'],
    ['aborted', ''],
  ] as const) {
    it(`explains the error "${error}", and can be started again`, async () => {
      const { listen, root, settle } = await setupDictation('en');
      const said = (): string =>
        root.querySelector('.below > .error-text')?.textContent.trim() ?? '';
      const heard = await listen();
      heard.onerror?.({ error });
      heard.onend?.(new Event('end'));
      await settle();
      if (words) expect(said()).to.contain(words);
      else expect(said()).to.equal('');
      await listen();
      expect(said()).to.equal('');
    });
  }

  it('shows an error when the browser cannot start', async () => {
    class Refusing extends ScriptedRecognition {
      override start(): void {
        throw new DOMException('no', 'InvalidStateError');
      }
    }
    const { listen, text, button } = await setupDictation('en', true, Refusing);
    await listen();
    expect(text('.below > .error-text')).to.contain('Dictation didn’t work.');
    expect(button()?.ariaPressed).to.equal('false');
  });
});
