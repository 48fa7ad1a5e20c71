import { asFields } from '../../fields.js';
import type { ChangedPath } from '../patched-reply.js';
import { isBlank, joinPath } from './read-json.js';

/**
 * The units in which parts are derived from the reply:
 *
 * - `step`: one entry of `message.content.middle_answer.progress`
 * - `process`: one entry of `message.content.final_answer.skill_process`
 * - `sources`: the results of searches and retrievals outside of the steps
 * - `thinking`, `answer`: `final_answer.thinking` and `final_answer.answer.text`
 * - `data`: `final_answer.answer_type_other` and `final_answer.answer.ask`
 * - `error`: the errors of the run
 */
export type SectionName = 'step' | 'process' | 'sources' | 'thinking' | 'answer' | 'data' | 'error';

/** A change of the reply inside one section. */
export interface SectionChange {
  readonly section: SectionName;
  /** Index of the entry; null for all entries, and in sections without entries. */
  readonly index: number | null;
  /** Path inside the section, joined by {@link joinPath}; empty for the section as a whole. */
  readonly path: string;
  /** The text that was appended to the string at the path; null for any other change. */
  readonly appended: string | null;
}

/** A node of the trie of paths on which the parts depend. */
interface PathNode {
  /** The section that starts here. */
  readonly section?: SectionName;
  /** The node for each index. */
  readonly each?: PathNode;
  /** Nodes by name. Without `each` and `names`, the parts depend on everything below. */
  readonly names?: ReadonlyMap<string, PathNode>;
}

const ANY: PathNode = {};

function names(nodes: Readonly<Record<string, PathNode>>): ReadonlyMap<string, PathNode> {
  return new Map(Object.entries(nodes));
}

function anyOf(list: string): ReadonlyMap<string, PathNode> {
  return new Map(list.split(' ').map((name) => [name, ANY]));
}

const STEP: PathNode = {
  section: 'step',
  // Omits token counts, which the service updates with each chunk of text, and `block_answer`, a second copy of the answer.
  names: anyOf(
    'id stage agent_name status answer think skill_info interrupted flags start_time end_time',
  ),
};

const PROCESS: PathNode = {
  section: 'process',
  names: anyOf('agent_name text thinking type status interrupted input_message'),
};

const CONTENT: PathNode = {
  names: names({
    middle_answer: {
      names: names({
        progress: { each: STEP },
        doc_retrieval: { section: 'sources' },
        graph_retrieval: { section: 'sources' },
        other_variables: {
          names: names({
            // Both spellings of the name occur.
            search_querys: { section: 'sources' },
            search_queries: { section: 'sources' },
            search_results: { section: 'sources' },
          }),
        },
      }),
    },
    final_answer: {
      names: names({
        skill_process: { each: PROCESS },
        thinking: { section: 'thinking' },
        answer: { names: names({ text: { section: 'answer' }, ask: { section: 'data' } }) },
        answer_type_other: { section: 'data' },
      }),
    },
  }),
};

const REPLY: PathNode = {
  names: names({
    error: { section: 'error' },
    message: {
      names: names({
        content: CONTENT,
        ext: { names: names({ error: { section: 'error' } }) },
      }),
    },
  }),
};

/** Length of the path `message.content`. A change on a longer path does not replace the content. */
const CONTENT_DEPTH = 2;

/** Whether a change replaces the reply, the message or its content. */
export function replacesContent({ path }: ChangedPath): boolean {
  return (
    path.length <= CONTENT_DEPTH &&
    (path[0] === undefined || path[0] === 'message') &&
    (path[1] === undefined || path[1] === 'content')
  );
}

/** Whether the `content` of a message is blank or no object. The service empties it when it fails internally. */
export function isBlankContent(content: unknown): boolean {
  return asFields(content) === null || isBlank(content);
}

/** Returns the sections that a change concerns; none when no part depends on its path. */
export function findChangedSections({ path, appended }: ChangedPath): readonly SectionChange[] {
  let node = REPLY;
  let index: number | null = null;
  let section: { readonly name: SectionName; readonly depth: number } | null = null;
  for (const [depth, segment] of path.entries()) {
    const isEntry = node.each !== undefined && isIndex(segment);
    const next = isEntry ? node.each : findNext(node, segment);
    if (!next) return [];
    if (isEntry) index = Number(segment);
    if (next.section) section = { name: next.section, depth: depth + 1 };
    node = next;
  }
  if (!section) return listSections(node).map((name) => wholeSection(name));
  return [{ section: section.name, index, path: joinPath(path.slice(section.depth)), appended }];
}

/** One change for each section, as a whole. */
export const ALL_SECTIONS: readonly SectionChange[] = listSections(REPLY).map((name) =>
  wholeSection(name),
);

function wholeSection(section: SectionName): SectionChange {
  return { section, index: null, path: '', appended: null };
}

function isIndex(segment: string | number): boolean {
  return typeof segment === 'number' || /^\d{1,5}$/.test(segment);
}

function findNext(node: PathNode, segment: string | number): PathNode | undefined {
  if (!node.names && !node.each) return ANY;
  return node.names?.get(String(segment));
}

function listSections({ section, each, names: inner }: PathNode): SectionName[] {
  if (section) return [section];
  const nodes = [...(each ? [each] : []), ...(inner?.values() ?? [])];
  return [...new Set(nodes.flatMap(listSections))];
}

/**
 * Returns the text by which a string of a section has grown from `before` to `after`, according to the changes. Null when the string was
 * replaced, or when the changes do not lead from one to the other.
 *
 * Compares lengths only: reading a character of a concatenated string would copy all of it.
 */
export function findAppended(
  changes: readonly SectionChange[],
  path: string,
  before: string,
  after: string,
): string | null {
  let appended = '';
  for (const change of changes) {
    if (change.path === path && change.appended !== null) appended += change.appended;
    else if (isWithin(path, change.path)) return null;
  }
  return before.length + appended.length === after.length ? appended : null;
}

function isWithin(path: string, outer: string): boolean {
  return outer === '' || path === outer || path.startsWith(`${outer}/`);
}

/** The changes of a batch, grouped by section. */
export class ChangedSections {
  readonly #sections = new Map<SectionName, SectionChange[]>();

  constructor(changes: readonly SectionChange[]) {
    for (const change of changes) {
      const list = this.#sections.get(change.section);
      if (list) list.push(change);
      else this.#sections.set(change.section, [change]);
    }
  }

  /** Adds a change of sections as a whole. */
  addWhole(...sections: readonly SectionName[]): void {
    for (const section of sections) {
      this.#sections.set(section, [...this.of(section), wholeSection(section)]);
    }
  }

  /** Returns the changes of a section, for all its entries. */
  of(section: SectionName): readonly SectionChange[] {
    return this.#sections.get(section) ?? [];
  }

  /** Returns the changes of each changed entry whose index is below `count`. */
  ofEntries(section: SectionName, count: number): ReadonlyMap<number, readonly SectionChange[]> {
    const changes = this.of(section);
    const entries = new Map<number, SectionChange[]>();
    const add = (index: number, change: SectionChange): void => {
      const list = entries.get(index);
      if (list) list.push(change);
      else entries.set(index, [change]);
    };
    for (const change of changes) {
      if (change.index !== null && change.index < count) add(change.index, change);
      if (change.index !== null) continue;
      for (let index = 0; index < count; index += 1) add(index, change);
    }
    return entries;
  }
}
