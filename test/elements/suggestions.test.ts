import { expect } from '@open-wc/testing';
import type { Suggestion, SuggestionSource } from '../../src/index.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { lazySuggestions } from '../../src/elements/composer/composer-tools.js';
import { contentOf } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { UbikError } from '../../src/errors.js';
import { pressIgnoredEnter, setupChat } from './chat-fixture.js';

const COMMANDS: readonly Suggestion[] = [
  { name: 'summary', description: 'The conversation in five lines', text: 'Sum this up:' },
  { name: 'search', description: 'Looks into all documents' },
  { name: 'clear', description: 'A new conversation', text: '' },
];
const PEOPLE = [{ name: 'Ada' }, { name: 'Adèle' }, { name: 'Grace' }];

/** A chat with commands and mentions; `lists` replaces them. */
async function setupSuggestions(lists: Partial<UbikChat> = {}) {
  const fixture = await setupChat((chat) => {
    Object.assign(chat, { commands: COMMANDS, mentions: PEOPLE, ...lists });
  });
  const { root, field, write, settle, chat } = fixture;
  field.focus();
  await settle();
  const options = (): string[] =>
    [...root.querySelectorAll('[role=option] .name')].map(({ textContent }) => textContent);
  const active = (): string | undefined =>
    root.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.querySelector('.name')
      ?.textContent ?? undefined;
  /** Replaces the text, with the caret at its end or at `caret`. */
  const type = (text: string, caret = text.length): void => {
    field.value = text;
    field.setSelectionRange(caret, caret);
    write(text);
  };
  const popup = (): HTMLElement => {
    const found = root.querySelector<HTMLElement>('.suggestions');
    if (!found) throw new Error('There is no list.');
    return found;
  };
  const isOpen = (): boolean => popup().matches(':popover-open');
  return { ...fixture, chat, options, active, type, popup, isOpen };
}

