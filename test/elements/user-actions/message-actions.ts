import { contentOf, type ScriptedBackend } from '../../controller/scripted-backend.js';
import { waitFor } from '../../helpers/wait-for.js';
import { setupBranches, MESSAGES, version } from '../branch-fixture.js';
import { setupChat } from '../chat-fixture.js';
import { setupMenu } from '../menu-fixture.js';
import { beginRun, fill, TEXT, type ActionFixture, type UserAction } from './user-action.js';

/** A chat with an empty composer. */
async function setupComposer(): Promise<ActionFixture> {
  const fixture = await setupChat();
  const { chat: target, field, press, settle, write } = fixture;
  const perform = async (): Promise<void> => {
    write(TEXT);
    press('Enter');
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => field.value };
}

/** A thread with versions; `name` is the button of the action, `text` the edited text. */
async function setupVersions(name: string, text: string | null = null): Promise<ActionFixture> {
  const other = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
  const fixture = await setupBranches(MESSAGES, (id) => ({ ...other, id }));
  const { backend, button, chat: target, field, press, root, settle, shown } = fixture;
  backend.responses.set('switchBranch', () => contentOf('t', [other]));
  // Waits for the intersection observers, because versions are loaded when their pager is visible.
  await new Promise((resolve) => {
    new IntersectionObserver(resolve).observe(root.querySelector('.action-bar') as Element);
  });
  await settle();
  await settle();
  const perform = async (): Promise<void> => {
    if (text === null || !root.querySelector('.edit')) {
      button(name).focus();
      button(name).click();
      await settle();
    }
    if (text !== null) {
      fill(field(), text);
      press('Enter');
    }
    await settle();
  };
  const snapshot = (): unknown => [shown().at(-1), root.querySelector('.edit') && field().value];
  return { ...fixture, target, perform, snapshot };
}

/** An open feedback form. */
async function setupFeedback(): Promise<ActionFixture> {
  const fixture = await setupMenu();
  const { chat: target, query, rate, settle } = fixture;
  await rate('good');
  const perform = async (): Promise<void> => {
    fill(query<HTMLTextAreaElement>('.feedback textarea'), TEXT);
    query('.feedback .primary').click();
    await settle();
  };
  const field = (): HTMLTextAreaElement | null => fixture.root.querySelector('.feedback textarea');
  return { ...fixture, target, perform, snapshot: () => field()?.value };
}

/** A composer with a suggestion for `/s`. */
async function setupCommand(): Promise<ActionFixture> {
  const fixture = await setupChat((chat) => {
    chat.commands = [{ name: 'summary', description: 'In five lines', text: 'Sum this up:' }];
  });
  const { chat: target, field, press, settle, write } = fixture;
  field.focus();
  await settle();
  const perform = async (): Promise<void> => {
    write('/s');
    press('Enter');
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => field.value };
}

/** A composer with a context of the host page. */
async function setupContext(): Promise<ActionFixture> {
  const fixture = await setupChat((chat) => {
    (chat.controller?.backend as ScriptedBackend).capabilities.add('context');
    chat.context = { title: 'Danube', data: { river: 'Danube' } };
  });
  const { chat: target, query, root, settle } = fixture;
  await settle();
  const perform = async (): Promise<void> => {
    query('.context button').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => root.querySelector('.context .chip') };
}

/** An answer with a Markdown text and an element to click. */
async function setupAnswer(text: string, selector: string): Promise<ActionFixture> {
  const fixture = await setupChat();
  const { backend, chat: target, query, root, settle, start } = fixture;
  await start();
  backend.stream.append(0, text);
  backend.stream.finish('complete');
  await settle();
  let isLinkFollowed = false;
  root.addEventListener('click', (event) => {
    const isLink = (event.target as Element).closest('a') !== null;
    isLinkFollowed ||= isLink && !event.defaultPrevented;
    // The test page must not navigate.
    event.preventDefault();
  });
  const perform = async (): Promise<void> => {
    query(selector).click();
    await settle();
  };
  const snapshot = () => [isLinkFollowed, root.querySelector('img')];
  return { ...fixture, target, perform, snapshot };
}

/** Actions on messages. */
export const MESSAGE_ACTIONS: readonly UserAction[] = [
  {
    name: 'send a message',
    before: 'ubik-message-send',
    after: 'ubik-message-sent',
    method: 'send',
    setUp: setupComposer,
    succeed: beginRun,
    isStreamed: true,
    snapshotWhenCancelled: TEXT,
  },
  {
    name: 'remove the context',
    before: null,
    after: 'ubik-context-removed',
    method: null,
    setUp: setupContext,
  },
  {
    name: 'create a thread',
    before: 'ubik-thread-create',
    after: 'ubik-thread-created',
    method: 'createThread',
    setUp: setupComposer,
    snapshotWhenCancelled: TEXT,
  },
  {
    name: 'edit a message',
    before: 'ubik-message-edit',
    after: 'ubik-message-edited',
    method: 'edit',
    setUp: () => setupVersions('Edit', TEXT),
    succeed: beginRun,
    isStreamed: true,
    snapshotWhenCancelled: ['Second answer', TEXT],
  },
  {
    name: 'regenerate an answer',
    before: 'ubik-message-regenerate',
    after: 'ubik-message-regenerated',
    method: 'regenerate',
    setUp: () => setupVersions('Regenerate'),
    succeed: beginRun,
    isStreamed: true,
  },
  {
    name: 'show the next version',
    before: 'ubik-branch-switch',
    after: 'ubik-branch-switched',
    method: 'switchBranch',
    setUp: () => setupVersions('Next version'),
  },
  {
    name: 'give feedback',
    before: 'ubik-message-feedback',
    after: 'ubik-message-feedback-given',
    method: null,
    setUp: setupFeedback,
    snapshotWhenCancelled: TEXT,
  },
  {
    name: 'choose a command',
    before: null,
    after: 'ubik-suggestion-chosen',
    method: null,
    setUp: setupCommand,
  },
  {
    name: 'follow a link',
    before: 'ubik-link-open',
    after: 'ubik-link-opened',
    method: null,
    setUp: () => setupAnswer('[docs](https://docs.example/a)', '.text a'),
  },
  {
    name: 'load a remote image',
    before: 'ubik-image-load',
    after: 'ubik-image-loaded',
    method: null,
    succeed: async ({ root }) => {
      // A lazy image has no address before the browser has started to load it.
      const image = await waitFor(() => {
        const found = root.querySelector<HTMLImageElement>('.text img');
        return found?.currentSrc ? found : null;
      });
      image.dispatchEvent(new Event('load'));
    },
    setUp: async () => {
      const fixture = await setupAnswer('![a](https://pictures.example/a.png)', '.text button');
      // There is no such host. A failed image would be replaced by its button.
      fixture.root.addEventListener('error', (event) => event.stopPropagation(), true);
      return fixture;
    },
  },
];
