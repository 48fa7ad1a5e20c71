import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { loadedQueues } from '../../controller/documents/loaded-queues.js';
import { element } from '../../dom/element.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { renderIcon } from '../../message/icons.js';
import type { AttachmentList } from './attachment-list.js';
import { ConversationTarget } from './conversation-target.js';
import type { DocumentHost } from './document-actions.js';

/** A file that the user has chosen, dropped or pasted. Browsers present a dropped folder as a file, too. */
export interface IncomingFile {
  readonly file: File;
  readonly isFolder: boolean;
}

/** The lazy-loaded chunk for uploads and documents. */
export const lazyDocuments = createLazyModule(() => import('./documents-panel.js'));

/** Returns the files of a drop or paste. */
export function filesFromTransfer(data: DataTransfer | null): IncomingFile[] {
  return [...(data?.items ?? [])].flatMap((item) => {
    // Null for a text.
    const file = item.getAsFile();
    return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory ?? false }] : [];
  });
}

/** Returns the files chosen in a file input. Clears the input, so that the same file can be chosen again. */
export function filesFromInput(input: HTMLInputElement): IncomingFile[] {
  const files = [...(input.files ?? [])].map((file) => ({ file, isFolder: false }));
  input.value = '';
  return files;
}

/**
 * Whether the text of a paste is inserted instead of its files: office programs copy a text together with a picture of it. Together with a
 * file, macOS copies its name or path as text, which does not count.
 */
function isPastedText(type: string, data: DataTransfer): boolean {
  if (type !== 'paste') return false;
  const names = [...data.files].map(({ name }) => name.normalize());
  const lines = data
    .getData('text/plain')
    .normalize()
    .split(/[\r\n]+/);
  return lines.some((line) => line.trim() !== '' && !names.includes(line.replace(/^.*\//, '')));
}

/** Makes an element accept dropped and pasted files. The element has the attribute `data-dropping` while files are dragged over it. */
export function acceptFiles(
  target: HTMLElement,
  canAccept: () => boolean,
  onFiles: (files: IncomingFile[]) => void,
): void {
  const setDropping = (isDropping: boolean): void =>
    void target.toggleAttribute('data-dropping', isDropping);
  const handle = (event: DragEvent | ClipboardEvent): void => {
    const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData;
    const { type } = event;
    // An event whose default is prevented was handled by an inner element, which takes the files.
    if (event.defaultPrevented) return setDropping(false);
    if (!data?.types.includes('Files') || isPastedText(type, data) || !canAccept()) return;
    event.preventDefault();
    setDropping(type === 'dragover');
    if (type !== 'dragover') onFiles(filesFromTransfer(data));
  };
  for (const type of ['dragover', 'drop', 'paste'] as const) target.addEventListener(type, handle);
  target.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && target.contains(relatedTarget))) setDropping(false);
  });
}

/** The attachments of the composer: an Attach button, dropped and pasted files, and the list of attached files. */
export class AttachmentController implements ReactiveController {
  /** The container of the list of attached files; empty when there are none. */
  readonly node = element('div', 'attached');
  readonly #host: DocumentHost;
  #list: AttachmentList | undefined;
  /**
   * What needed the list at the last update: the thread, or the controller while there is none; null if nothing did. After a failure, the list is
   * loaded again only for another one, because the error itself causes an update.
   */
  #neededBy: unknown = null;
  /** The conversations to which running calls of `attach` add files, one for each call. */
  readonly #additions = new Set<ConversationTarget>();

  constructor(host: DocumentHost) {
    this.#host = host;
    acceptFiles(
      host.element,
      () => {
        const canAccept = this.#canUpload && this.#isShown;
        // The list is loaded when a drag begins, because it also adds the hint that is shown while files are dragged over the element.
        if (canAccept && !this.#list && !host.element.hasAttribute('data-dropping'))
          void this.#load();
        return canAccept;
      },
      (files) => void this.attach(files),
    );
    host.element.addController(this);
  }

  /**
   * Whether an attachment is being uploaded, by this or another element or by the host page. Also true while the code for uploads or the upload
   * limits are loading, before the upload begins.
   */
  get isUploading(): boolean {
    const isAdding = [...this.#additions].some(
      ({ controller, thread = null }) => (thread ?? controller) === this.#target,
    );
    return isAdding || (this.#queue?.isAttaching ?? false);
  }

  hostUpdated(): void {
    const isNeeded = this.#queue ?? this.#host.controller?.getDraft().attachments.length;
    const neededBy = isNeeded ? this.#target : null;
    if (this.#list) this.#list.update();
    else if (neededBy !== null && neededBy !== this.#neededBy) void this.#load();
    this.#neededBy = neededBy;
  }

  hostDisconnected(): void {
    this.#list?.disconnect();
  }

  /** Renders the Attach button; nothing when the service accepts no uploads. */
  renderButton(): TemplateResult | typeof nothing {
    if (!this.#canUpload) return nothing;
    const { context, element } = this.#host;
    const label = context.locale.text('attachFiles');
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const attach = ({ currentTarget }: Event): void => {
      void this.attach(filesFromInput(currentTarget as HTMLInputElement));
    };
    return html`<button class="attach" type="button" part="attach" title=${label} @click=${choose}>
        ${renderIcon('attachment')}</button
      ><input
        type="file"
        multiple
        hidden
        accept=${element.uploadLimits?.types?.join() ?? ''}
        @change=${attach}
      />`;
  }

  /**
   * Uploads files and attaches them to the next message of a conversation, by default of the one that is shown or loading. Resolves when the
   * uploads were added to the queue. Disposes `conversation`.
   */
  async attach(files: IncomingFile[], conversation?: ConversationTarget): Promise<void> {
    const host = this.#host;
    const { controller, requestUpdate } = host;
    if (!controller) return;
    const target = conversation ?? new ConversationTarget(controller);
    this.#additions.add(target);
    requestUpdate();
    try {
      const documents = await this.#load();
      // Files that were dropped for another controller are not uploaded to the service of this one.
      if (controller === host.controller)
        await host.attempt(documents?.addFiles(host, files, true, target));
    } finally {
      this.#additions.delete(target);
      target.dispose();
      requestUpdate();
    }
  }

  /** The upload queue, to which other elements and the host page can add files. */
  get #queue() {
    const { controller } = this.#host;
    return controller ? loadedQueues.get(controller) : undefined;
  }

  /** The shown thread, or the controller when there is none yet. */
  get #target(): unknown {
    const { controller } = this.#host;
    return controller?.thread ?? controller;
  }

  /** Whether the composer is shown, and not a gate in its place. */
  get #isShown(): boolean {
    return (this.node.parentElement?.getClientRects().length ?? 0) > 0;
  }

  get #canUpload(): boolean {
    return this.#host.controller?.backend.capabilities.has('upload') ?? false;
  }

  async #load() {
    const loading = lazyDocuments.load();
    // If loading fails, `attempt` shows the error like that of a failed action.
    if (!(await this.#host.attempt(loading))) return undefined;
    const documents = await loading;
    this.#list ??= new documents.AttachmentList(this.node, this.#host);
    this.#list.update();
    return documents;
  }
}
