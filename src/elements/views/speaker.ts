import type { ControllerNotice } from '../../controller/controller-types.js';
import { announcementStrings } from '../../locales/en-announcements.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import type { RunState } from '../../model/thread.js';
import { explainError } from '../../message/explain-error.js';
import { createContentText } from '../../message/content-lang.js';
import { findToolError, toolLabel } from '../../message/tool/tool-text.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { Announcer, Said } from './announcer.js';
import { Sentences } from './sentences.js';

addDefaultStrings(announcementStrings);

/** States of the connection that are said when they begin. */
const STANDINGS: Partial<Record<RunState, 'stalled' | 'rejoining' | 'stopping'>> = {
  stalled: 'stalled',
  broken: 'rejoining',
  rejoining: 'rejoining',
  stopping: 'stopping',
};

/**
 * Finds what is to be said while an answer comes: its finished sentences in their order, each step and each tool when it begins, what
 * fails, questions, and how the run stands. Nothing is said twice, and nothing of what was there before.
 */
export class Speaker {
  readonly #host: ConnectedHost;
  readonly #announcer: Announcer;
  readonly #level: () => string;
  readonly #sentences: Sentences;
  /** Parts that have changed since the last frame, in the order of their changes, and from where on there is new text. */
  readonly #changed = new Map<Key, number>();
  /** The text that grew last. */
  #growing: Key | undefined;
  /** Steps and tools that were told of, and failures; of one answer. */
  #told = new Set<string>();
  #answer: Key | undefined;
  #standing = '';

  constructor(host: ConnectedHost, announcer: Announcer, level: () => string) {
    this.#host = host;
    this.#announcer = announcer;
    this.#level = level;
    this.#sentences = new Sentences((words) => {
      announcer.say(words && createContentText(words, host.context.locale));
    });
  }

  /** The shown thread has changed, or the answer that is on. */
  changed(change: Change): void {
    if (change.type === 'thread') this.#lookAtRun();
    if (!('part' in change) || change.part === null || this.#level() === 'brief') return;
    const at = change.type === 'text' ? change.at : Infinity;
    this.#changed.set(change.part, Math.min(at, this.#changed.get(change.part) ?? Infinity));
    this.#host.context.frames.schedule(this.#speak);
  }

  /** The conversation has told something. */
  noticed(notice: ControllerNotice): void {
    const { locale } = this.#host.context;
    switch (notice.type) {
      case 'run-started':
        this.#announcer.say(locale.text('working'));
        break;
      case 'run-ended':
        this.#finish(locale.text('answerComplete'));
        break;
      case 'run-stopped':
        this.#finish(locale.text('stopped'));
        break;
      case 'input-required':
        this.#sayRequest(notice.message, notice.request);
        break;
      case 'auth-required':
        this.#announcer.say(locale.text('signIn'), true);
        break;
      case 'run-failed':
      case 'run-interrupted':
        // What could not be sent is taken back: the field says why.
        if (this.#message) this.#finish(explainError(notice.error, locale), true);
        break;
      default:
    }
  }

  /** The answer that is on. */
  get #message(): Message | undefined {
    const thread = this.#host.controller?.thread;
    return thread?.messages.get(thread.run.answer ?? '');
  }

  readonly #speak = (): void => {
    const message = this.#message;
    if (message && message.key !== this.#answer) {
      this.#answer = message.key;
      this.#told = new Set();
      this.#growing = undefined;
    }
    for (const [key, at] of this.#changed) {
      const part = message?.parts.get(key);
      if (part) this.#tell(part, at);
    }
    this.#changed.clear();
  };

  #tell(part: Part, at: number): void {
    const { locale } = this.#host.context;
    const { text } = locale;
    switch (part.kind) {
      case 'text':
        if (Number.isFinite(at) && part.text) {
          if (part.key !== this.#growing) this.#endText();
          this.#growing = part.key;
          this.#sentences.follow(part.text, at);
        }
        break;
      case 'step':
      case 'step-activity': {
        const { number, title } = part;
        if (part.kind === 'step' && part.single) break;
        const words = number === null ? title : text('announceStep', { number, title });
        const told = number === null ? createContentText(words, locale) : words;
        this.#tellOnce(`step ${String(number ?? part.key)}`, told);
        break;
      }
      case 'tool':
      case 'tool-activity':
        this.#tellTool(part);
        break;
      default:
    }
  }

  #tellTool(part: Extract<Part, { kind: 'tool' | 'tool-activity' }>): void {
    const { locale } = this.#host.context;
    const id = `tool ${part.toolId || part.key}`;
    const name = toolLabel(part.name, locale);
    this.#tellOnce(id, locale.text('announceTool', { name }));
    const failed = part.kind === 'tool' ? findToolError(part.result) : part.reason;
    const reason = part.kind === 'tool' || part.state === 'failed' ? failed : null;
    if (reason !== null)
      this.#tellOnce(`${id} failed`, locale.text('announceFailure', { name, reason }));
  }

  #tellOnce(what: string, words: string | Node): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#endText();
    this.#announcer.say(typeof words === 'string' ? words.trim() : words);
  }

  /** What was begun is said to its end: something else follows. */
  #endText(): void {
    const part = this.#message?.parts.get(this.#growing ?? '');
    if (part?.kind === 'text' && part.text) this.#sentences.end(part.text);
    this.#growing = undefined;
  }

  #finish(words: Said, urgent = false): void {
    this.#speak();
    this.#endText();
    this.#announcer.say(words, urgent);
  }

  #lookAtRun(): void {
    const { controller, context } = this.#host;
    const name = STANDINGS[controller?.thread?.run.state ?? 'idle'] ?? '';
    if (name === this.#standing) return;
    this.#standing = name;
    if (name) this.#announcer.say(context.locale.text(name));
  }

  /** Says a question, when it is asked here. */
  #sayRequest(message: Key, request: Key): void {
    const { context, controller } = this.#host;
    const part = controller?.thread?.messages.get(message)?.parts.get(request);
    if (part?.kind !== 'request-activity' || this.#host.isHandledByPage(message, request)) return;
    const { locale } = context;
    this.#finish([locale.text('needsAnswer'), ' ', createContentText(part.prompt, locale)]);
  }
}
