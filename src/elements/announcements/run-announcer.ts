import type { ControllerNotice } from '../../controller/controller-types.js';
import { announcementStrings } from '../../locales/en-announcements.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { createContentText } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { announcementsOf, type PartAnnouncement } from '../../message/message-formats.js';
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

/** States of a run that are announced when they begin, each with the name of its text. */
const ANNOUNCED_STATES: Partial<Record<RunState, 'stalled' | 'rejoining' | 'stopping'>> = {
  stalled: 'stalled',
  broken: 'rejoining',
  rejoining: 'rejoining',
  stopping: 'stopping',
};

/**
 * Longest wait, in frames, before the complete sentences of a text that grows in each frame are announced. They are announced together,
 * because searching for them and announcing them in each frame would delay the text, and no screen reader speaks that fast.
 */
const MAX_FRAMES = 15;
/** Length of new text, in UTF-16 units, that ends this wait. */
const MAX_NEW_TEXT = 500;

/**
 * Derives announcements from a run: its start and end, complete sentences of the answer in order, the start of each step and tool, data,
 * failures, input requests, and the state of the connection. Announces nothing twice, and nothing that existed before the run started or was
 * joined.
 */
export class RunAnnouncer {
  readonly #host: ConnectedHost;
  readonly #liveRegions: LiveRegions;
  readonly #level: () => string;
  readonly #sentenceAnnouncer: SentenceAnnouncer;
  /**
   * Parts changed since the last announcement, in the order of their changes, with the offset at which new text starts; `Infinity` without
   * new text.
   */
  readonly #changedParts = new Map<Key, number>();
  /** UTF-16 units of text that have arrived since the last announcement; `Infinity` when something other than text has changed. */
  #newText = 0;
  /** Number of frames since the last announcement. */
  #frames = 0;
  /** Whether a part has changed since the last frame. */
  #hasChanged = false;
  /** Key of the text part that grew last. */
  #growingText: Key | undefined;
  /** The texts of the current answer that were announced, at least in part, with the keys of their parts. */
  #texts: { readonly key: Key; readonly text: TextSource }[] = [];
  /** Announced text that the answer has lost since, because its whole content has arrived, in other parts. It is not announced again. */
  #removedText = '';
  /** Ids of the announced steps, tools and failures of the current answer. */
  #announced = new Set<string>();
  /** The last text of each announcement without ids, by the key of its part. */
  #announcedParts = new Map<Key, string>();
  /**
   * Parts of the answer to which the changed parts and the announced ids belong. Identifies the answer, because messages of two controllers can
   * have the same key.
   */
  #answer: Message['parts'] | undefined;
  /** The text of {@link ANNOUNCED_STATES} that was announced last; empty when the current state has none. */
  #announcedState = '';

