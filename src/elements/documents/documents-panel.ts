import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Capability, DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { uploadQueueOf, type UploadTask } from '../../controller/documents/upload-queue.js';
import { element } from '../../dom/element.js';
import type { Change } from '../../model/change.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import type { Panel } from '../base/panel-element.js';
import { addFiles, uploadLimitsOf, createOutcomeListener } from './document-actions.js';
import { renderDocumentRow } from './document-rows.js';
import type { DocumentsPanelHost } from './document-host.js';
import { filesFromInput, acceptFiles } from './attachment-controller.js';
import { describeLimits } from './words.js';
import { DocumentPages } from './document-pages.js';
import { DocumentPicker } from './document-picker.js';
import { documentStyles } from './document-styles.js';
import { renderUploadRow } from './task-row.js';

/** Makes what `<ubik-documents>` shows. */
export function createPanel(host: DocumentsPanelHost): Panel {
  return new DocumentsPanel(host);
}

/** The documents of the shown thread and the files on their way there. */
class DocumentsPanel implements Panel {
  readonly node = element('section', 'documents');
  readonly styles = documentStyles;
  readonly #host: DocumentsPanelHost;
  readonly #picker: DocumentPicker;
  readonly #liveRegion = element('p', 'hidden');
  /** Whether the panel can be seen at all. */
  #isVisible = false;
  readonly #visibilityObserver = new IntersectionObserver((entries) => {
    this.#isVisible = entries.at(-1)?.isIntersecting ?? false;
    this.#updateWatch();
  });
  #controller: StreamController | undefined;
  #cleanups: readonly (() => void)[] = [];
  #stopWatching: (() => void) | undefined;
  readonly #pages: DocumentPages;
  #failure = '';
  #limits: UploadLimits = {};

  constructor(host: DocumentsPanelHost) {
    this.#host = host;
    this.#picker = new DocumentPicker(host);
    this.#pages = new DocumentPages(host, (words) => {
      this.#failure = words;
    });
    this.#liveRegion.role = 'status';
    const isAble = (): boolean => this.#can('upload');
    acceptFiles(this.node, isAble, (files) => void addFiles(host, files, false));
    this.node.append(element('div'), this.#liveRegion);
  }

  connected(controller: StreamController): void {
    this.dispose();
    this.#controller = controller;
    this.#pages.reset(controller);
    void uploadLimitsOf(this.#host).then((limits) => {
      this.#limits = limits;
      this.#host.requestUpdate();
    });
    this.#host.requestUpdate();
  }

  changed(change: Change): void {
    if (change.do === 'thread' && this.#pages.isStale) this.#host.requestUpdate();
  }

  update(): void {
    this.#subscribe();
    if (this.#pages.isStale) void this.#pages.loadFirst();
    const box = this.node.firstElementChild as HTMLElement;
    const had = this.#focusedRow();
    render(this.#render(), box);
    this.#restoreFocus(had);
  }

  dispose(): void {
    for (const undo of this.#cleanups) undo();
    this.#cleanups = [];
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#visibilityObserver.disconnect();
    this.#picker.close();
  }

  /** An element that was moved hears again what it has heard before. */
  #subscribe(): void {
    const controller = this.#controller;
    if (!controller || this.#cleanups.length > 0 || !this.#host.element.isConnected) return;
    const look = this.#updateWatch;
    document.addEventListener('visibilitychange', look);
    this.#cleanups = [
      uploadQueueOf(controller).subscribe(this.#host.requestUpdate),
      () => {
        document.removeEventListener('visibilitychange', look);
      },
    ];
    this.#visibilityObserver.observe(this.node);
  }

  /** The service is asked about documents only while this can be seen. */
  readonly #updateWatch = (): void => {
    const controller = this.#controller;
    if (!controller || !this.#isVisible || document.hidden) {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
      return;
    }
    const tell = createOutcomeListener(this.#host);
    this.#stopWatching ??= uploadQueueOf(controller).watch.look((found, outcome) => {
      tell(found, outcome);
      const { text } = this.#host.context.locale;
      const { name } = found;
      this.#announce(text(outcome === 'ready' ? 'documentIsReady' : 'documentIsFailed', { name }));
    });
  };

  get #documents(): DocumentInfo[] {
    const held = this.#controller?.thread?.list('documents').values() ?? [];
    return ([...held] as unknown as DocumentInfo[]).reverse();
  }

  #can(capability: Capability): boolean {
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
        aria-busy=${this.#pages.state === 'reading'}
      >
        ${controller ? this.#renderRows(controller, tasks, documents) : nothing}
      </ul>
      ${isEmpty && this.#pages.state === 'all' ? html`<p class="meta">${text('documentsNone')}</p>` : nothing}
      ${this.#pages.state === 'reading' ? html`<p class="meta">${text('documentsLoading')}</p>` : nothing}
      ${
        this.#failure
          ? html`<p class="complaint" role="alert">
              ${renderIcon('alert')}<span dir="auto">${this.#failure}</span>
            </p>`
          : nothing
      }
      ${this.#renderMore()}`;
  }

  #renderRows(
    controller: StreamController,
    tasks: readonly UploadTask[],
    documents: readonly DocumentInfo[],
  ): readonly unknown[] {
    return [
      repeat(
        tasks,
        ({ key }) => key,
        (task) => renderUploadRow(task, this.#host, controller),
      ),
      repeat(
        documents,
        ({ id }) => id,
        (found) => renderDocumentRow(found, this.#host, controller, this.#runAction),
      ),
    ];
  }

  #renderUploadControls(): TemplateResult | typeof nothing {
    const { locale } = this.#host.context;
    const { text } = locale;
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const take = ({ currentTarget }: Event): void => {
      void addFiles(this.#host, filesFromInput(currentTarget as HTMLInputElement), false);
    };
    const canUpload = this.#can('upload');
    return html`<div class="buttons">
        ${
          canUpload
            ? html`<button class="primary" type="button" @click=${choose}>
                  ${text('documentsAdd')}</button
                ><input
                  type="file"
                  multiple
                  hidden
                  accept=${this.#limits.types?.join() ?? ''}
                  @change=${take}
                />`
            : nothing
        }
        ${this.#can('link') ? this.#picker.renderOpener() : nothing}
      </div>
      ${canUpload ? html`<p class="meta">${describeLimits(this.#limits, locale)}</p>` : nothing}`;
  }

  #renderMore(): TemplateResult | typeof nothing {
    const { text } = this.#host.context.locale;
    if (this.#pages.state !== 'more' && this.#pages.state !== 'failed') return nothing;
    return html`<button class="quiet" type="button" @click=${() => this.#pages.loadMore()}>
      ${text(this.#pages.state === 'more' ? 'documentsMore' : 'retry')}
    </button>`;
  }

  /** Carries out an act on a document; what fails is said above the list's end. */
  readonly #runAction = async (act: Promise<boolean>, done = ''): Promise<void> => {
    this.#failure = '';
    const { context } = this.#host;
    const isDone = await this.#host.attempt(act, (error) => {
      this.#failure = explainError(error, context.locale);
    });
    if (isDone && done) this.#announce(done);
    this.#host.requestUpdate();
  };

  #announce(words: string): void {
    this.#liveRegion.textContent = words;
  }

  /** The place of the row that has the focus; null when none has. */
  #focusedRow(): { row: Element; at: number } | null {
    const { activeElement } = this.node.getRootNode() as ShadowRoot;
    const row = activeElement?.closest('.file');
    return row ? { row, at: this.#rows.indexOf(row) } : null;
  }

  /** The focus of a row that is gone goes to the one in its place, else to the first button. */
  #restoreFocus(had: { row: Element; at: number } | null): void {
    if (!had || had.row.isConnected) return;
    const rows = this.#rows;
    const next = rows[Math.min(had.at, rows.length - 1)] ?? this.node;
    next.querySelector<HTMLElement>('button')?.focus();
  }

  get #rows(): Element[] {
    return [...this.node.querySelectorAll('.file')];
  }
}
