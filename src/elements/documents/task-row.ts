import { html, type TemplateResult } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import type { UploadTask } from '../../controller/documents/upload-queue.js';
import type { Locale } from '../../locales/locale.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon, renderSign } from '../../message/icons.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';
import { cancelUpload, retryUpload } from './document-actions.js';
import type { DocumentHost } from './document-host.js';
import { formatSize } from './words.js';

/** A file that has not arrived: how far it is, or why it is not sent, and what can be done. */
export function renderUploadRow(
  task: UploadTask,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { locale } = host.context;
  const { name, state } = task;
  const isOver = state === 'failed' || state === 'refused';
  const leave = (): void => {
    // The button is about to go, and the focus with it.
    host.element.focus();
    cancelUpload(host, controller, task);
  };
  const words = locale.text(isOver ? 'dismissFile' : 'uploadCancel', { name });
  return html`<li class="file" part="document" data-state=${state} data-key=${task.key}>
    <span class="file-name">${renderContentText(name, locale)}</span>
    <span class="buttons">
      ${state === 'failed' ? renderRetry(task, host, controller) : ''}<button
        class="quiet put-away"
        type="button"
        title=${words}
        @click=${leave}
      >
        ${renderSign('×')}
      </button>
    </span>
    ${isOver ? renderReason(task, locale) : renderProgress(task, locale)}
  </li>`;
}

function renderRetry(
  task: UploadTask,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { text } = host.context.locale;
  return html`<button
    class="quiet"
    type="button"
    aria-label=${text('uploadRetry', { name: task.name })}
    @click=${() => {
      retryUpload(host, controller, task);
    }}
  >
    ${text('retry')}
  </button>`;
}

/** Why a file is not there, in words. */
function renderReason({ error, refusal, file }: UploadTask, locale: Locale): TemplateResult {
  const reason = refusal
    ? locale.text(`refused_${refusal}`, { size: formatSize(file.size, locale) })
    : explainError(error, locale);
  return html`<p class="complaint">${renderIcon('alert')}<span dir="auto">${reason}</span></p>`;
}

function renderProgress(
  { sent, total, state, name, renamed }: UploadTask,
  locale: Locale,
): TemplateResult {
  const size = formatSize(total, locale);
  const words =
    state === 'waiting'
      ? locale.text('uploadQueued', { size })
      : locale.text('uploadProgress', { sent: formatSize(sent, locale), size });
  return html`<progress
      max=${Math.max(1, total)}
      .value=${sent}
      lang=${langOfContent(locale)}
      aria-label=${name}
    ></progress>
    <p class="meta">${words}${renamed ? ` ${locale.text('uploadRenamed')}` : ''}</p>`;
}
