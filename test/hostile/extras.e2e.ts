/** Tests the optional modules as built, most of them on pages with a strict policy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import type * as Highlight from '../../src/markdown/extras/highlight.js';
import type * as Maths from '../../src/markdown/extras/maths.js';
import type * as Sanitize from '../../src/markdown/extras/sanitize.js';
import { listAttacks } from './attacks.js';
import { PAGE_FILES } from './request-recorder.js';
import { assertNoFindings, setupTestBrowser } from './security-fixture.js';

interface Extras {
  readonly highlight: typeof Highlight;
  readonly maths: typeof Maths;
  readonly sanitize: typeof Sanitize;
}

declare global {
  interface Window {
    /** Loads an optional module as built. */
    loadExtra: <Name extends keyof Extras>(name: Name) => Promise<Extras[Name]>;
  }
}

const testBrowser = setupTestBrowser();
const attacks = listAttacks();

/** Defines `loadExtra` and starts recording. The code is a string, because the test compiler would transform the import. */
async function prepare(page: Page): Promise<void> {
  await page.evaluate(
    'globalThis.loadExtra = (name) => import(`/dist/bundle/extras/${name}.js`); startRecording()',
  );
}

const PROGRAM = `/* a note
over two lines */
const river = "Danube <img src=x onerror=ran(1)>"; // long
export function length(of) { return 2850 + Number(of); }
`;

interface Painted {
  /** Whether each part was highlighted. */
  readonly done: readonly boolean[];
  readonly text: string;
  readonly kinds: readonly string[];
  readonly sheets: number;
}

/** Highlights code in several parts, as a code block of the renderer does. */
async function paint(parts: readonly string[], language: string): Promise<Painted> {
  const { createHighlighter } = await window.loadExtra('highlight');
  const code = document.createElement('code');
  for (const part of parts) {
    const span = document.createElement('span');
    span.textContent = part;
    code.append(span);
  }
  const host = document.createElement('ubik-message');
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  document.body.append(host);
  root.append(code);
  const colour = createHighlighter(language, {
    document,
    whenFrameHasTime: (work) => setTimeout(work),
    isSelected: () => false,
  });
  const done = await Promise.all([...code.children].map(colour));
  const kinds = [...code.querySelectorAll('span[class]')].map(
    (span) => `${span.className.replace('ubik-hl-', '')} ${span.textContent}`,
  );
  return { done, text: code.textContent, kinds, sheets: root.adoptedStyleSheets.length };
}

test('highlighted code consists of spans, and its text is unchanged', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const painted = await testPage.page.evaluate(
    paint,
    [PROGRAM.slice(0, 10), PROGRAM.slice(10)],
    'js',
  );
  assert.deepEqual(painted.done, [true, true]);
  assert.equal(painted.text, PROGRAM);
  for (const kind of ['comment // long', 'keyword const', 'number 2850', 'title length']) {
    assert.ok(painted.kinds.includes(kind), `${kind} in ${painted.kinds.join(', ')}`);
  }
  assert.ok(
    painted.kinds.includes('comment over two lines */'),
    'a comment continues in the next part',
  );
  assert.ok(painted.kinds.some((kind) => kind.startsWith('string "Danube <img')));
  assert.ok(painted.sheets > 0);
  assertNoFindings({ ...(await testPage.findings()), globals: [] });
});

test('long code is highlighted in slices; too long code and unknown languages stay plain', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const lines = Array.from({ length: 40 }, () => `x = "${'a'.repeat(400)}" # note\n`);
  const long = await testPage.page.evaluate(paint, lines, 'py');
  assert.equal(long.text, lines.join(''));
  assert.equal(long.kinds.filter((kind) => kind === 'comment # note').length, 40);
  const huge = await testPage.page.evaluate(paint, ['1\n', '1 + 1\n'.repeat(12_000), '1\n'], 'js');
  const unknown = await testPage.page.evaluate(paint, ['1 + 1'], '__proto__');
  assert.deepEqual([huge.done, huge.kinds], [[true, false, false], ['number 1']]);
  assert.deepEqual([unknown.done, unknown.kinds], [[false], []]);
});

