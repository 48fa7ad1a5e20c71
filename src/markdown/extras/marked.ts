import {
  Lexer,
  Marked,
  Parser,
  type MarkedExtension,
  type RendererObject,
  type Token,
  type TokenizerStartFunction,
  type Tokens,
} from 'marked';

/** The functions of the view that the extensions need. */
export interface ExtensionHost {
  readonly document: Document;
  /** Returns the nodes of HTML that an extension has written; null if it is too large or if the sanitizer is not loaded. */
  sanitize(html: string): DocumentFragment | null;
  /** Renders the source of standard blocks into a `div`, or that of inline text into a `span`. */
  draw(source: string, isInline: boolean): Element;
  /** Creates the node of an inline mark. */
  mark(key: string): Node | null;
}

/** A range of an inline text that an extension draws. */
export interface DrawnRange {
  readonly start: number;
  readonly end: number;
  /** Creates what the extension draws there. */
  create(): Element;
}

/**
 * Longer texts (in UTF-16 units), and texts with more of the characters for which marked takes more than linear time (delimiters of emphasis,
 * exclamation marks, line ends), are not given to the extensions.
 */
const MAX_LENGTH = 8192;
const MAX_SLOW_CHARACTERS = 512;
const SLOW_CHARACTER = /[*_~!\n]/g;
/** A text with a line that begins with 32 markers of quotes or lists is not given to the extensions. */
const DEEP_LINE = /^(?:[ \t]*(?:>|[-+*]|\d+[.)])){32}/m;

/** Maximum number of cached results of the sanitizer. */
const MAX_CACHED = 200;
/** Length of the longest HTML whose sanitized result is cached, in UTF-16 units. */
const MAX_CACHED_LENGTH = 4096;

/** Types of the standard tokens of marked: those that it creates without extensions. */
const STANDARD_TYPES = new Set(
  'blockquote br checkbox code codespan def del em escape heading hr html image link list list_item paragraph space strong table text'.split(
    ' ',
  ),
);
/** Names of the tokenizers and renderers of inline tokens. */
const INLINE_NAMES = new Set(
  'autolink br codespan del em emStrong escape image inlineText link reflink strong tag text url'.split(
    ' ',
  ),
);
/** Types of blocks whose child tokens are inline. */
const TEXT_TYPES = new Set(['heading', 'paragraph', 'text']);

const MARK = /\ue000([^\ue001]*)\ue001/g;

type Walk = (token: Token) => unknown;

/** The hooks of the extensions, which may be asynchronous. */
interface AsyncHooks {
  preprocess(markdown: string): string | Promise<string>;
  processAllTokens(tokens: Token[]): Token[] | Promise<Token[]>;
  postprocess(html: string): string | Promise<string>;
}

/** The extensions by their list, so that all texts of an element share them, and an error is reported once. */
const known = new WeakMap<readonly object[], Extensions>();

function extensionsOf(list: readonly object[]): Extensions {
  const extensions = known.get(list) ?? new Extensions(list);
  known.set(list, extensions);
  return extensions;
}

/**
 * Draws the source of a closed block with extensions of marked. Standard blocks within it are rendered by the view. Resolves to a function
 * that creates its element and may be called only once; to null when the extensions have nothing to draw, after an error, and for texts that
 * are too long or too deep.
 */
export async function drawBlock(
  list: readonly object[],
  source: string,
  host: ExtensionHost,
): Promise<(() => Element) | null> {
  const extensions = extensionsOf(list);
  return (await extensions.attempt(() => extensions.drawBlock(source, host))) ?? null;
}

/** Finds the ranges of a closed inline text that extensions of marked draw, in order. */
export async function findRanges(
  list: readonly object[],
  source: string,
  host: ExtensionHost,
): Promise<readonly DrawnRange[]> {
  const extensions = extensionsOf(list);
  return (await extensions.attempt(() => extensions.findRanges(source, host))) ?? [];
}

/** A part of a block that the view renders. */
interface Part {
  readonly source: string;
  readonly isInline: boolean;
}

/** An inline token and its range in the text, kept here because extensions may change `token.raw`. */
interface LocatedToken {
  readonly token: Token;
  readonly start: number;
  readonly end: number;
  readonly children: readonly LocatedToken[];
}

