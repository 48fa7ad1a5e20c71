import { expect } from '@open-wc/testing';
import purifier from 'dompurify';
import type { MarkedExtension, Tokens } from 'marked';
import markedAlert from 'marked-alert';
import { markedEmoji } from 'marked-emoji';
import markedFootnote from 'marked-footnote';
import markedKatex from 'marked-katex-extension';
import * as marked from '../../src/markdown/extras/marked.js';
import * as maths from '../../src/markdown/extras/maths.js';
import * as sanitize from '../../src/markdown/extras/sanitize.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { markdownCss } from '../../src/markdown/styles.js';
import { branchMapStyles } from '../../src/elements/branches/branch-map-styles.js';
import { documentStyles } from '../../src/elements/documents/document-styles.js';
import { messageStyles } from '../../src/elements/styles/message.js';
import { styles as elementStyles } from '../../src/elements/styles/styles.js';
import { threadsStyles } from '../../src/elements/threads/threads-styles.js';
import { dataStyles } from '../../src/message/data/data-styles.js';
import { partStyles } from '../../src/message/parts/part-views.js';
import { nextFrame, setupViewInPage } from './setup-page-view.js';
import { setupView, type ViewSetup } from './setup-view.js';

/** Style sheets of the elements and of messages. */
const STYLES = [
  ...elementStyles,
  messageStyles,
  branchMapStyles,
  documentStyles,
  threadsStyles,
  dataStyles,
  ...partStyles,
].map(({ cssText }) => cssText);

const EMOJI = new Map([
  ['heart', '❤️'],
  ['wave', '👋'],
]);

/** An extension that draws `:name:` as a character. */
const emoji: MarkedExtension = {
  extensions: [
    {
      name: 'emoji',
      level: 'inline',
      start: (source) => source.search(/:\w+:/),
      tokenizer(source) {
        const [raw = '', name = ''] = /^:(\w+):/.exec(source) ?? [];
        return EMOJI.has(name) ? { type: 'emoji', raw, name } : undefined;
      },
      renderer: ({ name }) => EMOJI.get(String(name)) ?? '',
    },
  ],
};

const ICON =
  '<svg viewBox="0 0 16 16" width="16" aria-hidden="true"><path d="M0 8a8 8 0 1 1 16 0"></path></svg>';

/** An extension that draws a quote that begins with `[!NAME]` as a box, and removes the name from its child tokens. */
const callout: MarkedExtension = {
  walkTokens(token) {
    if (token.type !== 'blockquote') return;
    const [start, name] = /^\[!(\w+)\]\n/.exec(String(token.text)) ?? [];
    const [first] = (token.tokens?.[0] as Tokens.Paragraph | undefined)?.tokens ?? [];
    if (start === undefined || name === undefined || !first) return;
    const raw = first.raw.replace(start, '');
    Object.assign(first, { raw, text: raw });
    Object.assign(token, { type: 'callout', name });
  },
  extensions: [
    {
      name: 'callout',
      renderer({ name, tokens = [] }) {
        return `<div class="callout"><p class="callout-title">${ICON}${String(name)}</p>${this.parser.parse(tokens)}</div>`;
      },
    },
  ],
};

/** An extension that draws the text between `!!` as bold, also as its title and class. */
const shout: MarkedExtension = {
  extensions: [
    {
      name: 'shout',
      level: 'inline',
      start: (source) => source.indexOf('!!'),
      tokenizer(source) {
        const [raw, text = ''] = /^!!(.*?)!!/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'shout', raw, text };
      },
      renderer: ({ text }) =>
        `<b title="${String(text)}" class="${String(text)}">${String(text)}</b>`,
    },
  ],
};

const modules = new Map<string, unknown>(Object.entries({ marked, sanitize }));

/** Creates a view with extensions. */
function setup(
  extensions: readonly MarkedExtension[],
  options: Partial<MarkdownOptions> = {},
): ViewSetup {
  return setupView({
    urlPolicy: createUrlPolicy(),
    loadExtra: (name) => Promise.resolve(modules.get(name)),
    extensions,
    ...options,
  });
}