test('highlighting waits while code is selected', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const seen = await testPage.page.evaluate(async () => {
    const { createHighlighter } = await window.loadExtra('highlight');
    const code = document.createElement('code');
    code.textContent = 'const x = 1;';
    document.body.append(code);
    getSelection()?.selectAllChildren(code);
    // Resolves when the highlighter checks whether it may continue.
    let resolveChecked = (): void => undefined;
    const checked = new Promise<void>((resolve) => (resolveChecked = resolve));
    const idle = (work: () => void): unknown =>
      setTimeout(() => {
        work();
        resolveChecked();
      });
    const done = createHighlighter('ts', {
      document,
      whenFrameHasTime: idle,
      isSelected: (part) => getSelection()?.containsNode(part, true) === true,
    })(code);
    await checked;
    const selected = [getSelection()?.toString(), code.childElementCount];
    getSelection()?.removeAllRanges();
    await done;
    return [...selected, code.childElementCount > 0];
  });
  assert.deepEqual(seen, ['const x = 1;', 0, true]);
});

test('formulas are found by their delimiters, and prices stay text', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const found = await testPage.page.evaluate(
    async (texts) => {
      const { findFormulas } = await window.loadExtra('maths');
      return texts.map((text) =>
        findFormulas(text).map(({ start, end }) => text.slice(start, end)),
      );
    },
    FORMULAS.map(([text]) => text),
  );
  assert.deepEqual(
    found,
    FORMULAS.map(([, ...formulas]) => formulas),
  );
});

/** Texts, each with the formulas that it contains. */
const FORMULAS: readonly (readonly [text: string, ...formulas: string[]])[] = [
  ['the root $\\sqrt{x}$ of $x$', '$\\sqrt{x}$', '$x$'],
  ['$$\na + b\n= c\n$$', '$$\na + b\n= c\n$$'],
  ['as \\(a_1\\) and \\[b^2\\]', '\\(a_1\\)', '\\[b^2\\]'],
  ['it costs $5 or $6, not $ 7 $'],
  ['between $5$10 there is none'],
  ['`$x$` and ``a ` $y$`` and $z$', '$z$'],
  ['\\$x$ and $\\$5$', '$\\$5$'],
  ['never $closed'],
  ['https://x.test/?a=$b&c=$ and US$5 or 5$ and a$b$c'],
  ['$$ $$ and $a\n\nb$'],
];

test('formulas become MathML without links and files, or stay source text, and have no other effect', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const sources = [
    'x^2 + \\frac{a}{b}',
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '\\color{red}{x} \\boxed{y} \\label{body} \\tag{1}',
    '\\href{javascript:ran(1)}{x}',
    '\\includegraphics{https://evil.test/x.png}',
    '\\unknown{',
    '\\def\\x{\\x\\x}\\x',
  ];
  const shown = await testPage.page.evaluate(async (all) => {
    const { renderFormula } = await window.loadExtra('maths');
    return all.map((source) => {
      const formula = { start: 0, end: 0, source, isDisplay: true };
      const box = renderFormula(formula, { document });
      if (!box) return null;
      document.body.append(box);
      const unsafe = box.querySelectorAll('[id], [href], [src], a, img');
      return [...box.children]
        .map(({ localName }) => `${localName} ${String(unsafe.length)}`)
        .join();
    });
  }, sources);
  assert.deepEqual(shown.slice(0, 3), ['math 0', 'math 0', 'math 0']);
  assert.deepEqual(shown.slice(3), [null, null, null, null]);
  const { reports, ran, requests, errors } = await testPage.findings();
  assert.deepEqual([reports, ran, requests, errors], [[], [], [], []]);
});

