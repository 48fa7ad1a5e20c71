import { expect } from '@open-wc/testing';
import type * as Highlight from '../../src/markdown/extras/highlight.js';
import type { Formula } from '../../src/markdown/extras/maths.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { polluteObjects } from '../helpers/pollute-objects.js';
import { setupView, type ViewSetup } from './setup-view.js';

/** Stand-ins for the optional parts: what they are asked is written down, what they answer can be seen. */
function setUpExtras(options: Partial<MarkdownOptions> = {}): ViewSetup & { asked: string[] } {
  const asked: string[] = [];
  const parts: Record<string, unknown> = {
    highlight: {
      createHighlighter: ((language, { whenIdle: idle }) =>
        (part) => {
          asked.push(`colour ${language}: ${part.textContent}`);
          return new Promise((resolve) => {
            idle(() => {
              part.setAttribute('data-coloured', '');
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
    asked.push(`load ${name}`);
    return Promise.resolve(parts[name]);
  };
  return { ...setupView({ loadExtra, ...options }), asked };
}

/** What was promised has come, and is drawn. */
async function settle({ frames }: ViewSetup): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    frames.flush();
  }
}

const htmlOf = ({ box }: ViewSetup): string => box.firstElementChild?.innerHTML ?? '';

describe('optional parts', () => {
  it('are not loaded where nothing asks for them', async () => {
    const stage = setUpExtras();
    stage.add('A *text* with `code`.\n\n```\nplain\n```\n\n<b>raw</b>\n\n- list\n');
    await stage.view.end();
    await settle(stage);
    expect(stage.asked).to.deep.equal([]);
  });

  it('colour code once it is closed, and each is loaded once', async () => {
    const stage = setUpExtras();
    stage.add('```js\nlet a;\n');
    await settle(stage);
    expect(stage.asked).to.deep.equal([]);
    stage.add('```\n\n~~~ py title\nb = 1\n~~~\n');
    await settle(stage);
    expect(stage.asked).to.deep.equal([
      'load highlight',
      'colour js: let a;\n',
      'colour py: b = 1\n',
    ]);
    expect(stage.box.querySelectorAll('[data-coloured]').length).to.equal(2);
  });

  it('colour each part of code that grows as soon as it is complete, and once', async () => {
    const stage = setUpExtras();
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}\n`);
    const part = (from: number): string => `colour js: ${lines.slice(from, from + 50).join('')}`;
    stage.add(`\`\`\`js\n${lines.slice(0, 50).join('')}`);
    await settle(stage);
    expect(stage.asked).to.deep.equal([]);
    for (const line of lines.slice(50)) stage.add(line);
    await settle(stage);
    expect(stage.asked).to.deep.equal(['load highlight', part(0), part(50)]);
    const [first] = stage.box.querySelectorAll('.ubik-code-part');
    await stage.view.end();
    await settle(stage);
    expect(stage.asked.slice(3)).to.deep.equal([part(100)]);
    expect(stage.box.querySelectorAll('.ubik-code-part[data-coloured]').length).to.equal(3);
    expect(stage.box.querySelector('.ubik-code-part')).to.equal(first);
  });

  it('let a diagram of the page go first', async () => {
    const drawn = document.createElement('figure');
    const stage = setUpExtras({
      renderDiagram: async (language, source, box) => {
        if (language !== 'mermaid' || source !== 'a --> b\n') return;
        expect(stage.box.contains(box), 'in the page, to be measured').to.equal(true);
        await Promise.resolve();
        box.append(drawn);
      },
    });
    stage.add('```mermaid\na --> ');
    await settle(stage);
    expect(stage.box.querySelector('.ubik-diagram'), 'open').to.equal(null);
    stage.add('b\n```\n\n```js\n1\n```\n');
    await settle(stage);
    expect(stage.box.contains(drawn)).to.equal(true);
    expect(stage.box.querySelectorAll('pre:not([hidden])').length).to.equal(1);
    expect(stage.asked).to.deep.equal(['load highlight', 'colour js: 1\n']);
  });

  it('leave a block as code when drawing it fails, at once or later', async () => {
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error: unknown) => void reported.push(error);
    const stage = setUpExtras({
      renderDiagram: (language, _source, box) => {
        box.append('half');
        if (language === 'a') throw new Error('at once');
        return Promise.reject(new Error('later'));
      },
    });
    stage.add('```a\n1\n```\n\n```b\n2\n```\n');
    await settle(stage);
    globalThis.reportError = reportError;
    expect(reported.map(String)).to.have.members(['Error: at once', 'Error: later']);
    expect(stage.box.querySelectorAll('pre:not([hidden])').length).to.equal(2);
    expect(stage.box.querySelector('.ubik-diagram')).to.equal(null);
    expect(stage.box.querySelectorAll('[data-coloured]').length).to.equal(2);
  });

  it('draw formulas in closed blocks, and leave those that cannot be read as they are', async () => {
    const stage = setUpExtras();
    stage.add(
      '# As $x$\n\nwith **$y$** and $broken$, [ref]\n\n| $z$ | b |\n|---|---|\n| $w$ | `$v$` |\n\nopen $u$',
    );
    await settle(stage);
    const formulas = [...stage.box.querySelectorAll('math')].map(({ textContent }) => textContent);
    expect(formulas).to.include.members(['x', 'y', 'z', 'w']);
    expect(formulas).not.to.include('u');
    expect(stage.box.querySelector('strong > math')?.textContent).to.equal('y');
    for (const text of ['$broken$', 'open $u$']) expect(stage.box.textContent).to.include(text);
    expect(stage.asked).to.deep.equal(['load maths']);
  });

  it('show the target of a link whose text holds a formula, which may look like any text', async () => {
    const stage = setUpExtras({ urlPolicy: createUrlPolicy() });
    stage.add('[$bank$ and **$example$**](https://evil.test/) and $x$\n\n');
    await settle(stage);
    expect(stage.box.querySelectorAll('a math').length).to.equal(2);
    expect(stage.box.querySelector('a .ubik-link-host')?.textContent).to.equal(' (evil.test)');
  });

  it('keep formulas when a reference gets its meaning, and when the text is cut and grows again', async () => {
    const stage = setUpExtras();
    stage.add('See [there] for $x$.\n\n[there]: https://a.test/\n\nEnd of $y$.\n\n');
    await settle(stage);
    expect(stage.box.querySelector('a')?.textContent).to.equal('there');
    expect(stage.box.querySelectorAll('math').length).to.equal(2);
    stage.view.truncate(stage.view.source.indexOf('End'));
    stage.add('Then $z$.\n\n');
    await settle(stage);
    const formulas = [...stage.box.querySelectorAll('math')].map(({ textContent }) => textContent);
    expect(formulas).to.deep.equal(['x', 'z']);
  });

  it('show the same, streamed or given at once', async () => {
    const text = 'A $x$ and *$y$*.\n\n- item $z$\n- next\n\n```js\n1\n```\n\nLast $w$';
    const streamed = setUpExtras();
    for (const letter of text) streamed.add(letter);
    const whole = setUpExtras();
    whole.add(text);
    for (const stage of [streamed, whole]) {
      await stage.view.end();
      await settle(stage);
    }
    expect(htmlOf(streamed)).to.equal(htmlOf(whole));
    expect(htmlOf(whole)).to.include('<math>w</math>');
  });

  it('load twenty images of raw HTML, and write the others as their text', async () => {
    const html = '<p>images</p>';
    const sanitize = (): Node => {
      const fragment = document.createDocumentFragment();
      for (let count = 0; count < 22; count += 1) {
        fragment.append(Object.assign(document.createElement('img'), { alt: `no. ${count}` }));
      }
      return fragment;
    };
    const stage = setUpExtras({
      html: 'sanitized',
      loadExtra: () => Promise.resolve({ sanitize }),
    });
    stage.add(`${html}\n\n`);
    await settle(stage);
    expect(stage.box.querySelectorAll('img').length).to.equal(20);
    expect(stage.box.textContent).to.contain('no. 20no. 21');
  });

  it('clean raw HTML only where the page wants it', async () => {
    const stage = setUpExtras({ html: 'sanitized' });
    stage.add('<div>\nraw\n</div>\n\ntext <b>inline</b>\n\n');
    await settle(stage);
    expect(stage.box.querySelector('b')?.textContent).to.equal('<div>\nraw\n</div>');
    expect(stage.asked).to.deep.equal(['load sanitize']);
    const plain = setUpExtras();
    const restore = polluteObjects({ html: 'sanitized' });
    plain.add('<div>\nraw\n</div>\n\n');
    await settle(plain);
    restore();
    expect(plain.asked).to.deep.equal([]);
  });

  it('cost nothing but looks when they cannot be had', async () => {
    const missing = setupView({ loadExtra: () => Promise.reject(new Error('not there')) });
    const without = setupView();
    for (const stage of [missing, without]) {
      stage.add('```js\n1\n```\n\nand $x$\n\n');
      await settle(stage);
    }
    expect(htmlOf(missing)).to.equal(htmlOf(without));
    expect(htmlOf(missing)).to.include('$x$');
  });
});
