import { html, render } from 'lit';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import type { Change } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Panel } from '../base/panel-element.js';
import { ThreadActions } from './thread-actions.js';
import type { ThreadListHost } from './thread-list-host.js';
import { renderFooter } from './list-foot.js';
import { ThreadListing } from './thread-listing.js';
import { titleOf } from './thread-order.js';
import { threadsStyles } from './threads-styles.js';
import { threadWords } from '../../locales/en-threads.js';
import { addWords } from '../../locales/locale.js';

addWords(threadWords);

/** The inside of the list of conversations. */
export class ThreadsPanel implements Panel {
  readonly styles = threadsStyles;
  readonly #host: ThreadListHost;
  readonly #head = element('div', 'thread-head');
  readonly #foot = element('div', 'thread-foot');
  readonly #scroller = element('div', 'thread-scroller', this.#foot);
  readonly node = element('div', 'threads', this.#head, this.#scroller);
  readonly #edges = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        if (target === this.#foot) this.#reachEnd();
        else this.#reachTop();
      }
    },
    { root: this.#scroller, rootMargin: '50% 0px' },
  );
  #acts: ThreadActions | undefined;
  #listing: ThreadListing | undefined;
  #watching: (() => void) | undefined;

  constructor(host: ThreadListHost) {
    this.#host = host;
    this.node.role = 'navigation';
    this.#foot.role = 'status';
  }

  connected(controller: StreamController): void {
    this.#unwatch();
    this.#acts?.leave();
    this.#listing?.node.remove();
    const acts = new ThreadActions(this.#host, controller, {
      changed: (id) => this.#redraw(id),
      failed: (id, code) => {
        // The row has come back: it is drawn before it can tell why.
        this.#draw();
        this.#listing?.fail(id, code);
        this.#draw();
      },
    });
    this.#acts = acts;
    const { clock } = this.#host.context;
    this.#listing = new ThreadListing(acts, () => clock.now(), this.#scroller);
    this.#scroller.prepend(this.#listing.node);
    this.update();
    if (!this.node.hidden) void this.#read();
  }

  changed(change: Change): void {
    // Only what a mark is made of: the run, and requests for input.
    const run = change.do === 'thread' && change.set.run;
    const asked = change.do === 'part' || (change.do === 'set' && change.path[0] === 'state');
    const { current } = this.#acts ?? {};
    if ((run || asked) && current) this.#redraw(current);
  }

  noticed(notice: ControllerNotice): void {
    const acts = this.#acts;
    if (!acts) return;
    acts.marks.hear(notice);
    const { type } = notice;
    if (type === 'thread-changed') {
      // Whoever opens a thread wants to have it.
      if (acts.current) acts.deletions.undo(acts.current);
      this.#redraw();
    }
    if (type === 'run-started') this.#touch(acts);
    if (type === 'run-started' || type === 'run-ended') this.#askTitle(acts);
  }

  update(): void {
    const { controller } = this.#acts ?? {};
    this.node.hidden = !controller?.backend.capabilities.has('threads');
    this.node.ariaLabel = this.#host.context.locale.text('threads');
    if (controller) this.#watch(controller);
    this.#renderHead();
    this.#listing?.reorder();
    this.#listing?.invalidate();
    this.#draw();
  }

  dispose(): void {
    this.#unwatch();
    // Not when it is only moved to another place of the page.
    queueMicrotask(() => {
      if (!this.#host.element.isConnected) this.#acts?.leave();
    });
  }

  #watch(controller: StreamController): void {
    if (this.#watching || !this.#host.element.isConnected) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    window.addEventListener('pagehide', () => this.#acts?.deletions.flush(true), { signal });
    window.addEventListener('storage', () => void this.#acts?.marks.reread(), { signal });
    // Another tab or another device may have gone on meanwhile.
    const look = (): void => {
      if (!document.hidden && !this.node.hidden) void this.#acts?.pages.renew();
    };
    document.addEventListener('visibilitychange', look, { signal });
    const stop = controller.subscribe({ list: 'threads' }, (change) => {
      this.#listing?.reorder();
      if (change.do === 'item') this.#redraw(change.key);
    });
    this.#observe();
    this.#watching = () => {
      leaving.abort();
      stop();
      this.#edges.disconnect();
    };
  }

  #unwatch(): void {
    this.#watching?.();
    this.#watching = undefined;
  }

  #observe(): void {
    this.#edges.observe(this.#foot);
    if (this.#listing) this.#edges.observe(this.#listing.above);
  }

  /** Draws one row again, by default all, in the next frame. */
  #redraw(id?: Key): void {
    if (id === undefined) this.#listing?.invalidate();
    else this.#listing?.invalidate(id);
    this.#host.context.frames.schedule(this.#draw);
  }

  readonly #draw = (): void => {
    const acts = this.#acts;
    if (!acts) return;
    this.#listing?.draw(acts.controller.threads, acts.gone);
    this.#renderFooter(acts);
  };

  /** The person has come to the end of what is drawn. */
  #reachEnd(): void {
    const { pages } = this.#acts ?? {};
    if (this.#listing?.down()) this.#draw();
    // A search finds in what is there, and the person says when there shall be more.
    else if (pages?.hasMore && !pages.failure && !this.#listing?.query) void this.#read();
    else return;
    this.#lookAgain();
  }

  /** The person has come to the beginning of what is drawn. */
  #reachTop(): void {
    if (!this.#listing?.up()) return;
    this.#draw();
    this.#lookAgain();
  }

  /** An observer tells when the end comes into sight, not that it still is. */
  #lookAgain(): void {
    if (!this.#watching) return;
    this.#edges.disconnect();
    this.#observe();
  }

  readonly #read = async (): Promise<void> => {
    const { pages } = this.#acts ?? {};
    const reading = pages?.more();
    this.#draw();
    await reading;
    this.#draw();
    if (!pages?.failure) this.#lookAgain();
  };

  /** A thread that is used stands on top, as it will in the service's list. */
  #touch({ controller, current }: ThreadActions): void {
    const listed = controller.threads.get(current ?? '');
    if (!current || typeof listed !== 'object' || listed === null) return;
    const updatedAt = this.#host.context.clock.now();
    const touched: Json = { ...(listed as { readonly [name: string]: Json }), updatedAt };
    controller.setItem('threads', current, touched);
  }

  /** Services name a thread by its first message, and tell nobody. */
  #askTitle({ controller, current, pages }: ThreadActions): void {
    if (current && !titleOf(controller.threads.get(current))) void pages.renew();
  }

  #renderHead(): void {
    const { text } = this.#host.context.locale;
    render(
      html`<button class="quiet thread-new" type="button" @click=${() => this.#acts?.create()}>
          ${text('threadNew')}
        </button>
        <input
          type="search"
          dir="auto"
          placeholder=${text('threadSearch')}
          aria-label=${text('threadSearch')}
          @input=${this.#search}
        />`,
      this.#head,
    );
  }

  readonly #search = ({ currentTarget }: Event): void => {
    if (!this.#listing) return;
    this.#listing.query = (currentTarget as HTMLInputElement).value;
    this.#draw();
    this.#lookAgain();
  };

  #renderFooter({ pages, controller }: ThreadActions): void {
    const { query, found } = this.#listing ?? { query: '', found: 0 };
    const end = { pages, size: controller.threads.size, found, isSearched: query.trim() !== '' };
    const read = (): void => void this.#read();
    render(renderFooter(end, this.#host.context.locale, read), this.#foot);
  }
}

/** Makes the inside of the list of conversations. */
export function createPanel(host: ThreadListHost): ThreadsPanel {
  return new ThreadsPanel(host);
}
