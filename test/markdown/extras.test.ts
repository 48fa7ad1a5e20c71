import { expect } from '@open-wc/testing';
import type * as Highlight from '../../src/markdown/extras/highlight.js';
import type { Formula } from '../../src/markdown/extras/maths.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { polluteObjectPrototype } from '../helpers/pollute-object-prototype.js';
import type { FenceContext } from '../../src/markdown/options.js';
import { renderAtOnce, setupView, type ViewSetup } from './setup-view.js';

/** Creates a view with fake optional modules that record their calls. */
function setupExtras(options: Partial<MarkdownOptions> = {}): ViewSetup & { calls: string[] } {
  const calls: string[] = [];
  const modules: Record<string, unknown> = {
    highlight: {
      createHighlighter: ((language, { whenFrameHasTime: idle }) =>
        (part) => {
          calls.push(`highlight ${language}: ${part.textContent}`);
          return new Promise((resolve) => {
            idle(() => {
              part.setAttribute('data-highlighted', '');
              resolve(true);
            });
          });
        }) satisfies (typeof Highlight)['createHighlighter'],
    },
    maths: {
      findFormulas: (text: string): Formula[] =>
        [...text.matchAll(/\$(\w+)\$/g)].map((match) => ({
          start: match.index,
          end: match.index + match[0].length,
          source: match[1] ?? '',
          isDisplay: false,
        })),
      renderFormula: ({ source }: Formula) => {
        if (source === 'broken') return null;
        const math = document.createElement('math');
        math.textContent = source;
        return math;
      },
    },
    sanitize: {
      sanitize: (html: string) => {
        const fragment = document.createDocumentFragment();
        const box = document.createElement('b');
        box.textContent = html.trim();
        fragment.append(box);
        return fragment;
      },
    },
  };
  const loadExtra = (name: string): Promise<unknown> => {
    calls.push(`load ${name}`);
    return Promise.resolve(modules[name]);
  };
  return { ...setupView({ loadExtra, ...options }), calls };
}

/** Waits until pending modules are loaded and rendered. */
async function renderPending({ frames }: ViewSetup): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    frames.flush();
  }
}

const htmlOf = ({ box }: ViewSetup): string => box.firstElementChild?.innerHTML ?? '';

