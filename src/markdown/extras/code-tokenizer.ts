import core from 'highlight.js/lib/core';
import type { Emitter, HighlightResult, HLJSApi, Language, LanguageFn } from 'highlight.js';

/** A run of code of one kind; the kind is empty for plain code. */
export interface TokenRun {
  readonly kind: string;
  readonly text: string;
}

/** Tokenizes the next slice of a code block. It continues in the state at the end of the previous slice. */
export type CodeTokenizer = (text: string) => readonly TokenRun[];

/** Maps the scopes of highlight.js to a few kinds. */
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

/**
 * The kinds of the scopes that are open where the next emitter begins, the innermost last. A module variable, because highlight.js passes
 * only its own options to its emitters.
 */
let inheritedScopes: readonly string[] = [];

/** An emitter for highlight.js that collects runs instead of writing HTML. */
class TokenEmitter implements Emitter {
  readonly runs: { kind: string; text: string }[] = [];
  /** The kinds of the open scopes, the innermost last. */
  readonly open: string[] = [...inheritedScopes];

  constructor() {
    // Emitters of embedded languages start without open scopes.
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
 * Maximum length of a slice, in UTF-16 units. A longer line is not highlighted, because highlight.js takes quadratic time for some inputs.
 */
const MAX_SLICE = 1500;

/** Splits code into slices of whole lines. A line that is too long is a slice by itself. */
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

/** The name under which the language of the code block is registered. */
const MAIN_LANGUAGE = 'main';
/** The name under which the state at the end of the previous slice is registered. */
const CONTINUATION = 'continuation';

/** Creates a tokenizer for a code block; resolves to null for an unknown language. */
export async function createCodeTokenizer(language: string): Promise<CodeTokenizer | null> {
  const library = await loadLibrary(language);
  if (library === null) return null;
  let openScopes: readonly string[] = [];
  let continuation: Language | null = null;
  return (text) => {
    if (text.length > MAX_SLICE) return [{ kind: '', text }];
    if (continuation) library.registerLanguage(CONTINUATION, () => continuation as Language);
    inheritedScopes = openScopes;
    const result = library.highlight(text, {
      language: continuation ? CONTINUATION : MAIN_LANGUAGE,
      ignoreIllegals: true,
    });
    const { runs, open } = result._emitter as TokenEmitter;
    openScopes = open;
    continuation = continueMode(library, result._top);
    // After an internal error, highlight.js returns a part of the text only.
    return runs.map((run) => run.text).join('') === text ? runs : [{ kind: '', text }];
  };
}

/**
 * Returns a language that begins inside the open mode. highlight.js can continue from a mode internally, but has no API for it since
 * version 11.
 */
function continueMode(library: HLJSApi, open: HighlightResult['_top']): Language | null {
  if (!open || ('name' in open && open.name === CONTINUATION)) return open ?? null;
  const { case_insensitive, classNameAliases } = library.getLanguage(MAIN_LANGUAGE) ?? {};
  const fields = {
    name: CONTINUATION,
    disableAutodetect: true,
    case_insensitive,
    classNameAliases,
  };
  return Object.assign(Object.create(open), fields) as Language;
}

/** Loads a language into a separate instance of highlight.js, so that the result does not depend on the languages loaded before. */
function loadLibrary(name: string): Promise<HLJSApi | null> {
  const language = findLanguage(name);
  if (!language) return Promise.resolve(null);
  const known = libraries.get(name);
  if (known) return known;
  const loading = registerLanguages(core.newInstance(), language);
  libraries.set(name, loading);
  // After a failure, the next code block tries again.
  loading.catch(() => libraries.delete(name));
  return loading;
}

async function registerLanguages(
  library: HLJSApi,
  { load, embedded }: LanguageDefinition,
): Promise<HLJSApi> {
  library.configure({ __emitter: TokenEmitter });
  const embeddedLoads = embedded.map((name) => [name, findLanguage(name)?.load] as const);
  await Promise.all(
    [[MAIN_LANGUAGE, load] as const, ...embeddedLoads].map(async ([name, loadLanguage]) => {
      const definition = await loadLanguage?.();
      if (definition) library.registerLanguage(name, definition.default);
    }),
  );
  return library;
}

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** A language: its loader, and the names of the languages that are embedded in it. */
export interface LanguageDefinition {
  readonly load: Load;
  readonly embedded: readonly string[];
}

/** The supported languages: names, loader and embedded languages. Each language is a chunk that is loaded on demand. */
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

/** Returns a language by any of its names; undefined for an unknown one. */
export function findLanguage(name: string): LanguageDefinition | undefined {
  return byName.get(name.toLowerCase());
}
