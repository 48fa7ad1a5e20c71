import type { Key } from '../../../model/json.js';
import type { CitationMark, PartTree } from '../../../model/part.js';
import { replaceMarkCharacters } from '../../untrusted-text.js';
import { createCodeState } from './code-state.js';
import type {
  ContentParser,
  ContentParserOptions,
  ContentSink,
  WithheldText,
} from './content-parser-types.js';
import { closeTools, setAnchor, flushWithheldBlanks } from './content-writer.js';
import { createKeyGenerator } from './keys.js';
import { isBlankText, trimBlanks } from './constructs.js';
import { cloneState, createParserState, type ParserState } from './parser-state.js';
import { interruptText, closeAll } from './tag-handlers.js';
import { flushText, feedText } from './text-reader.js';

/**
 * Creates a parser of UBIK message content (docs/ubik-protocol.md, section 7) for one text: stored content, the main text of a live
 * message, or the text of one live step. `parseContent` uses it as well, so that the same code parses stored and live content.
 */
export function createContentParser(options: ContentParserOptions): ContentParser {
  const parser = createParserState(options);
  return {
    push: (text) => feedText(parser, replaceMarkCharacters(text)),
    insertPart: (open) => {
      flushText(parser, true);
      interruptText(parser);
      setAnchor(parser, open());
    },
    closeOpen: () => {
      flushText(parser);
      interruptText(parser);
      closeTools(parser);
      parser.base.code = createCodeState();
    },
    end: () => {
      flushText(parser);
      flushWithheldBlanks(parser);
      closeAll(parser);
    },
    snapshot: () => {
      const { options: _, ...state } = parser;
      return { state: cloneState(state) };
    },
    restore: ({ state }) => void Object.assign(parser, cloneState(state)),
    get withheldText() {
      return getWithheldText(parser);
    },
    get openPayload() {
      const { pending, zone } = parser;
      if (!zone?.tool) return null;
      const { name, text, tool } = zone;
      return { tool, length: `<<${name}_START>>${text}${pending}`.length };
    },
    get work() {
      return parser.work;
    },
  };
}

const PAYLOADS = new Map([
  ['TOOL_STEP_INPUT', 'input'],
  ['TOOL_STEP_RESULT', 'result'],
] as const);

function getWithheldText({ zone, pending }: ParserState): WithheldText | null {
  const mayBeEndTag = zone && `<<${zone.name}_END>>`.startsWith(pending);
  const text = trimBlanks((zone?.text ?? '') + (mayBeEndTag ? '' : pending));
  if (isBlankText(text)) return null;
  const payload = (PAYLOADS as ReadonlyMap<string, WithheldText['payload']>).get(zone?.name ?? '');
  return { text, tool: zone?.tool || null, payload: payload ?? null };
}

/**
 * Parses stored content: the text of an assistant's message as the service stores it. Never throws; everything that is not a construct
 * is text.
 *
 * @example
 * const parts = parseContent('<<thinking>>Hm.<</thinking>>\nHello.');
 */
export function parseContent(text: string): PartTree[] {
  const builder = createTreeBuilder();
  const parser = createContentParser({ mode: 'stored', sink: builder, keys: createKeyGenerator() });
  parser.push(text);
  parser.end();
  return builder.trees();
}

/** Number of UTF-16 units that are parsed in a slice. */
const SLICE = 32_768;

/**
 * Parses stored content as {@link parseContent} does, with a pause after each slice, so that a long message does not
 * block the page.
 */
export async function parseInSlices(
  text: string,
  yieldSlice: () => Promise<void> | undefined,
): Promise<PartTree[]> {
  const builder = createTreeBuilder();
  const parser = createContentParser({ mode: 'stored', sink: builder, keys: createKeyGenerator() });
  for (let at = 0; at < text.length; at += SLICE) {
    if (at > 0) await yieldSlice();
    parser.push(text.slice(at, at + SLICE));
  }
  parser.end();
  return builder.trees();
}

/** A sink that builds trees. */
export interface TreeBuilder extends ContentSink {
  /** The trees so far. The parser adds to them. */
  trees(): PartTree[];
}

/** A tree that can be changed. */
type MutableTree = PartTree & {
  text?: string;
  marks?: Record<Key, CitationMark>;
  parts?: PartTree[];
};

/** Creates a tree builder. */
export function createTreeBuilder(): TreeBuilder {
  const roots: PartTree[] = [];
  const trees = new Map<Key | null, MutableTree>();
  /** Changes a part. An unknown key is ignored, since the parser changes only parts that it has added. */
  const change = (key: Key, fill: (tree: MutableTree) => void): void => {
    const tree = trees.get(key);
    if (tree) fill(tree);
  };
  return {
    open: (key, parent, fields) => {
      const tree: MutableTree = { ...fields, key };
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