describe('suggestions', () => {
  it('show matching commands, and insert the active one on Enter without sending', async () => {
    const { type, options, active, press, settle, field, backend, names, events, isOpen } =
      await setupSuggestions();
    type('/s');
    expect(options()).to.deep.equal(['/summary', '/search']);
    expect(active()).to.equal('/summary');
    expect(press('ArrowDown').defaultPrevented).to.equal(true);
    expect(active()).to.equal('/search');
    press('ArrowDown');
    expect(active()).to.equal('/summary');
    expect(press('Enter').defaultPrevented).to.equal(true);
    await settle();
    expect(field.value).to.equal('Sum this up: ');
    expect(isOpen()).to.equal(false);
    expect(backend.streams.length).to.equal(0);
    expect(names()).to.deep.equal(['ubik-suggestion-chosen']);
    expect(events.map(({ cancelable }) => cancelable)).to.deep.equal([false]);
    expect(events[0]?.detail).to.deep.equal({
      threadId: null,
      trigger: '/',
      name: 'summary',
      text: 'Sum this up:',
    });
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('expose a listbox, and announce the number of options', async () => {
    const { type, field, root, popup, press, query } = await setupSuggestions();
    type('/');
    const list = popup().querySelector('[role=listbox]');
    expect(field.getAttribute('aria-controls')).to.equal(list?.id);
    expect(field.getAttribute('aria-autocomplete')).to.equal('list');
    expect(list?.getAttribute('aria-label')).to.equal('Commands');
    expect(root.querySelectorAll('[aria-selected=true]').length).to.equal(1);
    expect(query('.composer [role=status]:not(.queue *)').textContent).to.contain('3 suggestions.');
    await expect(popup()).to.be.accessible();
    press('Escape');
    for (const name of ['aria-controls', 'aria-activedescendant', 'aria-autocomplete'])
      expect(field.hasAttribute(name), name).to.equal(false);
  });

  it('complete a name in the middle of a text', async () => {
    const { type, options, press, settle, field } = await setupSuggestions();
    type('Ask @ad about it', 7);
    expect(options()).to.deep.equal(['@Ada', '@Adèle']);
    press('Tab');
    await settle();
    expect(field.value).to.equal('Ask @Ada about it');
    expect(field.selectionStart).to.equal(8);
  });

  it('insert a clicked option, and keep the focus in the field', async () => {
    const { type, root, settle, field } = await setupSuggestions();
    type('@');
    const last = [...root.querySelectorAll<HTMLElement>('[role=option]')].at(-1);
    const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
    last?.dispatchEvent(down);
    expect(down.defaultPrevented, 'the focus stays').to.equal(true);
    last?.click();
    await settle();
    expect(field.value).to.equal('@Grace ');
    expect(root.activeElement).to.equal(field);
  });

  it('close on Escape, and open for a trigger at another position', async () => {
    const { type, press, isOpen } = await setupSuggestions();
    type('@a');
    let passed = 0;
    const count = (): void => void (passed += 1);
    document.addEventListener('keydown', count);
    press('Escape');
    document.removeEventListener('keydown', count);
    expect(passed, 'no other listener receives it').to.equal(0);
    expect(isOpen()).to.equal(false);
    type('@ad');
    expect(isOpen()).to.equal(false);
    type('x @a');
    expect(isOpen()).to.equal(true);
  });

  it('are inserted before ubik-suggestion-chosen is dispatched', async () => {
    const { type, press, settle, field, chat } = await setupSuggestions();
    const texts: string[] = [];
    chat.addEventListener('ubik-suggestion-chosen', () => texts.push(field.value));
    type('/s');
    press('Enter');
    await settle();
    type('/cl');
    press('Enter');
    await settle();
    expect(texts).to.deep.equal(['Sum this up: ', '']);
  });

  it('remove the typed command when the `text` of the suggestion is empty', async () => {
    const { type, press, settle, field, controller } = await setupSuggestions();
    type('/cl');
    press('Enter');
    await settle();
    expect(field.value).to.equal('');
    expect(controller.getDraft().text).to.equal('');
  });

  it('drop late results, and abort requests that are outdated', async () => {
    const asked: { query: string; signal: AbortSignal; answer: (found: Suggestion[]) => void }[] =
      [];
    const mentions: SuggestionSource = (query, signal) =>
      new Promise((answer) => asked.push({ query, signal, answer }));
    const { type, options, settle } = await setupSuggestions({ mentions });
    type('@a');
    type('@ad');
    expect(asked.map(({ query, signal }) => [query, signal.aborted])).to.deep.equal([
      ['a', true],
      ['ad', false],
    ]);
    asked[1]?.answer([{ name: 'Ada' }]);
    await settle();
    asked[0]?.answer([{ name: 'Anna' }]);
    await settle();
    expect(options()).to.deep.equal(['@Ada']);
    // Until the source has responded, options that no longer match are not shown.
    type('@adx');
    expect(options()).to.deep.equal([]);
  });

  it('report no error of an aborted request', async () => {
    const { reportError } = globalThis;
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    try {
      const mentions: SuggestionSource = (query, signal) =>
        query === 'a'
          ? new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('given up')));
            })
          : Promise.resolve([{ name: 'Ada' }]);
      const { type, options, settle, names } = await setupSuggestions({ mentions });
      type('@a');
      type('@ad');
      await settle();
      expect(options()).to.deep.equal(['@Ada']);
      expect([reported, names()]).to.deep.equal([[], []]);
    } finally {
      globalThis.reportError = reportError;
    }
  });

  it('show that a slow source is loading, and stay next to the field', async () => {
    let answer: (found: Suggestion[]) => void = () => undefined;
    const { type, popup, isOpen, environment, settle, field, press, chat } = await setupSuggestions(
      { mentions: () => new Promise((resolve) => (answer = resolve)) },
    );
    type('@a');
    await environment.advance(299);
    expect(isOpen()).to.equal(false);
    await environment.advance(1);
    expect(popup().textContent.trim()).to.equal('Searching…');
    expect(press('ArrowDown').defaultPrevented, 'nothing to choose from').to.equal(false);
    answer([{ name: 'Ada' }]);
    await settle();
    expect(popup().textContent.replace(/\s+/g, ' ').trim()).to.equal('@Ada');
    const gap = (): number =>
      field.getBoundingClientRect().top - popup().getBoundingClientRect().bottom;
    const before = gap();
    chat.style.height = '400px';
    window.dispatchEvent(new Event('resize'));
    expect(gap()).to.be.closeTo(before, 1);
    type('@ad');
    press('Escape');
    await environment.advance(1000);
    expect(isOpen()).to.equal(false);
  });

  it('are dismissed by Escape while a slow source is loading', async () => {
    let answer: (found: Suggestion[]) => void = () => undefined;
    const { type, isOpen, environment, settle, press } = await setupSuggestions({
      mentions: () => new Promise((resolve) => (answer = resolve)),
    });
    type('@a');
    expect(press('Escape').defaultPrevented, 'nothing is shown').to.equal(false);
    await environment.advance(300);
    expect(isOpen()).to.equal(true);
    expect(press('Escape').defaultPrevented).to.equal(true);
    expect(isOpen()).to.equal(false);
    answer([{ name: 'Ada' }]);
    await settle();
    type('@ad');
    await environment.advance(300);
    expect(isOpen()).to.equal(false);
    expect(press('Escape').defaultPrevented, 'nothing is shown any more').to.equal(false);
  });

  it('dispatch ubik-diagnostic when a source throws, and show nothing to the user', async () => {
    const { reportError } = globalThis;
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    try {
      const { type, isOpen, settle, events, names, chat, root } = await setupSuggestions({
        mentions: () => Promise.reject(new Error('down')),
      });
      type('@a');
      await settle();
      expect(isOpen()).to.equal(false);
      expect(names()).to.deep.equal(['ubik-diagnostic']);
      expect(events[0]?.detail).to.include({ code: 'misuse', offender: 'mentions' });
      expect(reported.length).to.equal(1);
      expect(root.querySelector('.composer [role=alert]') === null).to.equal(true);
      chat.mentions = [null, 4, { name: 7 }, { name: 'Ada' }] as unknown as SuggestionSource;
      type('@A');
      expect(root.querySelectorAll('[role=option]').length).to.equal(1);
    } finally {
      globalThis.reportError = reportError;
    }
  });

  it('ignore the keydown events of an IME composition', async () => {
    const { type, press, field, isOpen, active } = await setupSuggestions();
    type('@a');
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      for (const key of ['Enter', 'ArrowDown', 'Tab', 'Escape']) {
        expect(press(key, init).defaultPrevented, key).to.equal(false);
      }
    }
    expect(field.value).to.equal('@a');
    expect([isOpen(), active()]).to.deep.equal([true, '@Ada']);
  });

  it('are not clipped by the chat, and stay in the viewport', async () => {
    const { type, popup, chat, box } = await setupSuggestions();
    box.setAttribute('style', 'height: 120px; overflow: hidden; transform: translateX(10px)');
    chat.style.height = '120px';
    type('/');
    const { left, right, top, bottom } = popup().getBoundingClientRect();
    expect(left).to.be.at.least(0);
    expect(top).to.be.at.least(0);
    expect(right).to.be.at.most(document.documentElement.clientWidth);
    expect(bottom).to.be.at.most(document.documentElement.clientHeight);
    const [first] = popup().querySelectorAll('[role=option]');
    const at = first?.getBoundingClientRect();
    const hit = chat.shadowRoot?.elementFromPoint((at?.left ?? 0) + 9, (at?.top ?? 0) + 9);
    expect(hit?.closest('[role=option]') === first).to.equal(true);
  });

  it('close on blur, and when the chat is removed', async () => {
    const { type, field, isOpen, chat, box } = await setupSuggestions();
    type('@a');
    field.blur();
    expect(isOpen()).to.equal(false);
    field.focus();
    type('@ad');
    expect(isOpen()).to.equal(true);
    chat.remove();
    expect(isOpen()).to.equal(false);
    box.append(chat);
  });

  it('keep the previous options that still match until the source has responded, for the trigger at the same position only', async () => {
    const found = [[{ name: 'Ada' }, { name: 'Bo' }], null, null, [{ name: 'Cy' }]];
    const mentions: SuggestionSource = () => {
      const next = found.shift();
      return next ? Promise.resolve(next) : new Promise(() => undefined);
    };
    const { type, options, settle, isOpen } = await setupSuggestions({ mentions });
    type('@');
    await settle();
    expect(options()).to.deep.equal(['@Ada', '@Bo']);
    type('@a');
    expect(options(), 'the trigger at the same position').to.deep.equal(['@Ada']);
    type('x @a');
    expect(options(), 'a trigger at another position').to.deep.equal([]);
    expect(isOpen()).to.equal(false);
    type('x @c');
    await settle();
    expect(options()).to.deep.equal(['@Cy']);
  });

  it('are empty until the source of another trigger character has responded', async () => {
    const { type, options, settle } = await setupSuggestions({
      commands: () => Promise.resolve([{ name: 'ada' }]),
      mentions: () => new Promise(() => undefined),
    });
    type('/a');
    await settle();
    expect(options()).to.deep.equal(['/ada']);
    type('@a');
    expect(options()).to.deep.equal([]);
  });

  it('are requested once for the same query', async () => {
    const queries: string[] = [];
    const mentions: SuggestionSource = (query) => {
      queries.push(query);
      return Promise.resolve([{ name: 'Ada' }]);
    };
    const { type, settle, field } = await setupSuggestions({ mentions });
    type('@a');
    field.dispatchEvent(new Event('keyup'));
    await settle();
    type('@a');
    await settle();
    expect(queries).to.deep.equal(['a']);
  });

  it('wrap around with ArrowUp, and make the first option active after each character', async () => {
    const { type, press, active, popup } = await setupSuggestions();
    type('/');
    press('ArrowUp');
    expect(active()).to.equal('/clear');
    const selected = popup().querySelectorAll('[aria-selected=true]');
    expect([...selected].map((each) => each.querySelector('.name')?.textContent)).to.deep.equal([
      '/clear',
    ]);
    press('ArrowDown');
    expect(active()).to.equal('/summary');
    press('ArrowUp');
    type('/s');
    expect(active()).to.equal('/summary');
  });

  it('ignore keys with a modifier, and keys without a function', async () => {
    const { type, press, active, field, isOpen } = await setupSuggestions();
    type('/s');
    for (const modifier of ['shiftKey', 'altKey', 'ctrlKey', 'metaKey']) {
      for (const key of ['ArrowDown', 'Tab', 'Escape'])
        expect(press(key, { [modifier]: true }).defaultPrevented, modifier + key).to.equal(false);
    }
    for (const key of ['a', 'ArrowLeft', 'Home'])
      expect(press(key).defaultPrevented, key).to.equal(false);
    expect([active(), field.value, isOpen()]).to.deep.equal(['/summary', '/s', true]);
  });

  it('follow the caret only while they are open', async () => {
    const { type, field, options, isOpen } = await setupSuggestions();
    const moveCaret = (start: number, end = start): void => {
      field.setSelectionRange(start, end);
      field.dispatchEvent(new Event('keyup'));
    };
    type('x @ad');
    expect(options()).to.deep.equal(['@Ada', '@Adèle']);
    moveCaret(3);
    expect(options()).to.deep.equal(['@Ada', '@Adèle', '@Grace']);
    moveCaret(3, 5);
    expect(isOpen(), 'a selection').to.equal(false);
    moveCaret(5);
    expect(isOpen(), 'moving the caret does not open them').to.equal(false);
    type('x @a');
    expect(isOpen()).to.equal(true);
    moveCaret(1);
    expect(isOpen()).to.equal(false);
  });

  it('follow a composition after they have opened, as the keyboards of phones compose each word', async () => {
    const { field, type, options, root, settle } = await setupSuggestions();
    type('@');
    expect(options()).to.deep.equal(['@Ada', '@Adèle', '@Grace']);
    field.value = '@g';
    field.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
    expect(options()).to.deep.equal(['@Grace']);
    root.querySelector<HTMLElement>('[role=option]')?.click();
    await settle();
    expect(field.value).to.equal('@Grace ');
  });

  it('wait for the end of an IME composition', async () => {
    const { field, isOpen } = await setupSuggestions();
    field.value = '@a';
    field.setSelectionRange(2, 2);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
    expect(isOpen()).to.equal(false);
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    expect(isOpen()).to.equal(true);
  });

  it('open again after Escape when the trigger was removed and typed again', async () => {
    const { type, press, isOpen } = await setupSuggestions();
    type('@a');
    press('Escape');
    type('');
    type('@a');
    expect(isOpen()).to.equal(true);
  });

  it('open for the next message after they were dismissed for the one that was sent', async () => {
    const { type, press, settle, isOpen, backend } = await setupSuggestions();
    type('/c');
    press('Escape');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(1);
    type('/');
    expect(isOpen()).to.equal(true);
  });

  it('close when the field shows the draft of another thread', async () => {
    const { type, press, settle, isOpen, controller, field, backend } = await setupSuggestions();
    for (const id of ['a', 'b']) backend.threads.set(id, contentOf(id, []));
    await controller.openThread('b');
    controller.setDraft({ text: 'Hello world', attachments: [] });
    await controller.openThread('a');
    await settle();
    type('@a');
    expect(isOpen()).to.equal(true);
    await controller.openThread('b');
    expect([field.value, isOpen()]).to.deep.equal(['Hello world', false]);
    expect(press('Tab').defaultPrevented).to.equal(false);
    await settle();
    expect([field.value, controller.getDraft().text]).to.deep.equal(['Hello world', 'Hello world']);
  });

  it('close when the page writes another text into the field', async () => {
    const { type, isOpen, chat, settle } = await setupSuggestions();
    type('@a');
    chat.compose({ text: 'Hello' });
    await settle();
    expect(isOpen()).to.equal(false);
  });

  it('are labelled by their kind, and announced only when their number changes', async () => {
    const { type, field, popup, query, press } = await setupSuggestions();
    const status = query('.composer [role=status]:not(.queue *)');
    const label = () => popup().querySelector('[role=listbox]')?.ariaLabel;
    type('@');
    expect(label()).to.equal('Mentions');
    expect(popup().getAttribute('part')).to.equal('suggestions');
    expect(field.getAttribute('aria-haspopup')).to.equal('listbox');
    expect(popup().querySelectorAll('[role=option] .meta').length).to.equal(0);
    expect(popup().querySelector('[role=option]')?.getAttribute('part')).to.equal('suggestion');
    type('/s');
    expect(label()).to.equal('Commands');
    const observer = new MutationObserver(() => undefined);
    observer.observe(status, { childList: true, characterData: true, subtree: true });
    type('/c');
    expect(observer.takeRecords(), 'as many as before').to.deep.equal([]);
    expect([...popup().querySelectorAll('[role=option] .meta')].length).to.equal(2);
    press('Escape');
    expect(status.textContent).to.equal('');
    expect(field.hasAttribute('aria-haspopup')).to.equal(false);
  });

  it('keep the active option when a slow source is shown to be loading', async () => {
    const found = [PEOPLE];
    const { type, active, press, settle, environment, popup } = await setupSuggestions({
      mentions: () => {
        const next = found.shift();
        return next ? Promise.resolve(next) : new Promise(() => undefined);
      },
    });
    type('@');
    await settle();
    await environment.advance(1000);
    expect(popup().textContent, 'the source has responded').not.to.contain('Searching…');
    type('@a');
    press('ArrowDown');
    await environment.advance(300);
    expect(popup().textContent).to.contain('Searching…');
    expect(active()).to.equal('@Adèle');
  });

  it('are not shown to be loading after the source has failed or the field has lost the focus', async () => {
    const { reportError } = globalThis;
    globalThis.reportError = () => undefined;
    const signals: AbortSignal[] = [];
    try {
      const { type, isOpen, settle, environment, field } = await setupSuggestions({
        mentions: (query, signal) => {
          signals.push(signal);
          return query === 'a' ? Promise.reject(new Error('down')) : new Promise(() => undefined);
        },
      });
      type('@a');
      await settle();
      await environment.advance(1000);
      expect(isOpen(), 'failed').to.equal(false);
      type('@ab');
      field.blur();
      await environment.advance(1000);
      expect(isOpen(), 'without focus').to.equal(false);
      expect(signals.at(-1)?.aborted).to.equal(true);
    } finally {
      globalThis.reportError = reportError;
    }
  });

  it('close when the source fails for the next character', async () => {
    const { reportError } = globalThis;
    globalThis.reportError = () => undefined;
    try {
      const { type, options, isOpen, settle } = await setupSuggestions({
        mentions: (query) =>
          query === 'a' ? Promise.resolve(PEOPLE) : Promise.reject(new Error('down')),
      });
      type('@a');
      await settle();
      type('@ad');
      expect(options()).to.deep.equal(['@Ada', '@Adèle']);
      await settle();
      expect([options(), isOpen()]).to.deep.equal([[], false]);
    } finally {
      globalThis.reportError = reportError;
    }
  });

  it('are chosen by an Enter that the input method ignores, so that the browser would insert a line break; nothing is sent', async () => {
    const { type, field, backend, settle } = await setupSuggestions();
    type('@a');
    expect(pressIgnoredEnter(field).defaultPrevented).to.equal(true);
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['@Ada ', 0]);
  });

  it('leave the Enter that ends a composition in Safari to the input method', async () => {
    const { type, press, field, backend, settle } = await setupSuggestions();
    type('@a');
    const end = new CompositionEvent('compositionend', { bubbles: true });
    Object.defineProperty(end, 'timeStamp', { value: performance.now() });
    field.dispatchEvent(end);
    press('Enter');
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['@a', 0]);
  });

  it('move the focus to the field when one is chosen while the focus is elsewhere', async () => {
    const { type, root, field, query } = await setupSuggestions();
    field.blur();
    type('@gr');
    query('[role=option]').click();
    expect(field.value).to.equal('@Grace ');
    expect(root.activeElement).to.equal(field);
  });

  it('open for a trigger at another position than the one at which the user closed them', async () => {
    const { type, press, isOpen } = await setupSuggestions();
    type('@a');
    press('Escape');
    type('(@a');
    expect(isOpen()).to.equal(true);
  });

  it('are not moved after they were closed', async () => {
    const { type, press, popup } = await setupSuggestions();
    type('/');
    press('Escape');
    popup().style.left = '1px';
    window.dispatchEvent(new Event('resize'));
    window.dispatchEvent(new Event('scroll'));
    expect(popup().style.left).to.equal('1px');
  });

  it('show nothing for a trigger character without a source', async () => {
    const { type, field, isOpen } = await setupSuggestions({ mentions: null });
    type('@a');
    expect(isOpen()).to.equal(false);
    expect(field.hasAttribute('aria-activedescendant')).to.equal(false);
    type('/s');
    expect(isOpen()).to.equal(true);
    type('@a');
    expect(isOpen()).to.equal(false);
  });

  it('add a space after the text, unless white space follows', async () => {
    const { type, press, settle, field } = await setupSuggestions();
    type('@gr.', 3);
    press('Enter');
    await settle();
    expect(field.value).to.equal('@Grace .');
    expect(field.selectionStart).to.equal(7);
    type('@gr .', 3);
    press('Enter');
    await settle();
    expect(field.value).to.equal('@Grace .');
    expect(field.selectionStart).to.equal(6);
  });

  it('insert the text where the browser has no command for that, or only claims to have run it', async () => {
    const { type, press, settle, field, controller } = await setupSuggestions();
    for (const isDone of [false, true]) {
      Object.defineProperty(document, 'execCommand', { value: () => isDone, configurable: true });
      try {
        type('Ask @gr now', 7);
        press('Enter');
        await settle();
      } finally {
        Reflect.deleteProperty(document, 'execCommand');
      }
      expect(field.value).to.equal('Ask @Grace now');
      expect(field.selectionStart).to.equal(10);
      expect(controller.getDraft().text).to.equal('Ask @Grace now');
    }
  });

  it('open after an opening bracket, and follow a scrolled box around the field', async () => {
    const { type, options, popup, box } = await setupSuggestions();
    type('(@ad');
    expect(options()).to.deep.equal(['@Ada', '@Adèle']);
    const { left } = popup().style;
    popup().style.left = '1px';
    box.dispatchEvent(new Event('scroll'));
    expect(popup().style.left).to.equal(left);
  });

  it('scroll to the active option', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `command${at}` }));
    const { type, press, popup } = await setupSuggestions({ commands: many });
    type('/');
    const isVisible = (): boolean => {
      const row = popup().querySelector('[aria-selected=true]')?.getBoundingClientRect();
      const list = popup().getBoundingClientRect();
      return !!row && row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    };
    expect(popup().scrollHeight).to.be.above(popup().clientHeight);
    expect(isVisible()).to.equal(true);
    press('ArrowUp');
    expect(popup().querySelector('[aria-selected=true] .name')?.textContent).to.equal('/command49');
    expect(isVisible()).to.equal(true);
  });
});