describe('optional Markdown modules', () => {
  it('are not loaded for text that does not need them', async () => {
    const fixture = setupExtras();
    fixture.add('A *text* with `code`.\n\n```\nplain\n```\n\n<b>raw</b>\n\n- list\n');
    await fixture.view.end();
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal([]);
  });

  it('highlight closed code blocks and are loaded once', async () => {
    const fixture = setupExtras();
    fixture.add('```js\nlet a;\n');
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal([]);
    fixture.add('```\n\n~~~ py title\nb = 1\n~~~\n');
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal([
      'load highlight',
      'highlight js: let a;\n',
      'highlight py: b = 1\n',
    ]);
    expect(fixture.box.querySelectorAll('[data-highlighted]').length).to.equal(2);
  });

  it('highlight each complete part of open code once', async () => {
    const fixture = setupExtras();
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}\n`);
    const part = (from: number): string => `highlight js: ${lines.slice(from, from + 50).join('')}`;
    fixture.add(`\`\`\`js\n${lines.slice(0, 50).join('')}`);
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal([]);
    for (const line of lines.slice(50)) fixture.add(line);
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal(['load highlight', part(0), part(50)]);
    const [first] = fixture.box.querySelectorAll('.ubik-code-part');
    await fixture.view.end();
    await renderPending(fixture);
    expect(fixture.calls.slice(3)).to.deep.equal([part(100)]);
    expect(fixture.box.querySelectorAll('.ubik-code-part[data-highlighted]').length).to.equal(3);
    expect(fixture.box.querySelector('.ubik-code-part')).to.equal(first);
  });

  it('are not loaded for a block that renderFence draws', async () => {
    const drawn = document.createElement('figure');
    const fixture = setupExtras({
      renderFence: async (info, source, { box, open }) => {
        if (info !== 'mermaid' || open) return;
        expect(source).to.equal('a --> b\n');
        expect(fixture.box.contains(box), 'in the document, so that it can be measured').to.equal(
          true,
        );
        await Promise.resolve();
        box.append(drawn);
      },
    });
    fixture.add('```mermaid\na --> ');
    await renderPending(fixture);
    expect(fixture.box.querySelector('.ubik-fence'), 'open').to.equal(null);
    fixture.add('b\n```\n\n```js\n1\n```\n');
    await renderPending(fixture);
    expect(fixture.box.contains(drawn)).to.equal(true);
    expect(fixture.box.querySelectorAll('pre:not([hidden])').length).to.equal(1);
    expect(fixture.calls).to.deep.equal(['load highlight', 'highlight js: 1\n']);
  });

  it('render formulas in closed blocks and keep invalid ones as text', async () => {
    const fixture = setupExtras();
    fixture.add(
      '# As $x$\n\nwith **$y$** and $broken$, [ref]\n\n| $z$ | b |\n|---|---|\n| $w$ | `$v$` |\n\nopen $u$',
    );
    await renderPending(fixture);
    const formulas = [...fixture.box.querySelectorAll('math')].map(
      ({ textContent }) => textContent,
    );
    expect(formulas).to.include.members(['x', 'y', 'z', 'w']);
    expect(formulas).not.to.include('u');
    expect(fixture.box.querySelector('strong > math')?.textContent).to.equal('y');
    const texts = [...fixture.box.querySelectorAll('h1, p')].map(({ textContent }) => textContent);
    expect(texts).to.deep.equal(['As x', 'with y and $broken$, [ref]', 'open $u$']);
    expect(fixture.calls).to.deep.equal(['load maths']);
  });

  it('keep the translation of a text without formulas by a page translator', async () => {
    const fixture = setupExtras();
    fixture.add('It costs $5 in all.\n\nEnd ');
    const translated = document.createElement('font');
    translated.append('Cela coûte 5 $.');
    fixture.box.querySelector('p')?.firstChild?.replaceWith(translated);
    await renderPending(fixture);
    expect(fixture.calls).to.deep.equal(['load maths']);
    expect(fixture.box.querySelector('p > font')).to.equal(translated);
  });

  it('show the host of a link whose text contains a formula', async () => {
    const fixture = setupExtras({ urlPolicy: createUrlPolicy() });
    fixture.add('[$bank$ and **$example$**](https://evil.test/) and $x$\n\n');
    await renderPending(fixture);
    expect(fixture.box.querySelectorAll('a math').length).to.equal(2);
    expect(fixture.box.querySelector('a .ubik-link-host')?.textContent).to.equal(' (evil.test)');
  });

  it('leave the URL of a link as it is', async () => {
    const maths = await import('../../src/markdown/extras/maths.js');
    const loadExtra = (): Promise<unknown> => Promise.resolve(maths);
    const fixture = setupExtras({ urlPolicy: createUrlPolicy(), loadExtra });
    fixture.add('[\\(x\\)](https://x.test/b_\\(c\\))\n\n');
    await renderPending(fixture);
    expect(fixture.box.querySelector('a math')?.textContent).to.equal('x');
    expect(fixture.box.querySelector('a')?.href).to.equal('https://x.test/b_(c)');
  });

  it('keep formulas when a reference is resolved and when the text is truncated', async () => {
    const fixture = setupExtras();
    fixture.add('See [there] for $x$.\n\n[there]: https://a.test/\n\nEnd of $y$.\n\n');
    await renderPending(fixture);
    expect(fixture.box.querySelector('a')?.textContent).to.equal('there');
    expect(fixture.box.querySelectorAll('math').length).to.equal(2);
    fixture.view.truncate(fixture.view.source.indexOf('End'));
    fixture.add('Then $z$.\n\n');
    await renderPending(fixture);
    const formulas = [...fixture.box.querySelectorAll('math')].map(
      ({ textContent }) => textContent,
    );
    expect(formulas).to.deep.equal(['x', 'z']);
  });

  it('render the same for streamed text as for text given at once', async () => {
    const text = 'A $x$ and *$y$*.\n\n- item $z$\n- next\n\n```js\n1\n```\n\nLast $w$';
    const streamed = setupExtras();
    for (const letter of text) streamed.add(letter);
    const whole = setupExtras();
    whole.add(text);
    for (const fixture of [streamed, whole]) {
      await fixture.view.end();
      await renderPending(fixture);
    }
    expect(htmlOf(streamed)).to.equal(htmlOf(whole));
    expect(htmlOf(whole)).to.include('<math data-tex="$w$">w</math>');
  });

  it('load twenty images of raw HTML and show the others as text', async () => {
    const html = '<p>images</p>';
    const sanitize = (): Node => {
      const fragment = document.createDocumentFragment();
      for (let count = 0; count < 22; count += 1) {
        fragment.append(Object.assign(document.createElement('img'), { alt: `no. ${count}` }));
      }
      return fragment;
    };
    const fixture = setupExtras({
      html: 'sanitized',
      loadExtra: () => Promise.resolve({ sanitize }),
    });
    fixture.add(`${html}\n\n`);
    await renderPending(fixture);
    expect(fixture.box.querySelectorAll('img').length).to.equal(20);
    expect(fixture.box.textContent).to.contain('no. 20no. 21');
  });

  it('sanitize raw HTML only with html: sanitized', async () => {
    const fixture = setupExtras({ html: 'sanitized' });
    fixture.add('<div>\nraw\n</div>\n\ntext <b>inline</b>\n\n');
    await renderPending(fixture);
    expect(fixture.box.querySelector('b')?.textContent).to.equal('<div>\nraw\n</div>');
    expect(fixture.calls).to.deep.equal(['load sanitize']);
    const plain = setupExtras();
    // An option that the page has added to every object is not an option of the view.
    const restore = polluteObjectPrototype({ html: 'sanitized' });
    plain.add('<div>\nraw\n</div>\n\n');
    await renderPending(plain);
    restore();
    expect(plain.calls).to.deep.equal([]);
  });

  it('apply the policy for links and images to raw HTML', async () => {
    const urlPolicy = createUrlPolicy({
      imagePolicy: 'allow',
      imageOrigins: ['https://ok.invalid/'],
    });
    const fixture = setupView({
      urlPolicy,
      html: 'sanitized',
      loadExtra: () => import('../../src/markdown/extras/sanitize.js'),
    });
    const images = ['https://ok.invalid/a.png', 'https://other.invalid/b.png', 'ftp://x.invalid/c'];
    fixture.add(
      `<div><a href="https://evil.test/">bank</a>.example <a href="javascript:x">no</a>
${images.map((src) => `<img src="${src}" alt="an image">`).join(' ')}
</div>\n\n`,
    );
    const sources = (): (string | null)[] =>
      [...fixture.box.querySelectorAll('img')].map((image) => image.getAttribute('src'));
    while (!fixture.box.querySelector('a')) await renderPending(fixture);
    expect(sources()).to.deep.equal(['https://ok.invalid/a.png']);
    expect(fixture.box.textContent.match(/an image/g)).to.have.length(2);
    expect(fixture.box.querySelector('.ubik-link-host')?.textContent).to.equal(' (evil.test)');
    expect(fixture.box.querySelectorAll('a[href]').length).to.equal(1);
    expect(fixture.box.querySelector('.ubik-html, [translate]')).to.equal(null);
  });

  it('leave raw HTML as text when it cannot be sanitized', async () => {
    const fixture = setupView({
      html: 'sanitized',
      loadExtra: () => Promise.resolve({ sanitize: () => null }),
    });
    fixture.add('<div>\nraw\n</div>\n\n');
    await renderPending(fixture);
    const box = fixture.box.querySelector('.ubik-html');
    expect(box?.textContent).to.equal('<div>\nraw\n</div>\n');
    expect(box?.getAttribute('translate')).to.equal('no');
  });

  it('highlight code only in frames with time left, and once', async () => {
    const fixture = setupExtras();
    fixture.add('```js\n1\n```\n\nEnd.\n\n');
    await new Promise((resolve) => setTimeout(resolve));
    expect(fixture.calls).to.include('highlight js: 1\n');
    fixture.frames.frame(0);
    expect(fixture.box.querySelector('[data-highlighted]')).to.equal(null);
    fixture.frames.frame(1);
    expect(fixture.box.querySelectorAll('[data-highlighted]').length).to.equal(1);
    expect(fixture.frames.scheduledCount).to.equal(0);
  });

  it('leave plain text when they cannot be loaded', async () => {
    const missing = setupView({ loadExtra: () => Promise.reject(new Error('offline')) });
    const without = setupView();
    for (const fixture of [missing, without]) {
      fixture.add('```js\n1\n```\n\nand $x$\n\n');
      await renderPending(fixture);
    }
    expect(htmlOf(missing)).to.equal(htmlOf(without));
    expect(htmlOf(missing)).to.include('$x$');
  });
});