/** Waits until the extensions have drawn what is closed. */
async function settle({ frames }: ViewSetup): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    frames.flush();
  }
}

/** Renders a text in one piece. */
async function render(
  text: string,
  extensions: readonly MarkedExtension[],
  options: Partial<MarkdownOptions> = {},
): Promise<ViewSetup> {
  const view = setup(extensions, options);
  view.add(text);
  await view.view.end();
  await settle(view);
  return view;
}

/** The HTML of the blocks of a text. */
const htmlOf = ({ box }: ViewSetup): string =>
  [...box.querySelectorAll('.ubik-markdown')].map((group) => group.innerHTML).join('');

const ALERT = '> [!NOTE]\n> Mind *the* gap.\n';

/** An extension that draws lines between `:::` as a box. */
const colonBox: MarkedExtension = {
  extensions: [
    {
      name: 'box',
      level: 'block',
      tokenizer(source) {
        const [raw, text] = /^:::\n([^]*?)\n:::(?:\n|$)/.exec(source) ?? [];
        if (raw === undefined || text === undefined) return undefined;
        return { type: 'box', raw, text, tokens: this.lexer.blockTokens(text, []) };
      },
      renderer(token) {
        return `<section class="boxed">${this.parser.parse(token.tokens ?? [])}</section>`;
      },
    },
  ],
};

