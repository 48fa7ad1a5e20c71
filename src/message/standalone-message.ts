import { apply } from '../model/apply.js';
import { EMPTY_ANSWER, type Message, type MessageFields } from '../model/message.js';
import type { PartTree } from '../model/part.js';
import { createStore } from '../model/store.js';
import { lazyRunSummary, MessageView } from './message-view.js';
import type { ViewContext } from './part-view.js';
import { workIn } from './part-selectors.js';

/** Key of the only thread and of its only message. */
const KEY = 'standalone';

/** Longest content that is parsed synchronously, in UTF-16 units. */
const MAX_SYNC_LENGTH = 65_536;
/** Length of the beginning, in UTF-16 units, that two long contents must share to count as states of the same growing text. */
const SAME_START = 1024;

/** Parses the content of a message. */
interface ContentParser {
  parse(content: string): readonly PartTree[];
  /** Parses long content in slices, and calls `pause` between them. */
  parseInSlices?(content: string, pause: () => Promise<void>): Promise<readonly PartTree[]>;
}

/** The message to render. */
interface StandaloneContent {
  readonly content: string;
  /** Author: `user`, or any other value for the assistant. */
  readonly author: string;
  /** Whether the content is incomplete. */
  readonly streaming: boolean;
}

/** Renders a message outside a thread from its content only. Its input requests cannot be answered. */
export class StandaloneMessage {
  readonly #store = createStore();
  readonly #context: ViewContext;
  readonly #onReady: () => void;
  #view: MessageView | null = null;
  /** The long content that was parsed last, and its parts. */
  #parsed: { readonly content: string; readonly parts: readonly PartTree[] } | undefined;
  /** Identifies the parsing of long content that is in progress; undefined when none is, or when its result is not needed any more. */
  #parsing: object | undefined;
  /** The parser of the last long content. With another parser, the content has another format, so earlier results are dropped. */
  #parser: ContentParser | undefined;
  /** The loading of the module that summarizes the work; undefined until it was needed. */
  #summaryLoading: Promise<unknown> | undefined;
  #summaryFailed = false;

  /** `onReady` is called when long content has been parsed or code has been loaded, and must call `render` again. */
  constructor(context: ViewContext, onReady: () => void) {
    this.#context = context;
    this.#onReady = onReady;
  }

  /**
   * Renders a message and returns its node, which is always the same one; null while the first content, if it is long, is being parsed, and while
   * the code of the summary that it needs is being loaded. Later calls reconcile: equal parts do not change, and longer texts are appended to.
   * Without a parser, the content is plain text.
   */
  render(
    { content, author, streaming }: StandaloneContent,
    parser: ContentParser | null,
  ): HTMLElement | null {
    const parts = parser ? this.#parse(content, parser) : createPlainText(content);
    if (!parts) return this.#view?.node ?? null;
    return this.#renderParts(parts, author === 'user' ? 'user' : 'assistant', streaming);
  }

  #parse(content: string, parser: ContentParser): readonly PartTree[] | undefined {
    const isLong = parser.parseInSlices !== undefined && content.length > MAX_SYNC_LENGTH;
    if (isLong) return this.#parseLong(content, parser);
    this.#parsed = this.#parsing = undefined;
    return parser.parse(content);
  }

  /**
   * Parses long content in slices. When the content changes meanwhile, only its newest value is parsed next. Until then, returns the last
   * result if its content has the same beginning. The rest may differ: the host page may end a growing text with a cursor.
   */
  #parseLong(content: string, parser: ContentParser): readonly PartTree[] | undefined {
    if (parser !== this.#parser) this.#parsed = this.#parsing = undefined;
    this.#parser = parser;
    if (this.#parsed?.content !== content && this.#parsing === undefined) {
      const parsing = (this.#parsing = {});
      const pause = (): Promise<void> =>
        new Promise((resolve) => {
          this.#context.frames.schedule(() => {
            resolve();
          });
        });
      void parser.parseInSlices?.(content, pause).then((parts) => {
        if (this.#parsing !== parsing) return;
        this.#parsed = { content, parts };
        this.#parsing = undefined;
        this.#onReady();
      });
    }
    const { parts, content: parsed } = this.#parsed ?? {};
    return parsed !== undefined && content.startsWith(parsed.slice(0, SAME_START))
      ? parts
      : undefined;
  }

  #renderParts(
    parts: readonly PartTree[],
    role: MessageFields['role'],
    streaming: boolean,
  ): HTMLElement | null {
    const status = streaming ? 'streaming' : 'complete';
    // The view of a message cannot change its role.
    const value = { ...EMPTY_ANSWER, role: this.#view?.message.role ?? role, status } as const;
    const { applied } = apply(this.#store, {
      thread: KEY,
      time: 0,
      changes: [
        { type: 'message', message: KEY, value },
        { type: 'content', message: KEY, parts },
      ],
    });
    const message = this.#store.threads.get(KEY)?.messages.get(KEY);
    if (!message) throw new Error('The message that was just applied is missing.');
    if (!this.#view && this.#needsSummary(message)) return null;
    if (this.#view) for (const change of applied) this.#view.apply(change, message);
    this.#view ??= new MessageView(message, this.#context);
    return this.#view.node;
  }

  /**
   * Whether the summary is needed and not loaded yet, and loads it in this case. Until then, the work would be shown in full, and the summary
   * would hide it while the user looks at it.
   */
  #needsSummary({ parts, status }: Message): boolean {
    const isSummarized = status === 'complete' && this.#context.steps !== 'list';
    const isNeeded = isSummarized && workIn(parts, null).length > 0;
    if (!isNeeded || lazyRunSummary.value || this.#summaryFailed) return false;
    this.#summaryLoading ??= lazyRunSummary
      .load()
      // Without the summary, the work is shown in full.
      .catch(() => (this.#summaryFailed = true))
      .then(this.#onReady);
    return true;
  }

  /** Renders everything again after the language or the policy of the host page has changed. */
  redraw(): void {
    this.#view?.redraw();
  }
}

function createPlainText(text: string): readonly PartTree[] {
  return text ? [{ kind: 'text', key: 'text', text }] : [];
}