  constructor(host: ConnectedHost, liveRegions: LiveRegions, level: () => string) {
    this.#host = host;
    this.#liveRegions = liveRegions;
    this.#level = level;
    this.#sentenceAnnouncer = new SentenceAnnouncer((text) => {
      liveRegions.announce(text && createContentText(text, host.context.locale));
    });
  }

  /** Call this for each change of the shown thread or of its current answer. */
  handleChange(change: Change): void {
    if (change.type === 'thread') this.#announceRunState();
    if (!('part' in change) || change.part === null || this.#level() === 'brief') return;
    const answer = this.#host.controller?.thread?.messages.get(change.message)?.parts;
    if (answer !== this.#answer) this.#startAnswer(answer);
    const at = change.type === 'text' ? change.at : Infinity;
    this.#changedParts.set(
      change.part,
      Math.min(at, this.#changedParts.get(change.part) ?? Infinity),
    );
    // Only text waits for more text; other changes are announced in the next frame.
    this.#newText += change.type === 'text' ? change.text.length : Infinity;
    this.#hasChanged = true;
    this.#host.context.frames.schedule(this.#announceWhenDue);
  }

  /** Call this for each notice that is about the shown thread or about no thread. */
  handleNotice(notice: ControllerNotice): void {
    const { locale } = this.#host.context;
    switch (notice.type) {
      case 'run-started':
        this.#liveRegions.announce(locale.text('working'));
        break;
      case 'run-completed':
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
        // A message that could not be sent was returned to the composer, which shows the reason.
        if (this.#currentAnswer) this.#announceEnd(explainError(notice.error, locale), true);
        break;
      default:
    }
  }

  /** Announces the next state of the run even if it equals the last one. */
  forgetRunState(): void {
    this.#announcedState = '';
  }

  /** The answer of the current run. */
  get #currentAnswer(): Message | undefined {
    const thread = this.#host.controller?.thread;
    return thread?.messages.get(thread.run.answer ?? '');
  }

  /**
   * Announces the changes in the first frame without a further change, or after the longest wait. Returns true while it waits, so that it runs
   * again in the next frame.
   */
  readonly #announceWhenDue = (): boolean => {
    const isWaiting =
      this.#hasChanged && this.#newText < MAX_NEW_TEXT && (this.#frames += 1) < MAX_FRAMES;
    this.#hasChanged = false;
    if (!isWaiting) this.#announceChanges();
    return isWaiting;
  };

  #startAnswer(answer: Message['parts'] | undefined): void {
    this.#answer = answer;
    this.#announced = new Set();
    this.#announcedParts = new Map();
    this.#growingText = undefined;
    this.#texts = [];
    this.#removedText = '';
    this.#changedParts.clear();
  }

  #announceChanges(): void {
    this.#newText = this.#frames = 0;
    // The level may have been changed since the text arrived.
    if (this.#level() === 'off') this.#changedParts.clear();
    const answer = this.#currentAnswer;
    for (const [key, at] of this.#changedParts) {
      // Another thread may be shown by now, whose parts can have the same keys.
      const part = answer?.parts === this.#answer ? answer?.parts.get(key) : undefined;
      if (!answer || !part || this.#announcePart(answer, part, at)) this.#changedParts.delete(key);
    }
  }

  /** Returns false for a data part whose formats are not loaded yet. It is announced with the next change, or at the end of the run. */
  #announcePart(answer: Message, part: Part, at: number): boolean {
    const announcements = announcementsOf(part, this.#host.context.locale, answer);
    if (announcements === null) return false;
    if (announcements !== 'sentences') {
      for (const each of announcements) this.#announceOnce(each, part.key, answer);
    } else if (Number.isFinite(at) && part.text) {
      if (part.key !== this.#growingText) this.#finishText();
      this.#growingText = part.key;
      const { key, text } = part;
      const isNew = this.#texts.every((known) => known.text !== text);
      const start = isNew && at === 0 ? this.#skipRemoved(answer, text) : at;
      if (isNew) this.#texts.push({ key, text });
      this.#sentenceAnnouncer.announceComplete(text, start);
    }
    return true;
  }

  /** Returns how much of a new text was announced as part of texts that it replaces. */
  #skipRemoved({ parts }: Message, text: TextSource): number {
    for (const { key, text: known } of this.#texts) {
      const shown = parts.get(key)?.text === known ? known.read() : '';
      this.#removedText += this.#sentenceAnnouncer.takeRemoved(known, shown);
    }
    const announced = this.#removedText.trim();
    const words = text.read();
    const common = words.trim().slice(0, announced.length);
    // A text that has just begun may continue differently, so only whole sentences count as announced.
    if (!announced.startsWith(common) || !/\p{STerm}$/u.test(common)) return 0;
    this.#removedText = announced.slice(common.length);
    return words.indexOf(common) + common.length;
  }

  #announceOnce({ ids, text }: PartAnnouncement, key: Key, { parts }: Message): void {
    if (ids.length === 0) {
      const words = typeof text === 'string' ? text : (text.textContent ?? '');
      const known = this.#announcedParts;
      // The whole content may contain the same part under another key.
      const isSame = ([other, last]: [Key, string]) => last === words && !parts.get(other);
      const [former] = known.has(key) ? [key] : ([...known].find(isSame) ?? []);
      if (former !== undefined) known.delete(former);
      known.set(key, words);
      if (former !== undefined) return;
    }
    if (ids.some((id) => this.#announced.has(id))) return;
    for (const id of ids) this.#announced.add(id);
    this.#finishText();
    this.#liveRegions.announce(typeof text === 'string' ? text.trim() : text);
  }

  /** Announces the rest of the growing text, because another part follows, or the run ends or waits for input. */
  #finishText(): void {
    const part = this.#currentAnswer?.parts.get(this.#growingText ?? '');
    if (part?.text) this.#sentenceAnnouncer.announceRest(part.text);
    this.#growingText = undefined;
  }

  #announceEnd(text: Announcement, urgent = false): void {
    this.#announceChanges();
    this.#finishText();
    this.#liveRegions.announce(text, urgent);
  }

  #announceRunState(): void {
    const { controller, context } = this.#host;
    const name = ANNOUNCED_STATES[controller?.thread?.run.state ?? 'idle'] ?? '';
    if (name === this.#announcedState) return;
    this.#announcedState = name;
    if (name) this.#liveRegions.announce(context.locale.text(name));
  }

  /** Announces an input request, unless the host page answers it. */
  #announceRequest(message: Key, request: Key): void {
    const { context, controller } = this.#host;
    const part = controller?.thread?.messages.get(message)?.parts.get(request);
    if (part?.kind !== 'request-activity' || this.#host.isHandledByPage(message, request)) return;
    const { locale } = context;
    this.#announceEnd([locale.text('needsAnswer'), ' ', createContentText(part.prompt, locale)]);
  }
}