test('a formula that could paint over other messages stays source text', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const dangerous = [
    '\\rule{50em}{50em}',
    '\\rule[-20em]{1em}{1em}',
    '\\smash{\\frac{a}{b}}',
    '\\smash[b]{x}',
    '\\raisebox{30em}{x}',
    '\\raise30em{x}',
    '\\lower9em{x}',
    '\\llap{Delete}',
    '\\mathrlap{Delete}',
    '\\clap{Delete}',
    '\\def\\x{\\rule}\\x{9em}{9em}',
    '\\kern-50em x',
    '\\hspace{-50em}x',
    '\\hspace{5000pt}x',
    '\\mkern-900mu x',
    '\\genfrac{}{}{50em}{}{a}{b}',
    'a\\above{900pt}b',
  ];
  const harmless = [
    '\\frac{a}{b}\\quad\\text{if }\\!x\\,y\\;z',
    '\\Huge x',
    '\\begin{pmatrix}1&2\\\\[1em]3&4\\end{pmatrix}',
    '\\boxed{x}\\phantom{x}\\hphantom{y}\\vphantom{z}',
    '\\bigg(\\sum_{i=1}^{n}\\substack{a\\\\b}\\bigg)',
    '\\underbrace{x+y}_{n}\\overline{z}\\xrightarrow[a]{b}\\cancel{q}',
    '\\colorbox{red}{x}\\hspace{2em}\\kern-0.5em y',
  ];
  const isDrawn = (sources: readonly string[]): Promise<boolean[]> =>
    testPage.page.evaluate(async (all) => {
      const { renderFormula } = await window.loadExtra('maths');
      return all.map(
        (source) =>
          renderFormula({ start: 0, end: 0, source, isDisplay: true }, { document }) !== null,
      );
    }, sources);
  assert.deepEqual(
    await isDrawn(dangerous),
    dangerous.map(() => false),
  );
  assert.deepEqual(
    await isDrawn(harmless),
    harmless.map(() => true),
  );
});

test('a formula that defines commands or has too many elements stays source text', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const long = 'x'.repeat(1000);
  const defining = [
    '\\def\\a{x}\\a',
    '\\gdef\\a{x}\\a',
    '\\edef\\a{x}\\a',
    '\\xdef\\a{x}\\a',
    '\\global\\def\\a{x}\\a',
    '\\long\\def\\a{x}\\a',
    '\\let\\a=x \\a',
    '\\futurelet\\a\\relax x',
    '\\newcommand\\a{x}\\a',
    '\\newcommand*{\\a}{x}\\a',
    '\\renewcommand{\\sin}{x}\\sin',
    '\\providecommand{\\a}{x}\\a',
  ];
  const large = [
    'x'.repeat(4000),
    'x+'.repeat(2000),
    '{'.repeat(500) + 'x'.repeat(3000) + '}'.repeat(500),
    `\\begin{matrix}${'&'.repeat(4000)}\\end{matrix}`,
    'x_1^2'.repeat(800),
    `\\def\\a{${long}}${'\\a'.repeat(200)}`,
  ];
  const matrix = Array.from({ length: 20 }, () => Array(20).fill('1').join('&')).join('\\\\');
  const harmless = [
    `\\begin{pmatrix}${matrix}\\end{pmatrix}`,
    `\\text{${'word '.repeat(200)}}`,
    `x = ${'\\frac{a}{b} + '.repeat(100)} 1`,
    '\\definecolor{ours}{rgb}{1,0,0}\\color{ours}x \\operatorname{deg} \\leq \\left( \\longrightarrow \\right)',
  ];
  const counts = await testPage.page.evaluate(
    async (all) => {
      const { renderFormula } = await window.loadExtra('maths');
      // Counts the created nodes: a formula is rejected before its MathML is created.
      let made = 0;
      const counting = new Proxy(document, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          if (/^create(Element|Text)/.test(String(name))) made += 1;
          return (value as () => unknown).bind(target);
        },
      });
      const { createElementNS } = document;
      document.createElementNS = function (...args: unknown[]) {
        made += 1;
        return Reflect.apply(createElementNS, document, args) as never;
      };
      return all.map((source) => {
        made = 0;
        const formula = { start: 0, end: 0, source, isDisplay: true };
        const math = renderFormula(formula, { document: counting });
        return math === null ? -made : math.querySelectorAll('*').length;
      });
    },
    [...defining, ...large, ...harmless],
  );
  const rejected = counts.splice(0, defining.length + large.length);
  assert.ok(
    rejected.every((count) => count <= 0 && count >= -1),
    rejected.join(' '),
  );
  assert.ok(
    counts.every((count) => count > 0 && count < 2500),
    counts.join(' '),
  );
});

