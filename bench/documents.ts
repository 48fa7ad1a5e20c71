import { createRandom, pickIndex, pickOne, type Random } from '../test/helpers/seeded-random.js';

/** A document to stream. The same seed results in the same text on every machine. */
export interface BenchDocument {
  readonly name: string;
  readonly text: string;
  /** Unique words in order, whose display time is measured. */
  readonly markers: readonly string[];
}

const WORDS =
  'the of and to in is for on that with as are by it from be this an which or at not have has was can more their than into over when also other some these time may such one only new two most after about between through each water light river station signal value table result agent stream network message service answer question document passage model'.split(
    ' ',
  );
const CJK = ['数据', '服务', '回答', '问题', '文档', '网络', '信号', '时间'];
const EMOJI = ['🌧', '🚦', '📈', '🧭', '👩‍🔬'];
const LANGUAGES = ['ts', 'python', 'sql', 'json', 'bash'];

/** Creates a document by name. Throws a RangeError for an unknown name. */
export function makeDocument(name: string, seed = 1): BenchDocument {
  const make = DOCUMENTS.get(name);
  if (!make) {
    throw new RangeError(`No document "${name}". Known: ${[...DOCUMENTS.keys()].join(', ')}.`);
  }
  const text = `${make(createRandom(seed))}\n\nThis is the last paragraph.\n`;
  return { name, text, markers: text.match(/\bmarker\d+x\b/g) ?? [] };
}

const KILO = 1000;
const DOCUMENTS = new Map<string, (random: Random) => string>([
  ['mix10k', (random) => mix(random, 10 * KILO)],
  ['mix100k', (random) => mix(random, 100 * KILO)],
  ['mix1m', (random) => mix(random, 1000 * KILO)],
  ['extended10k', (random) => extendedMix(random, 10 * KILO)],
  ['extended100k', (random) => extendedMix(random, 100 * KILO)],
  ['warm', (random) => mix(random, 20 * KILO)],
  ['code100k', (random) => fence(random, 100 * KILO)],
  ['table500', (random) => table(random, 500)],
  ['para100k', (random) => words(random, 100 * KILO)],
  ['list100k', (random) => list(random, 100 * KILO)],
]);

const MIX: readonly ((random: Random) => string)[] = [
  (random) => `${'#'.repeat(1 + pickIndex(random, 4))} ${sentence(random, 5)}`,
  paragraph,
  paragraph,
  paragraph,
  (random) => list(random, 300),
  (random) => taskList(random),
  (random) => `> ${paragraph(random)}\n>\n> ${sentence(random, 8)}`,
  (random) => table(random, 3 + pickIndex(random, 6)),
  (random) => fence(random, 250 + pickIndex(random, 500)),
  (random) =>
    `${pickOne(random, CJK)}${pickOne(random, CJK)}，${pickOne(random, CJK)}。${pickOne(random, EMOJI)}`,
];

function mix(random: Random, length: number): string {
  const blocks: string[] = [];
  let size = 0;
  for (let index = 0; size < length; index += 1) {
    let block = pickOne(random, MIX)(random);
    if (index % 4 === 0) block = `${sentence(random, 4)} marker${String(index)}x here.\n\n${block}`;
    blocks.push(block);
    size += block.length + 2;
  }
  return blocks.join('\n\n');
}

/** A mix in which every fourth block is an alert with an emoji. */
function extendedMix(random: Random, length: number): string {
  return mix(random, (length * 2) / 3)
    .split('\n\n')
    .flatMap((block, index) =>
      index % 3 === 0 ? [`> [!NOTE]\n> ${paragraph(random)} :wave:`, block] : [block],
    )
    .join('\n\n');
}

function sentence(random: Random, count: number): string {
  return Array.from({ length: count }, () => pickOne(random, WORDS)).join(' ');
}

function paragraph(random: Random): string {
  const pieces = Array.from({ length: 3 + pickIndex(random, 6) }, () => inline(random));
  return `${pieces.join(' ')}.`;
}

function inline(random: Random): string {
  const text = sentence(random, 2 + pickIndex(random, 6));
  switch (pickIndex(random, 9)) {
    case 0:
      return `**${text}**`;
    case 1:
      return `*${text}*`;
    case 2:
      return `\`${pickOne(random, WORDS)}()\``;
    case 3:
      return `[${text}](https://example.com/${pickOne(random, WORDS)})`;
    default:
      return text;
  }
}

function list(random: Random, length: number): string {
  const lines: string[] = [];
  for (let size = 0; size < length;) {
    const line = `${random() < 0.25 ? '  ' : ''}- ${inline(random)} ${sentence(random, 5)}`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n');
}

function taskList(random: Random): string {
  return Array.from(
    { length: 4 },
    () => `- [${random() < 0.5 ? 'x' : ' '}] ${sentence(random, 6)}`,
  ).join('\n');
}

function table(random: Random, rows: number): string {
  const row = (cell: () => string): string => `| ${Array.from({ length: 6 }, cell).join(' | ')} |`;
  const head = [row(() => pickOne(random, WORDS)), row(() => '---')];
  return [...head, ...Array.from({ length: rows }, () => row(() => sentence(random, 2)))].join(
    '\n',
  );
}

function fence(random: Random, length: number): string {
  const lines: string[] = [];
  for (let size = 0; size < length;) {
    const line = `${'  '.repeat(pickIndex(random, 4))}const ${pickOne(random, WORDS)} = ${sentence(random, 3).replaceAll(' ', '.')}(${String(pickIndex(random, 100))});`;
    lines.push(line);
    size += line.length + 1;
  }
  return ['```' + pickOne(random, LANGUAGES), ...lines, '```'].join('\n');
}

function words(random: Random, length: number): string {
  const all: string[] = [];
  for (let size = 0; size < length;) {
    const word = inline(random);
    all.push(word);
    size += word.length + 1;
  }
  return all.join(' ');
}

/** Splits a text into pieces of `size` UTF-16 units, regardless of markup. A piece is one unit longer where it would end inside a surrogate pair. */
export function cutText(text: string, size = 16): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + size, text.length);
    const unit = text.charCodeAt(end - 1);
    if (end < text.length && unit >= 0xd800 && unit < 0xdc00) end += 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** The part of a document that a run streams. */
export interface StreamedPart {
  readonly text: string;
  /** Length of the text that is in the message before the measurement starts, in UTF-16 units. */
  readonly ahead: number;
  /** Chunks per second; `fast`: one per macrotask. */
  readonly rate: number | 'fast';
  /** Duration of the stream in ms; 0 for the whole document. Ignored at the rate `fast`. */
  readonly limit: number;
}

/** Returns the chunks that a run streams. */
export function listChunks({ text, ahead, rate, limit }: StreamedPart): string[] {
  const chunks = cutText(text.slice(ahead));
  return limit > 0 && rate !== 'fast' ? chunks.slice(0, Math.floor((limit / 1000) * rate)) : chunks;
}