describe('Markdown extension', () => {
  it('draws a closed block, and standard blocks in it are rendered as without the extension', async () => {
    const view = await render(`Before.\n\n${ALERT}\nAfter.\n`, [callout]);
    expect(htmlOf(view).replace(/<svg.*<\/svg>/, '<svg>')).to.equal(
      '<p>Before.</p><div class="ubik-extension"><div class="callout"><p class="callout-title"><svg>NOTE</p>' +
        '<p>Mind <em>the</em> gap.</p></div></div><p>After.</p>',
    );
    expect(view.box.querySelector('svg path')?.getAttribute('d')).to.match(/^M0 8a8/);
  });

  it('draws inline tokens in blocks that are otherwise rendered as without the extension', async () => {
    const view = await render('A **:wave:** and `:wave:`.\n\n- I :heart: it\n', [emoji]);
    const wave = '<span class="ubik-extension">👋</span>';
    expect(htmlOf(view)).to.equal(
      `<p>A <strong>${wave}</strong> and <code translate="no">:wave:</code>.</p>` +
        '<ul><li>I <span class="ubik-extension">❤️</span> it</li></ul>',
    );
  });

  it('draws code, tables, links, references and footnotes in its block as without the extension', async () => {
    const inner =
      '```js\nlet a;\n```\n\n| a |\n|---|\n| b |\n\n[one](https://a.test) [two][r] x[^n] :wave:\n\n[![p](https://i.test/p.png)](https://b.test)';
    const rest = '[r]: https://b.test\n\n[^n]: A note.\n';
    const quoted = `:::\n${inner}\n:::`.replace(/^/gm, '> ');
    const { box: drawn } = await render(`${quoted}\n\n${rest}`, [colonBox, emoji]);
    const { box: plain } = await render(`${inner}\n\n${rest}`, [emoji]);
    const section = drawn.querySelector('section.boxed');
    expect(section?.innerHTML).to.equal(plain.querySelector('.ubik-markdown')?.innerHTML);
    expect(section?.querySelector('.ubik-code-copy')).not.to.equal(null);
    expect(drawn.querySelectorAll('.ubik-footnotes li')).to.have.length(1);
    expect(drawn.querySelectorAll('.ubik-footnote-back')).to.have.length(1);
  });

  it('numbers footnotes in reading order, also in a block that is drawn after the following ones', async () => {
    const text = ':::\nOne[^b].\n:::\n\nTwo[^a].\n\n[^a]: A.\n\n[^b]: B.\n';
    const { box: drawn } = await render(text, [colonBox]);
    const numbers = [...drawn.querySelectorAll('.ubik-footnote a')].map((link) => link.textContent);
    expect(numbers).to.deep.equal(['1', '2']);
    expect(drawn.querySelector('.ubik-footnotes li')?.textContent).to.contain('B.');
  });

  it('keeps the nodes of blocks in which it draws nothing', async () => {
    const view = setup([callout, colonBox, emoji]);
    const text =
      '# Head\n\nText\n\n- a\n- b\n\n> quote\n\n| a |\n|---|\n| b |\n\n```\ncode\n```\n\n';
    view.add(text);
    const before = [...view.box.querySelectorAll('*')];
    await view.view.end();
    await settle(view);
    expect([...view.box.querySelectorAll('*')].every((node, at) => node === before[at])).to.equal(
      true,
    );
    const { box: plain } = await render(text, []);
    expect(view.box.innerHTML).to.equal(plain.innerHTML);
  });

  it('is not loaded for a text without extensions', async () => {
    const loaded: string[] = [];
    const loadExtra = (name: string): Promise<unknown> => Promise.resolve(loaded.push(name));
    await render(`${ALERT}\n:wave:\n`, [], { loadExtra });
    expect(loaded).to.deep.equal([]);
  });

  it('keeps inline marks in what it draws, and drops them in attributes', async () => {
    const renderMark = (key: string): Node => {
      const node = document.createElement('sup');
      node.textContent = key;
      return node;
    };
    const mark = '\ue000key *1* :wave:\ue001';
    const text = `A${mark} !!b${mark}!! c${mark}.\n\n> [!TIP]\n> In${mark} it !!d${mark}!!.\n`;
    const { box: drawn } = await render(text, [callout, emoji, shout], { renderMark });
    expect(drawn.querySelectorAll('sup')).to.have.length(5);
    for (const node of drawn.querySelectorAll('sup'))
      expect(node.textContent).to.equal('key *1* :wave:');
    expect(drawn.textContent).not.to.match(/[\ue000\ue001]/);
    expect([...drawn.querySelectorAll('b')].map(({ title }) => title)).to.deep.equal(['b', 'd']);
  });

  it('does not repeat a drawing in a text that contains the internal key of its inline mark or placeholder', async () => {
    const repeatText: MarkedExtension = {
      renderer: {
        listitem({ text, tokens }) {
          return `<li><b>${text}</b>${this.parser.parse(tokens)}</li>`;
        },
      },
    };
    // The keys of the first mark of the view (U+0000 and a number) and of the first placeholder in the HTML of an extension.
    // Such a key in a text is removed, so that the text neither shows it nor repeats what it stands for.
    for (const key of ['\0' + '0', '@0']) {
      const mark = `\ue000${key}\ue001`;
      const text = `!!a${mark}!!\n\nb${mark}${mark}\n\n> [!TIP]\n> c${mark}\n`;
      const { box: drawn } = await render(text, [shout, callout]);
      expect(drawn.querySelectorAll('span.ubik-extension')).to.have.length(1);
      expect(drawn.querySelectorAll('b')).to.have.length(1);
      const { box: repeated } = await render(`- ${mark}`, [repeatText]);
      expect(repeated.querySelector('li > b')?.textContent).to.equal('');
    }
  });

  it('gets no class of the library whose name is completed by removing an inline mark', async () => {
    const { box: drawn } = await render('!!u\ue000x\ue001bik-link!!', [shout]);
    expect(drawn.querySelector('b')?.classList.contains('ubik-link')).to.equal(false);
  });

  it('draws the same for a text that is streamed and one that is rendered at once', async () => {
    const text =
      `Hi :wave:\n\n${ALERT}\n> :::\n> - a :heart:\n> - b[^1]\n>\n> \`\`\`js\n> x\n> \`\`\`\n> :::\n\n` +
      '| :wave: | b |\n|---|---|\n| c | d |\n\n> [!TIP]\n> [later][r]\n>\n> - x\n\n[r]: https://a.test\n\n[^1]: Note\n\n$x^2$ end\n';
    const extensions = [callout, colonBox, emoji];
    const { box: whole } = await render(text, extensions);
    for (const size of [1, 7]) {
      const view = setup(extensions);
      for (let at = 0; at < text.length; at += size) {
        view.add(text.slice(at, at + size));
        // The modules may load at any time.
        if (at % 5 === 0) await Promise.resolve();
      }
      await view.view.end();
      await settle(view);
      expect(view.box.innerHTML, `${size} characters at a time`).to.equal(whole.innerHTML);
    }
    expect(whole.querySelectorAll('.ubik-extension')).to.have.length(6);
  });

  it('draws a text again after it was continued or truncated', async () => {
    const view = await render(`${ALERT}\nOne :wave:`, [callout, emoji]);
    view.add(' two\n\n> [!TIP]\n> three');
    await view.view.end();
    await settle(view);
    const text = `${ALERT}\nOne :wave: two\n\n> [!TIP]\n> three`;
    expect(view.box.innerHTML).to.equal((await render(text, [callout, emoji])).box.innerHTML);
    view.view.truncate(ALERT.length + 5);
    await view.view.end();
    await settle(view);
    const cut = text.slice(0, ALERT.length + 5);
    expect(view.box.innerHTML).to.equal((await render(cut, [callout, emoji])).box.innerHTML);
  });

  it('that is asynchronous is awaited, and a late result is dropped when the block is gone', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: MarkedExtension = {
      async: true,
      walkTokens: async (token) => {
        if (token.type !== 'blockquote') return;
        await finished;
        Object.assign(token, { type: 'slow' });
      },
      extensions: [{ name: 'slow', renderer: () => '<mark>slow</mark>' }],
    };
    const waiting = setup([slow]);
    const gone = setup([slow]);
    for (const view of [waiting, gone]) {
      view.add('> quote\n\nText\n\nMore\n');
      await view.view.end();
      await settle(view);
      expect(view.box.querySelector('blockquote')).not.to.equal(null);
    }
    gone.view.truncate(3);
    gone.frames.flush();
    finish();
    await settle(waiting);
    await settle(gone);
    expect(htmlOf(waiting)).to.contain('<div class="ubik-extension"><mark>slow</mark></div>');
    expect(gone.box.textContent).to.equal('q');
  });

  it('draws in a text up to the limits of its length and of the characters that slow marked down', async () => {
    const emojiAfter = (fill: string, length: number): string => `${fill.repeat(length)} :wave:`;
    const alertOf = (length: number): string => '> [!NOTE]\n> '.padEnd(length, 'x');
    for (const [text, isDrawn] of [
      [emojiAfter('x', 8192 - ' :wave:'.length), true],
      [emojiAfter('x', 8193 - ' :wave:'.length), false],
      [emojiAfter('!', 512), true],
      [emojiAfter('!', 513), false],
      [alertOf(8192), true],
      [alertOf(8193), false],
    ] as const) {
      const html = htmlOf(await render(text, [callout, emoji]));
      expect(/👋|callout/.test(html), `${text.slice(0, 12)} ${text.length}`).to.equal(isDrawn);
    }
  });

  it('may change inline tokens in blocks of any kind', async () => {
    const change: MarkedExtension = {
      walkTokens: (token) => {
        if (token.type === 'codespan') token.text = 'changed';
      },
    };
    for (const [text, shown] of [
      ['a `x` b', 'a changed b'],
      ['a **`x`** b', 'a changed b'],
      ['# a `x`', 'a changed'],
      ['> a `x`', 'a changed'],
      ['- a `x`', 'a changed'],
      ['- a `x`\n\n- b', 'a changed b'],
      ['| a |\n|---|\n| `x` |', 'a changed'],
    ] as const) {
      const { box } = await render(text, [change]);
      expect(box.textContent.replace(/\s+/g, ' ').trim(), text).to.equal(shown);
      expect(box.querySelector('code')?.textContent, text).to.equal('changed');
    }
  });

  it('draws blocks in which its `walkTokens` has changed a standard token in any way, and no others', async () => {
    const changing: MarkedExtension = {
      walkTokens: (token) => {
        if (token.type === 'codespan') Object.assign(token, { added: 1 });
        if (token.type === 'strong') token.tokens?.pop();
        if (token.type === 'em') Object.assign(token, { tokens: [...(token.tokens ?? [])] });
        if (token.raw === 'e') Object.assign(token, { escaped: undefined });
      },
    };
    const { box: drawn } = await render('`a`\n\n**b *c***\n\n*d*\n\n~~e~~\n\nf\n', [changing]);
    const texts = [...drawn.querySelectorAll('.ubik-extension')].map((node) =>
      node.textContent.trim(),
    );
    expect(texts).to.deep.equal(['a', 'b', 'e']);
  });

  it('may override tokenizers, renderers and hooks of marked', async () => {
    const overriding: MarkedExtension = {
      tokenizer: {
        codespan(source) {
          const [raw] = /^`!(\w+)`/.exec(source) ?? [];
          return raw === undefined ? false : { type: 'codespan', raw, text: 'tokenized' };
        },
      },
      renderer: {
        heading: ({ depth }) => (depth === 1 ? '<h1><u>rendered</u></h1>' : false),
        link: ({ href }) => (href.endsWith('.test/x') ? '<i>link</i>' : false),
      },
    };
    const text = '# A\n\n## B\n\n`!x` and `y` and [l](https://a.test/x) and [m](https://a.test)\n';
    const { box: drawn } = await render(text, [overriding]);
    const shown = [...drawn.querySelectorAll('.ubik-extension')].map((node) => node.innerHTML);
    expect(drawn.querySelector('h1 > u')?.textContent).to.equal('rendered');
    expect(drawn.querySelector('h2')?.parentElement?.className).to.equal('ubik-markdown');
    expect(shown).to.contain('<code>tokenized</code>');
    expect(shown).to.contain('<i>link</i>');
    const hooks: MarkedExtension = {
      hooks: { preprocess: (markdown) => markdown.replace('old', '*new*') },
    };
    const { box: hooked } = await render('An old text.\n\nKept.\n', [hooks]);
    expect(hooked.querySelector('.ubik-extension')?.innerHTML).to.equal(
      '<p>An <em>new</em> text.</p>',
    );
    expect(hooked.querySelectorAll('.ubik-extension')).to.have.length(1);
  });
});