test('a formula paints nothing outside its box', async () => {
  const testPage = await testBrowser().open('/open', 'real');
  await testPage.page.evaluate(() => {
    const element = document.createElement('ubik-markdown');
    element.setAttribute('content', 'As $x^2$ and\n\n$$\\sqrt{y}$$\n');
    document.body.append(element);
  });
  await waitInMarkdown(testPage.page, 'math msqrt');
  const contained = await testPage.page.$$eval('>>> math', (all) =>
    all.map((math) => getComputedStyle(math).contain),
  );
  assert.deepEqual(contained, ['paint', 'paint']);
});

test('a link in sanitized HTML shows the host that its text hides', async () => {
  const testPage = await testBrowser().open('/open', 'real');
  await testPage.page.evaluate(() => {
    const element = document.createElement('ubik-markdown');
    element.setAttribute('html', 'sanitized');
    const links = [
      '<a href="https://evil.test/1">good.test</a>',
      '<a href="https://evil.test/2"><img alt="good.test" src="x"></a>',
      '<a href="https://evil.test/3">go<wbr>od.test</a>',
      '<a href="https://а\u0440\u0440ӏе.com/">the shop</a>',
      '<a href="https://good.test/">good.test</a>',
      '<a href="mailto:me@good.test?bcc=evil@evil.test">me@good.test</a>',
    ];
    element.setAttribute('content', `<div>${links.join(' ')}</div>\n`);
    document.body.append(element);
  });
  await waitInMarkdown(testPage.page, 'a[href]');
  const shown = await testPage.page.$$eval('>>> a', (all) =>
    all.map((link) => link.querySelector('.ubik-link-host')?.textContent ?? ''),
  );
  assert.deepEqual(shown, [
    ' (evil.test)',
    ' (evil.test)',
    ' (evil.test)',
    ' (xn--80ak6aa92e.com)',
    '',
    ' (me@good.test · bcc: evil@evil.test)',
  ]);
});

/** Sanitizes texts and inserts the results into the page, or the text itself where it is rejected. Returns the visible text. */
async function showClean(texts: readonly string[]): Promise<string> {
  const { sanitize } = await window.loadExtra('sanitize');
  const box = document.querySelector('.unsafe') ?? document.body;
  const kit = {
    document,
    checkLink: (href: string) => (/^https:\/\/[^@]*$/.test(href) ? { href } : null),
    checkImage: () => null,
  };
  for (const text of texts) box.append(sanitize(text, kit) ?? text);
  return box.textContent;
}

test('sanitized HTML does nothing, on a page whose policy allows the sanitizer', async () => {
  // The sanitizer parses styles in a separate document before removing them, which the policy reports.
  const expected = [...PAGE_FILES, 'policy report'] as const;
  const testPage = await testBrowser().open('/strict-html', 'real', expected);
  await prepare(testPage.page);
  const texts = attacks.map(({ text }) => text);
  await testPage.page.evaluate(showClean, ['<b onclick=ran(1)>bold</b>', ...texts]);
  const { ran, requests, dom } = await testPage.findings();
  assert.deepEqual([ran, requests], [[], []]);
  const allowed =
    /^<(b|i|s|u|p|q|dl|dt|dd|kbd|mark|small|samp|ins|center|font|img|caption|col|colgroup|tfoot|ruby|var|wbr|abbr|cite|dfn|tt|strike)>$/;
  assert.deepEqual(
    dom.filter((finding) => !allowed.test(finding)),
    [],
  );
  assert.equal(await testPage.page.$$eval('.unsafe b', (all) => all[0]?.textContent), 'bold');
});

test('HTML that is nested too deeply or too long stays text, and many line breaks do not', async () => {
  const testPage = await testBrowser().open('/strict-html', 'real');
  await prepare(testPage.page);
  const texts = [`${'<div>'.repeat(101)}deep`, `<b>${'x'.repeat(262_144)}</b>`, '<br>'.repeat(200)];
  const shown = await testPage.page.evaluate(showClean, texts);
  assert.ok(shown.startsWith('<div><div>') && shown.endsWith('xx</b>'));
});

test('the sanitizer names the missing directive when its policy is refused', async () => {
  const testPage = await testBrowser().open('/strict', 'real');
  await prepare(testPage.page);
  const message = await testPage.page.evaluate(showClean, ['<b>x</b>']).catch(String);
  assert.match(message, /trusted-types dompurify/);
});

