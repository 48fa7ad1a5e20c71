import { html, nothing, type TemplateResult } from 'lit';
import type { Capability, DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../conversation/controller-types.js';
import { cleanName } from '../../conversation/documents/check-file.js';
import { outcomeOf } from '../../conversation/documents/document-watch.js';
import {
  UbikDocumentStarEvent,
  UbikDocumentStarredEvent,
  UbikDocumentUnlinkEvent,
  UbikDocumentUnlinkedEvent,
  type DocumentDetail,
} from '../../events/index.js';
import type { Locale } from '../../locales/locale.js';
import { renderIcon } from '../../parts/icons.js';
import { describeThread } from '../connection/announce.js';
import type { DocumentHost } from './document-host.js';
import { dayOf } from './words.js';

/** Carries out an act and says when it is done. */
export type ActOnDocument = (act: Promise<boolean>, done?: string) => Promise<void>;

/** What a document is called where it is shown. */
export function nameOf({ name }: Pick<DocumentInfo, 'name'>, locale: Locale): string {
  return cleanName(name) || locale.text('sourceUnnamed');
}

/** What an event says about a document. */
export function describeDocument(
  { conversation }: DocumentHost,
  { id, name }: DocumentInfo,
): DocumentDetail {
  return { ...describeThread(conversation), documentId: id, name, size: null };
}

/** One document of the thread, with what can be done with it. */
export function renderDocument(
  found: DocumentInfo,
  host: DocumentHost,
  conversation: StreamController,
  act: ActOnDocument,
): TemplateResult {
  const { locale } = host.context;
  const name = nameOf(found, locale);
  const outcome = outcomeOf(found);
  return html`<li class="file" part="document" data-state=${outcome ?? 'processing'}>
    <span class="file-name"><bdi>${name}</bdi></span>
    <span class="buttons">${renderActs(found, name, host, conversation, act)}</span>
    ${outcome === 'failed' ? renderFailure(found, locale) : renderState(found, locale)}
  </li>`;
}

function renderState({ status, createdAt }: DocumentInfo, locale: Locale): TemplateResult {
  const isReady = outcomeOf({ status }) === 'ready';
  // A word of the service that we do not know is shown as it is.
  const words = isReady
    ? locale.text('documentReady')
    : (locale.find(`document_${status.toLowerCase()}`) ?? status);
  const day = createdAt === null ? '' : dayOf(createdAt, locale);
  return html`<p class="meta">
    ${isReady ? nothing : html`<span class="busy"><span class="glyph">${renderIcon('dot')}</span></span>`}
    <bdi>${words}</bdi>${day ? html` · <bdi>${day}</bdi>` : nothing}
  </p>`;
}

function renderFailure({ error }: DocumentInfo, locale: Locale): TemplateResult {
  return html`<p class="complaint">
    ${renderIcon('alert')}<span dir="auto"
      >${locale.text('documentFailed')} ${error ? html`<bdi>${error}</bdi>` : nothing}</span
    >
  </p>`;
}

function renderActs(
  found: DocumentInfo,
  name: string,
  host: DocumentHost,
  conversation: StreamController,
  act: ActOnDocument,
): TemplateResult {
  const { text } = host.context.locale;
  const can = (capability: Capability): boolean =>
    conversation.backend.capabilities.has(capability);
  const isGoing = conversation.draft().attachments.some(({ id }) => id === found.id);
  const attach = (): void => {
    attachDocument(conversation, found.id, name, !isGoing);
  };
  const toggle = (
    words: string,
    label: string,
    pressed: boolean,
    run: () => void,
  ): TemplateResult =>
    html`<button
      class="quiet"
      type="button"
      aria-label=${label}
      aria-pressed=${pressed}
      title=${label}
      @click=${run}
    >
      ${words}
    </button>`;
  return html`${
    can('star')
      ? toggle(found.starred ? '★' : '☆', text('star', { name }), found.starred, () => {
          void act(star(found, host, conversation));
        })
      : nothing
  }${toggle(text('attach'), text('attachDocument', { name }), isGoing, attach)}${
    can('link')
      ? html`<button
          class="quiet"
          type="button"
          aria-label=${text('unlink', { name })}
          title=${text('unlink', { name })}
          @click=${() => {
            void act(unlink(found, host, conversation), text('unlinked', { name }));
          }}
        >
          ×
        </button>`
      : nothing
  }`;
}

/** Has a document go with the next message, or not. */
function attachDocument(
  conversation: StreamController,
  id: string,
  name: string,
  isGoing: boolean,
): void {
  const draft = conversation.draft();
  const others = draft.attachments.filter((one) => one.id !== id);
  conversation.setDraft({ ...draft, attachments: isGoing ? [...others, { id, name }] : others });
}

function star(
  found: DocumentInfo,
  host: DocumentHost,
  conversation: StreamController,
): Promise<boolean> {
  const starred = !found.starred;
  const detail = { ...describeDocument(host, found), starred };
  return host.act(
    [new UbikDocumentStarEvent(detail)],
    () => conversation.starDocument(found.id, starred),
    () => new UbikDocumentStarredEvent(detail),
  );
}

function unlink(
  found: DocumentInfo,
  host: DocumentHost,
  conversation: StreamController,
): Promise<boolean> {
  const detail = describeDocument(host, found);
  return host.act(
    [new UbikDocumentUnlinkEvent(detail)],
    async () => {
      await conversation.unlinkDocument(found.id);
      // What the agent may not read any more cannot go with a message.
      attachDocument(conversation, found.id, '', false);
    },
    () => new UbikDocumentUnlinkedEvent(detail),
  );
}
