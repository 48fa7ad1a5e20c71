import type { ControllerNotice } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { Change } from '../../model/change.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { RunAnnouncer } from './run-announcer.js';

/** What finds the sentences. */
export const lazyRunAnnouncer = createLazyModule(() => import('./run-announcer.js'));

/**
 * What a conversation says to people who do not see the screen. What finds the sentences is fetched with the first that there is
 * to be said; until then it is kept in mind what happened.
 */
export class LazyAnnouncer {
  readonly #host: ConnectedHost;
  readonly #level: () => string;
  readonly #liveRegions = new LiveRegions();
  #runAnnouncer: RunAnnouncer | undefined;
  #pending: ((speaker: RunAnnouncer) => void)[] = [];

  /** `level`: how much is said, `all` by default, `brief`, or `off`. */
  constructor(host: ConnectedHost, level: () => string) {
    this.#host = host;
    this.#level = level;
  }

  /** Where it is written. */
  get node(): Element {
    return this.#liveRegions.node;
  }

  /** Says a sentence that somebody has asked for. */
  announce(words: Announcement): void {
    this.#liveRegions.announce(words);
  }

  /** The shown thread has changed. */
  handleChange(change: Change): void {
    const { thread } = this.#host.controller ?? {};
    const isHeard =
      'message' in change ? change.message === thread?.run.answer : change.type === 'thread';
    if (isHeard)
      this.#forward((speaker) => {
        speaker.handleChange(change);
      });
  }

  /** The conversation has told something. */
  handleNotice(notice: ControllerNotice): void {
    this.#forward((speaker) => {
      speaker.handleNotice(notice);
    });
  }

  /** Says how something stands. */
  announceStatus(words: string): void {
    if (this.#level() !== 'off') this.announce(words);
  }

  #forward(what: (speaker: RunAnnouncer) => void): void {
    if (this.#level() === 'off') return;
    if (this.#runAnnouncer) return what(this.#runAnnouncer);
    this.#pending.push(what);
    if (this.#pending.length > 1) return;
    const forget = (): void => {
      this.#pending = [];
    };
    lazyRunAnnouncer.load().then(({ RunAnnouncer }) => {
      this.#runAnnouncer = new RunAnnouncer(this.#host, this.#liveRegions, this.#level);
      for (const one of this.#pending) one(this.#runAnnouncer);
      forget();
    }, forget);
  }
}

/** What is said. */
export type Announcement = string | Node | (string | Node)[];

/** Announcements that stay in a region; older ones have been read. */
const MAX_ANNOUNCEMENTS = 5;

/** Two live regions: one that waits until the reader has finished, and one that does not. What is said is a whole sentence, once. */
export class LiveRegions {
  readonly #polite = createRegion('polite');
  readonly #assertive = createRegion('assertive');
  readonly node = element('div', 'hidden', this.#polite, this.#assertive);

  /** Says a sentence, in pieces where it is in more than one language; an `urgent` one at once. */
  announce(words: Announcement, urgent = false): void {
    const node = element('p', '', ...[words].flat());
    if (!node.textContent) return;
    const region = urgent ? this.#assertive : this.#polite;
    region.append(node);
    while (region.childElementCount > MAX_ANNOUNCEMENTS) region.firstElementChild?.remove();
  }
}

function createRegion(live: string): HTMLElement {
  const node = element('div');
  // A log says what is added, and not again what stands there.
  if (live === 'polite') node.role = 'log';
  node.ariaLive = live;
  return node;
}
