import type { ParagraphBlock } from './block.js';
import { readDefinitions } from './definitions.js';

/** Adds text to a paragraph. Returns true when it is known to be a paragraph, whose pieces then have the text. */
export function addToParagraph(paragraph: ParagraphBlock, text: string): boolean {
  if (paragraph.undecided === null) {
    paragraph.pieces.push(text);
    return true;
  }
  const isFirst = paragraph.undecided === '';
  paragraph.undecided += text;
  // Only a paragraph that begins with a bracket can hold definitions. What is undecided already does: asking a long text for its
  // first character again and again would copy it each time.
  return isFirst && text !== '' && !text.startsWith('[') ? release(paragraph) : false;
}

/**
 * Takes the definitions off the beginning of an undecided paragraph. Returns true when what is left is known to be text. A
 * paragraph is `complete` when its last line is known.
 */
export function takeDefinitions(paragraph: ParagraphBlock, complete: boolean): boolean {
  const text = paragraph.undecided;
  if (text === null) return true;
  const { found, end, open } = readDefinitions(text, complete);
  paragraph.definitions.push(...found);
  paragraph.undecided = text.slice(end);
  if (open || paragraph.undecided === '') return false;
  return release(paragraph);
}

/** Whether nothing but definitions stands in a paragraph that ends here. Changes nothing. */
export function definitionsOnly(paragraph: ParagraphBlock): boolean {
  const text = paragraph.undecided;
  return text !== null && readDefinitions(text, true).end >= text.length;
}

/** The whole text of a paragraph without its definitions. */
export function textOf(paragraph: ParagraphBlock): string {
  return paragraph.undecided ?? paragraph.pieces.join('');
}

function release(paragraph: ParagraphBlock): true {
  paragraph.pieces.push(paragraph.undecided ?? '');
  paragraph.undecided = null;
  return true;
}
