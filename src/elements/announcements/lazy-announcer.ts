import type { ControllerNotice } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { Change } from '../../model/change.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { RunAnnouncer } from './run-announcer.js';

/** The module that derives announcements from a run. */
export const lazyRunAnnouncer = createLazyModule(() => import('./run-announcer.js'));

/**
 * Announces what happens in the shown thread to screen readers. The code that derives announcements is loaded with the first notice or relevant
 * change. Until it is loaded, notices and changes are buffered; when it cannot be loaded, they are dropped.
 */
export class LazyAnnouncer {
  readonly #host: ConnectedHost;
  readonly #level: () => string;
  readonly #liveRegions = new LiveRegions();
  #runAnnouncer: RunAnnouncer | undefined;
  #pending: ((announcer: RunAnnouncer) => void)[] = [];

  /** `level` returns how much is announced: nothing with `off`, no content of answers with `brief`, everything with any other value. */
  constructor(host: ConnectedHost, level: () => string) {
    this.#host = host;
    this.#level = level;
  }

  /** The live regions. */
  get node(): Element {
    return this.#liveRegions.node;
  }

  /**
   * Removes the announced texts: screen readers can still find them in the live regions, and another user may have signed in. The next state of
   * the connection is announced, even if it equals the last one, which may be that of another controller.
   */
  clear(): void {
    this.#liveRegions.clear();
    this.#runAnnouncer?.forgetRunState();
  }

  /** Announces a text, whatever the level, for example because the user has requested it. */
  announce(text: Announcement): void {
    this.#liveRegions.announce(text);
  }

  /** Call this for each change of the shown thread. */
  handleChange(change: Change): void {
    const { thread } = this.#host.controller ?? {};
    const isRelevant =
      'message' in change ? change.message === thread?.run.answer : change.type === 'thread';
    if (isRelevant)
      this.#forward((announcer) => {
        announcer.handleChange(change);
      });
  }

  /** Call this for each notice of the controller. Ignores notices of threads that are not shown. */
  handleNotice(notice: ControllerNotice): void {
    if ('thread' in notice && notice.thread !== this.#host.controller?.thread?.key) return;
    this.#forward((announcer) => {
      announcer.handleNotice(notice);
    });
  }

  /** Announces a status, unless the level is `off`. */
  announceStatus(text: string): void {
    if (this.#level() !== 'off') this.announce(text);
  }

  #forward(call: (announcer: RunAnnouncer) => void): void {
    if (this.#level() === 'off') return;
    if (this.#runAnnouncer) return call(this.#runAnnouncer);
    this.#pending.push(call);
    // The first buffered call has already started loading the code.
    if (this.#pending.length > 1) return;
    const dropPending = (): void => {
      this.#pending = [];
    };
    lazyRunAnnouncer.load().then(({ RunAnnouncer }) => {
      this.#runAnnouncer = new RunAnnouncer(this.#host, this.#liveRegions, this.#level);
      for (const pending of this.#pending) pending(this.#runAnnouncer);
      dropPending();
    }, dropPending);
  }
}

/** Text of an announcement; several pieces if they differ in language. */
export type Announcement = string | Node | (string | Node)[];

/** Maximum number of announcements in a region. Older ones are removed, because they have been read out. */
const MAX_ANNOUNCEMENTS = 5;

/** Two ARIA live regions, one polite and one assertive. Their callers announce only whole sentences, and each sentence once. */
export class LiveRegions {
  readonly #polite = createRegion('polite');
  readonly #assertive = createRegion('assertive');
  readonly node = element('div', 'hidden', this.#polite, this.#assertive);

  /** Announces a text, interrupting other announcements if `urgent`. Does nothing if the text is empty. */
  announce(text: Announcement, urgent = false): void {
    const node = element('p', '', ...[text].flat());
    if (!node.textContent) return;
    const region = urgent ? this.#assertive : this.#polite;
    region.append(node);
    while (region.childElementCount > MAX_ANNOUNCEMENTS) region.firstElementChild?.remove();
  }

  /** Removes all announcements. */
  clear(): void {
    for (const region of this.node.children) region.replaceChildren();
  }
}

function createRegion(live: string): HTMLElement {
  const node = element('div');
  // With the role `log`, only additions are announced instead of the whole region.
  if (live === 'polite') node.role = 'log';
  node.ariaLive = live;
  return node;
}
