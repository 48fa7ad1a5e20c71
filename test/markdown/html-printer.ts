import type {
  Block,
  Leaf,
  ListBlock,
  ParagraphBlock,
  TableBlock,
} from '../../src/markdown/blocks/block.js';
import { BlockParser } from '../../src/markdown/blocks/block-parser.js';
import type { BlockSink } from '../../src/markdown/blocks/block-sink.js';
import { DefinitionTable } from '../../src/markdown/blocks/definition-table.js';
import { parseInline } from '../../src/markdown/inline/inline-parser.js';
import type { Inline } from '../../src/markdown/inline/inline.js';

interface Node {
  readonly block: Block;
  readonly children: Node[];
  text: string;
  rows: string[];
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Prints a text as CommonMark's reference does: for the parser's tests only, nothing of it is in the product. */
export function printHtml(source: string): string {
  const definitions = new DefinitionTable();
  const sink = new TreeSink();
  const parser = new BlockParser(sink, definitions);
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) parser.beginLine(line, true, 0);
  parser.close();
  const inline = (text: string): string =>
    parseInline({
      text,
      from: 0,
      to: text.length,
      open: false,
      lookup: (label) => definitions.get(label),
    })
      .settled.map(printInline)
      .join('');
  return sink.roots.map((node) => printBlock(node, inline, false)).join('');
}

class TreeSink implements BlockSink {
  readonly roots: Node[] = [];
  readonly #nodes = new Map<Block, Node>();

  open(block: Block): void {
    const node = { block, children: [], text: '', rows: [] };
    this.#nodes.set(block, node);
    const parent = block.parent === null ? undefined : this.#nodes.get(block.parent);
    (parent?.children ?? this.roots).push(node);
    if (block.kind === 'heading') node.text = block.text;
  }
  grow(leaf: Leaf, text: string): void {
    const node = this.#nodes.get(leaf);
    if (node) node.text += text;
  }
  row(table: TableBlock): void {
    this.#nodes.get(table)?.rows.push(table.row);
  }
  close(block: Block): void {
    const node = this.#nodes.get(block);
    if (node && block.kind === 'paragraph') node.text = block.pieces.join('');
    if (node && block.kind === 'heading') node.text = block.text;
  }
  drop(block: ParagraphBlock): void {
    const node = this.#nodes.get(block);
    const parent = block.parent === null ? undefined : this.#nodes.get(block.parent);
    const siblings = parent?.children ?? this.roots;
    if (node) siblings.splice(siblings.indexOf(node), 1);
  }
  loosen(_list: ListBlock): void {}
  define(_label: string): void {}
}

function printBlock(
  { block, children, text, rows }: Node,
  inline: (text: string) => string,
  tight: boolean,
): string {
  const inner = (isTight = false): string =>
    children.map((child) => printBlock(child, inline, isTight)).join('');
  switch (block.kind) {
    case 'document':
      return inner();
    case 'quote':
      return `<blockquote>\n${inner()}</blockquote>\n`;
    case 'list': {
      const tag = block.marker.ordered ? 'ol' : 'ul';
      const start =
        block.marker.ordered && block.marker.start !== 1 ? ` start="${block.marker.start}"` : '';
      return `<${tag}${start}>\n${inner(block.tight)}</${tag}>\n`;
    }
    case 'item':
      return `<li>${inner(tight)}</li>\n`;
    case 'paragraph':
      return tight ? inline(text) : `<p>${inline(text)}</p>\n`;
    case 'heading': {
      const content = text
        .replace(/^[ \t]*#+[ \t]*$/, '')
        .replace(/[ \t]+#+[ \t]*$/, '')
        .trim();
      return `<h${block.level}>${inline(content)}</h${block.level}>\n`;
    }
    case 'rule':
      return '<hr />\n';
    case 'code': {
      const language = block.info.split(/\s+/)[0];
      const name = language ? ` class="language-${escape(language)}"` : '';
      return `<pre><code${name}>${escape(text)}</code></pre>\n`;
    }
    case 'html':
      return `${text}\n`;
    case 'table':
      return `<table>${block.header.map((cell) => `<th>${inline(cell)}</th>`).join('')}|${rows.join('\n')}</table>\n`;
  }
}

function printInline(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return escape(inline.text);
    case 'code':
      return `<code>${escape(inline.text)}</code>`;
    case 'break':
      return '<br />\n';
    case 'emphasis':
      return `<em>${inline.children.map(printInline).join('')}</em>`;
    case 'strong':
      return `<strong>${inline.children.map(printInline).join('')}</strong>`;
    case 'strike':
      return `<del>${inline.children.map(printInline).join('')}</del>`;
    case 'link':
      return `<a href="${escape(inline.destination)}"${titleOf(inline.title)}>${inline.children.map(printInline).join('')}</a>`;
    case 'image':
      return `<img src="${escape(inline.destination)}" alt="${escape(inline.alt)}"${titleOf(inline.title)} />`;
    case 'mark':
      return `<mark>${inline.key}</mark>`;
    case 'task':
      return '<input>';
  }
}

const titleOf = (title: string): string => (title === '' ? '' : ` title="${escape(title)}"`);