class Extensions {
  readonly #marked = new Marked();
  /** Standard tokens that a tokenizer of an extension has created. */
  readonly #created = new WeakSet<object>();
  /** Tokens that the `walkTokens` of an extension has changed. */
  readonly #changed = new WeakSet<object>();
  /** Standard inline tokens that no extension renders, although one renders others of their type. */
  readonly #declined = new WeakSet<object>();
  /** Standard types that an extension renders. */
  readonly #overridden = new Set<string>();
  /** The functions that find where inline tokens of extensions may begin. */
  readonly #starts: TokenizerStartFunction[] = [];
  /** Whether inline tokens of extensions may begin anywhere. */
  #areStartsUnknown = false;
  /** Whether extensions may draw blocks. */
  #drawsBlocks = false;
  /** Sanitized nodes by their HTML. */
  readonly #sanitized = new Map<string, DocumentFragment>();
  /** The parts of the block that is being drawn. */
  #parts: Part[] = [];
  #isReported = false;
  readonly #list: readonly object[];
  #isSetUp = false;

  constructor(list: readonly object[]) {
    this.#list = list;
  }

  /** Runs a function; resolves to null after an error. Only the first error is reported. */
  async attempt<Result>(run: () => Promise<Result>): Promise<Result | null> {
    try {
      this.#setUp();
      return await run();
    } catch (error) {
      if (!this.#isReported) globalThis.reportError(error);
      this.#isReported = true;
      return null;
    }
  }

  async drawBlock(source: string, host: ExtensionHost): Promise<(() => Element) | null> {
    if (!this.#drawsBlocks || isTooLarge(source)) return null;
    const marks = new Marks(source);
    const hooks = this.#marked.defaults.hooks as AsyncHooks | null | undefined;
    const options = this.#options;
    const text = hooks ? await hooks.preprocess(marks.text) : marks.text;
    const lexed = new Lexer(options).lex(text);
    const tokens = hooks ? await hooks.processAllTokens(lexed) : lexed;
    await this.#walk(tokens);
    if (!hooks && !tokens.some((token) => this.#isDrawn(token))) return null;
    this.#parts = [];
    const written = new Parser(options).parse(tokens);
    const parts = this.#parts;
    const html = hooks ? await hooks.postprocess(written) : written;
    const isStandard = text === marks.text && html.replace(PLACEHOLDER, '').trim() === '';
    const nodes = isStandard ? null : this.#sanitize(html, host);
    if (!nodes) return null;
    return () => {
      marks.insert(nodes, host, parts);
      return createBox('div', nodes, host);
    };
  }

  async findRanges(source: string, host: ExtensionHost): Promise<readonly DrawnRange[]> {
    if (!this.#mayBeginIn(source) || isTooLarge(source)) return [];
    const marks = new Marks(source);
    const options = this.#options;
    const lexer = new Lexer(options);
    // Some extensions prepare their inline tokens in a tokenizer of blocks.
    if (options.extensions?.block) lexer.blockTokens('\n', lexer.tokens);
    const tokens = lexer.inlineTokens(marks.text);
    const located = locate(tokens, marks.text, 0);
    await this.#walk([...lexer.tokens, ...tokens]);
    const found: DrawnRange[] = [];
    for (const { start, end, html } of this.#drawTokens(located, new Parser(options))) {
      const nodes = this.#sanitize(html, host);
      if (!nodes) continue;
      const create = (): Element => {
        const copy = nodes.cloneNode(true) as DocumentFragment;
        marks.insert(copy, host, []);
        return createBox('span', copy, host);
      };
      found.push({ start: marks.toSource(start), end: marks.toSource(end), create });
    }
    return found;
  }

  /** Sanitizes HTML. Extensions often write the same HTML, such as that of an emoji, and sanitizing is the most expensive step. */
  #sanitize(html: string, host: ExtensionHost): DocumentFragment | null {
    // The policy for links and images may change, and images are counted.
    if (html.length > MAX_CACHED_LENGTH || /<(?:a|img|image)\b/i.test(html))
      return host.sanitize(html);
    const cached = this.#sanitized.get(html);
    if (cached?.ownerDocument === host.document) return cached.cloneNode(true) as DocumentFragment;
    const nodes = host.sanitize(html);
    if (!nodes) return null;
    if (this.#sanitized.size >= MAX_CACHED) this.#sanitized.clear();
    this.#sanitized.set(html, nodes);
    return nodes.cloneNode(true) as DocumentFragment;
  }

  /** The options for lexers and parsers. Sets them on the hooks, too, as `marked.parse` does. */
  get #options(): Marked['defaults'] {
    const { defaults } = this.#marked;
    if (defaults.hooks) {
      defaults.hooks.options = defaults;
      defaults.hooks.block = true;
    }
    return defaults;
  }

  #setUp(): void {
    if (this.#isSetUp) return;
    this.#isSetUp = true;
    this.#marked.use({ renderer: this.#createStandardRenderer() });
    for (const extension of this.#list) this.#marked.use(this.#observe(extension));
  }

  /** Records what an extension may draw. Returns the extension with tokenizers that record the tokens that they create. */
  #observe(extension: MarkedExtension): MarkedExtension {
    const { extensions, tokenizer, renderer, walkTokens, hooks } = extension;
    for (const entry of extensions ?? []) {
      if (STANDARD_TYPES.has(entry.name)) this.#addOverridden([entry.name]);
      if (!('level' in entry) || entry.level === 'block') this.#drawsBlocks = true;
      else if (entry.start) this.#starts.push(entry.start);
      else this.#areStartsUnknown = true;
    }
    if (walkTokens || hooks) this.#drawsBlocks = true;
    const overridden: string[] = [];
    for (const name in renderer) overridden.push(name);
    this.#addOverridden(overridden);
    if (!tokenizer) return extension;
    const observed: Record<string, unknown> = {};
    for (const name in tokenizer) {
      const tokenize: unknown = Reflect.get(tokenizer, name);
      if (typeof tokenize !== 'function') continue;
      this.#addLevel(name);
      const created = this.#created;
      observed[name] = function (this: unknown, ...args: unknown[]): unknown {
        const token: unknown = Reflect.apply(tokenize, this, args);
        if (typeof token === 'object' && token) created.add(token);
        return token;
      };
    }
    return { ...extension, tokenizer: observed };
  }

  /** Records whether a tokenizer or renderer with this name, which an extension defines, handles inline tokens or blocks. */
  #addLevel(name: string): void {
    if (INLINE_NAMES.has(name)) this.#areStartsUnknown = true;
    else this.#drawsBlocks = true;
  }

  /** Records which standard tokens an extension renders, by the names of its renderers. */
  #addOverridden(names: readonly string[]): void {
    for (const name of names) {
      this.#addLevel(name);
      const type = name === 'listitem' ? 'list_item' : name.replace(/^table.*/, 'table');
      this.#overridden.add(type);
    }
  }

  /**
   * Creates the renderer that writes a placeholder for each standard block in which extensions draw nothing, because the view renders it. Where
   * a function of the renderer returns false, marked renders the token.
   */
  #createStandardRenderer(): RendererObject {
    const addPlaceholder = (source: string, isInline = false): string => {
      const tag = isInline ? 'span' : 'div';
      return `<${tag}>\ue000@${this.#parts.push({ source, isInline }) - 1}\ue001</${tag}>`;
    };
    const replaceStandard = (token: Token): string | false =>
      this.#hasDrawnChild(token) ? false : addPlaceholder(token.raw);
    const decline = (token: object): false => {
      this.#declined.add(token);
      return false;
    };
    return {
      br: decline,
      codespan: decline,
      del: decline,
      em: decline,
      image: decline,
      link: decline,
      strong: decline,
      code: ({ raw }) => addPlaceholder(raw),
      hr: ({ raw }) => addPlaceholder(raw),
      heading: replaceStandard,
      table: replaceStandard,
      blockquote: replaceStandard,
      list: replaceStandard,
      paragraph: (token) =>
        // Not `raw`: extensions may have removed text at the beginning of the paragraph from its child tokens only.
        this.#hasDrawnChild(token) ? false : addPlaceholder(joinSources(token.tokens)),
      text: (token) => {
        if (!('tokens' in token) || !token.tokens || this.#hasDrawnChild(token))
          return decline(token);
        return addPlaceholder(joinSources(token.tokens), true);
      },
      html: ({ raw, block }) => addPlaceholder(raw, !block),
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    };
  }

  /** Calls the `walkTokens` of the extensions for all tokens, waits for them, and records which tokens they have changed. */
  async #walk(tokens: Token[]): Promise<void> {
    const { walkTokens } = this.#marked.defaults as { readonly walkTokens?: Walk | null };
    if (!walkTokens) return;
    const pending: Promise<void>[] = [];
    void this.#marked.walkTokens(tokens, (token) => {
      const before = takeSnapshot(token);
      const record = (): void => {
        if (!isUnchanged(token, before)) this.#changed.add(token);
      };
      const result = walkTokens.call(this.#marked, token);
      record();
      // One result, or one for each of the extensions, most of which return nothing.
      for (const one of Array.isArray(result) ? (result as unknown[]) : [result])
        if (one instanceof Promise) pending.push(one.then(record));
    });
    if (pending.length > 0) await Promise.all(pending);
  }

