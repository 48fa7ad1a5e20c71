import type { Key } from '../../../model/json.js';
import type { Mark, PartTree } from '../../../model/part.js';
import { withoutForgedMarks } from './citation.js';
import { createCodeState } from './code-state.js';
import type {
  ContentParser,
  ContentParserOptions,
  ContentSink,
  HeldText,
} from './content-parser-types.js';
import { closeTools, stand, tellHeld } from './content-writer.js';
import { createKeyMaker } from './keys.js';
import { isBlankText, trimBlanks } from './constructs.js';
import { cloneState, createReader, type Reader } from './parser-state.js';
import { breakText, closeAll } from './tag-handlers.js';
import { flushText, readText } from './text-reader.js';

/**
 * A parser of UBIK message content (`ubik.md` section 7), for one text: stored content, the main text of a live message, or the text
 * of one live step. Stored content read whole, read in pieces, and `parseContent` are this one implementation.
 */
export function createContentParser(options: ContentParserOptions): ContentParser {
  const reader = createReader(options);
  return {
    push: (text) => readText(reader, withoutForgedMarks(text)),
    place: (open) => {
      flushText(reader, true);
      breakText(reader);
      stand(reader, open());
    },
    closeOpen: () => {
      flushText(reader);
      breakText(reader);
      closeTools(reader);
      reader.base.code = createCodeState();
    },
    end: () => {
      flushText(reader);
      tellHeld(reader);
      closeAll(reader);
    },
    snapshot: () => {
      const { options: _, ...state } = reader;
      return { state: cloneState(state) };
    },
    restore: ({ state }) => void Object.assign(reader, cloneState(state)),
    get held() {
      return readHeld(reader);
    },
    get work() {
      return reader.work;
    },
  };
}

const PAYLOADS = new Map([
  ['TOOL_STEP_INPUT', 'input'],
  ['TOOL_STEP_RESULT', 'result'],
] as const);

function readHeld({ zone, pending }: Reader): HeldText | null {
  const isEndTag = zone && `<<${zone.name}_END>>`.startsWith(pending);
  const text = trimBlanks((zone?.text ?? '') + (isEndTag ? '' : pending));
  if (isBlankText(text)) return null;
  const payload = (PAYLOADS as ReadonlyMap<string, HeldText['payload']>).get(zone?.name ?? '');
  return { text, tool: zone?.tool || null, payload: payload ?? null };
}

/**
 * Reads stored content: the text of an assistant's message as the service keeps it. Never throws; what is no construct is text.
 *
 * @example
 * const parts = parseContent('<<thinking>>Hm.<</thinking>>\nHello.');
 */
export function parseContent(text: string): PartTree[] {
  const builder = createTreeBuilder();
  const parser = createContentParser({ mode: 'stored', sink: builder, keys: createKeyMaker() });
  parser.push(text);
  parser.end();
  return builder.trees();
}

/** Units of text that are read between two pauses. */
const SLICE = 32_768;

/** Reads stored content as {@link parseContent} does, with a pause after each slice: a long message shall not hold up the page. */
export async function parseInSlices(text: string, pause: () => Promise<void>): Promise<PartTree[]> {
  const builder = createTreeBuilder();
  const parser = createContentParser({ mode: 'stored', sink: builder, keys: createKeyMaker() });
  for (let at = 0; at < text.length; at += SLICE) {
    if (at > 0) await pause();
    parser.push(text.slice(at, at + SLICE));
  }
  parser.end();
  return builder.trees();
}

/** A sink that builds trees. */
export interface TreeBuilder extends ContentSink {
  /** What has been told so far. They go on growing. */
  trees(): PartTree[];
}

/** A tree that grows. */
type Growing = PartTree & { text?: string; marks?: Record<Key, Mark>; parts?: PartTree[] };

/** A tree builder without parts. */
export function createTreeBuilder(): TreeBuilder {
  const roots: PartTree[] = [];
  const trees = new Map<Key | null, Growing>();
  /** The parser tells of parts that it has opened only. */
  const change = (key: Key, fill: (tree: Growing) => void): void => {
    const tree = trees.get(key);
    if (tree) fill(tree);
  };
  return {
    open: (key, parent, fields) => {
      const tree: Growing = { ...fields, key };
      const outer = trees.get(parent);
      (outer ? (outer.parts ??= []) : roots).push(tree);
      trees.set(key, tree);
    },
    append: (key, text) => change(key, (tree) => (tree.text = (tree.text ?? '') + text)),
    mark: (key, name, mark) => change(key, (tree) => ((tree.marks ??= {})[name] = mark)),
    set: (key, field, value) => change(key, (tree) => Object.assign(tree, { [field]: value })),
    trees: () => roots,
  };
}
