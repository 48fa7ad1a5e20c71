import core from 'highlight.js/lib/core';
import type { Emitter, HighlightResult, HLJSApi, Language, LanguageFn } from 'highlight.js';

/** A stretch of code of one kind; an empty kind for what has none. */
export interface TokenRun {
  readonly kind: string;
  readonly text: string;
}

/** Reads the next slice of one piece of code. What was open at the end of the one before goes on in it. */
export type CodeTokenizer = (text: string) => readonly TokenRun[];

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
let inheritedScopes: readonly string[] = [];

/** Takes what the library finds as a list, where its own would write HTML. */
class TokenEmitter implements Emitter {
  readonly runs: { kind: string; text: string }[] = [];
  readonly open: string[] = [...inheritedScopes];

  constructor() {
    // Lists of languages inside of this one begin empty.
    inheritedScopes = [];
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

  __addSublanguage({ runs }: TokenEmitter): void {
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
const MAX_SLICE = 1500;

/** Code in slices that can be read in one piece of work each: lines that stand together, or one that is too long. */
export function sliceCode(code: string): readonly string[] {
  const slices: string[] = [];
  let slice = '';
  for (const line of code.split(/(?<=\n)/)) {
    if (slice !== '' && slice.length + line.length > MAX_SLICE) {
      slices.push(slice);
      slice = '';
    }
    slice += line;
  }
  return [...slices, slice];
}

/** The names of the language itself in its library, and of the rest of a piece of code. */
const MAIN_LANGUAGE = 'own';
const CONTINUATION = 'rest';

/** Resolves with what reads one piece of code from its beginning; with null when nobody knows the language. */
export async function createCodeTokenizer(language: string): Promise<CodeTokenizer | null> {
  const library = await loadLibrary(language);
  if (library === null) return null;
  let kinds: readonly string[] = [];
  let rest: Language | null = null;
  return (text) => {
    if (text.length > MAX_SLICE) return [{ kind: '', text }];
    if (rest) library.registerLanguage(CONTINUATION, () => rest as Language);
    inheritedScopes = kinds;
    const read = library.highlight(text, {
      language: rest ? CONTINUATION : MAIN_LANGUAGE,
      ignoreIllegals: true,
    });
    const { runs, open } = read._emitter as TokenEmitter;
    kinds = open;
    rest = continueMode(library, read._top);
    // When the library gives up, it gives a part of the text alone.
    return runs.map((run) => run.text).join('') === text ? runs : [{ kind: '', text }];
  };
}

/**
 * The rest of a piece of code as a language of its own, which begins inside of the mode that is open: the library can go on by itself,
 * but lets nobody ask for it.
 */
function continueMode(library: HLJSApi, open: HighlightResult['_top']): Language | null {
  if (!open || ('name' in open && open.name === CONTINUATION)) return open ?? null;
  const { case_insensitive, classNameAliases } = library.getLanguage(MAIN_LANGUAGE) ?? {};
  const own = { name: CONTINUATION, disableAutodetect: true, case_insensitive, classNameAliases };
  return Object.assign(Object.create(open), own) as Language;
}

/** Each language has a library for itself, so that code looks the same whatever else was shown before. */
function loadLibrary(name: string): Promise<HLJSApi | null> {
  const language = findLanguage(name);
  if (!language) return Promise.resolve(null);
  const known = libraries.get(name);
  if (known) return known;
  const loading = registerLanguages(core.newInstance(), language);
  libraries.set(name, loading);
  // A file that was not to be had is asked for again with the next block.
  loading.catch(() => libraries.delete(name));
  return loading;
}

async function registerLanguages(
  library: HLJSApi,
  { load, embedded }: LanguageDefinition,
): Promise<HLJSApi> {
  library.configure({ __emitter: TokenEmitter });
  const inside = embedded.map((name) => [name, findLanguage(name)?.load] as const);
  await Promise.all(
    [[MAIN_LANGUAGE, load] as const, ...inside].map(async ([name, file]) => {
      const definition = await file?.();
      if (definition) library.registerLanguage(name, definition.default);
    }),
  );
  return library;
}

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** A language: how it is loaded, and the names of those that stand inside of it. */
export interface LanguageDefinition {
  readonly load: Load;
  readonly embedded: readonly string[];
}

/** Languages by all their names, each a file of its own that is loaded when it occurs; with those that stand inside of it. */
const LANGUAGES: readonly (readonly [names: string, load: Load, ...embedded: string[]])[] = [
  ['bash sh shell zsh console', () => import('highlight.js/lib/languages/bash')],
  ['c h', () => import('highlight.js/lib/languages/c')],
  ['cpp c++ cc hpp cxx', () => import('highlight.js/lib/languages/cpp')],
  ['csharp cs c#', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['diff patch', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile docker', () => import('highlight.js/lib/languages/dockerfile'), 'bash'],
  ['go golang', () => import('highlight.js/lib/languages/go')],
  ['graphql gql', () => import('highlight.js/lib/languages/graphql')],
  ['http https', () => import('highlight.js/lib/languages/http'), 'json'],
  ['ini toml', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript js jsx mjs cjs', () => import('highlight.js/lib/languages/javascript'), 'xml'],
  ['json jsonc json5', () => import('highlight.js/lib/languages/json')],
  ['julia jl', () => import('highlight.js/lib/languages/julia')],
  ['kotlin kt kts', () => import('highlight.js/lib/languages/kotlin')],
  ['latex tex', () => import('highlight.js/lib/languages/latex')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile make mk', () => import('highlight.js/lib/languages/makefile')],
  ['markdown md', () => import('highlight.js/lib/languages/markdown'), 'xml'],
  ['matlab', () => import('highlight.js/lib/languages/matlab')],
  ['nginx', () => import('highlight.js/lib/languages/nginx')],
  ['perl pl pm', () => import('highlight.js/lib/languages/perl')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell ps1 pwsh', () => import('highlight.js/lib/languages/powershell')],
  ['python py gyp', () => import('highlight.js/lib/languages/python')],
  ['r', () => import('highlight.js/lib/languages/r')],
  ['ruby rb', () => import('highlight.js/lib/languages/ruby')],
  ['rust rs', () => import('highlight.js/lib/languages/rust')],
  ['scala', () => import('highlight.js/lib/languages/scala')],
  ['scss sass', () => import('highlight.js/lib/languages/scss')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript ts tsx mts cts', () => import('highlight.js/lib/languages/typescript'), 'xml'],
  ['xml html svg xhtml vue', () => import('highlight.js/lib/languages/xml'), 'css', 'javascript'],
  ['yaml yml', () => import('highlight.js/lib/languages/yaml')],
];

const byName = new Map(
  LANGUAGES.flatMap(([names, load, ...embedded]) =>
    names.split(' ').map((name) => [name, { load, embedded }] as const),
  ),
);

/** The language of this name; undefined for one that is not known. */
export function findLanguage(name: string): LanguageDefinition | undefined {
  return byName.get(name.toLowerCase());
}