  /** Whether an extension draws a token itself. */
  #isOfExtension(token: Token): boolean {
    const { type } = token;
    return (
      !STANDARD_TYPES.has(type) ||
      this.#overridden.has(type) ||
      this.#created.has(token) ||
      this.#changed.has(token)
    );
  }

  /** Whether an extension draws a block, or a block in it. */
  #isDrawn(token: Token): boolean {
    return this.#isOfExtension(token) || this.#hasDrawnChild(token);
  }

  #hasDrawnChild(token: Token): boolean {
    const { type, tokens = [] } = token as Tokens.Generic;
    if (type === 'list') return (token as Tokens.List).items.some((item) => this.#isDrawn(item));
    if (type === 'table') {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .some((cell) => cell.tokens.some((child) => this.#isChanged(child)));
    }
    // Inline tokens of extensions do not count, because they are drawn in the text that the view renders (`findRanges`). Tokens that
    // `walkTokens` has changed in this block do count.
    if (TEXT_TYPES.has(type)) return tokens.some((child) => this.#isChanged(child));
    return tokens.some((child) => this.#isDrawn(child));
  }

  #isChanged(token: Token): boolean {
    const { tokens = [] } = token as Tokens.Generic;
    return (
      (STANDARD_TYPES.has(token.type) && this.#changed.has(token)) ||
      tokens.some((child) => this.#isChanged(child))
    );
  }

  /** Whether an inline token of an extension may begin in a text. */
  #mayBeginIn(source: string): boolean {
    if (this.#areStartsUnknown) return true;
    if (this.#starts.length === 0) return false;
    const lexer = new Lexer(this.#options);
    return this.#starts.some((start) => {
      const at = start.call({ lexer }, source);
      return typeof at === 'number' && at >= 0;
    });
  }

  /** Returns the outermost inline tokens that extensions draw, with their HTML. */
  #drawTokens(
    located: readonly LocatedToken[],
    parser: Parser,
  ): readonly (LocatedToken & { readonly html: string })[] {
    return located.flatMap((entry) => {
      const { token, children } = entry;
      const html = this.#isOfExtension(token) ? parser.parseInline([token]) : null;
      const isDeclined =
        this.#declined.has(token) && !this.#created.has(token) && !this.#changed.has(token);
      return html === null || isDeclined
        ? this.#drawTokens(children, parser)
        : [{ ...entry, html }];
    });
  }
}

/** Matches the placeholders of the parts of a block that the view renders. */
const PLACEHOLDER = /<(div|span)>\ue000@\d+\ue001<\/\1>/g;

/** A text in which the keys of inline marks are replaced with numbers, so that marked does not read them as Markdown. */
class Marks {
  readonly text: string;
  readonly #marks: { readonly source: string; readonly start: number }[] = [];
  readonly #keys: string[] = [];

  constructor(source: string) {
    let start = 0;
    let previous = 0;
    this.text = source.replace(MARK, (mark: string, key: string, at: number) => {
      start += at - previous;
      previous = at + mark.length;
      this.#marks.push({ source: mark, start });
      const short = `\ue000${this.#keys.push(key) - 1}\ue001`;
      start += short.length;
      return short;
    });
  }

  /** Returns the position in the source that corresponds to a position in the text. */
  toSource(position: number): number {
    let result = position;
    for (const [index, { source, start }] of this.#marks.entries()) {
      if (start >= position) break;
      result += source.length - `${index}`.length - 2;
    }
    return result;
  }

  /** Puts the nodes of marks, and the parts that the view renders, in their places. */
  insert(nodes: DocumentFragment, host: ExtensionHost, parts: readonly Part[]): void {
    if (this.#keys.length === 0 && !nodes.textContent.includes('\ue000')) return;
    const texts = host.document.createTreeWalker(nodes, 4 /* SHOW_TEXT */);
    const marked: Text[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      if (text.data.includes('\ue000')) marked.push(text);
    }
    const unused = new Map(parts.entries());
    for (const text of marked) this.#replaceMarks(text, host, unused);
    if (this.#keys.length > 0)
      for (const element of nodes.querySelectorAll('*')) removeAttributeMarks(element);
  }

  #replaceMarks(text: Text, host: ExtensionHost, unused: Map<number, Part>): void {
    const [, number] = /^\ue000@(\d+)\ue001$/.exec(text.data) ?? [];
    const part = unused.get(Number(number));
    if (part) {
      unused.delete(Number(number));
      const drawn = host.draw(this.#restore(part.source), part.isInline);
      text.parentElement?.replaceWith(...(part.isInline ? [drawn] : drawn.childNodes));
      return;
    }
    const pieces = text.data.split(MARK).map((piece, index) => {
      if (index % 2 === 0) return piece;
      const key = this.#keys[Number(piece)];
      return (key !== undefined && createMark(host, key)) || '';
    });
    text.replaceWith(...pieces);
  }

  #restore(text: string): string {
    return text.replace(
      MARK,
      (mark: string, key: string) => this.#marks[Number(key)]?.source ?? mark,
    );
  }
}

/** Creates the node of a mark; returns null after an error. */
function createMark(host: ExtensionHost, key: string): Node | null {
  try {
    return host.mark(key);
  } catch (error) {
    globalThis.reportError(error);
    return null;
  }
}

function createBox(tag: string, nodes: DocumentFragment, { document }: ExtensionHost): Element {
  const box = document.createElement(tag);
  box.className = 'ubik-extension';
  box.append(nodes);
  return box;
}

/** Removes marks from the attributes of an element. A `class` with a mark is removed, because the sanitizer has not seen it without the mark. */
function removeAttributeMarks(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (!value.includes('\ue000')) continue;
    if (name === 'class') element.removeAttribute(name);
    else element.setAttribute(name, value.replace(MARK, ''));
  }
}

const isTooLarge = (source: string): boolean =>
  source.length > MAX_LENGTH ||
  (source.length > MAX_SLOW_CHARACTERS &&
    (source.match(SLOW_CHARACTER)?.length ?? 0) > MAX_SLOW_CHARACTERS) ||
  DEEP_LINE.test(source);

const joinSources = (tokens: readonly Token[]): string => tokens.map(({ raw }) => raw).join('');

/** Finds the ranges of inline tokens in a text. The source of a child is a part of that of its parent. */
function locate(tokens: readonly Token[], text: string, from: number): readonly LocatedToken[] {
  const located: LocatedToken[] = [];
  let at = from;
  for (const token of tokens) {
    const start = text.indexOf(token.raw, at);
    if (start < 0) break;
    at = start + token.raw.length;
    const children =
      'tokens' in token && token.tokens && token.type !== 'image' ? token.tokens : [];
    located.push({ token, start, end: at, children: locate(children, text, start) });
  }
  return located;
}

/** The values of a token, and its child tokens. */
interface Snapshot {
  readonly values: readonly unknown[];
  readonly tokens: readonly unknown[] | null;
}

/** A snapshot is taken of every token, so it is a list of values: an object with the same names would take several times as long. */
function takeSnapshot(token: Token): Snapshot {
  const { tokens } = token as Tokens.Generic;
  return { values: Object.values(token), tokens: tokens ? [...tokens] : null };
}

function isUnchanged(token: Token, { values, tokens }: Snapshot): boolean {
  const { tokens: children } = token as Tokens.Generic;
  let at = 0;
  for (const value of Object.values(token)) {
    if (!Object.is(value, values[at]) && (!children || value !== children)) return false;
    at += 1;
  }
  if (at !== values.length || children?.length !== tokens?.length) return false;
  return children?.every((child, index) => child === tokens?.[index]) ?? true;
}
