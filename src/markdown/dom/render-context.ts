import type { DefinitionTable } from '../blocks/definition-table.js';
import type { MarkdownStrings } from '../strings.js';
import type { UrlPolicy } from '../url-policy.js';
import type { References } from './references.js';

/** What all parts of one view share. */
export interface RenderContext {
  readonly document: Document;
  readonly urlPolicy: UrlPolicy;
  readonly strings: MarkdownStrings;
  readonly definitions: DefinitionTable;
  readonly references: References;
  /** The node of an inline mark. */
  mark(key: string): Node | null;
  /** Asks for one more image that loads by itself; false when there were enough. */
  takeImage(): boolean;
  /** Tells of an error that cost a block its looks. */
  report(error: unknown): void;
}

/** Makes an element with a class. */
export function make(context: RenderContext, tag: string, name?: string): HTMLElement {
  const element = context.document.createElement(tag);
  if (name !== undefined) element.setAttribute('class', name);
  return element;
}