/** Calls `work` and returns the errors that are reported meanwhile. */
async function collectErrors(work: () => Promise<void>): Promise<string[]> {
  const reported: unknown[] = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error: unknown) => void reported.push(error);
  await work();
  globalThis.reportError = reportError;
  return reported.map(String);
}

describe('renderFence', () => {
  it('is called with each source of a growing fence, at most once per frame, and once when it is closed', () => {
    const calls: unknown[] = [];
    const boxes = new Set<HTMLElement>();
    const { view, frames, add } = setupView({
      renderFence: (info, source, { box, ...context }) => {
        calls.push([info, source, context]);
        boxes.add(box);
      },
    });
    add('~~~ csv sep=";" head\n');
    view.append('a;b\n');
    view.append('1;2\n');
    frames.flush();
    add('3;');
    add('~~');
    add('~\n~~~\n\nEnd ');
    add('of the text.');
    const context = { language: 'csv', meta: 'sep=";" head' };
    const source = 'a;b\n1;2\n';
    expect(calls).to.deep.equal([
      ['csv sep=";" head', source, { ...context, open: true }],
      ['csv sep=";" head', `${source}3;`, { ...context, open: true }],
      ['csv sep=";" head', `${source}3;~~`, { ...context, open: true }],
      ['csv sep=";" head', `${source}3;~~~\n`, { ...context, open: false }],
    ]);
    expect(boxes.size).to.equal(1);
  });

  it('is called for fences without a language, and not for indented code', () => {
    const calls: unknown[] = [];
    const { add } = setupView({
      renderFence: (info, source, { language, meta }) =>
        void calls.push([info, source, language, meta]),
    });
    add('```\nplain\n```\n\n    indented\n\nEnd');
    expect(calls).to.deep.equal([['', 'plain\n', '', '']]);
  });

  it('draws the same in pieces as at once, in the frame of each piece', () => {
    const text = '```a b\n1\n\n2\n```\n\n```\nskip\n```\n\n> ```a\n> 3\n';
    const renderFence = (info: string, source: string, { box, open }: FenceContext): void => {
      if (info === '') return;
      box.textContent = `${info} ${open}: ${source}`;
    };
    const { box, view, frames, add } = setupView({ renderFence });
    let soFar = '';
    for (const character of text) {
      add(character);
      soFar += character;
      expect(box.innerHTML, JSON.stringify(soFar)).to.equal(
        renderAtOnce(soFar, false, { renderFence }),
      );
    }
    void view.end();
    frames.flush();
    expect(box.innerHTML).to.equal(renderAtOnce(text, true, { renderFence }));
    const drawn = [...box.querySelectorAll('.ubik-fence')].map(({ textContent }) => textContent);
    expect(drawn).to.deep.equal(['a b false: 1\n\n2\n', 'a false: 3\n']);
    expect(box.querySelectorAll('pre:not([hidden])').length).to.equal(1);
  });

  it('skips to the newest source while the promise of the previous call is pending', async () => {
    const calls: unknown[] = [];
    const finish: (() => void)[] = [];
    const { box, add } = setupView({
      renderFence: (_info, source, { box: target, open }) => {
        calls.push([source, open]);
        return new Promise<void>((resolve) => {
          finish.push(() => {
            target.textContent = source;
            resolve();
          });
        });
      },
    });
    const settle = async (): Promise<void> => {
      finish.shift()?.();
      await new Promise((resolve) => setTimeout(resolve));
    };
    add('```\na\n');
    add('b\n');
    add('c\n');
    expect(calls).to.deep.equal([['a\n', true]]);
    await settle();
    expect(box.querySelector('.ubik-fence')?.textContent).to.equal('a\n');
    add('d\n');
    add('```\n');
    await settle();
    await settle();
    expect(calls).to.deep.equal([
      ['a\n', true],
      ['a\nb\nc\n', true],
      ['a\nb\nc\nd\n', false],
    ]);
    expect(box.querySelector('.ubik-fence')?.textContent).to.equal('a\nb\nc\nd\n');
  });

  it('that throws or rejects leaves the code, and is called once more when the fence is closed', async () => {
    const calls: unknown[] = [];
    const fixture = setupExtras({
      renderFence: (info, source, { box, open }) => {
        calls.push([source, open]);
        box.append('half');
        if (info === 'a') throw new Error('at once');
        return Promise.reject(new Error('later'));
      },
    });
    const errors = await collectErrors(async () => {
      fixture.add('```a\n1\n');
      fixture.add('2\n');
      fixture.add('3\n```\n\n```b\n2\n```\n');
      await renderPending(fixture);
    });
    expect(errors).to.deep.equal(['Error: at once', 'Error: at once', 'Error: later']);
    expect(calls).to.deep.equal([
      ['1\n', true],
      ['1\n2\n3\n', false],
      ['2\n', false],
    ]);
    expect(fixture.box.querySelectorAll('pre:not([hidden])').length).to.equal(2);
    expect(fixture.box.querySelector('.ubik-fence')).to.equal(null);
    expect(fixture.box.querySelectorAll('[data-highlighted]').length).to.equal(2);
  });

  it('that never settles leaves the code of an open and of a closed fence', async () => {
    const { box, add } = setupView({
      renderFence: (_info, _source, { box: target }) => {
        target.append('half');
        return new Promise(() => undefined);
      },
    });
    add('```\n1\n');
    add('2\n```\n\n```\n3\n```\n\nEnd');
    await new Promise((resolve) => setTimeout(resolve));
    const codes = [...box.querySelectorAll('pre:not([hidden])')].map(
      ({ textContent }) => textContent,
    );
    expect(codes).to.deep.equal(['1\n2\n', '3\n']);
    const targets = [...box.querySelectorAll('.ubik-fence')];
    expect(targets.map((target) => target.hasAttribute('inert'))).to.deep.equal([true, true]);
  });
});
