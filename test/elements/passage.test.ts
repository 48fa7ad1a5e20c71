import { expect } from '@open-wc/testing';
import '../../src/elements/sides/side-panels.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import { explainError } from '../../src/message/explain-error.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { PASSAGE, setupCitation } from './passage-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupCitation>>;

describe('passage of a citation', () => {
  const reasons: readonly (readonly [UbikErrorCode, string])[] = [
    ['forbidden', 'You don’t have permission to read this passage.'],
    ['not-found', 'The passage no longer exists.'],
    ...(['unauthorized', 'rate-limited', 'server', 'network', 'not-an-api'] as const).map(
      (code) => [code, explainError(new UbikError(code), findLocale('en'))] as const,
    ),
  ];
  for (const [code, reason] of reasons) {
    it(`shows why it cannot be loaded (${code}), and is loaded again on request`, async () => {
      let works = false;
      const { panel, retryButton, press, events, root } = await setupCitation(() => {
        if (works) return PASSAGE;
        throw new UbikError(code);
      });
      expect(panel().querySelector('[role=alert]')?.textContent.trim()).to.equal(reason);
      expect(panel().querySelector('.switch'), 'its document is not known').to.equal(null);
      expect(panel().textContent).to.contain('rivers.pdf');
      expect(events.map(({ type }) => type)).to.deep.equal(['ubik-thread-opened', 'ubik-error']);
      works = true;
      await press(retryButton());
      expect(panel().querySelector('[role=alert]')).to.equal(null);
      expect(panel().textContent).to.contain('It is long.');
      expect(panel().contains(root.activeElement)).to.equal(true);
    });
  }

  it('is rendered in the new language when the language of the chat changes', async () => {
    const { chat, panel, settle } = await setupCitation(() => PASSAGE);
    await loadLanguage('de');
    chat.lang = 'de';
    await settle();
    const german = findLocale('de');
    expect(panel().querySelector<HTMLElement>('.head button')?.title).to.equal(
      german.text('close'),
    );
    expect(panel().querySelector('.meta')?.textContent).to.equal(german.text('page', { page: 3 }));
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
  });

  it('explains why it cannot be read in the new language when the language of the chat changes', async () => {
    const { chat, panel, settle } = await setupCitation(() => {
      throw new UbikError('forbidden');
    });
    await loadLanguage('de');
    chat.lang = 'de';
    await settle();
    expect(panel().querySelector('[role=alert]')?.textContent.trim()).to.equal(
      findLocale('de').text('passageForbidden'),
    );
  });

  it('does not open when the citation is gone, or the service offers no passages any more, while the code is loading', async () => {
    for (const remove of [
      ({ query }: Fixture) => {
        query('.cite').remove();
      },
      ({ backend }: Fixture) => backend.capabilities.clear(),
    ]) {
      const fixture = await setupCitation(() => PASSAGE);
      const { query, root, press, settle } = fixture;
      await press(query('.passage .head button'));
      query('.cite').click();
      remove(fixture);
      await settle();
      expect(root.querySelector('.passage')).to.equal(null);
    }
  });

  it('does not open for a citation without a passage', async () => {
    const { backend, query, root, press, controller, settle } = await setupCitation(() => PASSAGE);
    await press(query('.passage .head button'));
    const mark = { kind: 'citation', label: '[1]', title: 'rivers.pdf', url: null } as const;
    const answer = stored('b', 'assistant', 'It is long. \uE000c\uE001');
    const parts = answer.parts.map((part) => ({ ...part, marks: { c: mark } }));
    backend.threads.set('u', contentOf('u', [{ ...answer, parts: parts as never }]));
    await controller.openThread('u');
    for (let turn = 0; turn < 3; turn += 1) await settle();
    await press(query('.cite'));
    expect(root.querySelector('.passage')).to.equal(null);
  });

  it('stays open when a message is added', async () => {
    const { panel, start } = await setupCitation(() => PASSAGE);
    await start('Another question');
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
  });

  it('is that of the citation that was opened last, also when the document of the one before is shown or loading', async () => {
    const answers = new Map<string, Deferred<unknown>>();
    const fixture = await setupCitation(() => PASSAGE, 'It \uE000c\uE001 is long.');
    const { backend, panel, press, root, settle, switchButton } = fixture;
    const shown = (): string | undefined =>
      panel().querySelector('.cited-text')?.textContent ?? undefined;
    const [first, second] = root.querySelectorAll<HTMLElement>('.text .cite');
    if (!first || !second) throw new Error('There are no two citations.');
    await press(switchButton());
    expect(shown()).to.equal(PASSAGE.text);
    expect(switchButton().textContent.trim()).to.equal('Show the passage');
    await press(second);
    expect(switchButton().textContent.trim()).to.equal('Show the document');
    backend.responses.set('loadPassage', (id) => {
      const answer = new Deferred<unknown>();
      answers.set(`${String(id)} ${answers.size}`, answer);
      return answer.promise;
    });
    await press(switchButton());
    expect([...answers.keys()]).to.deep.equal(['d 0']);
    await press(first);
    answers.get('d 0')?.resolve({ ...PASSAGE, id: 'd', text: 'The document before' });
    const passages = [...answers].filter(([key]) => key.startsWith('p'));
    for (const [, answer] of passages) answer.resolve({ ...PASSAGE, documentId: 'e' });
    await settle();
    expect(shown()).to.equal(PASSAGE.text);
    await press(switchButton());
    const [last = '', document] = [...answers].at(-1) ?? [];
    expect(last).to.match(/^e /);
    document?.resolve({ ...PASSAGE, id: 'e', text: 'The document after' });
    await settle();
    expect(shown()).to.equal('The document after');
  });

  it('is not replaced by that of the citation before, which arrives later', async () => {
    const { backend, panel, press, root, settle } = await setupCitation(
      () => PASSAGE,
      'It \uE000c\uE001 is long.',
    );
    const [first, second] = root.querySelectorAll<HTMLElement>('.text .cite');
    if (!first || !second) throw new Error('There are no two citations.');
    await press(panel().querySelector('.head button') as HTMLElement);
    const requests: Deferred<unknown>[] = [];
    backend.responses.set('loadPassage', () => {
      const answer = new Deferred<unknown>();
      requests.push(answer);
      return answer.promise;
    });
    await press(first);
    const before = requests.splice(0);
    await press(second);
    for (const answer of before) answer.resolve({ ...PASSAGE, text: 'Of the first' });
    await settle();
    expect(panel().querySelector('.cited-text')).to.equal(null);
    for (const answer of requests) answer.resolve({ ...PASSAGE, text: 'Of the second' });
    await settle();
    expect(panel().querySelector('.cited-text')?.textContent).to.equal('Of the second');
  });

  it('shows that it cannot be loaded after an error that does not come from the service, without reporting it', async () => {
    const { panel, press, retryButton, events } = await setupCitation(() => {
      throw new TypeError('Not mine.');
    });
    expect(panel().querySelectorAll('[role=alert]').length).to.equal(1);
    expect(events.map(({ type }) => type)).to.deep.equal(['ubik-thread-opened']);
    await press(retryButton());
    expect(panel().querySelectorAll('[role=alert]').length).to.equal(1);
  });

  it('is marked in its document without the white space around it', async () => {
    const passage = { ...PASSAGE, text: `\n  ${PASSAGE.text} \n` };
    const text = `First of all. ${PASSAGE.text} Last of all.`;
    const { panel, press, switchButton } = await setupCitation((id) =>
      id === 'p' ? passage : { ...passage, id, text },
    );
    await press(switchButton());
    expect(panel().querySelector('mark')?.textContent).to.equal(PASSAGE.text);
  });

  it('marks the quotation', async () => {
    const sentence = 'The Ebro flows through nine regions.';
    const text = `Of rivers. ${sentence} So does the Tajo.`;
    const { panel } = await setupCitation(() => ({ ...PASSAGE, text }), sentence);
    expect(panel().querySelector('mark')?.textContent).to.equal(sentence.slice(0, -1));
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(text);
  });

  it('marks the quotation before the second of two citations', async () => {
    const sentence = 'The Ebro flows \uE000c\uE001 through nine regions.';
    const text = 'Of rivers. The Ebro flows through nine regions. So does the Tajo.';
    const { panel, root, press } = await setupCitation(() => ({ ...PASSAGE, text }), sentence);
    const second = [...root.querySelectorAll<HTMLElement>('.text .cite')].at(-1);
    if (!second) throw new Error('There is no citation.');
    await press(second);
    expect(panel().querySelector('mark')?.textContent).to.equal(
      'The Ebro flows through nine regions',
    );
    expect(second.ariaExpanded).to.equal('true');
    expect(root.querySelectorAll('[aria-expanded=true]').length).to.equal(1);
    expect(panel().part.contains('passage')).to.equal(true);
    const quote = panel().querySelector('blockquote');
    expect([quote?.role, quote?.tabIndex]).to.deep.equal(['region', 0]);
    const { whiteSpace } = getComputedStyle(panel().querySelector('.cited-text') as Element);
    expect(whiteSpace, 'its lines are kept').to.equal('pre-wrap');
    const heading = root.getElementById(quote?.getAttribute('aria-labelledby') ?? '');
    expect(heading?.textContent).to.equal('rivers.pdf');
  });

  it('marks nothing when the answer shares only a few words with it', async () => {
    const { panel } = await setupCitation(() => PASSAGE);
    expect(panel().querySelector('mark')).to.equal(null);
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
  });

  it('shows ten thousand UTF-16 units on each side of the quotation when it is longer', async () => {
    const sentence = 'The Ebro flows through nine regions';
    const [before, behind] = ['ab '.repeat(5_000), ' cd'.repeat(5_000)];
    const text = `${before}${sentence}${behind}`;
    const { panel } = await setupCitation(() => ({ ...PASSAGE, text }), sentence);
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(
      `…${before.slice(-10_000)}${sentence}${behind.slice(0, 10_000)}…`,
    );
  });

  it('has a button that shows its document, in which it is marked, and then one that shows the passage', async () => {
    const text = `First of all.\n\n${PASSAGE.text}\n\nLast of all.`;
    const requested: string[] = [];
    const { panel, press, switchButton, root } = await setupCitation((id) => {
      requested.push(id);
      return id === PASSAGE.documentId ? { ...PASSAGE, id, text } : PASSAGE;
    });
    expect(switchButton().textContent.trim()).to.equal('Show the document');
    requested.length = 0;
    await press(switchButton());
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(text);
    expect(panel().querySelector('mark')?.textContent).to.equal(PASSAGE.text);
    expect(panel().contains(root.activeElement)).to.equal(true);
    expect(switchButton().textContent.trim()).to.equal('Show the passage');
    await press(switchButton());
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
    await press(switchButton());
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(text);
    expect(requested, 'each is loaded once').to.deep.equal(['d']);
  });

  it('explains why its document cannot be loaded, and can be shown again', async () => {
    const { panel, press, switchButton } = await setupCitation((id) => {
      if (id === 'p') return PASSAGE;
      throw new UbikError('forbidden');
    });
    await press(switchButton());
    expect(panel().querySelector('[role=alert]')?.textContent.trim()).to.contain('permission');
    await press(switchButton());
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
  });

  it('says that the service has no text of its document', async () => {
    const { panel, press, switchButton } = await setupCitation((id) =>
      id === 'p' ? PASSAGE : { ...PASSAGE, id, text: '' },
    );
    await press(switchButton());
    expect(panel().textContent).to.contain('The service has no text of this document.');
  });

  it('has no button to its document when it is itself the document, or the service sends no id of one', async () => {
    for (const documentId of ['p', '']) {
      const { panel } = await setupCitation(() => ({ ...PASSAGE, documentId }));
      expect(panel().querySelector('.cited-text')?.textContent).to.equal(PASSAGE.text);
      expect(panel().querySelector('.switch')).to.equal(null);
    }
  });

  it('is named by the whole title of the citation when the service does not name its document', async () => {
    const passage = { ...PASSAGE, documentName: '' };
    const { panel } = await setupCitation(() => passage, undefined, undefined, 'Rivers A/B');
    expect(panel().querySelector('.head bdi')?.textContent).to.equal('Rivers A/B');
  });

  it('does not move the text of the answer when it takes the place of the column at the end', async () => {
    const words = 'The Ebro flows through nine regions, and so do others. '.repeat(10);
    const { query, press, panel, chat } = await setupCitation(
      () => PASSAGE,
      words,
      (chat) => {
        chat.style.width = '1280px';
        const column = document.createElement('div');
        column.slot = 'end';
        chat.append(column);
      },
    );
    const measure = (): readonly number[] => {
      const { x, y, width, height } = query('.text p').getBoundingClientRect();
      const { left, top } = chat.getBoundingClientRect();
      return [x - left, y - top, width, height];
    };
    const opened = measure();
    expect(panel().getBoundingClientRect().width).to.be.greaterThan(200);
    await press(query('.passage .head button'));
    expect(query('.end').checkVisibility()).to.equal(true);
    expect(measure()).to.deep.equal(opened);
  });

  it('shows its page, says that it is loading, and stops loading when it is closed', async () => {
    const { backend, panel, press, query, root, settle } = await setupCitation(() => PASSAGE);
    expect(panel().querySelector('.meta')?.textContent).to.equal('Page 3');
    const close = (): Promise<void> => press(query('.passage .head button'));
    await close();
    expect(root.querySelector('.passage')).to.equal(null);
    // The card of the citation requests the passage, too.
    let requests: {
      signal: AbortSignal;
      answer: (passage: unknown) => void;
      fail: (error: UbikError) => void;
    }[] = [];
    backend.responses.set(
      'loadPassage',
      (_id, signal) =>
        new Promise((answer, fail) =>
          requests.push({ signal: signal as AbortSignal, answer, fail }),
        ),
    );
    const answerAll = async (passage: unknown): Promise<void> => {
      for (const { answer } of requests.splice(0)) answer(passage);
      await settle();
    };
    await press(query('.cite'));
    expect(panel().querySelector('[role=status]')?.textContent).to.equal('Loading the passage…');
    expect(panel().querySelector('h2')?.textContent).to.equal('rivers.pdf');
    expect(panel().querySelector('blockquote')).to.equal(null);
    const first = [...requests];
    expect(first.some(({ signal }) => !signal.aborted)).to.equal(true);
    await close();
    expect(first.every(({ signal }) => signal.aborted)).to.equal(true);
    const late = requests;
    requests = [];
    await press(query('.cite'));
    for (const [at, { answer, fail }] of late.entries()) {
      if (at === 0) fail(new UbikError('server'));
      else answer(PASSAGE);
    }
    await settle();
    expect(panel().querySelector('blockquote'), 'of the request before').to.equal(null);
    expect(panel().querySelector('[role=alert]')).to.equal(null);
    await answerAll({ ...PASSAGE, page: null });
    expect(panel().querySelector('.cited-text')?.textContent).to.equal('It is long.');
    expect(panel().querySelector('.meta'), 'without a page').to.equal(null);
    expect(panel().querySelector('[role=status]')).to.equal(null);
  });

  it('is closed when its message is removed, and not loaded by a click elsewhere or when the service offers no passages', async () => {
    const { backend, controller, press, query, root, settle } = await setupCitation(() => PASSAGE);
    const citation = query('.cite');
    backend.threads.set('u', contentOf('u', [stored('b', 'assistant', 'Other')]));
    await controller.openThread('u');
    await settle();
    await settle();
    expect(citation.isConnected).to.equal(false);
    expect(root.querySelector('.passage')).to.equal(null);
    await controller.openThread('t');
    await settle();
    await settle();
    const asked = backend.count('loadPassage');
    query('.scroller').click();
    await settle();
    expect(backend.count('loadPassage'), 'elsewhere').to.equal(asked);
    backend.capabilities.delete('citations');
    await press(query('.cite'));
    expect(root.querySelector('.passage')).to.equal(null);
    expect(backend.count('loadPassage')).to.equal(asked);
  });

  it('marks the words that the answer quotes in a document that does not contain the passage', async () => {
    const sentence = 'The Ebro flows through nine regions.';
    const text = `Of rivers. ${sentence} So does the Tajo.`;
    const { panel, press, switchButton } = await setupCitation(
      (id) => (id === 'p' ? PASSAGE : { ...PASSAGE, id, text }),
      sentence,
    );
    await press(switchButton());
    expect(panel().querySelector('mark')?.textContent).to.equal(sentence.slice(0, -1));
    expect(panel().querySelectorAll('.switch').length).to.equal(1);
    const mark = panel().querySelector('mark')?.getBoundingClientRect();
    const box = panel().querySelector('blockquote')?.getBoundingClientRect();
    expect(mark?.top).to.be.within(box?.top ?? 0, box?.bottom ?? 0);
  });

  it('is marked at the beginning of its document', async () => {
    const text = `${PASSAGE.text} And so on.`;
    const { panel, press, switchButton } = await setupCitation((id) =>
      id === 'p' ? PASSAGE : { ...PASSAGE, id, text },
    );
    await press(switchButton());
    expect(panel().querySelector('mark')?.textContent).to.equal(PASSAGE.text);
    expect(panel().querySelector('.cited-text')?.textContent).to.equal(text);
  });

  it('is scrolled to the quotation in a long text', async () => {
    const sentence = 'The Ebro flows through nine regions.';
    const text = `${'Of rivers.\n'.repeat(400)}${sentence}${'\nOf rivers.'.repeat(400)}`;
    const { panel } = await setupCitation(() => ({ ...PASSAGE, text }), sentence);
    const mark = panel().querySelector('mark')?.getBoundingClientRect();
    const box = panel().querySelector('blockquote')?.getBoundingClientRect();
    expect(mark?.top).to.be.above(box?.top ?? Infinity);
    expect(mark?.bottom).to.be.below(box?.bottom ?? 0);
  });

  it('is scrolled to the quotation without scrolling the page', async () => {
    const sentence = 'The Ebro flows through nine regions.';
    const text = `${'Of rivers.\n'.repeat(400)}${sentence}${'\nOf rivers.'.repeat(400)}`;
    const { box, chat, panel, press, query, settle } = await setupCitation(
      () => ({ ...PASSAGE, text }),
      sentence,
    );
    await press(query('.passage .head button'));
    (box as HTMLElement).style.paddingBlock = '3000px';
    query('.cite').focus({ preventScroll: true });
    // The upper edge of the chat is at that of the window.
    chat.scrollIntoView({ block: 'start' });
    const before = window.scrollY;
    expect(before).to.be.above(0);
    query('.cite').click();
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(panel().querySelector('blockquote')?.scrollTop).to.be.above(0);
    expect(window.scrollY).to.equal(before);
  });

  it('has a general name when neither document nor citation has one, and loads its document again on request', async () => {
    let works = false;
    const { panel, press, switchButton, retryButton, root } = await setupCitation(
      (id) => {
        const passage = { ...PASSAGE, id, documentName: '' };
        if (id === 'p') return passage;
        if (works) return { ...passage, text: 'The document' };
        throw new UbikError('server');
      },
      undefined,
      undefined,
      '',
    );
    expect(panel().querySelector('h2')?.textContent).to.equal('Document');
    await press(switchButton());
    expect(panel().querySelectorAll('[role=alert]').length).to.equal(1);
    expect(switchButton().textContent.trim()).to.equal('Show the passage');
    works = true;
    await press(retryButton());
    expect(panel().querySelectorAll('[role=alert]').length).to.equal(0);
    expect(panel().querySelector('.cited-text')?.textContent).to.equal('The document');
    expect(panel().contains(root.activeElement)).to.equal(true);
  });
});
