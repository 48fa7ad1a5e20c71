import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import ts from 'typescript';

const SOURCES = new URL('../../src/', import.meta.url);

/** Attributes and properties with text for users. */
const TEXT_ATTRIBUTES =
  'aria-label|aria-description|aria-placeholder|aria-roledescription|aria-valuetext|title|placeholder|alt|label';
const TEXT_PROPERTIES = new Set([
  ...['ariaLabel', 'ariaDescription', 'ariaPlaceholder', 'ariaValueText', 'title', 'placeholder'],
  ...['alt', 'textContent', 'innerText'],
]);

/** Quick check: code without any of these contains no text for users. */
const MAY_HAVE_TEXT =
  /(?:html|svg)`|setAttribute|\.(?:aria|title|placeholder|alt|textContent|innerText)/;

/** Replaces the values of a template. */
const VALUE = '\u0001';
const WORD = /\p{L}{2,}/u;

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('locales'))
  .map((file) => file.replaceAll('\\', '/'));

/** The static text of a template. */
function staticTextOf({ template }: ts.TaggedTemplateExpression): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const spans = template.templateSpans.map(({ literal }) => literal.text);
  return [template.head.text, ...spans].join(VALUE);
}

/** Text nodes and text attributes of markup that contain words. */
function textsIn(markup: string): string[] {
  const plain = markup.replace(/<!--[^]*?-->/g, '');
  const attributes = [
    ...plain.matchAll(new RegExp(`\\s(?:${TEXT_ATTRIBUTES})="([^"]*)"`, 'g')),
  ].map(([, value = '']) => value);
  // A tag ends at the first `>` outside of quotes.
  const texts = plain.replace(/<\/?[a-z](?:"[^"]*"|[^">])*>/gi, VALUE).split(VALUE);
  return [...attributes, ...texts].filter((text) => WORD.test(text)).map((text) => text.trim());
}

/** The text that a node assigns to an element: `node.title = '…'`, `setAttribute('aria-label', '…')`. */
function assignedText(node: ts.Node): string {
  const isSet =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    TEXT_PROPERTIES.has(node.left.name.text);
  if (isSet && ts.isStringLiteralLike(node.right)) return node.right.text;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return '';
  const [name, value] = node.arguments;
  const isText =
    node.expression.name.text === 'setAttribute' &&
    name !== undefined &&
    ts.isStringLiteralLike(name) &&
    new RegExp(`^(?:${TEXT_ATTRIBUTES})$`).test(name.text);
  return isText && value && ts.isStringLiteralLike(value) ? value.text : '';
}

/** Texts for users in code. */
function findTexts(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /^(?:html|svg)$/.test(node.tag.getText())) {
      found.push(...textsIn(staticTextOf(node)));
    }
    const text = assignedText(node);
    if (WORD.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', code, ts.ScriptTarget.ES2022, true));
  return found;
}

