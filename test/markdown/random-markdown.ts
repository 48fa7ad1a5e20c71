import { pickIndex, pickOne, type Random } from '../helpers/seeded-random.js';

const WORDS =
  'alpha beta gamma delta 中文 字， עברית \u202eevil 👩‍👧 no\u00a0break [^1] emoji😀 naïve text2 a_b 3*4 x<y R&D &amp; &copy; 5% [1] end. (so) "quoted" — ü'.split(
    ' ',
  );
const INLINE: readonly ((random: Random, depth: number) => string)[] = [
  (random, depth) => `**${words(random, depth)}**`,
  (random, depth) => `*${words(random, depth)}*`,
  (random, depth) => `__${words(random, depth)}__`,
  (random, depth) => `~~${words(random, depth)}~~`,
  (random) => `\`${pickOne(random, WORDS)} code\``,
  (random) => `\`\`a \` ${pickOne(random, WORDS)}\`\``,
  (random, depth) =>
    `[${words(random, depth)}](https://${pickOne(random, ['a.test', 'b.example'])}/p "t")`,
  (random, depth) => `[${words(random, depth)}][ref${pickIndex(random, 4)}]`,
  (random) => `[ref${pickIndex(random, 4)}]`,
  () => '![pic *x*](https://images.test/x.png)',
  () => 'https://auto.test/path?q=1&r=(2), www.auto.test/x.',
  () => '<https://angle.test/>',
  () => 'me@mail.test',
  () => '<b class="x">html</b>',
  () => '<!-- comment -->',
  () => 'hard  \nbreak',
  () => 'back\\\nslash',
  () => '\\*escaped\\*',
  () => '**unclosed',
  () => '*un_closed',
  () => '`open code',
  () => '[open bracket',
  () => '![open',
  () => '***both** one*',
  () => '\ue000mark\ue001',
  () => '|',
  (random) => `[^n${pickIndex(random, 4)}]`,
  () => '**![^N1]**',
];

function words(random: Random, depth: number): string {
  const count = 1 + pickIndex(random, 6);
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const useInline = depth < 3 && random() < 0.25;
    parts.push(useInline ? pickOne(random, INLINE)(random, depth + 1) : pickOne(random, WORDS));
  }
  return parts.join(random() < 0.1 ? '' : ' ');
}

function lines(random: Random): string[] {
  const count = 1 + pickIndex(random, 4);
  return Array.from({ length: count }, () => words(random, 0)).flatMap((line) => line.split('\n'));
}

const indent = (prefix: string, rest: string, inner: readonly string[]): string[] =>
  inner.map((line, index) => (index === 0 ? prefix : line === '' ? '' : rest) + line);

const BLOCKS: readonly ((random: Random, depth: number) => string[])[] = [
  (random) => lines(random),
  (random) => [
    `${'#'.repeat(1 + pickIndex(random, 6))} ${words(random, 1)}${random() < 0.3 ? ' ##' : ''}`,
  ],
  (random) => [...lines(random), pickOne(random, ['===', '---', '-'])],
  (random) => [pickOne(random, ['---', '***', '* * *', '___'])],
  (random) => {
    const fence = pickOne(random, ['```', '~~~', '````']);
    const open = random() < 0.15;
    const code = ['let x = `1`;', '', '  # no heading', '``', '<b>&amp;</b>', words(random, 3)];
    const body = code.slice(0, pickIndex(random, code.length + 1));
    return [
      `${fence}${pickOne(random, ['', 'js', 'python title="x"'])}`,
      ...body,
      ...(open ? [] : [fence]),
    ];
  },
  (random) => [`    indented ${pickOne(random, WORDS)}`, '', '      more'],
  (random) => {
    const columns = 1 + pickIndex(random, 4);
    const row = (make: () => string): string =>
      `| ${Array.from({ length: columns }, make).join(' | ')} |`;
    const rows = Array.from({ length: pickIndex(random, 5) }, () =>
      row(() => words(random, 2).replace(/\n/g, ' ')),
    );
    return [
      row(() => pickOne(random, WORDS)),
      row(() => pickOne(random, ['---', ':-:', '--:', ':--'])),
      ...rows,
    ];
  },
  (random) => [
    'a | b',
    pickOne(random, ['--|--', '- | :-', 'no | table']),
    `1 | ${words(random, 2)}`,
  ],
  (random) => [`<div class="${pickOne(random, WORDS)}">`, '*not emphasis*', '</div>'],
  () => ['<!-- a', '', 'b -->'],
  (random) => [
    `[ref${pickIndex(random, 4)}]: https://ref.test/${pickIndex(random, 9)} ${pickOne(random, ['', '"title"', "'open"])}`,
  ],
  (random) => [`[ref${pickIndex(random, 4)}]:`, '  /next', '"title', 'goes on"', ...lines(random)],
];

const NESTED: readonly ((random: Random, depth: number) => string[])[] = [
  (random, depth) => indent('> ', random() < 0.8 ? '> ' : '', document(random, depth + 1, 3)),
  (random, depth) => list(random, depth, () => pickOne(random, ['- ', '* ', '+ '])),
  (random, depth) => list(random, depth, (index) => `${index + pickIndex(random, 3)}. `),
  (random, depth) =>
    indent(
      `[^n${pickIndex(random, 3)}]: `,
      random() < 0.9 ? '    ' : '',
      document(random, depth + 1, 2),
    ),
  (random, depth) => list(random, depth, () => `- [${pickOne(random, [' ', 'x', 'X'])}] `),
];

function list(random: Random, depth: number, marker: (index: number) => string): string[] {
  const sign = marker(1);
  const count = 1 + pickIndex(random, 4);
  const isLoose = random() < 0.3;
  const items: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const prefix = random() < 0.9 ? sign : marker(index);
    const isSimple = random() < 0.5;
    const inner = isSimple ? lines(random) : document(random, depth + 1, 2);
    const width = prefix.startsWith('- [') ? 2 : prefix.length;
    items.push(...indent(prefix, ' '.repeat(width), inner));
    if (isLoose && random() < 0.7) items.push('');
  }
  return items;
}

function document(random: Random, depth: number, maxBlocks: number): string[] {
  const count = 1 + pickIndex(random, maxBlocks);
  const all: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const kinds = depth < 4 && random() < 0.35 ? NESTED : BLOCKS;
    all.push(...pickOne(random, kinds)(random, depth));
    if (random() < 0.75) all.push('');
    if (random() < 0.1) all.push('');
  }
  return all;
}

const FRAGMENTS =
  '* _ ** ` ``` [ ] ( ) | ~~ < > & \\ # - + 1. \t \r \n \n\n ! " [^1]: :-- \0 \ue000 😀'.split(' ');

/** Removes, repeats or inserts some characters, so that constructs interrupt each other. */
export function damage(random: Random, source: string): string {
  let text = source;
  for (let times = 1 + pickIndex(random, 6); times > 0; times -= 1) {
    const at = pickIndex(random, text.length + 1);
    const inserted = pickOne(random, ['', text.slice(at, at + 5), pickOne(random, FRAGMENTS)]);
    text = text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 2 : at);
  }
  return text;
}

/** A random document of at most `maxBlocks` blocks at the top level, with nested blocks of all kinds. */
export function randomMarkdown(random: Random, maxBlocks: number): string {
  return document(random, 0, maxBlocks).join('\n') + (random() < 0.5 ? '\n' : '');
}

/** Cuts a text into random pieces of at most `longest` characters. */
export function randomPieces(random: Random, text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const length = 1 + pickIndex(random, longest);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}
