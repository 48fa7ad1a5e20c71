import { compareRows } from '../../controller/checkpoints/compare-rows.js';
import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import type { MessageView } from '../../message/message-view.js';

/** What can differ between two ways: a text, and where it is shown. */
export interface DiffRow {
  readonly text: string;
  readonly node: Element;
}

/** What a message shows, in rows as small as a paragraph, an entry of a list or a row of a table. */
export function diffRowsOf(view: MessageView): DiffRow[] {
  const { message } = view;
  return listParts(message, null).flatMap((part) => {
    const node = view.viewOf(part.key)?.node;
    return node ? rowsOfPart(part, node) : [];
  });
}

/** What was found between two ways. */
interface Differences {
  /** Stretches that stand on one side alone. */
  readonly count: number;
  readonly exact: boolean;
  /** The first of each side. */
  readonly first: readonly DiffRow[];
}

/** Marks what stands on one side alone, the first row of each stretch in words. */
export function markDifferences(
  left: readonly DiffRow[],
  right: readonly DiffRow[],
  words: string,
): Differences {
  const textOf = ({ text }: DiffRow): string => text;
  const found = compareRows(left.map(textOf), right.map(textOf));
  const begins = [...markSide(left, found.left, words), ...markSide(right, found.right, words)];
  const first = [left, right].flatMap((rows) => rows.find((row) => begins.includes(row)) ?? []);
  return { count: begins.length, exact: found.exact, first };
}

function markSide(rows: readonly DiffRow[], only: ReadonlySet<number>, words: string): DiffRow[] {
  return rows.filter(({ node }, at) => {
    const begins = only.has(at) && !only.has(at - 1);
    if (only.has(at)) node.setAttribute('data-only', begins ? words : '');
    else node.removeAttribute('data-only');
    return begins;
  });
}

function rowsOfPart(part: Part, node: Element): DiffRow[] {
  const line = node.querySelector('summary') ?? node;
  const text = part.text?.read() ?? '';
  const row = (...said: readonly unknown[]): DiffRow[] => [
    { text: JSON.stringify([part.kind, ...said]), node: line },
  ];
  switch (part.kind) {
    case 'text':
      return blocksOf(node).map((block) => ({
        text: `text ${comparableText(block)}`,
        node: block,
      }));
    case 'step':
      return row(part.number, part.title);
    case 'tool':
      return row(part.name, part.input, part.result);
    case 'input-request':
      return row(part.prompt, part.answer);
    case 'error':
      return row(part.message);
    case 'checkpoint':
      return row(part.name);
    case 'thinking':
    case 'unknown':
      return row(text);
    default:
      // What only events told is gone after a reload: no difference between two ways.
      return [];
  }
}

/** What a block says. A citation that has another number because others stand before it is the same. */
function comparableText(block: Element): string {
  const copy = block.cloneNode(true) as Element;
  for (const cite of copy.querySelectorAll('.cite')) cite.remove();
  return copy.textContent;
}

function blocksOf(node: Element): Element[] {
  const blocks = [...node.querySelectorAll('.ubik-markdown > *')];
  // What a person wrote has no blocks.
  if (blocks.length === 0) return [node];
  return blocks.flatMap((block) => {
    if (block.matches('ul, ol')) return [...block.children];
    const rows = [...block.querySelectorAll('tr')];
    return rows.length > 0 ? rows : [block];
  });
}

function listParts(message: Message, parent: string | null): Part[] {
  return message.parts.children(parent).flatMap((key) => {
    const part = message.parts.get(key);
    return part ? [part, ...listParts(message, key)] : [];
  });
}
