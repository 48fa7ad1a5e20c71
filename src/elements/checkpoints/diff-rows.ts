import { compareRows } from '../../controller/checkpoints/compare-rows.js';
import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import type { MessageView } from '../../message/message-view.js';
import { comparisonOf } from '../../message/message-formats.js';

/** The smallest unit of the comparison: a text and the element that shows it. */
export interface DiffRow {
  readonly text: string;
  readonly node: Element;
}

/** The rows of a message: a paragraph, a list item, a table row, or a part that is no text. */
export function diffRowsOf(view: MessageView): DiffRow[] {
  const { message } = view;
  return listParts(message, null).flatMap((part) => {
    const node = view.viewOf(part.key)?.node;
    return node ? rowsOfPart(part, node) : [];
  });
}

/** Result of a comparison. */
interface Differences {
  /** Number of ranges of rows that only one side has. */
  readonly count: number;
  /** False when the texts are too long for an exact comparison. */
  readonly isExact: boolean;
  /** The first such row of each side. */
  readonly first: readonly DiffRow[];
}

/** Marks the rows that only one side has with `data-only`; the first row of a range gets `label` as its value. */
export function markDifferences(
  left: readonly DiffRow[],
  right: readonly DiffRow[],
  label: string,
): Differences {
  const textOf = ({ text }: DiffRow): string => text;
  const found = compareRows(left.map(textOf), right.map(textOf));
  const starts = [...markSide(left, found.left, label), ...markSide(right, found.right, label)];
  const first = [left, right].flatMap((rows) => rows.find((row) => starts.includes(row)) ?? []);
  return { count: starts.length, isExact: found.exact, first };
}

/** Marks the rows with these indexes. Returns the first row of each range. */
function markSide(rows: readonly DiffRow[], only: ReadonlySet<number>, label: string): DiffRow[] {
  return rows.filter(({ node }, index) => {
    const isStart = only.has(index) && !only.has(index - 1);
    if (only.has(index)) node.setAttribute('data-only', isStart ? label : '');
    else node.removeAttribute('data-only');
    return isStart;
  });
}

function rowsOfPart(part: Part, node: Element): DiffRow[] {
  const compared = comparisonOf(part);
  if (compared === null) return [];
  if (compared === 'blocks') {
    return blocksOf(node).map((block) => ({
      text: `${part.kind} ${comparableText(block)}`,
      node: block,
    }));
  }
  const text = JSON.stringify([part.kind, ...compared]);
  return [{ text, node: node.querySelector('summary') ?? node }];
}

/** The text of a block without the numbers of citations, which depend on the citations before them. */
function comparableText(block: Element): string {
  const copy = block.cloneNode(true) as Element;
  for (const cite of copy.querySelectorAll('.cite')) cite.remove();
  return copy.textContent;
}

/** The elements of a text part that are compared: blocks, list items and table rows. */
function blocksOf(node: Element): Element[] {
  const blocks = [...node.querySelectorAll('.ubik-markdown > *')];
  // The text of a user is not rendered as Markdown.
  if (blocks.length === 0) return [node];
  return blocks.flatMap((block) => {
    if (block.matches('ul, ol')) return [...block.children];
    const rows = [...block.querySelectorAll('tr')];
    return rows.length > 0 ? rows : [block];
  });
}

/** The parts of a message in document order. */
function listParts(message: Message, parent: string | null): Part[] {
  return message.parts.children(parent).flatMap((key) => {
    const part = message.parts.get(key);
    return part ? [part, ...listParts(message, key)] : [];
  });
}
