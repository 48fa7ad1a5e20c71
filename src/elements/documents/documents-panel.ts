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
import { addFiles, limitsOf, tellOutcomes } from './add-files.js';
import { renderDocument } from './document-row.js';
import type { DocumentsHost } from './document-host.js';
import { filesOf, takeFiles } from './file-intake.js';
import { describeLimits } from './words.js';
import { DocumentPages } from './document-pages.js';
import { LinkPicker } from './link-picker.js';
import { documentStyles } from './document-styles.js';
import { renderTask } from './task-row.js';

/** Makes what `<ubik-documents>` shows. */
export function createPanel(host: DocumentsHost): Panel {
  return new DocumentsPanel(host);
}

/** The documents of the shown thread and the files on their way there. */
class DocumentsPanel implements Panel {
  readonly node = element('section', 'documents');
  readonly styles = documentStyles;
  readonly #host: DocumentsHost;
  readonly #picker: LinkPicker;
  readonly #voice = element('p', 'hidden');
  /** Whether the panel can be seen at all. */
  #isSeen = false;
  readonly #seen = new IntersectionObserver((entries) => {
    this.#isSeen = entries.at(-1)?.isIntersecting ?? false;
    this.#look();
  });
  #controller: StreamController | undefined;
  #undo: readonly (() => void)[] = [];
  #away: (() => void) | undefined;
  readonly #pages: DocumentPages;
  #complaint = '';
  #limits: UploadLimits = {};

  constructor(host: DocumentsHost) {
    this.#host = host;
    this.#picker = new LinkPicker(host);
    this.#pages = new DocumentPages(host, (words) => {
      this.#complaint = words;
    });
    this.#voice.role = 'status';
    const isAble = (): boolean => this.#can('upload');
    takeFiles(this.node, isAble, (files) => void addFiles(host, files, false));
    this.node.append(element('div'), this.#voice);
  }

  connected(controller: StreamController): void {
    this.dispose();
    this.#controller = controller;
    this.#pages.begin(controller);
    void limitsOf(this.#host).then((limits) => {
      this.#limits = limits;
      this.#host.requestUpdate();
    });
    this.#host.requestUpdate();
  }

  changed(change: Change): void {
    if (change.do === 'thread' && this.#pages.isStale) this.#host.requestUpdate();
  }

  update(): void {
    this.#start();
    if (this.#pages.isStale) void this.#pages.first();
    const box = this.node.firstElementChild as HTMLElement;
    const had = this.#focusedRow();
    render(this.#render(), box);
    this.#keepFocus(had);
  }

  dispose(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#away?.();
    this.#away = undefined;
    this.#seen.disconnect();
    this.#picker.close();
  }

  /** An element that was moved hears again what it has heard before. */
  #start(): void {
    const controller = this.#controller;
    if (!controller || this.#undo.length > 0 || !this.#host.element.isConnected) return;
    const look = this.#look;
    document.addEventListener('visibilitychange', look);
    this.#undo = [
      uploadQueueOf(controller).subscribe(this.#host.requestUpdate),
      () => {
        document.removeEventListener('visibilitychange', look);
      },
    ];
    this.#seen.observe(this.node);
  }

  /** The service is asked about documents only while this can be seen. */
  readonly #look = (): void => {
    const controller = this.#controller;
    if (!controller || !this.#isSeen || document.hidden) {
      this.#away?.();
      this.#away = undefined;
      return;
    }
    const tell = tellOutcomes(this.#host);
    this.#away ??= uploadQueueOf(controller).watch.look((found, outcome) => {
      tell(found, outcome);
      const { text } = this.#host.context.locale;
      const { name } = found;
      this.#say(text(outcome === 'ready' ? 'documentIsReady' : 'documentIsFailed', { name }));
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
      ${this.#renderAdding()} ${this.#picker.render(documents)}
      <ul
        class="files"
        aria-label=${text('documents')}
        aria-busy=${this.#pages.state === 'reading'}
      >
        ${controller ? this.#renderRows(controller, tasks, documents) : nothing}
      </ul>
      ${isEmpty && this.#pages.state === 'all' ? html`<p class="meta">${text('documentsNone')}</p>` : nothing}
      ${this.#pages.state === 'reading' ? html`<p class="meta">${text('documentsReading')}</p>` : nothing}
      ${
        this.#complaint
          ? html`<p class="complaint" role="alert">
              ${renderIcon('alert')}<span dir="auto">${this.#complaint}</span>
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
        (task) => renderTask(task, this.#host, controller),
      ),
      repeat(
        documents,
        ({ id }) => id,
        (found) => renderDocument(found, this.#host, controller, this.#act),
      ),
    ];
  }

  #renderAdding(): TemplateResult | typeof nothing {
    const { locale } = this.#host.context;
    const { text } = locale;
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const take = ({ currentTarget }: Event): void => {
      void addFiles(this.#host, filesOf(currentTarget as HTMLInputElement), false);
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
    return html`<button class="quiet" type="button" @click=${() => this.#pages.more()}>
      ${text(this.#pages.state === 'more' ? 'documentsMore' : 'retry')}
    </button>`;
  }

  /** Carries out an act on a document; what fails is said above the list's end. */
  readonly #act = async (act: Promise<boolean>, done = ''): Promise<void> => {
    this.#complaint = '';
    const { context } = this.#host;
    const isDone = await this.#host.attempt(act, (error) => {
      this.#complaint = explainError(error, context.locale);
    });
    if (isDone && done) this.#say(done);
    this.#host.requestUpdate();
  };

  #say(words: string): void {
    this.#voice.textContent = words;
  }

  /** The place of the row that has the focus; null when none has. */
  #focusedRow(): { row: Element; at: number } | null {
    const { activeElement } = this.node.getRootNode() as ShadowRoot;
    const row = activeElement?.closest('.file');
    return row ? { row, at: this.#rows.indexOf(row) } : null;
  }

  /** The focus of a row that is gone goes to the one in its place, else to the first button. */
  #keepFocus(had: { row: Element; at: number } | null): void {
    if (!had || had.row.isConnected) return;
    const rows = this.#rows;
    const next = rows[Math.min(had.at, rows.length - 1)] ?? this.node;
    next.querySelector<HTMLElement>('button')?.focus();
  }

  get #rows(): Element[] {
    return [...this.node.querySelectorAll('.file')];
  }
}