describe('suggestions whose code is not loaded', () => {
  const { load } = lazySuggestions;
  afterEach(() => {
    lazySuggestions.load = load;
  });

  /**
   * A chat whose field has the focus and a text. `maxLength` loads the tools of the composer even in a chat that has no suggestions. `finish`
   * lets the code of the list arrive, and resolves to the names in the list.
   */
  async function setupLoading(text: string, lists: Partial<UbikChat> = { commands: COMMANDS }) {
    const held = new Deferred<undefined>();
    let loads = 0;
    lazySuggestions.load = async () => {
      loads += 1;
      await held.promise;
      return load.call(lazySuggestions);
    };
    const fixture = await setupChat((chat) => Object.assign(chat, { maxLength: 99, ...lists }));
    const { chat, field, root, settle, write } = fixture;
    write(text);
    field.focus();
    await settle();
    chat.requestUpdate();
    await settle();
    const finish = async (): Promise<readonly (string | null)[]> => {
      held.resolve(undefined);
      await settle();
      return [...root.querySelectorAll('[role=option] .name')].map((node) => node.textContent);
    };
    return { ...fixture, finish, countLoads: () => loads };
  }

  it('show what matches the text that was typed meanwhile, in one list', async () => {
    const { write, finish, root } = await setupLoading('');
    write('/s');
    expect(await finish()).to.deep.equal(['/summary', '/search']);
    expect(root.querySelectorAll('.suggestions').length).to.equal(1);
  });

  it('request their code once while it cannot be loaded, and again after the next focus', async () => {
    let loads = 0;
    lazySuggestions.load = () => {
      loads += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    const { field, names, settle, write } = await setupChat((chat) =>
      Object.assign(chat, { maxLength: 99, commands: COMMANDS }),
    );
    field.focus();
    write('/');
    await settle();
    const before = loads;
    expect(before).to.be.above(0);
    for (const text of ['/s', '/su']) {
      write(text);
      await settle();
    }
    expect(loads).to.equal(before);
    expect(names().filter((name) => name === 'ubik-error')).to.have.length(before);
    field.blur();
    field.focus();
    write('/s');
    await settle();
    expect(loads).to.equal(before + 1);
  });

  it('load no code for a chat that has none', async () => {
    const { finish, countLoads } = await setupLoading('/s', {});
    expect([await finish(), countLoads()]).to.deep.equal([[], 0]);
  });
});
