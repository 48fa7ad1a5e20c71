import type { LanguageFn } from 'highlight.js';

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** A language: how it is loaded, and the names of those that stand inside of it. */
export interface KnownLanguage {
  readonly load: Load;
  readonly inner: readonly string[];
}

/** Languages by all their names, each a file of its own that is loaded when it occurs; with those that stand inside of it. */
const LANGUAGES: readonly (readonly [names: string, load: Load, ...inner: string[]])[] = [
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
  LANGUAGES.flatMap(([names, load, ...inner]) =>
    names.split(' ').map((name) => [name, { load, inner }] as const),
  ),
);

/** The language of this name; undefined for one that is not known. */
export function findLanguage(name: string): KnownLanguage | undefined {
  return byName.get(name.toLowerCase());
}