describe('link that a Markdown extension draws', () => {
  const EVIL = 'https://evil.test/';
  /** Extensions that draw each link by itself, or each paragraph with a link. */
  const drawing: readonly MarkedExtension[] = [
    { renderer: { link: ({ href, text }) => `<a href="${href}">${text}</a>` } },
    {
      walkTokens: (token) => {
        if (token.type === 'link') token.title = 'A title';
      },
    },
  ];

  /** The notices of the links that an extension draws, in order. */
  async function noticesIn(
    text: string,
    extension: MarkedExtension,
    options: Partial<MarkdownOptions> = {},
  ): Promise<(string | null)[]> {
    const { box: drawn } = await render(text, [extension], options);
    return [...drawn.querySelectorAll('.ubik-extension a')].map(
      (link) => link.querySelector('.ubik-link-host')?.textContent.trim() ?? null,
    );
  }

  for (const [index, extension] of drawing.entries()) {
    const what = index === 0 ? 'by itself' : 'with its paragraph';
    it(`shows its host when it names another one together with the text beside it, drawn ${what}`, async () => {
      const host = '(evil.test)';
      for (const [text, notices] of [
        [`[bank](${EVIL})[.example](${EVIL})`, [host, host]],
        [`bank.[example](${EVIL})`, [host]],
        [`**bank**[.example](${EVIL})/login`, [host]],
        [`bank\ue000none\ue001[.example](${EVIL})`, [host]],
        [`[bank](${EVIL}) [.example](${EVIL})`, [null, null]],
      ] as const) {
        expect(await noticesIn(text, extension), text).to.deep.equal(notices);
      }
    });

    it(`shows its host when it contains an inline mark, drawn ${what}`, async () => {
      const renderMark = (key: string): Node => {
        const node = document.createElement('button');
        node.textContent = key;
        return node;
      };
      const mark = '\ue000www.bank.example\ue001';
      const options = { renderMark };
      expect(await noticesIn(`[${mark}](${EVIL})`, extension, options)).to.deep.equal([
        '(evil.test)',
      ]);
      expect(await noticesIn(`[guide](${EVIL}) ${mark}`, extension, options)).to.deep.equal([null]);
    });
  }

  /** An extension that draws each list item between a link and a domain. */
  const between: MarkedExtension = {
    renderer: {
      listitem({ tokens }) {
        return `<li><a href="${EVIL}">www</a>${this.parser.parse(tokens)}.example</li>`;
      },
    },
  };

  it('shows its host when it names another one together with a reference beside it that is defined later', async () => {
    const view = setup([between]);
    view.add('- .[bank][late]\n\nText.\n\n');
    await settle(view);
    view.add('[late]: https://www.bank.example\n\n');
    await view.view.end();
    await settle(view);
    const link = view.box.querySelector('.ubik-extension a');
    expect(link?.textContent).to.equal('www (evil.test)');
  });

  it('and a link of Markdown beside it show their hosts when they name another one together', async () => {
    const { box: drawn } = await render(`- .[bank](${EVIL})`, [between]);
    const links = drawn.querySelectorAll('.ubik-extension a');
    expect(Array.from(links, (link) => link.textContent)).to.deep.equal([
      'www (evil.test)',
      'bank (evil.test)',
    ]);
  });

  /** An extension that draws a quote as a link. */
  const card: MarkedExtension = {
    renderer: {
      blockquote({ tokens }) {
        return `<a href="${EVIL}">${this.parser.parse(tokens)}</a>`;
      },
    },
  };

  for (const [content, what] of [
    ['www.[bank][late].example', 'a reference that is defined later'],
    [String.raw`$\text{www}\text{.bank}\text{.example}$`, 'a formula'],
    ['<div>www.<b>bank</b>.example</div>', 'sanitized HTML'],
  ] as const) {
    it(`shows its host when it names another one by ${what} in Markdown that it contains`, async () => {
      const view = setup([card], {
        html: 'sanitized',
        loadExtra: (name) => Promise.resolve(name === 'maths' ? maths : modules.get(name)),
      });
      view.add(`> ${content}\n\nText.\n\n`);
      await settle(view);
      view.add('[late]: https://www.bank.example\n\n');
      await view.view.end();
      await settle(view);
      const link = view.box.querySelector('.ubik-extension > a');
      expect(link?.textContent.replace(/\s+/g, '')).to.contain('www.bank.example');
      expect(link?.lastElementChild?.textContent).to.equal(' (evil.test)');
    });
  }
});

