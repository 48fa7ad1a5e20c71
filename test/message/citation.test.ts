import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import type { CitedPassage, ViewActions } from '../../src/message/part-view.js';
import type { CitationMark } from '../../src/model/part.js';
import { Deferred } from '../helpers/deferred.js';
import { part, set, setupMessageView, text } from './message-fixture.js';

describe('citation in an answer', () => {
  const marks = {
    a: {
      kind: 'citation' as const,
      label: '[1]',
      title: 'Policy',
      url: 'https://docs.example/policy',
      source: 'x',
    },
    b: { kind: 'citation' as const, label: '[2]', id: 'chunk-2', source: 'y' },
  };

  it('is listed once among the sources of a complete answer', () => {
    const { run, root } = setupMessageView();
    run(part('t', { kind: 'text', marks }), text('t', 'See \uE000a\uE001 and \uE000a\uE001.'));
    expect(root.querySelector('.sources')).to.equal(null);
    run(set(null, 'status', 'complete'));
    const lines = [...root.querySelectorAll('.sources li')].map((line) =>
      line.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(lines).to.deep.equal(['1 Policy docs.example']);
    const link = root.querySelector<HTMLAnchorElement>('.sources a');
    expect(link?.rel).to.equal('noopener noreferrer nofollow ugc');
  });

  it('has a button with the language of the interface, named by its label and title', () => {
    const { context, run, root } = setupMessageView();
    context.locale = findLocale('en', 'it');
    run(part('t', { kind: 'text', marks }), text('t', 'See \uE000a\uE001 and \uE000b\uE001.'));
    const buttons = [...root.querySelectorAll<HTMLElement>('.cite')];
    expect(buttons.map(({ lang, ariaLabel }) => [lang, ariaLabel])).to.deep.equal([
      ['en', 'Source 1: Policy'],
      ['en', 'Source 2'],
    ]);
  });

  it('shows a source that becomes known later', () => {
    const { run, query } = setupMessageView();
    run(part('t', { kind: 'text', marks: { b: marks.b } }), text('t', 'See \uE000b\uE001, and'));
    const button = query('.cite');
    run({
      ...{ type: 'set', message: 'm', part: 't', path: ['marks', 'b'] },
      value: { ...marks.b, label: '[3]', title: 'Policy' },
    });
    expect(query('.cite')).to.equal(button);
    expect([button.textContent, button.ariaLabel]).to.deep.equal(['3', 'Source 3: Policy']);
    button.click();
    expect(query('.cite-card').textContent).to.contain('Policy');
  });

  it('links to nothing but http and https URLs', () => {
    for (const [url, count] of [
      ['http://docs.example/', 1],
      ['https://docs.example/', 1],
      ['javascript:alert(1)', 0],
      ['data:text/html,x', 0],
      ['ftp://docs.example/', 0],
      ['/policy', 0],
    ] as const) {
      const { run, root } = setupMessageView({ fields: { status: 'complete' } });
      run(part('t', { kind: 'text', marks: { a: { ...marks.a, url } } }));
      expect(root.querySelectorAll('.sources li'), url).to.have.length(1);
      expect(root.querySelectorAll('.sources a'), url).to.have.length(count);
    }
  });

  it('truncates a long title and label, and shows them in full on request', async () => {
    const title = `Policy ${'long '.repeat(200_000)}end of the title`;
    const label = `[${'9'.repeat(3000)}]`;
    const { run, query, root } = setupMessageView({ fields: { status: 'complete' } });
    run(
      part('t', { kind: 'text', marks: { a: { ...marks.a, title, label } } }),
      text('t', 'See \uE000a\uE001.'),
    );
    expect(root.textContent.length, 'characters in the page').to.be.lessThan(2000);
    expect(query('.cite').ariaLabel?.length).to.be.lessThan(500);
    expect(query('.sources .title').textContent).to.match(/^Policy long.*…$/);
    const [wholeLabel, wholeTitle] = root.querySelectorAll<HTMLDetailsElement>('.sources .whole');
    if (!wholeLabel || !wholeTitle) throw new Error('The rest is not offered.');
    const shown = new Promise((resolve) =>
      wholeTitle.addEventListener('toggle', resolve, { once: true }),
    );
    const shownLabel = new Promise((resolve) =>
      wholeLabel.addEventListener('toggle', resolve, { once: true }),
    );
    wholeTitle.open = true;
    wholeLabel.open = true;
    await Promise.all([shown, shownLabel]);
    expect(wholeLabel.textContent).to.contain('9'.repeat(3000));
    while (wholeTitle.querySelector('button')) wholeTitle.querySelector('button')?.click();
    expect(wholeTitle.querySelector('.raw')?.textContent).to.equal(title);
  });

  it('truncates a title without splitting a surrogate pair', () => {
    const { run, query } = setupMessageView({ fields: { status: 'complete' } });
    const title = `${'x'.repeat(199)}😀 and more`;
    run(part('t', { kind: 'text', marks: { a: { ...marks.a, title } } }));
    expect(query('.sources .title').textContent).to.equal(`${'x'.repeat(199)}…`);
  });

  it('is text instead of a button after 500 citations in one text', () => {
    const { run, root } = setupMessageView({ fields: { status: 'complete' } });
    const citations = Array.from({ length: 600 }, () => '\uE000a\uE001').join(' ');
    run(part('t', { kind: 'text', marks }), text('t', citations));
    expect(root.querySelectorAll('.cite').length).to.equal(500);
    expect(root.querySelector('.text')?.textContent.match(/1/g)?.length).to.equal(600);
  });
});

describe('citation card with the focus', () => {
  const marks = {
    a: { kind: 'citation' as const, label: '[1]', id: 'chunk-1', source: 'x' },
    b: {
      kind: 'citation' as const,
      label: '[2]',
      title: 'T',
      url: 'https://a.example/',
      source: 'y',
    },
  };

  /** A complete text with two citations. */
  function setupTwoCitations(actions: ViewActions = {}) {
    const fixture = setupMessageView({ actions, fields: { status: 'complete' } });
    fixture.run(
      part('t', { kind: 'text', marks }),
      text('t', 'One \uE000a\uE001 two \uE000b\uE001.'),
    );
    const [first, second] = [...fixture.root.querySelectorAll<HTMLElement>('.cite')];
    if (!first || !second) throw new Error('The citations are not shown.');
    return { ...fixture, first, second, card: fixture.query('.cite-card') };
  }

  it('follows the focus, and hides when it leaves the citations', () => {
    const { second, card } = setupTwoCitations();
    second.focus();
    expect(card.matches(':popover-open')).to.equal(true);
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
    second.blur();
    expect(card.matches(':popover-open')).to.equal(false);
  });

  it('hides on Escape', () => {
    const { second, card, host } = setupTwoCitations();
    const received: string[] = [];
    host.addEventListener('keydown', ({ key }) => received.push(key));
    const press = (key: string): void => {
      const options = { key, bubbles: true, composed: true };
      second.dispatchEvent(new KeyboardEvent('keydown', options));
    };
    second.focus();
    press('Tab');
    press('Escape');
    expect(card.matches(':popover-open')).to.equal(false);
    // Without a card, Escape is left to the elements around it, which may close the window.
    press('Escape');
    expect(received).to.deep.equal(['Tab', 'Escape']);
  });

  it('loads the passage when the card is shown', async () => {
    const requested: string[] = [];
    const { first, card } = setupTwoCitations({
      loadPassage: (id) => {
        requested.push(id);
        return Promise.resolve({ documentName: 'policy.md', page: 3, text: '<b>14 days</b>' });
      },
    });
    expect(requested).to.deep.equal([]);
    first.focus();
    await Promise.resolve();
    await Promise.resolve();
    expect(requested).to.deep.equal(['chunk-1']);
    expect(card.textContent).to.contain('policy.md').and.to.contain('Page 3');
    expect(card.querySelector('blockquote')?.textContent).to.equal('<b>14 days</b>');
  });

  it('loads nothing when the citation has no passage', async () => {
    const requested: string[] = [];
    const { second, card } = setupTwoCitations({
      loadPassage: (id) => {
        requested.push(id);
        return Promise.reject(new Error('404'));
      },
    });
    second.focus();
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
    await Promise.resolve();
    await Promise.resolve();
    expect(requested).to.deep.equal([]);
    expect(card.textContent.replace(/\s+/g, ' ')).to.equal('T a.example');
  });

  it('shows only the source when there is no `loadPassage`', () => {
    const { first, card } = setupTwoCitations();
    first.focus();
    expect(card.matches(':popover-open')).to.equal(true);
    expect(card.textContent).not.to.contain('Loading');
    expect(card.querySelectorAll('.meta').length).to.equal(0);
  });

  it('shows a message when `loadPassage` rejects', async () => {
    const { first, card } = setupTwoCitations({
      loadPassage: () => Promise.reject(new Error('404')),
    });
    first.focus();
    await Promise.resolve();
    await Promise.resolve();
    expect(card.textContent).to.contain('The passage can’t be shown.');
  });
});

const cite = (label: string, more: Partial<CitationMark> = {}): CitationMark => ({
  ...{ kind: 'citation', label: `[${label}]`, source: '' },
  ...more,
});

const URL_SOURCE = { url: 'https://docs.example/policy' } as const;

const PASSAGE: CitedPassage = { documentName: 'policy.md', page: 3, text: 'In 14 days.' };

/** Waits until the callbacks of settled promises have run. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A complete text that cites each of these sources once. */
function setupCited(sources: readonly CitationMark[], actions: ViewActions = {}) {
  const fixture = setupMessageView({ actions, fields: { status: 'complete' } });
  const marks = Object.fromEntries(sources.map((mark, index) => [`k${index}`, mark]));
  const words = Object.keys(marks).map((key) => `\uE000${key}\uE001`);
  fixture.run(part('t', { kind: 'text', marks }), text('t', words.join(' ')));
  const buttons = [...fixture.root.querySelectorAll<HTMLElement>('.cite')];
  const card = fixture.query('.cite-card');
  return {
    ...fixture,
    buttons,
    card,
    isOpen: () => card.matches(':popover-open'),
    cardText: () => card.textContent.replace(/\s+/g, ' ').trim(),
    sources: () =>
      [...fixture.root.querySelectorAll('.sources li')].map((line) =>
        line.textContent.replace(/\s+/g, ' ').trim(),
      ),
  };
}

const hover = (node: Element | undefined): boolean | undefined =>
  node?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));