/** Waits until a selector matches in any `<ubik-markdown>`. */
async function waitInMarkdown(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('ubik-markdown')].some((element) =>
        element.shadowRoot?.querySelector(wanted),
      ),
    {},
    selector,
  );
}

/** Elements and attributes that what an extension draws must not have. */
const DANGEROUS =
  'script, style, link, meta, base, iframe, frame, frameset, object, embed, form, input, textarea, select, video, audio, source, template, portal, foreignObject, use, animate, image, feImage, slot, ubik-chat, [style], [id], [name], [srcset], [srcdoc], [action], [formaction], [ping], [background], [part], [tabindex]';

test('HTML that a Markdown extension writes does nothing, on a page whose policy allows the sanitizer', async () => {
  // The sanitizer parses styles in a separate document before removing them, which the policy reports.
  const expected = [...PAGE_FILES, 'policy report'] as const;
  const testPage = await testBrowser().open('/strict-html', 'real', expected);
  await prepare(testPage.page);
  await testPage.page.evaluate('import("/dist/bundle/ubik-elements.min.js")');
  const found = await testPage.page.evaluate(
    async (outputs, dangerous) => {
      await customElements.whenDefined('ubik-markdown');
      const element = document.createElement('ubik-markdown');
      const hostile = {
        name: 'hostile',
        level: 'block',
        tokenizer(source: string) {
          const [raw, index] = /^hostile (\d+)\n?/.exec(source) ?? [];
          return raw === undefined ? undefined : { type: 'hostile', raw, index };
        },
        renderer: ({ index }: { index: number }) =>
          outputs[index] ?? '<b class="ubik-code message launcher last kept">x</b>',
      };
      const content = [...outputs, ''].map((_, index) => `hostile ${index}\n\n`).join('');
      Object.assign(element, { markdownExtensions: [{ extensions: [hostile] }], content });
      document.body.append(element);
      const root = element.shadowRoot as ShadowRoot;
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (root.querySelector('.last')) resolve();
        });
        observer.observe(root, { subtree: true, childList: true });
      });
      const drawn = [...root.querySelectorAll('.ubik-extension *')];
      const handlers = drawn.flatMap((node) =>
        node.getAttributeNames().filter((name) => /^(?:on|xlink|data-(?!ubik-action$))/.test(name)),
      );
      return {
        count: root.querySelectorAll('.ubik-extension').length,
        dangerous: drawn.filter((node) => node.matches(dangerous)).map((node) => node.outerHTML),
        handlers,
        classes: root.querySelector('.last')?.className,
        scripts: drawn.flatMap((node) =>
          ['href', 'src', 'fill', 'stroke']
            .map((name) => node.getAttribute(name) ?? '')
            .filter((value) => /^(?!https?:|mailto:|tel:|#?\w*$)|url|@/i.test(value)),
        ),
      };
    },
    [
      ...attacks.map(({ text }) => text),
      '<svg><rect fill="url(https://evil.test/a)" stroke="u\\72l(https://evil.test/b)"/></svg>',
      '<math><mi href="javascript:ran(`m`)">x</mi><mtext><img src="https://evil.test/c"></mtext></math>',
      '<svg><a href="javascript:ran(`s`)"><path d="M0 0"/></a></svg>',
    ],
    DANGEROUS,
  );
  assert.ok(found.count > attacks.length / 2, `${found.count} blocks were drawn`);
  assert.deepEqual(
    [found.dangerous, found.handlers, found.scripts, found.classes],
    [[], [], [], 'last kept'],
  );
  const { ran, requests } = await testPage.findings();
  assert.deepEqual([ran, requests], [[], []]);
});

