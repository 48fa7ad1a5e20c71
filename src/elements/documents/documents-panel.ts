import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Capability, DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { UploadTask } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import { element } from '../../dom/element.js';
import { documentStrings } from '../../locales/en-documents.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { Panel } from '../base/panel-controller.js';
import { acceptFiles, filesFromInput } from './attachment-controller.js';
import { addFiles, createOutcomeListener, type DocumentsPanelHost } from './document-actions.js';
import { DocumentPicker } from './document-picker.js';
import { DocumentRemovals } from './document-removals.js';
import { displayNameOf, formatSize, renderDocumentRow, renderUploadRow } from './document-rows.js';
import { documentStyles } from './document-styles.js';
import { isUbikError } from '../../errors.js';

addDefaultStrings(documentStrings);

// This module is the entry of the lazy-loaded chunk, which the composer uses too.
export { AttachmentList } from './attachment-list.js';
export { addFiles } from './document-actions.js';

/** Creates the content of `<ubik-documents>`. */
export function createPanel(host: DocumentsPanelHost): Panel {
  return new DocumentsPanel(host);
}

/** The documents of the current thread and the uploads to it, with controls for uploading and linking documents. */
class DocumentsPanel implements Panel {
  readonly node = element('section', 'documents');
  readonly styles = documentStyles;
  readonly #host: DocumentsPanelHost;
  readonly #picker: DocumentPicker;
  readonly #liveRegion = element('p', 'hidden');
  /** Whether the panel is in the viewport. */
  #isVisible = false;
  readonly #visibilityObserver = new IntersectionObserver((entries) => {
    this.#isVisible = entries.at(-1)?.isIntersecting === true;
    this.#updateWatch();
  });
  #controller: StreamController | undefined;
  #cleanups: readonly (() => void)[] = [];
  #stopWatching: (() => void) | undefined;
  readonly #pages: DocumentPages;
  #removals: DocumentRemovals | undefined;
  #failure = '';
  /** The controller whose service was asked for its upload limits. */
  #askedForLimits: StreamController | undefined;

  constructor(host: DocumentsPanelHost) {
    this.#host = host;
    this.#picker = new DocumentPicker(host);
    this.#pages = new DocumentPages(host, (message) => {
      this.#failure = message;
    });
    this.#liveRegion.role = 'status';
    const canAccept = (): boolean => this.#isSupported('upload');
    acceptFiles(
      this.node,
      canAccept,
      (files) => void this.#runAction(addFiles(host, files, false)),
    );
    this.node.append(element('div'), this.#liveRegion);
  }

  handleConnect(controller: StreamController): void {
    this.dispose();
    this.#removals?.flush(false);
    this.#controller = controller;
    const { context, requestUpdate } = this.#host;
    this.#removals = new DocumentRemovals(this.#host, controller, {
      onChange: requestUpdate,
      onRemoved: (info) => {
        const name = displayNameOf(info, context.locale);
        this.#announce(context.locale.text('documentUnlinked', { name }));
      },
      onFailure: (error) => {
        this.#failure = explainError(error, context.locale);
      },
    });
    this.#pages.reset(controller);
    this.#host.requestUpdate();
  }

  update(): void {
    this.#subscribe();
    this.#loadLimits();
    this.#removals?.undoAttached();
    if (this.#pages.isStale) void this.#pages.loadFirst();
    const container = this.node.firstElementChild as HTMLElement;
    const focused = this.#focusedRow();
    render(this.#render(), container);
    this.#restoreFocus(focused);
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#cleanups = [];
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#visibilityObserver.disconnect();
    this.#picker.close();
    // An element that is moved within the page is connected again in the same task. Its removals can still be undone.
    queueMicrotask(() => {
      const { controller, element: host } = this.#host;
      if (!controller || !host.isConnected) this.#removals?.flush(false);
    });
  }

  /** Subscribes once; again after the element was moved within the page. */
  #subscribe(): void {
    const controller = this.#controller;
    if (!controller || this.#cleanups.length > 0 || !this.#host.element.isConnected) return;
    const updateWatch = this.#updateWatch;
    document.addEventListener('visibilitychange', updateWatch);
    const flush = (): void => this.#removals?.flush(true);
    window.addEventListener('pagehide', flush);
    this.#cleanups = [
      uploadQueueOf(controller).subscribe(this.#host.requestUpdate),
      controller.onBatch(({ thread, changes }) => {
        // The agent must not read a document that was removed before the message was sent. A queued message may belong to a thread that is not shown.
        if (changes.some((each) => each.type === 'thread' && each.set.run?.state === 'sending'))
          this.#removals?.flush(false, thread);
      }),
      () => {
        document.removeEventListener('visibilitychange', updateWatch);
        window.removeEventListener('pagehide', flush);
      },
    ];
    this.#visibilityObserver.observe(this.node);
  }

  /** Asks the service for its upload limits, once for each controller, unless the host page has set others. */
  #loadLimits(): void {
    const controller = this.#controller;
    const isNeeded = !this.#host.element.uploadLimits && controller !== this.#askedForLimits;
    if (!controller || !isNeeded) return;
    this.#askedForLimits = controller;
    void uploadQueueOf(controller).loadLimits();
  }

  /** The upload limits of the host page, else those of the service; empty until these are loaded. */
  get #limits(): UploadLimits {
    const { uploadLimits } = this.#host.element;
    return uploadLimits ?? (this.#controller ? uploadQueueOf(this.#controller).limits : {});
  }

  /** Polls the processing status of documents only while the panel is visible. */
  readonly #updateWatch = (): void => {
    const controller = this.#controller;
    if (!controller || !this.#isVisible || document.hidden) {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
      return;
    }
    const dispatchOutcome = createOutcomeListener(this.#host);
    this.#stopWatching ??= uploadQueueOf(controller).watch.observe((info, outcome) => {
      dispatchOutcome(info, outcome);
      const { text } = this.#host.context.locale;
      const { name } = info;
      this.#announce(text(outcome === 'ready' ? 'documentIsReady' : 'documentIsFailed', { name }));
    });
  };

  get #documents(): DocumentInfo[] {
    const documents = this.#controller?.thread?.list('documents').values() ?? [];
    return ([...documents] as unknown as DocumentInfo[]).reverse();
  }

  #isSupported(capability: Capability): boolean {
    return this.#controller?.backend.capabilities.has(capability) ?? false;
  }

  #render(): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    const controller = this.#controller;
    const tasks = controller ? uploadQueueOf(controller).tasks : [];
    const documents = this.#documents;
    const isEmpty = documents.length + tasks.length === 0;
    return html`<h2 part="heading">${text('documents')}</h2>
      ${this.#renderUploadControls()} ${this.#picker.render(documents)}
      <ul
        class="files"
        aria-label=${text('documents')}
        aria-busy=${this.#pages.state === 'loading'}
      >
        ${
          controller && this.#removals
            ? this.#renderRows(controller, this.#removals, tasks, documents)
            : nothing
        }
      </ul>
      ${isEmpty && this.#pages.state === 'complete' ? html`<p class="meta">${text('documentsNone')}</p>` : nothing}
      ${this.#pages.state === 'loading' ? html`<p class="meta">${text('documentsLoading')}</p>` : nothing}
      ${
        this.#failure
          ? html`<p class="error-text" role="alert">
              ${renderIcon('alert')}<span dir="auto">${this.#failure}</span>
            </p>`
          : nothing
      }
      ${this.#renderMore()}`;
  }

  #renderRows(
    controller: StreamController,
    removals: DocumentRemovals,
    tasks: readonly UploadTask[],
    documents: readonly DocumentInfo[],
  ): readonly unknown[] {
    const actions = { run: this.#runAction, removals };
    return [
      repeat(
        tasks,
        ({ key }) => key,
        (task) => renderUploadRow(task, this.#host, controller),
      ),
      repeat(
        documents,
        ({ id }) => id,
        (info) => renderDocumentRow(info, this.#host, controller, actions),
      ),
    ];
  }

  #renderUploadControls(): TemplateResult | typeof nothing {
    const { locale } = this.#host.context;
    const { text } = locale;
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const upload = ({ currentTarget }: Event): void => {
      const files = filesFromInput(currentTarget as HTMLInputElement);
      void this.#runAction(addFiles(this.#host, files, false));
    };
    const canUpload = this.#isSupported('upload');
    const limits = this.#limits;
    return html`<div class=${canUpload ? 'drop-zone' : ''}>
      <div class="buttons">
        ${
          canUpload
            ? html`<button class="primary" type="button" @click=${choose}>
                  ${text('documentsAdd')}</button
                ><input
                  type="file"
                  multiple
                  hidden
                  accept=${limits.types?.join() ?? ''}
                  @change=${upload}
                />`
            : nothing
        }
        ${this.#isSupported('link') ? this.#picker.renderButton() : nothing}
      </div>
      ${canUpload ? html`<p class="meta">${text('documentsDrop')}</p>` : nothing}
      ${canUpload ? html`<p class="meta">${describeLimits(limits, locale)}</p>` : nothing}
    </div>`;
  }

  #renderMore(): TemplateResult | typeof nothing {
    const { text } = this.#host.context.locale;
    if (this.#pages.state !== 'partial' && this.#pages.state !== 'failed') return nothing;
    return html`<button class="quiet" type="button" @click=${() => this.#pages.loadMore()}>
      ${text(this.#pages.state === 'partial' ? 'documentsMore' : 'retry')}
    </button>`;
  }

  /** Awaits an action on a document, and shows its error below the list. Removes the previous error. */
  readonly #runAction = async (action: Promise<unknown>): Promise<void> => {
    this.#failure = '';
    const { context } = this.#host;
    await this.#host.attempt(action, (error) => {
      this.#failure = explainError(error, context.locale);
    });
    this.#host.requestUpdate();
  };

  #announce(message: string): void {
    this.#liveRegion.textContent = message;
  }

  /** Returns the row that contains the focus, with its index; null when there is none. */
  #focusedRow(): { row: Element; index: number } | null {
    const { activeElement } = this.node.getRootNode() as ShadowRoot;
    const row = activeElement?.closest('.file');
    return row ? { row, index: this.#rows.indexOf(row) } : null;
  }

  /** Moves the focus of a removed row to the first button of the row at its position, else of the last row, else of the panel. */
  #restoreFocus(focused: { row: Element; index: number } | null): void {
    if (!focused || focused.row.isConnected) return;
    const rows = this.#rows;
    const next = rows[Math.min(focused.index, rows.length - 1)] ?? this.node;
    next.querySelector<HTMLElement>('button')?.focus();
  }

  get #rows(): Element[] {
    return [...this.node.querySelectorAll('.file')];
  }
}

