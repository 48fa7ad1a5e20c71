import type { NewPassage } from '../store/passages.js';

/** The extracted text of one page, or of a whole document whose format has no pages. */
export interface TextPage {
  /** Page number from 1; null if the format has no pages. */
  readonly page: number | null;
  readonly text: string;
}

/** A paragraph that would make a passage longer than this begins a new passage. */
const TARGET_LENGTH = 700;

/** A paragraph longer than this is split. */
const MAX_LENGTH = 1200;

/** Splits a text at headings and paragraphs into passages that can be searched and cited. */
export function splitIntoPassages(pages: readonly TextPage[]): NewPassage[] {
  const passages: NewPassage[] = [];
  let heading = '';
  for (const { page, text } of pages) {
    let collected = '';
    const finish = (): void => {
      const clean = collected.trim();
      if (clean !== '') passages.push({ page, heading, text: clean });
      collected = '';
    };
    for (const block of splitBlocks(text)) {
      const title = /^#{1,6}\s+(.+?)\s*#*$/u.exec(block)?.[1];
      if (title !== undefined) {
        finish();
        heading = title.replaceAll(/[`*_]/gu, '');
        continue;
      }
      if (collected !== '' && collected.length + block.length > TARGET_LENGTH) finish();
      for (const piece of splitLong(block)) {
        if (collected.length + piece.length > MAX_LENGTH) finish();
        collected += `${piece}\n\n`;
      }
    }
    finish();
  }
  return passages;
}

/** Splits a text into paragraphs. A fenced code block is not split, and a heading is a block. */
function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const finish = (): void => {
    if (lines.length > 0) blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const mark = /^\s*(```|~~~)/u.exec(line)?.[1] ?? null;
    if (fence === null && mark === null && (line.trim() === '' || /^#{1,6}\s/u.test(line))) {
      finish();
      if (line.trim() !== '') blocks.push(line);
      continue;
    }
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    lines.push(line);
  }
  finish();
  return blocks;
}

/** Splits a long paragraph after a sentence, else after a word, else anywhere. */
function* splitLong(block: string): Generator<string> {
  let rest = block;
  while (rest.length > MAX_LENGTH) {
    const window = rest.slice(0, MAX_LENGTH);
    // A break near the start is ignored, because it would make a very short piece.
    const sentence = Math.max(...['. ', '。', '\n'].map((end) => window.lastIndexOf(end)));
    const word = window.lastIndexOf(' ');
    const at =
      sentence > TARGET_LENGTH / 2 ? sentence + 1 : word > TARGET_LENGTH / 2 ? word : MAX_LENGTH;
    yield rest.slice(0, at);
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '') yield rest;
}
