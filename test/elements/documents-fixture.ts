import { fixture, html } from '@open-wc/testing';
import type { Capability } from '../../src/backends/backend.js';
import type { UbikDocuments } from '../../src/elements/ubik-documents.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { nextFrame, setupController } from './chat-fixture.js';
import { ScriptedClock } from './scripted-clock.js';

const EVENTS = [
  ...['add', 'added', 'cancelled', 'link', 'linked', 'unlink', 'unlinked'],
  ...['starred', 'ready', 'failed'],
].map((name) => `ubik-document-${name}`);

/** All document capabilities. */
const CAPABILITIES: readonly Capability[] = ['documents', 'upload', 'link', 'star'];

type Conversation = ReturnType<typeof setupController>;

/** Prepares the conversation and the element, before the thread is opened and the element is in the document. */
export type PrepareDocuments = (conversation: Conversation, documents: UbikDocuments) => void;

/** `<ubik-documents>` in the page, with an open thread of a scripted backend. */
export async function setupDocuments(
  prepare: PrepareDocuments = () => undefined,
  capabilities = CAPABILITIES,
) {
  await lazyDocuments.load();
  const conversation = setupController();
  const { backend, controller, environment } = conversation;
  for (const name of capabilities) backend.capabilities.add(name);
  backend.threads.set('thread-a', contentOf('thread-a', [stored('m1', 'user', 'Question')]));
  const documents = document.createElement('ubik-documents');
  const clock = new ScriptedClock();
  Object.assign((documents as unknown as { viewContext: object }).viewContext, { clock });
  documents.controller = controller;
  const events: CustomEvent<Record<string, unknown>>[] = [];
  for (const name of [...EVENTS, 'ubik-error', 'ubik-thread-create']) {
    documents.addEventListener(name, (event) => events.push(event as (typeof events)[0]));
  }
  prepare(conversation, documents);
  await controller.openThread('thread-a');
  const box = await fixture(html`<div></div>`);
  box.append(documents);
  await documents.updateComplete;
  const root = documents.shadowRoot;
  if (!root) throw new Error('No shadow root.');
  const settle = async (): Promise<void> => {
    await environment.settle();
    await nextFrame();
    await documents.updateComplete;
    await nextFrame();
  };
  await settle();
  const press = async (name: string): Promise<void> => {
    const button = [...root.querySelectorAll('button')].find(
      (one) => accessibleName(one) === name || one.textContent.trim() === name,
    );
    if (!button) throw new Error(`No button is called ${name}: ${root.textContent}`);
    button.focus();
    button.click();
    await settle();
  };
  const drop = async (...files: readonly File[]): Promise<void> => {
    const dataTransfer = new DataTransfer();
    for (const file of files) dataTransfer.items.add(file);
    const target = root.querySelector('.documents');
    target?.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }),
    );
    await settle();
  };
  return {
    ...conversation,
    clock,
    documents,
    box,
    root,
    settle,
    press,
    drop,
    /** Removes a document, and waits until that can no longer be undone. */
    remove: async (name: string): Promise<void> => {
      await press(`Remove ${name} from this conversation`);
      clock.pass(8);
      await settle();
    },
    events,
    names: () => events.map(({ type }) => type.replace('ubik-document-', '')),
    /** The texts of each row without its buttons, joined by ` | `. */
    rows: () =>
      [...root.querySelectorAll('.file')].map((row) =>
        [...row.children]
          .flatMap((child) => (child.matches('.file-line') ? [...child.children] : child))
          .filter((child) => !child.classList.contains('buttons'))
          .map((child) => child.textContent.replace(/\s+/g, ' ').trim())
          .filter(Boolean)
          .join(' | '),
      ),
    text: () => root.textContent.replace(/\s+/g, ' ').trim(),
  };
}
