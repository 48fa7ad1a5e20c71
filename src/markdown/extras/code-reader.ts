import type { Emitter, HighlightResult, HLJSApi, Language } from 'highlight.js';
import core from 'highlight.js/lib/core';
import { findLanguage, type KnownLanguage } from './languages.js';

/** A stretch of code of one kind; an empty kind for what has none. */
export interface Run {
  readonly kind: string;
  readonly text: string;
}

/** Reads the next slice of one piece of code. What was open at the end of the one before goes on in it. */
export type CodeReader = (text: string) => readonly Run[];

/** The library's many scopes as the few kinds that a reader tells apart. */
const KINDS = new Map(
  Object.entries({
    comment: 'comment quote doctag',
    keyword: 'keyword built_in literal type selector-tag operator meta-keyword',
    string: 'string regexp char subst link meta-string',
    number: 'number symbol bullet variable template-variable',
    title: 'title section name class function',
    attr: 'attr attribute property params selector-class selector-id selector-attr tag',
    meta: 'meta',
    addition: 'addition',
    deletion: 'deletion',
  }).flatMap(([kind, scopes]) => scopes.split(' ').map((scope) => [scope, kind] as const)),
);

/** What the next list begins with: the library makes its lists itself. */
let carried: readonly string[] = [];

/** Takes what the library finds as a list, where its own would write HTML. */
class RunList implements Emitter {
  readonly runs: { kind: string; text: string }[] = [];
  readonly open: string[] = [...carried];

  constructor() {
    // Lists of languages inside of this one begin empty.
    carried = [];
  }

  addText(text: string, kind = this.open.at(-1) ?? ''): void {
    const last = this.runs.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') this.runs.push({ kind, text });
  }

  startScope(scope: string): void {
    this.open.push(KINDS.get(scope.split('.', 1)[0] ?? '') ?? this.open.at(-1) ?? '');
  }

  endScope(): void {
    this.open.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage({ runs }: RunList): void {
    for (const { kind, text } of runs) this.addText(text, kind);
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}

const libraries = new Map<string, Promise<HLJSApi>>();

/**
 * So much is read in one piece of work. The library looks at some signs again and again, in the square of their number: a line that is
 * longer stays as it is.
 */
const SLICE = 1500;

/** Code in slices that can be read in one piece of work each: lines that stand together, or one that is too long. */
export function sliceCode(code: string): readonly string[] {
  const slices: string[] = [];
  let slice = '';
  for (const line of code.split(/(?<=\n)/)) {
    if (slice !== '' && slice.length + line.length > SLICE) {
      slices.push(slice);
      slice = '';
    }
    slice += line;
  }
  return [...slices, slice];
}

/** The names of the language itself in its library, and of the rest of a piece of code. */
const OWN = 'own';
const REST = 'rest';

/** Resolves with what reads one piece of code from its beginning; with null when nobody knows the language. */
export async function createCodeReader(language: string): Promise<CodeReader | null> {
  const library = await loadLibrary(language);
  if (library === null) return null;
  let kinds: readonly string[] = [];
  let rest: Language | null = null;
  return (text) => {
    if (text.length > SLICE) return [{ kind: '', text }];
    if (rest) library.registerLanguage(REST, () => rest as Language);
    carried = kinds;
    const read = library.highlight(text, { language: rest ? REST : OWN, ignoreIllegals: true });
    const { runs, open } = read._emitter as RunList;
    kinds = open;
    rest = restOf(library, read._top);
    // When the library gives up, it gives a part of the text alone.
    return runs.map((run) => run.text).join('') === text ? runs : [{ kind: '', text }];
  };
}

/**
 * The rest of a piece of code as a language of its own, which begins inside of the mode that is open: the library can go on by itself,
 * but lets nobody ask for it.
 */
function restOf(library: HLJSApi, open: HighlightResult['_top']): Language | null {
  if (!open || ('name' in open && open.name === REST)) return open ?? null;
  const { case_insensitive, classNameAliases } = library.getLanguage(OWN) ?? {};
  const own = { name: REST, disableAutodetect: true, case_insensitive, classNameAliases };
  return Object.assign(Object.create(open), own) as Language;
}

/** Each language has a library for itself, so that code looks the same whatever else was shown before. */
function loadLibrary(name: string): Promise<HLJSApi | null> {
  const language = findLanguage(name);
  if (!language) return Promise.resolve(null);
  const known = libraries.get(name);
  if (known) return known;
  const loading = fill(core.newInstance(), language);
  libraries.set(name, loading);
  // A file that was not to be had is asked for again with the next block.
  loading.catch(() => libraries.delete(name));
  return loading;
}

async function fill(library: HLJSApi, { load, inner }: KnownLanguage): Promise<HLJSApi> {
  library.configure({ __emitter: RunList });
  const inside = inner.map((name) => [name, findLanguage(name)?.load] as const);
  await Promise.all(
    [[OWN, load] as const, ...inside].map(async ([name, file]) => {
      const definition = await file?.();
      if (definition) library.registerLanguage(name, definition.default);
    }),
  );
  return library;
}