/** Describes the upload limits in sentences; empty when there are none. */
function describeLimits({ maxFiles, maxBytes, types }: UploadLimits, locale: Locale): string {
  const sentences: string[] = [];
  if (maxFiles !== undefined) sentences.push(locale.text('limitFiles', { count: maxFiles }));
  if (maxBytes !== undefined)
    sentences.push(locale.text('limitSize', { size: formatSize(maxBytes, locale) }));
  if (types?.length) {
    const list = locale.list(types, { type: 'conjunction', style: 'narrow' });
    sentences.push(locale.text('limitTypes', { types: list }));
  }
  return sentences.join(' ');
}

/** Number of documents per request. */
const PAGE_SIZE = 50;

/** Loads the documents of the current thread page by page into the thread's list. */
class DocumentPages {
  readonly #host: DocumentsPanelHost;
  readonly #showFailure: (message: string) => void;
  #controller: StreamController | undefined;
  /** Id of the thread whose documents were or are being loaded; null for a thread without an id, undefined before the first load. */
  #loadedThread: string | null | undefined;
  #pagesRead = 0;
  /** State of the list: `partial` when the service has more pages, `complete` when it has none or there is nothing to load. */
  state: 'loading' | 'complete' | 'partial' | 'failed' = 'complete';

  /** `showFailure` is called with an error message when a page fails, and with an empty string before each load. */
  constructor(host: DocumentsPanelHost, showFailure: (message: string) => void) {
    this.#host = host;
    this.#showFailure = showFailure;
  }