describe('block that an extension draws with the same content', () => {
  /** Draws paragraphs as the built-in renderer does. */
  const same: MarkedExtension = {
    renderer: {
      paragraph(token) {
        return `<p>${this.parser.parseInline(token.tokens)}</p>`;
      },
    },
  };

  for (const when of ['the next block begins', 'the text ends'] as const) {
    it(`has the same height in each frame when ${when}`, async () => {
      const view = setupViewInPage('', {
        loadExtra: (name) => Promise.resolve(modules.get(name)),
        extensions: [same],
      });
      try {
        view.add(`Before.\n\n${'A paragraph of *several* lines. '.repeat(10)}`);
        view.frames.flush();
        const heights: number[] = [];
        const measure = (): void => {
          const paragraph = view.box.querySelectorAll('p')[1];
          heights.push(paragraph?.getBoundingClientRect().height ?? 0);
        };
        measure();
        const [height = 0] = heights;
        expect(height).to.be.greaterThan(50);
        // Each mutation, also those between two frames.
        const observer = new MutationObserver(measure);
        observer.observe(view.box, { childList: true, subtree: true, characterData: true });
        if (when === 'the text ends') await view.view.end();
        else view.add('\n\nAfter.');
        for (let turn = 0; turn < 5; turn += 1) {
          await settle(view);
          measure();
          await nextFrame();
        }
        observer.disconnect();
        expect(view.box.querySelectorAll('.ubik-extension > p')).to.have.length(2);
        expect(new Set(heights)).to.deep.equal(new Set([height]));
      } finally {
        view.remove();
      }
    });
  }
});

