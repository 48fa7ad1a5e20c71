import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { waitFor } from '../helpers/wait-for.js';
import { lazyDictation } from '../../src/elements/composer/composer-tools.js';
import { setupChat } from './chat-fixture.js';

/** A speech recognition whose results the test dispatches. */
class ScriptedRecognition {
  static instances: ScriptedRecognition[] = [];
  lang = '';
  continuous = false;
  interimResults = false;
  onresult: ((event: object) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  onend: ((event: Event) => void) | null = null;
  readonly calls: string[] = [];

  constructor() {
    ScriptedRecognition.instances.push(this);
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
  recognize(...pieces: string[]): void {
    this.onresult?.({ results: pieces.map((transcript) => [{ transcript }]) });
  }
}

describe('dictation', () => {
  const own = Object.getOwnPropertyDescriptor(window, 'SpeechRecognition');
  const webkit = Object.getOwnPropertyDescriptor(window, 'webkitSpeechRecognition');
  const setRecognition = (value: unknown): void => {
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

  /** A chat in a browser with this speech recognition, which is null where there is none. */
  async function setupDictation(
    lang = 'fr-CA',
    speech = true,
    recognition: unknown = ScriptedRecognition,
  ) {
    setRecognition(recognition);
    ScriptedRecognition.instances = [];
    const fixture = await setupChat((chat) => Object.assign(chat, { speech, lang }));
    const { field, root, settle } = fixture;
    field.focus();
    await settle();
    const button = (): HTMLButtonElement | null => root.querySelector('[part=dictate]');
    const listen = async (): Promise<ScriptedRecognition> => {
      button()?.click();
      await settle();
      const [newest] = ScriptedRecognition.instances.slice(-1);
      if (!newest) throw new Error('No recognition was started.');
      return newest;
    };
    return { ...fixture, button, listen };
  }

  it('that has failed does not hide the error details of a rejected message', async () => {
    const { write, press, settle, backend, text, listen } = await setupDictation('en');
    (await listen()).onerror?.({ error: 'no-speech' });
    write('One');
    press('Enter');
    await settle();
    const serviceError = { description: '', advice: '', code: 'E7' };
    backend.stream.fail(new UbikError('forbidden', 'no', { status: 403, serviceError }));
    await settle();
    await waitFor(() => text('.below').includes('Not sent.'));
    await settle();
    expect(text('.composer .error-details')).to.equal('Details Code: E7 Copy details');
  });

  it('is offered only when speech is set and the browser supports it', async () => {
    expect((await setupDictation('en', false)).button() === null).to.equal(true);
    expect((await setupDictation('en', true, null)).button() === null).to.equal(true);
    const { button, chat } = await setupDictation('en');
    expect(button()?.title).to.equal('Dictate');
    expect(button()?.ariaPressed).to.equal('false');
    await expect(chat).to.be.accessible();
  });

  it('is loaded only where it is offered', async () => {
    const { load } = lazyDictation;
    let loads = 0;
    lazyDictation.load = () => {
      loads += 1;
      return load.call(lazyDictation);
    };
    try {
      const { chat, settle } = await setupDictation('en', false);
      // Loads the tools of the composer.
      chat.maxLength = 99;
      await settle();
      await setupDictation('en', true, null);
      expect(loads).to.equal(0);
      await setupDictation('en');
      expect(loads).to.be.above(0);
    } finally {
      lazyDictation.load = load;
    }
  });

  it('ignores a phrase without a transcript, and stops when the page replaces the message', async () => {
    const { listen, field, controller, settle, button } = await setupDictation('en');
    const recognition = await listen();
    recognition.onresult?.({ results: [[], [{ transcript: 'old' }]] });
    expect(field.value).to.equal('old');
    controller.setDraft({ text: 'Written by the page', attachments: [] });
    await settle();
    expect([button()?.ariaPressed, recognition.calls]).to.deep.equal(['false', ['start', 'abort']]);
    expect(field.value).to.equal('Written by the page');
  });

  it('writes recognized text at the caret, including interim results', async () => {
    const { listen, field, write, settle, controller, button, query } = await setupDictation();
    write('Dear friend');
    field.setSelectionRange(4, 4);
    await waitFor(() => button()?.title === 'Dicter');
    const recognition = await listen();
    expect([recognition.lang, recognition.continuous, recognition.interimResults]).to.deep.equal([
      'fr-CA',
      true,
      true,
    ]);
    expect(button()?.ariaPressed).to.equal('true');
    expect(query('.composer .hidden[role=status]').textContent).to.equal('À l’écoute…');
    recognition.recognize('old');
    expect(field.value).to.equal('Dear old friend');
    recognition.recognize('odd', ' and new');
    expect(field.value).to.equal('Dear odd and new friend');
    expect(field.selectionStart).to.equal('Dear odd and new'.length);
    button()?.click();
    await settle();
    expect(recognition.calls).to.deep.equal(['start', 'stop']);
    expect(button()?.ariaPressed).to.equal('false');
    expect(controller.getDraft().text).to.equal('Dear odd and new friend');
  });

  it('writes a phrase once that Chrome on Android recognizes word by word as final results', async () => {
    const { listen, field } = await setupDictation('en');
    const recognition = await listen();
    const recognize = (...phrases: (readonly [string, number])[]): void => {
      const results = phrases.map(([transcript, confidence]) =>
        Object.assign([{ transcript, confidence }], { isFinal: true }),
      );
      recognition.onresult?.({ results });
    };
    recognize(['no', 0], ['no no', 0]);
    expect(field.value).to.equal('no no');
    recognize(['no', 0], ['no no', 0], ['No', 0], ['No, not', 0], ['No, not now', 0.9]);
    expect(field.value).to.equal('No, not now');
    recognize(['No', 0.9], [' no thanks', 0.9]);
    expect(field.value, 'two phrases').to.equal('No no thanks');
  });

  it('stops when the user types, and when the message is sent', async () => {
    const { listen, field, write, press, query, settle, button } = await setupDictation();
    const status = (): string => query('.composer .hidden[role=status]').textContent;
    const first = await listen();
    expect(status()).not.to.equal('');
    first.recognize('one');
    write('one, two');
    await settle();
    expect(first.calls).to.deep.equal(['start', 'abort']);
    expect(button()?.ariaPressed).to.equal('false');
    expect(status(), 'no longer listening').to.equal('');
    first.recognize('one three');
    expect(field.value).to.equal('one, two');
    const other = await listen();
    // A result that arrives directly after the key.
    write('one, two, three');
    other.recognize('four');
    expect(field.value).to.equal('one, two, three');
    const second = await listen();
    press('Enter');
    await settle();
    second.recognize('late');
    expect(field.value).to.equal('');
    expect(second.calls).to.include('abort');
  });

  it('does not replace the announcement of the character counter for a typed text, which ends the dictation', async () => {
    const { chat, listen, write, query, settle } = await setupDictation('en');
    chat.maxLength = 10;
    await settle();
    await listen();
    write('too long text');
    await settle();
    const status = query('.composer .hidden[role=status]').textContent;
    expect(status).to.equal(query('.composer .count').textContent);
    expect(status).not.to.equal('');
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
    ['network', 'can’t be reached'],
    ['language-not-supported', 'in this language'],
    ['something new', 'Dictation didn’t work.'],
    ['aborted', ''],
  ] as const) {
    it(`explains the error "${error}", and can be started again`, async () => {
      const { listen, root, settle } = await setupDictation('en');
      const readError = (): string =>
        root.querySelector('.below > .error-text')?.textContent.trim() ?? '';
      const recognition = await listen();
      recognition.onerror?.({ error });
      recognition.onend?.(new Event('end'));
      await settle();
      if (words) expect(readError()).to.contain(words);
      else expect(readError()).to.equal('');
      await listen();
      expect(readError()).to.equal('');
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

  it('separates recognized words from the text around them, and replaces the selection', async () => {
    const { listen, field, write, settle, button } = await setupDictation('en');
    expect([button()?.type, button()?.className]).to.deep.equal(['button', 'attach']);
    for (const [text, start, end, spoken, expected] of [
      ['', 0, 0, 'old', 'old'],
      ['Dear', 4, 4, 'old', 'Dear old'],
      ['Dear ', 5, 5, 'old', 'Dear old'],
      ['Dear', 4, 4, ' old', 'Dear old'],
      ['friend', 0, 0, 'old', 'old friend'],
      [' friend', 0, 0, 'old', 'old friend'],
      ['Dear new friend', 5, 8, 'old', 'Dear old friend'],
    ] as const) {
      write(text);
      await settle();
      field.setSelectionRange(start, end);
      const recognition = await listen();
      recognition.recognize(spoken);
      expect(field.value, text).to.equal(expected);
      expect(field.value.slice(0, field.selectionStart).endsWith('old')).to.equal(true);
      recognition.stop();
      await settle();
    }
  });

  it('announces its start and end, and ignores what an ended recognition reports', async () => {
    const { listen, query, settle, button, field, root } = await setupDictation('en');
    const status = (): string => query('.composer .hidden[role=status]').textContent;
    const first = await listen();
    expect([status(), button()?.title]).to.deep.equal(['Listening…', 'Stop dictation']);
    const { onend, onresult, onerror } = first;
    first.stop();
    await settle();
    expect([status(), button()?.title]).to.deep.equal(['', 'Dictate']);
    await listen();
    onend?.(new Event('end'));
    onresult?.({ results: [[{ transcript: 'late' }]] });
    onerror?.({ error: 'no-speech' });
    await settle();
    expect(button()?.ariaPressed).to.equal('true');
    expect(field.value).to.equal('');
    expect(root.querySelector('.below > .error-text')?.textContent.trim()).to.equal('');
    expect(root.querySelector('.below > .error-text')?.role).to.equal('alert');
  });

  it('is removed with the property, and leaves Escape to others while it is not listening', async () => {
    const { chat, button, press, settle, listen } = await setupDictation('en');
    expect(press('Escape').defaultPrevented).to.equal(false);
    const recognition = await listen();
    expect(press('a').defaultPrevented).to.equal(false);
    chat.speech = false;
    await settle();
    expect(button()).to.equal(null);
    expect(recognition.calls.at(-1)).to.equal('abort');
  });

  it('stops when the field is no longer shown', async () => {
    const { chat, button, settle, listen } = await setupDictation('en');
    const recognition = await listen();
    expect(recognition.calls).to.deep.equal(['start']);
    chat.style.display = 'none';
    await waitFor(() => recognition.calls.includes('abort'));
    chat.style.display = '';
    await settle();
    expect(button()?.ariaPressed).to.equal('false');
  });
});