describe('citation button', () => {
  it('is named by the label and the title of its source', () => {
    const { buttons } = setupCited([cite('1', { title: 'Policy' }), cite('2')]);
    expect(buttons.map(({ ariaLabel }) => ariaLabel)).to.deep.equal([
      'Source 1: Policy',
      'Source 2',
    ]);
    expect(buttons.map(({ textContent }) => textContent)).to.deep.equal(['1', '2']);
  });

  it('is missing for a mark without data', () => {
    const { root, run } = setupMessageView();
    const marks = { a: cite('1') };
    run(part('t', { kind: 'text', marks }), text('t', 'x \uE000b\uE001 \uE000constructor\uE001'));
    expect(root.querySelector('.cite')).to.equal(null);
  });

  it('stays a button when the text is rendered again', () => {
    const { root, run, view, frames } = setupMessageView({ fields: { status: 'complete' } });
    // Both renderings together exceed the limit of 500 buttons.
    const words = Array.from({ length: 300 }, () => '\uE000a\uE001').join(' ');
    run(part('t', { kind: 'text', marks: { a: cite('1') } }), text('t', words));
    view.redraw();
    frames.flush();
    expect(root.querySelectorAll('.cite')).to.have.length(300);
  });
});

describe('source of a citation', () => {
  it('is listed with its title and the host of its URL, each once', () => {
    const { sources, root } = setupCited([
      cite('1', { title: 'Policy', ...URL_SOURCE }),
      cite('2', { url: 'https://other.example/x' }),
      cite('3', { title: 'Book' }),
    ]);
    expect(sources()).to.deep.equal(['1 Policy docs.example', '2 other.example', '3 Book']);
    const links = [...root.querySelectorAll('.sources li')].map(
      (line) => line.querySelector('a')?.textContent ?? null,
    );
    expect(links).to.deep.equal(['Policy', 'other.example', null]);
  });

  it('is listed once for each URL, else for each id, else for each title', () => {
    const { sources } = setupCited([
      cite('1', { title: 'Policy', ...URL_SOURCE }),
      cite('2', { title: 'The same', ...URL_SOURCE }),
      cite('3', { title: 'Page one', id: 'a' }),
      cite('4', { title: 'Page two', id: 'a' }),
      cite('5', { title: 'Book' }),
      cite('6', { title: 'Book' }),
    ]);
    expect(sources()).to.deep.equal(['1 Policy docs.example', '3 Page one', '5 Book']);
  });

  it('is not listed without a title and a URL', () => {
    expect(setupCited([cite('1', { id: 'a' }), cite('2')]).sources()).to.deep.equal([]);
  });

  it('is listed after a click on “Show all” when it comes after the first three', () => {
    const many = Object.fromEntries(
      [1, 2, 3, 4, 5].map((number) => [
        `k${number}`,
        cite(String(number), { id: `c${number}`, title: `T${number}` }),
      ]),
    );
    const { run, root, query } = setupMessageView({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text', marks: many }));
    expect(root.querySelectorAll('.sources li').length).to.equal(3);
    query('.sources button').click();
    expect(root.querySelectorAll('.sources li').length).to.equal(5);
  });

  it('has all sources with their full titles when the page is printed', () => {
    const title = `${'y'.repeat(300)} end of the title`;
    const { root } = setupCited(
      ['1', '2', '3', '4', title].map((name, index) => cite(String(index + 1), { title: name })),
    );
    window.dispatchEvent(new Event('beforeprint'));
    try {
      expect(root.querySelectorAll('.sources li')).to.have.length(5);
      expect(root.querySelector('.sources > button')).to.equal(null);
      expect(root.querySelector('.sources .whole[open]')?.textContent).to.contain(title);
    } finally {
      window.dispatchEvent(new Event('afterprint'));
    }
    expect(root.querySelectorAll('.sources li')).to.have.length(3);
    expect(root.querySelector('.sources .whole')).to.equal(null);
  });

  it('has no button to show all when there are three sources', () => {
    const titled = ['1', '2', '3'].map((label) => cite(label, { title: label }));
    expect(setupCited(titled).root.querySelector('.sources button')).to.equal(null);
    const { query } = setupCited([...titled, cite('4', { title: '4' })]);
    expect(query('.sources button').textContent.trim()).to.equal('Show all 4');
  });

  it('is shown in full when its label has 40 characters and its title 200', () => {
    const label = 'x'.repeat(40);
    const title = 'y'.repeat(200);
    const { query, root } = setupCited([cite(label, { title })]);
    expect(query('.sources .cite-label').textContent).to.equal(label);
    expect(query('.sources .title').textContent).to.equal(title);
    expect(root.querySelector('.whole')).to.equal(null);
  });

  it('has its full title only while the disclosure is open', () => {
    const title = `${'y'.repeat(1199)}!`;
    const { query } = setupCited([cite('1', { title })]);
    const details = query<HTMLDetailsElement>('.sources .whole');
    expect(details.textContent.trim()).to.equal('Show more (1 kB left)');
    const toggle = (open: boolean): void => {
      details.open = open;
      details.dispatchEvent(new Event('toggle'));
    };
    toggle(true);
    expect(details.querySelector('pre')?.textContent).to.equal(title);
    toggle(false);
    expect(details.querySelector('pre')).to.equal(null);
  });
});

describe('citation card', () => {
  const titled = cite('1', { title: 'Policy', ...URL_SOURCE });

  it('shows a long label in full for its own citation only', async () => {
    const labels = ['First', 'Other'].map((word) => `${word} ${'report '.repeat(9)}`.trim());
    const { buttons, card } = setupCited(labels.map((label) => cite(label, URL_SOURCE)));
    hover(buttons[0]);
    const details = card.querySelector('details');
    const shown = new Promise((resolve) => details?.addEventListener('toggle', resolve));
    details?.toggleAttribute('open', true);
    await shown;
    expect(card.textContent).to.contain(labels[0]);
    hover(buttons[1]);
    expect(card.querySelector('details[open]')).to.equal(null);
    expect(card.textContent).not.to.contain('First');
    expect(card.querySelectorAll('details')).to.have.length(1);
  });

  it('follows the pointer, and stays while the pointer is over the card', () => {
    const { buttons, card, isOpen, cardText, query } = setupCited([titled, cite('2')]);
    hover(buttons[0]);
    expect([isOpen(), cardText()]).to.deep.equal([true, 'Policy docs.example']);
    hover(card.querySelector('a') ?? card);
    expect(isOpen()).to.equal(true);
    hover(buttons[1]);
    expect([isOpen(), cardText()]).to.deep.equal([true, 'Document']);
    hover(query('.body'));
    expect(isOpen()).to.equal(false);
  });

  it('is shown by a click, and hidden by a click elsewhere', () => {
    const { buttons, isOpen, query } = setupCited([titled]);
    buttons[0]?.click();
    expect(isOpen()).to.equal(true);
    query('.body').click();
    expect(isOpen()).to.equal(false);
  });

  it('consumes Escape only while it is shown', () => {
    const { buttons, isOpen } = setupCited([titled]);
    const press = (key: string): boolean => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      buttons[0]?.dispatchEvent(event);
      return event.defaultPrevented;
    };
    hover(buttons[0]);
    expect([press('Tab'), isOpen()]).to.deep.equal([false, true]);
    expect([press('Escape'), isOpen()]).to.deep.equal([true, false]);
    expect(press('Escape')).to.equal(false);
  });

  it('loads a passage once while the same citation is shown', async () => {
    let loads = 0;
    const { buttons } = setupCited([cite('1', { id: 'a' })], {
      loadPassage: () => {
        loads += 1;
        return Promise.resolve(PASSAGE);
      },
    });
    hover(buttons[0]);
    await settled();
    hover(buttons[0]);
    buttons[0]?.focus();
    await settled();
    expect(loads).to.equal(1);
  });

  it('aborts the request when it is hidden, and shows no passage that arrives later', async () => {
    let resolve: (passage: CitedPassage) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const { buttons, cardText, isOpen, query } = setupCited([cite('1', { id: 'a' }), cite('2')], {
      loadPassage: (_id, given) => {
        signal = given;
        return new Promise((settle) => (resolve = settle));
      },
    });
    hover(buttons[0]);
    expect([cardText(), signal?.aborted]).to.deep.equal(['DocumentLoading the passage…', false]);
    hover(buttons[1]);
    expect(signal?.aborted).to.equal(true);
    resolve(PASSAGE);
    await settled();
    expect(cardText()).to.equal('Document');
    hover(query('.body'));
    expect(isOpen()).to.equal(false);
  });

  for (const outcome of ['arrives', 'fails']) {
    for (const removed of ['its chat', 'its citation']) {
      it(`is hidden when the passage ${outcome} after ${removed} was removed`, async () => {
        const loading = new Deferred<CitedPassage>();
        let signal: AbortSignal | undefined;
        const { buttons, cardText, isOpen, host } = setupCited([cite('1', { id: 'a' })], {
          loadPassage: (_id, given) => {
            signal = given;
            return loading.promise;
          },
        });
        const unhandled: unknown[] = [];
        const record = (event: PromiseRejectionEvent): void => {
          event.preventDefault();
          unhandled.push(event.reason);
        };
        window.addEventListener('unhandledrejection', record);
        try {
          hover(buttons[0]);
          const before = cardText();
          (removed === 'its chat' ? host : buttons[0])?.remove();
          if (outcome === 'arrives') loading.resolve(PASSAGE);
          else loading.reject(new Error('404'));
          await settled();
          expect([isOpen(), cardText()]).to.deep.equal([false, before]);
          expect(signal?.aborted).to.equal(true);
          await settled();
          expect(unhandled).to.deep.equal([]);
        } finally {
          window.removeEventListener('unhandledrejection', record);
        }
      });
    }
  }

  it('is shown again for the same citation after its chat was removed and added again', () => {
    const { buttons, isOpen, host } = setupCited([titled]);
    hover(buttons[0]);
    host.remove();
    document.body.append(host);
    expect(isOpen()).to.equal(false);
    hover(buttons[0]);
    expect(isOpen()).to.equal(true);
  });

  it('shows the name of the document only when the citation has no title', async () => {
    const loadPassage = (): Promise<CitedPassage> => Promise.resolve(PASSAGE);
    const { buttons, cardText } = setupCited(
      [cite('1', { id: 'a' }), cite('2', { ...titled, id: 'b' })],
      {
        loadPassage,
      },
    );
    hover(buttons[0]);
    await settled();
    expect(cardText()).to.equal('policy.mdIn 14 days.Page 3');
    hover(buttons[1]);
    await settled();
    expect(cardText()).to.contain('Policy').and.not.to.contain('policy.md');
  });

  it('shows a passage without a page and a document of unknown name', async () => {
    const passage = { documentName: null, page: null, text: 'In 14 days.' };
    const { buttons, card, cardText } = setupCited([cite('1', { id: 'a' })], {
      loadPassage: () => Promise.resolve(passage),
    });
    hover(buttons[0]);
    await settled();
    expect(card.querySelector('.title')?.textContent).to.equal('Document');
    expect(card.querySelector('blockquote')?.textContent).to.equal('In 14 days.');
    expect(card.querySelector('.meta')).to.equal(null);
    expect(cardText()).not.to.contain('Page');
  });

  it('truncates a passage to 400 characters', async () => {
    const lengthOf = async (length: number): Promise<number | undefined> => {
      const { buttons, card } = setupCited([cite('1', { id: 'a' })], {
        loadPassage: () => Promise.resolve({ ...PASSAGE, text: 'x'.repeat(length) }),
      });
      hover(buttons[0]);
      await settled();
      return card.querySelector('blockquote')?.textContent.length;
    };
    expect(await lengthOf(400)).to.equal(400);
    expect(await lengthOf(500)).to.equal(401);
  });

  it('is placed below its citation, above it at the end of the viewport, and never beyond an edge', () => {
    const { buttons, card, host, query } = setupCited([titled]);
    const [button] = buttons;
    Object.assign(host.style, { display: 'block', position: 'fixed', inset: '0' });
    const body = query('.body');
    body.style.position = 'absolute';
    card.style.margin = '0';
    card.style.position = 'fixed';
    const place = (styles: Partial<CSSStyleDeclaration>) => {
      Object.assign(body.style, { left: '', right: '', top: '', bottom: '' }, styles);
      hover(host);
      hover(query('.message'));
      hover(button);
      return { anchor: button?.getBoundingClientRect(), box: card.getBoundingClientRect() };
    };
    const below = place({ left: '100px', top: '50px' });
    // In a gap, the pointer would be over the text on its way to the card.
    expect(below.box.top).to.be.closeTo(below.anchor?.bottom ?? 0, 0.01);
    expect(below.box.left).to.be.closeTo(below.anchor?.left ?? 0, 0.5);
    const above = place({ left: '100px', bottom: '0' });
    expect(above.box.bottom).to.be.closeTo(above.anchor?.top ?? 0, 0.01);
    const { clientWidth } = document.documentElement;
    const right = place({ right: '0', top: '50px' });
    expect(right.box.right).to.be.closeTo(clientWidth - 8, 0.5);
    const left = place({ left: '-2px', top: '50px' });
    expect(left.box.left).to.be.closeTo(8, 0.5);
    host.remove();
  });
});