describe('class in the HTML of a Markdown extension', () => {
  /** An extension that draws `class NAMES` as an element with these classes. */
  const classes: MarkedExtension = {
    extensions: [
      {
        name: 'classes',
        level: 'block',
        tokenizer(source) {
          const [raw, names] = /^class (.+)(?:\n|$)/.exec(source) ?? [];
          return raw === undefined ? undefined : { type: 'classes', raw, names };
        },
        renderer: ({ names }) => `<b class="${String(names)}">x</b>`,
      },
    ],
  };

  /** Draws an element with classes, and returns those that are kept. */
  async function keptOf(names: string): Promise<string> {
    const { box: drawn } = await render(`class ${names}\n`, [classes]);
    return drawn.querySelector('.ubik-extension > b')?.className ?? '';
  }

  it('is removed if a style sheet of the elements selects it', async () => {
    const selected = new Set<string>();
    const visit = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        const { selectorText = '', cssRules } = rule as Partial<CSSStyleRule>;
        for (const [, name = ''] of selectorText.matchAll(/\.([\w-]+)/g)) selected.add(name);
        if (cssRules) visit(cssRules);
      }
    };
    for (const text of [...STYLES, markdownCss]) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      visit(sheet.cssRules);
    }
    expect([...selected]).to.include.members(['message', 'thread', 'ubik-code']);
    expect(await keptOf(`${[...selected].join(' ')} MESSAGE own`)).to.equal('own');
  });

  it('is removed if the code of the elements selects it', async () => {
    expect(await keptOf('cite own more')).to.equal('own');
  });

  it('is kept otherwise', async () => {
    const own = 'callout callout-title ticket katex markdown-alert octicon mr-2';
    expect(await keptOf(own)).to.equal(own);
  });
});

