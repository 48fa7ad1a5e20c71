import type { ControllerNotice } from '../../controller/controller-types.js';
import type { Change } from '../../model/change.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { Announcer, type Said } from './announcer.js';
import type { Speaker } from './speaker.js';

/** What finds the sentences. */
export const deferredSpeaker = createLazyModule(() => import('./speaker.js'));

/**
 * What a conversation says to people who do not see the screen. What finds the sentences is fetched with the first that there is
 * to be said; until then it is kept in mind what happened.
 */
export class LiveRegion {
  readonly #host: ConnectedHost;
  readonly #level: () => string;
  readonly #announcer = new Announcer();
  #speaker: Speaker | undefined;
  #waiting: ((speaker: Speaker) => void)[] = [];

  /** `level`: how much is said, `all` by default, `brief`, or `off`. */
  constructor(host: ConnectedHost, level: () => string) {
    this.#host = host;
    this.#level = level;
  }

  /** Where it is written. */
  get node(): Element {
    return this.#announcer.node;
  }

  /** Says a sentence that somebody has asked for. */
  say(words: Said): void {
    this.#announcer.say(words);
  }

  /** The shown thread has changed. */
  changed(change: Change): void {
    const { thread } = this.#host.controller ?? {};
    const isHeard =
      'message' in change ? change.message === thread?.run.answer : change.type === 'thread';
    if (isHeard)
      this.#tell((speaker) => {
        speaker.changed(change);
      });
  }

  /** The conversation has told something. */
  noticed(notice: ControllerNotice): void {
    this.#tell((speaker) => {
      speaker.noticed(notice);
    });
  }

  /** Says how something stands. */
  state(words: string): void {
    if (this.#level() !== 'off') this.say(words);
  }

  #tell(what: (speaker: Speaker) => void): void {
    if (this.#level() === 'off') return;
    if (this.#speaker) return what(this.#speaker);
    this.#waiting.push(what);
    if (this.#waiting.length > 1) return;
    const forget = (): void => {
      this.#waiting = [];
    };
    deferredSpeaker.load().then(({ Speaker }) => {
      this.#speaker = new Speaker(this.#host, this.#announcer, this.#level);
      for (const one of this.#waiting) one(this.#speaker);
      forget();
    }, forget);
  }
}