  /** Resets the list, because the element has another controller. */
  reset(controller: StreamController): void {
    this.#controller = controller;
    this.#loadedThread = undefined;
  }

  /** Whether the documents that were last requested are not those of the current thread. */
  get isStale(): boolean {
    return this.#loadedThread !== this.#threadId;
  }

  /** Loads the first page of the current thread. Shows the error of a request instead of rejecting. */
  loadFirst(): Promise<void> {
    this.#pagesRead = 0;
    return this.#loadPage(1);
  }

  /** Loads the next page, or retries the one that failed. Shows the error of a request instead of rejecting. */
  loadMore(): Promise<void> {
    return this.#loadPage(this.#pagesRead + 1);
  }

  get #threadId(): string | null {
    return this.#controller?.thread?.id ?? null;
  }

  async #loadPage(page: number): Promise<void> {
    const controller = this.#controller;
    const id = this.#threadId;
    this.#loadedThread = id;
    this.#showFailure('');
    this.state = 'complete';
    if (!controller?.backend.capabilities.has('documents') || id === null) return;
    this.state = 'loading';
    this.#host.requestUpdate();
    const isOutdated = (): boolean => controller !== this.#controller || this.#loadedThread !== id;
    try {
      const { hasMore } = await controller.listDocuments({ page, limit: PAGE_SIZE });
      if (isOutdated()) return;
      this.#pagesRead = page;
      this.state = hasMore ? 'partial' : 'complete';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (isOutdated() || error.code === 'aborted') return;
      this.state = 'failed';
      this.#showFailure(explainError(error, this.#host.context.locale));
      this.#host.context.report(error);
    }
    this.#host.requestUpdate();
  }
}