describe('published package', () => {
  const packages = [
    markedAlert(),
    markedEmoji({ emojis: { wave: '👋' }, renderer: (token) => token.emoji }),
    markedFootnote(),
    markedKatex({ output: 'mathml', throwOnError: false }),
  ];

  it('marked-alert draws a quote with a title and an icon', async () => {
    const { box: drawn } = await render(`Before.\n\n${ALERT}`, packages);
    const alert = drawn.querySelector('.ubik-extension > .markdown-alert.markdown-alert-note');
    expect(alert?.querySelector('.markdown-alert-title')?.textContent).to.equal('Note');
    expect(alert?.querySelector('svg.octicon path')?.getAttribute('d')).to.match(/^M0 8a8/);
    expect(alert?.lastElementChild?.outerHTML).to.equal('<p>Mind <em>the</em> gap.</p>');
  });

  it('marked-emoji draws names only', async () => {
    const { box: drawn } = await render('A :wave: :toString: :constructor: :x:\n', packages);
    expect(drawn.textContent).to.equal('A 👋 :toString: :constructor: :x:');
  });

  it('marked-emoji with addresses of images is subject to the policy', async () => {
    const remote = markedEmoji({ emojis: { cat: 'https://images.example/cat.png' } });
    const { box: drawn } = await render('A :cat:\n', [remote]);
    expect(drawn.querySelector('img')).to.equal(null);
    expect(drawn.textContent).to.equal('A cat');
  });

  it('marked-katex-extension draws MathML', async () => {
    const { box: drawn } = await render(
      'As $x^2$ is.\n\n$$\n\\frac{a}{b}\n$$\n\n$\\href{javascript:alert(1)}{y}$\n',
      packages,
    );
    expect(drawn.querySelector('p .ubik-extension math msup')?.textContent).to.equal('x2');
    expect(drawn.querySelector('div.ubik-extension math[display=block] mfrac')).not.to.equal(null);
    expect(drawn.querySelector('[href], [style], [id]')).to.equal(null);
  });

  it('marked-footnote leaves footnotes to the built-in renderer', async () => {
    const text = 'A[^1] and B[^2].\n\n[^1]: One.\n\n[^2]: Two.\n';
    const { box: drawn } = await render(text, packages);
    expect(drawn.innerHTML).to.equal((await render(text, [])).box.innerHTML);
    expect(drawn.querySelectorAll('.ubik-footnotes li')).to.have.length(2);
  });

  it('draws the same for a text that is streamed and one that is rendered at once', async () => {
    const text = `Hi :wave:\n\n${ALERT}> :wave: $y$ [^1]\n\n- $x^2$ b\n\n$$\nx\n$$\n\n[^1]: Note\n\nEnd.\n`;
    const { box: whole } = await render(text, packages);
    const view = setup(packages);
    for (const character of text) {
      view.add(character);
      await Promise.resolve();
    }
    await view.view.end();
    await settle(view);
    expect(view.box.innerHTML).to.equal(whole.innerHTML);
    expect(whole.querySelectorAll('.markdown-alert .ubik-extension')).to.have.length(2);
  });
});