test('huge, failing and hanging Markdown extensions leave the built-in rendering, and affect nothing else', async () => {
  const testPage = await testBrowser().open('/open', 'real');
  await testPage.page.evaluate(() => {
    const outputs: Record<string, () => unknown> = {
      deep: () => '<div>'.repeat(5000),
      wide: () => '<hr>'.repeat(100_000),
      long: () => '<b>x</b>'.repeat(1_000_000),
      thrown: () => {
        throw new Error('broken');
      },
      object: () => ({ toString: () => '<script>ran("object")</script>' }),
      own: () => '<i class="own">drawn</i>',
    };
    const extension = {
      async: true,
      walkTokens: (token: { type: string }) =>
        token.type === 'list' ? new Promise(() => undefined) : undefined,
      extensions: [
        {
          name: 'output',
          level: 'block',
          tokenizer(source: string) {
            const [raw, key = ''] = /^output (\w+)\n?/.exec(source) ?? [];
            return raw === undefined ? undefined : { type: 'output', raw, key };
          },
          renderer: ({ key }: { key: string }) => outputs[key]?.(),
        },
      ],
    };
    const element = document.createElement('ubik-markdown');
    const keys = ['deep', 'wide', 'long', 'thrown', 'object', '__proto__', 'constructor', 'own'];
    const content = `- hangs\n\n${keys.map((key) => `output ${key}\n\n`).join('')}`;
    Object.assign(element, { markdownExtensions: [extension], content });
    document.body.append(element);
  });
  await waitInMarkdown(testPage.page, '.own');
  const shown = await testPage.page.$eval('ubik-markdown', ({ shadowRoot }) => ({
    text: [...(shadowRoot?.querySelectorAll('p, li') ?? [])].map((node) => node.textContent),
    polluted: Object.keys(Object.prototype),
    elements: shadowRoot?.querySelectorAll('*').length ?? 0,
  }));
  const kept = ['hangs', 'output deep', 'output wide', 'output long', 'output thrown'];
  assert.deepEqual(shown.text, [...kept, 'output proto'], '`__proto__` is strong emphasis');
  assert.deepEqual(shown.polluted, []);
  assert.ok(shown.elements < 100, `${shown.elements} elements`);
  const { ran, requests, errors } = await testPage.findings();
  assert.deepEqual([ran, requests], [[], []]);
  assert.deepEqual(errors.length, 1, 'one report');
});

test('an element loads optional modules from beside its script when they are needed, on a strict page', async () => {
  const { stub, open } = testBrowser();
  const testPage = await open('/strict', 'real');
  const show = (content: string): Promise<void> =>
    testPage.page.evaluate((text) => {
      const element = document.createElement('ubik-markdown');
      element.setAttribute('content', text);
      document.body.append(element);
    }, content);
  await show('Only *text*.\n\n```\nplain\n```\n');
  await waitInMarkdown(testPage.page, 'pre');
  await testPage.findings();
  const extras = (): string[] => stub.requests.filter((path) => /extras\/\w+\.js$/.test(path));
  const before = extras().length;
  await show('```js\nconst river = "Danube";\n```\n\nAs $\\sqrt{x}$ and \\(y^2\\).\n');
  for (const selector of ['.ubik-hl-keyword', 'math msqrt', 'math msup']) {
    await waitInMarkdown(testPage.page, selector);
  }
  assert.deepEqual(extras().slice(before).sort(), [
    'GET /dist/bundle/extras/highlight.js',
    'GET /dist/bundle/extras/maths.js',
  ]);
  assertNoFindings(await testPage.findings());
});

test('a table is sorted and copied by code loaded on pointerover, on a strict page', async () => {
  const { stub, open } = testBrowser();
  const testPage = await open('/strict', 'real');
  await testPage.page.evaluate(() => {
    const element = document.createElement('ubik-markdown');
    element.setAttribute('content', 'A\n\n| n | m |\n|---|---|\n| 10 | x |\n| 9 | y |\n\nB\n');
    document.body.append(element);
  });
  const extras = (): string[] => stub.requests.filter((path) => path.includes('/extras/'));
  const before = extras().length;
  await waitInMarkdown(testPage.page, '[data-ubik-extra]');
  assert.equal(extras().length, before);
  await testPage.page.hover('>>> .ubik-table td');
  await waitInMarkdown(testPage.page, '.ubik-sort');
  assert.deepEqual(extras().slice(before), ['GET /dist/bundle/extras/tables.js']);
  await testPage.page.click('>>> .ubik-sort');
  const rows = await testPage.page.$$eval('>>> .ubik-table td:first-child', (all) =>
    all.map(({ textContent }) => textContent),
  );
  assert.deepEqual(rows, ['9', '10']);
  assertNoFindings(await testPage.findings());
});
