import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import ts from 'typescript';

const SOURCES = new URL('../../src/', import.meta.url);

/** Attributes and properties that a person hears or reads. */
const SPOKEN =
  'aria-label|aria-description|aria-placeholder|aria-roledescription|aria-valuetext|title|placeholder|alt|label';
const SPOKEN_PROPERTIES = new Set([
  ...['ariaLabel', 'ariaDescription', 'ariaPlaceholder', 'ariaValueText', 'title', 'placeholder'],
  ...['alt', 'textContent', 'innerText'],
]);

/** What has nothing of this need not be read closely. */
const MAY_SPEAK =
  /(?:html|svg)`|setAttribute|\.(?:aria|title|placeholder|alt|textContent|innerText)/;

/** Where a value was put in. */
const HOLE = '\u0001';
const WORD = /\p{L}{2,}/u;

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('locales'))
  .map((file) => file.replaceAll('\\', '/'));

/** Everything that is written in a template, values left out. */
function writtenIn({ template }: ts.TaggedTemplateExpression): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const spans = template.templateSpans.map(({ literal }) => literal.text);
  return [template.head.text, ...spans].join(HOLE);
}

/** Texts and spoken attributes of some markup that have words in them. */
function wordsIn(markup: string): string[] {
  const plain = markup.replace(/<!--[^]*?-->/g, '');
  const attributes = [...plain.matchAll(new RegExp(`\\s(?:${SPOKEN})="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  );
  // A tag ends at the first `>` outside of quotes.
  const texts = plain.replace(/<\/?[a-z](?:"[^"]*"|[^">])*>/gi, HOLE).split(HOLE);
  return [...attributes, ...texts].filter((text) => WORD.test(text)).map((text) => text.trim());
}

/** What an element is given to say: `node.title = '…'`, `setAttribute('aria-label', '…')`. */
function saidBy(node: ts.Node): string {
  const isSet =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    SPOKEN_PROPERTIES.has(node.left.name.text);
  if (isSet && ts.isStringLiteralLike(node.right)) return node.right.text;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return '';
  const [name, value] = node.arguments;
  const isSpoken =
    node.expression.name.text === 'setAttribute' &&
    name !== undefined &&
    ts.isStringLiteralLike(name) &&
    new RegExp(`^(?:${SPOKEN})$`).test(name.text);
  return isSpoken && value && ts.isStringLiteralLike(value) ? value.text : '';
}

/** Words for people that stand in code. */
function findWords(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /^(?:html|svg)$/.test(node.tag.getText())) {
      found.push(...wordsIn(writtenIn(node)));
    }
    const said = saidBy(node);
    if (WORD.test(said)) found.push(said);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', code, ts.ScriptTarget.ES2022, true));
  return found;
}

/** Signs between two texts that each language writes in its own way: a comma, a colon, a bracket around a hole. */
const BETWEEN = /^\s*[,;:]\s+$|^\s[,;:]\s*$/;
const BRACKET = /\s\($/;

/** Files in which nothing is shown, or what stands behind a link (an address, the header fields of a mail), in no language. */
const NOTATION =
  /^(?:model|transport|backends|controller|markdown\/(?:syntax|blocks|inline|extras)|themes)\/|^markdown\/(?:dom\/link-notice|url-policy)|css|-styles\.ts|styles\//;

/** Signs that code puts between texts, or around one. */
function findSigns(code: string): string[] {
  const found: string[] = [];
  const take = (node: ts.Node, text: string): void => {
    if (BETWEEN.test(text) || BRACKET.test(text)) found.push(node.getText());
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) || ts.isThrowStatement(node)) return;
    if (ts.isCallExpression(node) && /^(?:warnOnce|reportWrong)$/.test(node.expression.getText()))
      return;
    if (ts.isTemplateExpression(node)) {
      const isMarkup = ts.isTaggedTemplateExpression(node.parent);
      const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      const markup = isMarkup ? writtenIn(node.parent) : '';
      const attributes = markup.matchAll(new RegExp(`\\s(?:${SPOKEN})="([^"]*)"`, 'g'));
      const heard = [...attributes].flatMap(([, value = '']) => value.split(HOLE));
      const pieces = isMarkup
        ? markup.replace(/<\/?[a-z](?:"[^"]*"|[^">])*>/gi, HOLE).split(HOLE)
        : texts;
      for (const piece of [...pieces, ...heard]) take(node, piece);
      if (/^[,;:]$/.test(texts.at(-1) ?? '')) found.push(node.getText());
    } else if (ts.isStringLiteral(node)) take(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', code, ts.ScriptTarget.ES2022, true));
  return found;
}

/** Names of words that nobody says; `speech_${code}` says all that begin so. */
function findUnsaid(names: readonly string[], code: string): string[] {
  return names.filter((name) => {
    const prefix = /^[a-z]+_/.exec(name)?.[0];
    return (
      !new RegExp(`['"\`]${name}['"\`]`).test(code) && !(prefix && code.includes(`\`${prefix}\${`))
    );
  });
}

suite('words for people', () => {
  const codes = new Map(files.map((file) => [file, readFileSync(new URL(file, SOURCES), 'utf8')]));

  test('stand in the files of the languages, not in the code', () => {
    const wrong = [...codes]
      .filter(([, code]) => MAY_SPEAK.test(code))
      .flatMap(([file, code]) => findWords(code).map((words) => `${file}: ${words}`));
    assert.deepEqual(wrong, []);
  });

  test('have the signs of their language between them, not those of the code', () => {
    const wrong = [...codes]
      .filter(([file]) => !NOTATION.test(file))
      .flatMap(([file, code]) => findSigns(code).map((signs) => `${file}: ${signs}`));
    assert.deepEqual(wrong, []);
  });

  test('are all said somewhere', async () => {
    const folder = new URL('locales/', SOURCES);
    const names: string[] = [];
    for (const file of readdirSync(folder).filter((name) => /^en(?:-\w+)*\.ts$/.test(name))) {
      const module = (await import(`../../src/locales/${file}`)) as Record<string, object>;
      for (const words of Object.values(module)) names.push(...Object.keys(words));
    }
    assert.deepEqual(findUnsaid(names, [...codes.values()].join('\n')), []);
  });

  test('are found where somebody writes them', () => {
    const code = [
      'html`<p class="a b">Hello ${name}</p>`;',
      'html`<button title="Close it" @click=${() => a > b}>${icon}</button>`;',
      "node.ariaLabel = 'Shut';",
      "node.setAttribute('aria-label', 'Open');",
    ];
    assert.deepEqual(findWords(code.join('\n')), ['Hello', 'Close it', 'Shut', 'Open']);
    assert.deepEqual(
      findWords('html`<p class="a">${text("send")} · ${x}</p>`; node.title = x;'),
      [],
    );
    const signs = [
      'html`<p>, ${a}</p>`;',
      'html`<i aria-label="${a}: ${b}"></i>`;',
      "list.join(', ');",
      '`${a} (${b})`;',
      '`${a}:`;',
    ];
    for (const one of signs) assert.equal(findSigns(one).length, 1, one);
    assert.deepEqual(findSigns('`${a}:${b}`; html`<p style="a: b">${a} · ${b}</p>`;'), []);
    assert.deepEqual(findUnsaid(['a_b', 'send', 'gone'], "text('send'); find(`a_${x}`)"), ['gone']);
  });
});
