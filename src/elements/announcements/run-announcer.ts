import type { ControllerNotice } from '../../controller/controller-types.js';
import { announcementStrings } from '../../locales/en-announcements.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { createContentText } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { announcementsOf } from '../../message/message-formats.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Part } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import type { RunState } from '../../model/thread.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { Announcement, LiveRegions } from './lazy-announcer.js';
import { toSpokenText } from './spoken-text.js';

addDefaultStrings(announcementStrings);

/** States of the connection that are said when they begin. */
const ANNOUNCED_STATES: Partial<Record<RunState, 'stalled' | 'rejoining' | 'stopping'>> = {
  stalled: 'stalled',
  broken: 'rejoining',
  rejoining: 'rejoining',
  stopping: 'stopping',
};

/**
 * Finds what is to be said while an answer comes: its finished sentences in their order, each step and each tool when it begins, what
 * fails, questions, and how the run stands. Nothing is said twice, and nothing of what was there before.
 */
export class RunAnnouncer {
  readonly #host: ConnectedHost;
  readonly #liveRegions: LiveRegions;
  readonly #level: () => string;
  readonly #sentenceAnnouncer: SentenceAnnouncer;
  /** Parts that have changed since the last frame, in the order of their changes, and from where on there is new text. */
  readonly #changedParts = new Map<Key, number>();
  /** The text that grew last. */
  #growingText: Key | undefined;
  /** Steps and tools that were told of, and failures; of one answer. */
  #announced = new Set<string>();
  #answer: Key | undefined;
  #announcedState = '';

  constructor(host: ConnectedHost, announcer: LiveRegions, level: () => string) {
    this.#host = host;
    this.#liveRegions = announcer;
    this.#level = level;
    this.#sentenceAnnouncer = new SentenceAnnouncer((words) => {
      announcer.announce(words && createContentText(words, host.context.locale));
    });
  }

  /** The shown thread has changed, or the answer that is on. */
  handleChange(change: Change): void {
    if (change.type === 'thread') this.#announceRunState();
    if (!('part' in change) || change.part === null || this.#level() === 'brief') return;
    const at = change.type === 'text' ? change.at : Infinity;
    this.#changedParts.set(
      change.part,
      Math.min(at, this.#changedParts.get(change.part) ?? Infinity),
    );
    this.#host.context.frames.schedule(this.#announceChanges);
  }

  /** The conversation has told something. */
  handleNotice(notice: ControllerNotice): void {
    const { locale } = this.#host.context;
    switch (notice.type) {
      case 'run-started':
        this.#liveRegions.announce(locale.text('working'));
        break;
      case 'run-ended':
        this.#announceEnd(locale.text('answerComplete'));
        break;
      case 'run-stopped':
        this.#announceEnd(locale.text('stopped'));
        break;
      case 'input-required':
        this.#announceRequest(notice.message, notice.request);
        break;
      case 'auth-required':
        this.#liveRegions.announce(locale.text('signIn'), true);
        break;
      case 'run-failed':
      case 'run-interrupted':
        // What could not be sent is taken back: the field says why.
        if (this.#currentAnswer) this.#announceEnd(explainError(notice.error, locale), true);
        break;
      default:
    }
  }

  /** The answer that is on. */
  get #currentAnswer(): Message | undefined {
    const thread = this.#host.controller?.thread;
    return thread?.messages.get(thread.run.answer ?? '');
  }

  readonly #announceChanges = (): void => {
    const message = this.#currentAnswer;
    if (message && message.key !== this.#answer) {
      this.#answer = message.key;
      this.#announced = new Set();
      this.#growingText = undefined;
    }
    for (const [key, at] of this.#changedParts) {
      const part = message?.parts.get(key);
      if (part) this.#announcePart(part, at);
    }
    this.#changedParts.clear();
  };

  #announcePart(part: Part, at: number): void {
    const announcements = announcementsOf(part, this.#host.context.locale);
    if (announcements !== 'sentences') {
      for (const { id, text } of announcements) this.#announceOnce(id, text);
    } else if (Number.isFinite(at) && part.text) {
      if (part.key !== this.#growingText) this.#finishText();
      this.#growingText = part.key;
      this.#sentenceAnnouncer.announceComplete(part.text, at);
    }
  }

  #announceOnce(id: string, words: string | Node): void {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    this.#finishText();
    this.#liveRegions.announce(typeof words === 'string' ? words.trim() : words);
  }

  /** What was begun is said to its end: something else follows. */
  #finishText(): void {
    const part = this.#currentAnswer?.parts.get(this.#growingText ?? '');
    if (part?.text) this.#sentenceAnnouncer.announceRest(part.text);
    this.#growingText = undefined;
  }

  #announceEnd(words: Announcement, urgent = false): void {
    this.#announceChanges();
    this.#finishText();
    this.#liveRegions.announce(words, urgent);
  }

  #announceRunState(): void {
    const { controller, context } = this.#host;
    const name = ANNOUNCED_STATES[controller?.thread?.run.state ?? 'idle'] ?? '';
    if (name === this.#announcedState) return;
    this.#announcedState = name;
    if (name) this.#liveRegions.announce(context.locale.text(name));
  }

  /** Says a question, when it is asked here. */
  #announceRequest(message: Key, request: Key): void {
    const { context, controller } = this.#host;
    const part = controller?.thread?.messages.get(message)?.parts.get(request);
    if (part?.kind !== 'request-activity' || this.#host.isHandledByPage(message, request)) return;
    const { locale } = context;
    this.#announceEnd([locale.text('needsAnswer'), ' ', createContentText(part.prompt, locale)]);
  }
}

/** Longest text that is looked at for the end of a sentence; what is longer is said as it is. */
const MAX_SEARCHED = 1000;
/** All up to the end of the last sentence. The number that begins a list item ends none: its dot belongs to what follows. */
const COMPLETE_SENTENCES = /^[^]*(?:(?<!(?:^|\n)[\s>#*+-]*\d{1,9})[.!?。！？؟](?=["')\]]*\s)|\n)/;

/** Growing texts as finished sentences, each once, never pieces. */
export class SentenceAnnouncer {
  readonly #announceText: (words: string) => void;
  /** How far each text has been said. */
  readonly #announcedLength = new WeakMap<TextSource, number>();

  constructor(say: (words: string) => void) {
    this.#announceText = say;
  }

  /** Says what has been finished since the last call; of a text that is met the first time, from `start` on. */
  announceComplete(text: TextSource, start: number): void {
    if (!this.#announcedLength.has(text)) this.#announcedLength.set(text, start);
    const rest = this.#readRest(text);
    this.#announce(
      text,
      rest.length > MAX_SEARCHED ? rest : (COMPLETE_SENTENCES.exec(rest)?.[0] ?? ''),
    );
  }

  /** Says all of it that has not been said. */
  announceRest(text: TextSource): void {
    this.#announce(text, this.#readRest(text));
  }

  #readRest(text: TextSource): string {
    return text.read(this.#startOf(text));
  }

  /** A text that was cut is not said again. */
  #startOf(text: TextSource): number {
    return Math.min(this.#announcedLength.get(text) ?? 0, text.length);
  }

  #announce(text: TextSource, words: string): void {
    this.#announcedLength.set(text, this.#startOf(text) + words.length);
    this.#announceText(toSpokenText(words));
  }
}