/** Punctuation between two texts that depends on the language: a comma, a colon, a bracket around a value. */
const BETWEEN = /^\s*[,;:]\s+$|^\s[,;:]\s*$/;
const BRACKET = /\s\($/;

/** Files without text for users, or with notation that has no language, such as addresses and mail headers. */
const NOTATION =
  /^(?:model|transport|backends|controller|markdown\/(?:parser|extras)|mermaid\/frame|themes)\/|^markdown\/(?:dom\/link-notice|link-disguise)|css|-styles\.ts|styles\//;

/** Punctuation in code between or around texts. */
function findPunctuation(code: string): string[] {
  const found: string[] = [];
  const check = (node: ts.Node, text: string): void => {
    if (BETWEEN.test(text) || BRACKET.test(text)) found.push(node.getText());
  };
  const visit = (node: ts.Node): void => {
    // Errors and warnings are for developers.
    if (ts.isNewExpression(node) || ts.isThrowStatement(node)) return;
    if (ts.isCallExpression(node) && /^(?:warnOnce|reportWrong)$/.test(node.expression.getText()))
      return;
    if (ts.isTemplateExpression(node)) {
      const isMarkup = ts.isTaggedTemplateExpression(node.parent);
      const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      const markup = isMarkup ? staticTextOf(node.parent) : '';
      const attributes = markup.matchAll(new RegExp(`\\s(?:${TEXT_ATTRIBUTES})="([^"]*)"`, 'g'));
      const attributeTexts = [...attributes].flatMap(([, value = '']) => value.split(VALUE));
      const pieces = isMarkup
        ? markup.replace(/<\/?[a-z](?:"[^"]*"|[^">])*>/gi, VALUE).split(VALUE)
        : texts;
      for (const piece of [...pieces, ...attributeTexts]) check(node, piece);
      if (/^[,;:]$/.test(texts.at(-1) ?? '')) found.push(node.getText());
    } else if (ts.isStringLiteral(node)) check(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', code, ts.ScriptTarget.ES2022, true));
  return found;
}

/** Names of strings that no code uses. A template such as `speech_${code}` uses all names that begin with `speech_`. */
function findUnused(names: readonly string[], code: string): string[] {
  return names.filter((name) => {
    const prefix = /^[a-z]+_/.exec(name)?.[0];
    return (
      !new RegExp(`['"\`]${name}['"\`]`).test(code) && !(prefix && code.includes(`\`${prefix}\${`))
    );
  });
}

suite('texts for users', () => {
  const codes = new Map(files.map((file) => [file, readFileSync(new URL(file, SOURCES), 'utf8')]));

  test('are in the locale files, not in the code', () => {
    const wrong = [...codes]
      .filter(([, code]) => MAY_HAVE_TEXT.test(code))
      .flatMap(([file, code]) => findTexts(code).map((text) => `${file}: ${text}`));
    assert.deepEqual(wrong, []);
  });

  test('take the punctuation between them from the locale files', () => {
    const wrong = [...codes]
      .filter(([file]) => !NOTATION.test(file))
      .flatMap(([file, code]) =>
        findPunctuation(code).map((punctuation) => `${file}: ${punctuation}`),
      );
    assert.deepEqual(wrong, []);
  });

  test('are all used in code', async () => {
    const folder = new URL('locales/', SOURCES);
    const names: string[] = [];
    for (const file of readdirSync(folder).filter((name) => /^en(?:-\w+)*\.ts$/.test(name))) {
      const module = (await import(`../../src/locales/${file}`)) as Record<string, object>;
      for (const strings of Object.values(module)) names.push(...Object.keys(strings));
    }
    assert.deepEqual(findUnused(names, [...codes.values()].join('\n')), []);
  });

  test('are found in templates, properties and attributes', () => {
    const code = [
      'html`<p class="a b">Hello ${name}</p>`;',
      'html`<button title="Close it" @click=${() => a > b}>${icon}</button>`;',
      "node.ariaLabel = 'Shut';",
      "node.setAttribute('aria-label', 'Open');",
    ];
    assert.deepEqual(findTexts(code.join('\n')), ['Hello', 'Close it', 'Shut', 'Open']);
    assert.deepEqual(
      findTexts('html`<p class="a">${text("send")} · ${x}</p>`; node.title = x;'),
      [],
    );
    const samples = [
      'html`<p>, ${a}</p>`;',
      'html`<i aria-label="${a}: ${b}"></i>`;',
      "list.join(', ');",
      '`${a} (${b})`;',
      '`${a}:`;',
    ];
    for (const one of samples) assert.equal(findPunctuation(one).length, 1, one);
    assert.deepEqual(findPunctuation('`${a}:${b}`; html`<p style="a: b">${a} · ${b}</p>`;'), []);
    assert.deepEqual(findUnused(['a_b', 'send', 'gone'], "text('send'); find(`a_${x}`)"), ['gone']);
  });
});