/** Records what is reported as an uncaught error. */
async function recordReports(run: () => Promise<void>): Promise<readonly unknown[]> {
  const reports: unknown[] = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error) => reports.push(error);
  try {
    await run();
  } finally {
    globalThis.reportError = reportError;
  }
  return reports;
}

describe('sanitizer with a copy of DOMPurify that the page uses, too', () => {
  afterEach(() => {
    purifier.clearConfig();
    purifier.removeAllHooks();
  });

  it('removes attributes that a hook of the page adds', async () => {
    purifier.addHook('afterSanitizeAttributes', (node) => {
      node.setAttribute('rel', 'opener');
      node.setAttribute('onclick', 'alert(1)');
    });
    const { box: drawn } = await render('!!text of a hook!!\n', [shout]);
    const attributes = drawn.querySelector('b')?.getAttributeNames();
    expect(attributes).to.have.members(['title', 'class']);
  });

  it('draws nothing and reports it if the page has configured other elements', async () => {
    const configured: MarkedExtension = {
      renderer: { heading: () => '<h1>drawn<form action="/x"></form></h1>' },
    };
    for (const RETURN_DOM_FRAGMENT of [true, false]) {
      purifier.setConfig({ RETURN_DOM_FRAGMENT, ADD_TAGS: ['form'] });
      const reports = await recordReports(async () => {
        const { box: drawn } = await render('# A\n', [configured]);
        expect(drawn.querySelector('h1, form')?.outerHTML).to.equal('<h1>A</h1>');
      });
      expect(reports.map(String).join()).to.match(
        /Error: HTML cannot be sanitized: `setConfig` or a hook/,
      );
      purifier.clearConfig();
    }
  });
});

describe('failing Markdown extension', () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  const failing: Readonly<Record<string, MarkedExtension>> = {
    'tokenizer of blocks': {
      extensions: [{ name: 'x', level: 'block', tokenizer: fail, renderer: () => 'x' }],
    },
    'tokenizer of inline text': {
      extensions: [{ name: 'x', level: 'inline', tokenizer: fail, renderer: () => 'x' }],
    },
    'start function': {
      extensions: [
        {
          name: 'x',
          level: 'inline',
          start: fail,
          tokenizer: () => undefined,
          renderer: () => 'x',
        },
      ],
    },
    renderer: { renderer: { paragraph: fail } },
    walkTokens: { walkTokens: fail },
    'asynchronous walkTokens': {
      async: true,
      walkTokens: () => Promise.reject(new Error('broken')),
    },
    hook: { hooks: { postprocess: fail } },
    'name of a renderer': { renderer: { paragraf: () => 'x' } as object },
  };
  for (const [name, extension] of Object.entries(failing)) {
    it(`leaves the text as it is without the extension, and is reported once: ${name}`, async () => {
      const text = 'One *two*.\n\n- three\n\nFour.\n';
      const plain = (await render(text, [])).box.innerHTML;
      const list = [extension];
      const reports = await recordReports(async () => {
        expect((await render(text, list)).box.innerHTML).to.equal(plain);
        expect((await render(text, list)).box.innerHTML).to.equal(plain);
      });
      expect(reports).to.have.length(1);
    });
  }

  it('that never settles leaves its text as it is without the extension, and does not affect other texts', async () => {
    const hanging: MarkedExtension = {
      async: true,
      walkTokens: (token) =>
        token.type === 'blockquote' ? new Promise(() => undefined) : undefined,
    };
    const text = '> quote\n\n:wave:\n';
    const view = await render(text, [hanging, emoji]);
    expect(htmlOf(view)).to.contain('<blockquote><p>quote</p></blockquote>');
    expect(htmlOf(view)).to.contain('👋');
  });
});