/** Longest text, in UTF-16 units, that is searched for the end of a sentence. A longer one is announced without a search. */
const MAX_SEARCHED = 1000;
/** Closing quotes and brackets, and Markdown syntax (`\x60` is the backtick), which may follow the mark at the end of a sentence. */
const CLOSING = String.raw`"'\p{Pe}\p{Pf}*_~\x60`;
/** Marks that end a sentence without white space after it, in Chinese and Japanese. */
const IDEOGRAPHIC = '。！？｡';
/**
 * Matches everything up to the end of the last complete sentence or line. A sentence ends with a mark and white space, or with an ideographic
 * mark and the beginning of the next sentence. In between, there may be characters of `CLOSING`, and before white space also “ and « (`Pi`), which
 * are closing quotes in some languages. The lookbehind excludes the full stop after the number of a list item.
 */
const COMPLETE_SENTENCES = new RegExp(
  String.raw`^[^]*(?:(?<!(?:^|\n)[\s>#*+\-]*\d{1,9})\p{STerm}[${CLOSING}\p{Pi}]*(?=\s)` +
    String.raw`|[${IDEOGRAPHIC}][${CLOSING}${IDEOGRAPHIC}]*(?=[^${CLOSING}${IDEOGRAPHIC}])|\n)`,
  'u',
);

/** Announces growing texts sentence by sentence, each sentence once. */
class SentenceAnnouncer {
  readonly #announceText: (text: string) => void;
  /** Length of the part of each text that was announced. */
  readonly #announcedLength = new WeakMap<TextSource, number>();
  /** What was announced of each text, and what precedes it. */
  readonly #announced = new WeakMap<TextSource, string>();

  constructor(announceText: (text: string) => void) {
    this.#announceText = announceText;
  }

  /** Announces the sentences that were completed since the last call; of a new text, from `start` on. */
  announceComplete(text: TextSource, start: number): void {
    if (!this.#announcedLength.has(text)) {
      this.#announcedLength.set(text, start);
      this.#announced.set(text, text.read().slice(0, start));
    }
    const rest = this.#readRest(text);
    this.#announce(
      text,
      rest.length > MAX_SEARCHED ? rest : (COMPLETE_SENTENCES.exec(rest)?.[0] ?? ''),
    );
  }

  /** Returns the announced part of a text after the beginning that it shares with `shown`. A second call does not return this part again. */
  takeRemoved(text: TextSource, shown: string): string {
    const announced = this.#announced.get(text) ?? '';
    let at = 0;
    while (at < announced.length && announced[at] === shown[at]) at += 1;
    this.#announced.set(text, announced.slice(0, at));
    return announced.slice(at);
  }

  /** Announces the rest of a text. */
  announceRest(text: TextSource): void {
    this.#announce(text, this.#readRest(text));
  }

  #readRest(text: TextSource): string {
    return text.read(this.#startOf(text));
  }

  /** Returns the offset after the announced part of a text. At most the end of the text, so a truncated text is not announced again. */
  #startOf(text: TextSource): number {
    return Math.min(this.#announcedLength.get(text) ?? 0, text.length);
  }

  #announce(text: TextSource, excerpt: string): void {
    this.#announcedLength.set(text, this.#startOf(text) + excerpt.length);
    this.#announced.set(text, (this.#announced.get(text) ?? '') + excerpt);
    this.#announceText(toSpokenText(excerpt));
  }
}
