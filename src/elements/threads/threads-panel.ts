import { html, nothing, render } from 'lit';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { threadStrings } from '../../locales/en-threads.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { explainError } from '../../message/explain-error.js';
import type { Change } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Panel } from '../base/panel-controller.js';
import { ThreadActions, type ThreadListHost } from './thread-actions.js';
import { ThreadListView } from './thread-list-view.js';
import { titleOf } from './thread-summary.js';
import { threadsStyles } from './threads-styles.js';

addDefaultStrings(threadStrings);

/** First interval at which the list is reloaded for runs of other clients, in ms. It doubles each time. */
const MIN_POLL_INTERVAL = 5_000;
/** Longest interval at which the list is reloaded, in ms. */
const MAX_POLL_INTERVAL = 60_000;

/** The content of `<ubik-thread-list>`: a New button, a search field, and the list, which loads pages as the user scrolls. */
export class ThreadsPanel implements Panel {
  readonly styles = threadsStyles;
  readonly #host: ThreadListHost;
  readonly #header = element('div', 'thread-header');
  readonly #footer = element('div', 'thread-footer');
  readonly #scroller = element('div', 'thread-scroller', this.#footer);
  readonly node = element('div', 'threads', this.#header, this.#scroller);
  readonly #edgeObserver = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        if (target === this.#footer) this.#handleEndVisible();
        else this.#handleStartVisible();
      }
    },
    { root: this.#scroller, rootMargin: '50% 0px' },
  );
  #actions: ThreadActions | undefined;
  #listView: ThreadListView | undefined;
  #stopObserving: (() => void) | undefined;
  #stopPolling: (() => void) | undefined;
  /** Whether the actions were released, because the element was removed from the document. */
  #isReleased = false;

  constructor(host: ThreadListHost) {
    this.#host = host;
    this.node.role = 'navigation';
    this.#footer.role = 'status';
  }

  handleConnect(controller: StreamController): void {
    this.#unsubscribe();
    this.#actions?.release();
    this.#isReleased = false;
    this.#listView?.node.remove();
    const actions = new ThreadActions(this.#host, controller, {
      onChange: (id) => {
        // The deletion may have started or failed, and a thread that is being deleted is hidden.
        this.#listView?.invalidateOrder();
        this.#scheduleRender(id);
      },
      onFailure: (id, error) => {
        // The row of a failed deletion is hidden, so it must be rendered before it can show the error.
        this.#render();
        this.#listView?.showFailure(id, error);
        this.#render();
      },
    });
    this.#actions = actions;
    const { clock } = this.#host.context;
    // The search field keeps its text, so the new list gets the same query.
    const query = this.#listView?.query ?? '';
    this.#listView = new ThreadListView(actions, () => clock.now(), this.#scroller);
    this.#listView.query = query;
    this.#scroller.prepend(this.#listView.node);
    this.update();
    if (!this.node.hidden) void this.#loadMore();
  }

  handleChange(change: Change): void {
    // The status of the current thread depends only on its run and its input requests.
    const isRun = change.type === 'thread' && change.set.run;
    const isRequest =
      change.type === 'part' || (change.type === 'set' && change.path[0] === 'state');
    const { current } = this.#actions ?? {};
    if ((isRun || isRequest) && current) this.#scheduleRender(current);
  }

  handleNotice(notice: ControllerNotice): void {
    const actions = this.#actions;
    if (!actions) return;
    actions.statuses.handleNotice(notice);
    const { type } = notice;
    if (type === 'thread-changed') {
      // Opening a thread cancels its pending deletion.
      if (actions.current) actions.deletions.undo(actions.current);
      this.#scheduleRender();
    }
    if (type !== 'run-started' && type !== 'run-completed') return;
    const id = actions.statuses.findId(notice.thread) ?? '';
    if (type === 'run-started') this.#moveToTop(actions, id);
    this.#refreshTitle(actions, id);
  }

  update(): void {
    const { controller } = this.#actions ?? {};
    // Released actions observe neither the list nor other tabs.
    if (controller && this.#isReleased && this.#host.element.isConnected)
      return this.handleConnect(controller);
    this.node.hidden = !controller?.backend.capabilities.has('threads');
    this.node.ariaLabel = this.#host.context.locale.text('threads');
    if (controller) this.#subscribe(controller);
    this.#renderHeader();
    this.#listView?.invalidateRows();
    this.#render();
  }

  dispose(): void {
    this.#unsubscribe();
    // An element that is moved within the page is connected again in the same task.
    queueMicrotask(() => {
      const { controller, element: host } = this.#host;
      if (controller && host.isConnected) return;
      this.#isReleased = true;
      this.#actions?.release();
    });
  }

  #subscribe(controller: StreamController): void {
    if (this.#stopObserving || !this.#host.element.isConnected) return;
    const abort = new AbortController();
    const { signal } = abort;
    window.addEventListener('pagehide', () => this.#actions?.deletions.flush(true), { signal });
    window.addEventListener('storage', () => void this.#actions?.statuses.reload(), { signal });
    // Another device may have changed the list while this page was hidden.
    const handleVisibility = (): void => {
      if (!document.hidden && !this.node.hidden) void this.#actions?.pages.refresh();
    };
    document.addEventListener('visibilitychange', handleVisibility, { signal });
    const unsubscribe = controller.subscribe({ list: 'threads' }, (change) => {
      this.#listView?.invalidateOrder();
      if (change.type === 'item') this.#scheduleRender(change.key);
    });
    this.#observeEdges();
    this.#stopObserving = () => {
      abort.abort();
      unsubscribe();
      this.#edgeObserver.disconnect();
    };
  }

  #unsubscribe(): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#updatePolling();
  }

  /**
   * Reloads the list at growing intervals while the page is visible and the service lists a run that this browser does not read, because no
   * event reports its end.
   */
  #updatePolling(): void {
    const { clock } = this.#host.context;
    if (!this.#stopObserving || !this.#actions?.statuses.hasExternalRun) {
      this.#stopPolling?.();
      this.#stopPolling = undefined;
      return;
    }
    if (this.#stopPolling) return;
    let interval = MIN_POLL_INTERVAL;
    let dueAt = clock.now() + interval;
    this.#stopPolling = clock.everySecond(() => {
      if (document.hidden || clock.now() < dueAt) return;
      interval = Math.min(2 * interval, MAX_POLL_INTERVAL);
      dueAt = clock.now() + interval;
      void this.#actions?.pages.refresh();
    });
  }

  #observeEdges(): void {
    this.#edgeObserver.observe(this.#footer);
    if (this.#listView) this.#edgeObserver.observe(this.#listView.topSpacer);
  }

  /** Renders one row again in the next frame; by default all rows. */
  #scheduleRender(id?: Key): void {
    if (id === undefined) this.#listView?.invalidateRows();
    else this.#listView?.invalidateRows(id);
    this.#host.context.frames.schedule(this.#render);
  }

  readonly #render = (): void => {
    const actions = this.#actions;
    if (!actions) return;
    this.#listView?.update(actions.controller.threads, actions.deleting);
    this.#renderFooter(actions);
    this.#updatePolling();
  };

  /** Called when the end of the rendered rows is near the viewport: renders more rows, else loads the next page. */
  #handleEndVisible(): void {
    const { pages } = this.#actions ?? {};
    if (this.#listView?.extendDown()) this.#render();
    // A search covers the loaded threads only; the footer offers to load more.
    else if (pages?.hasMore && !pages.failure && !this.#listView?.query) void this.#loadMore();
    else return;
    this.#reobserveEdges();
  }

  /** Called when the start of the rendered rows is near the viewport: renders the rows before it. */
  #handleStartVisible(): void {
    if (!this.#listView?.extendUp()) return;
    this.#render();
    this.#reobserveEdges();
  }

  /** An IntersectionObserver only reports changes. Observing again reports an edge that is still in view. */
  #reobserveEdges(): void {
    if (!this.#stopObserving) return;
    this.#edgeObserver.disconnect();
    this.#observeEdges();
  }

  readonly #loadMore = async (): Promise<void> => {
    const { pages } = this.#actions ?? {};
    const loading = pages?.loadMore();
    this.#render();
    await loading;
    this.#render();
    this.#reobserveEdges();
  };

  /** Sets the time of a thread to now, as the service does when a run starts. */
  #moveToTop({ controller }: ThreadActions, id: string): void {
    const summary = controller.threads.get(id);
    if (typeof summary !== 'object' || summary === null) return;
    const updatedAt = this.#host.context.clock.now();
    const updated: Json = { ...(summary as { readonly [name: string]: Json }), updatedAt };
    controller.setListItem('threads', id, updated);
  }

  /** Services derive a title from the first message without sending an event, so the list is reloaded while the title is missing. */
  #refreshTitle({ controller, pages }: ThreadActions, id: string): void {
    if (id && !titleOf(controller.threads.get(id))) void pages.refresh();
  }

  #renderHeader(): void {
    const { text } = this.#host.context.locale;
    render(
      html`<button class="quiet thread-new" type="button" @click=${() => this.#actions?.create()}>
          ${text('threadNew')}
        </button>
        <input
          type="search"
          dir="auto"
          placeholder=${text('threadSearch')}
          aria-label=${text('threadSearch')}
          @input=${this.#handleSearchInput}
        />`,
      this.#header,
    );
  }

  readonly #handleSearchInput = ({ currentTarget }: Event): void => {
    if (!this.#listView) return;
    this.#listView.query = (currentTarget as HTMLInputElement).value;
    this.#render();
    this.#reobserveEdges();
  };

  /** Shows that the list is loading, has failed, is empty or is filtered, with a button that loads more. */
  #renderFooter({ pages, controller }: ThreadActions): void {
    const { locale } = this.#host.context;
    const { query, matchCount } = this.#listView ?? { query: '', matchCount: 0 };
    const isFiltered = query.trim() !== '';
    const renderText = (text: string) => html`<p class="meta" dir="auto">${text}</p>`;
    const renderButton = (text: string, label: string) =>
      html`<p class="line">
        <span class="words" dir="auto">${text}</span>
        <button class="quiet" type="button" @click=${this.#loadMore}>${label}</button>
      </p>`;
    let line: unknown = nothing;
    if (pages.isLoading) line = renderText(locale.text('threadsLoading'));
    else if (pages.failure?.code === 'aborted') {
      line = renderButton('', locale.text('threadsMore'));
    } else if (pages.failure) {
      line = renderButton(explainError(pages.failure, locale), locale.text('retry'));
    } else if (isFiltered) {
      const text = locale.text('threadSearched', { count: controller.threads.size });
      line = pages.hasMore ? renderButton(text, locale.text('threadsMore')) : renderText(text);
    } else if (matchCount === 0) line = renderText(locale.text('threadsNone'));
    const notFound =
      isFiltered && matchCount === 0 ? renderText(locale.text('threadsNotFound')) : nothing;
    render(html`${notFound}${line}`, this.#footer);
  }
}

/** Creates the content of `<ubik-thread-list>`. */
export function createPanel(host: ThreadListHost): ThreadsPanel {
  return new ThreadsPanel(host);
}
