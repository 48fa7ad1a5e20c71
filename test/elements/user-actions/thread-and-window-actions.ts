import { plain, setupThreads } from '../thread-fixture.js';
import { setupChat } from '../chat-fixture.js';
import { TEXT, type ActionFixture, type UserAction } from './user-action.js';

type ThreadFixture = Awaited<ReturnType<typeof setupThreads>>;

/** A thread list with one open thread. */
async function setupList(
  perform: (fixture: ThreadFixture) => Promise<unknown> | void,
  prepare?: (fixture: ThreadFixture) => Promise<unknown>,
): Promise<ActionFixture> {
  const fixture = await setupThreads();
  await fixture.open('Talk 1');
  await prepare?.(fixture);
  const { all, controller, list: target, settle } = fixture;
  return {
    ...fixture,
    target,
    perform: async () => {
      await perform(fixture);
      await settle();
    },
    snapshot: () => [
      controller.thread?.id,
      all<HTMLInputElement>('.thread input')[0]?.value ?? all('.thread').map(plain),
    ],
  };
}

/** Renames the first thread. */
async function rename(fixture: ThreadFixture): Promise<void> {
  await fixture.press('Talk 0', 'Rename');
  const [field] = fixture.all<HTMLInputElement>('.thread input');
  if (field) field.value = TEXT;
  fixture.click(fixture.root.querySelector('.thread .primary'));
}

/** Deletes the first thread, and waits until it cannot be undone. */
async function remove(fixture: ThreadFixture): Promise<void> {
  await fixture.press('Talk 0', 'Delete');
  fixture.clock.pass(8);
}

/** A chat with the layout bubble. */
async function setupBubble(isOpen: boolean): Promise<ActionFixture> {
  const fixture = await setupChat((chat) => {
    chat.layout = 'bubble';
    chat.open = isOpen;
  });
  await fixture.settle();
  const { chat: target, field, press, query, settle, write } = fixture;
  if (isOpen) write(TEXT);
  const perform = async (): Promise<void> => {
    if (isOpen) press('Escape');
    else query('.launcher').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => [target.open, field.value] };
}

/** A chat with a gate. */
async function setupGate(): Promise<ActionFixture> {
  const fixture = await setupChat();
  const { chat: target, query, settle, root } = fixture;
  target.gate = { text: 'The rules' };
  while (!root.querySelector('.gate .primary')) await settle();
  const perform = async (): Promise<void> => {
    query('.gate .primary').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => root.querySelector('.gate') !== null };
}

const opens = { before: 'ubik-thread-open', after: 'ubik-thread-opened' };

/** Actions on threads and on the window. */
export const THREAD_AND_WINDOW_ACTIONS: readonly UserAction[] = [
  {
    ...{ name: 'open a thread', ...opens, method: 'loadThread' },
    setUp: () => setupList((fixture) => fixture.open('Talk 2')),
  },
  {
    ...{ name: 'start a thread', ...opens, method: null },
    setUp: () => setupList(({ click, root }) => click(root.querySelector('.thread-new'))),
  },
  {
    ...{ name: 'rename a thread', method: 'renameThread' },
    ...{ before: 'ubik-thread-rename', after: 'ubik-thread-renamed' },
    setUp: () => setupList(rename),
    snapshotWhenCancelled: ['t1', TEXT],
  },
  {
    ...{ name: 'delete a thread', method: 'deleteThread', setUp: () => setupList(remove) },
    ...{ before: 'ubik-thread-delete', after: 'ubik-thread-deleted' },
  },
  {
    ...{ name: 'undo a deletion', before: null, after: null, method: null },
    setUp: () =>
      setupList(
        ({ click, root }) => click(root.querySelector('.thread-undo')),
        (fixture) => fixture.press('Talk 0', 'Delete'),
      ),
  },
  {
    ...{ name: 'open the window', before: 'ubik-chat-open', after: 'ubik-chat-opened' },
    ...{ method: null, setUp: () => setupBubble(false) },
  },
  {
    ...{ name: 'close the window', before: 'ubik-chat-close', after: 'ubik-chat-closed' },
    ...{ method: null, setUp: () => setupBubble(true) },
  },
  {
    ...{ name: 'pass the gate', before: 'ubik-gate-pass', after: 'ubik-gate-passed' },
    ...{ method: null, setUp: setupGate },
  },
];
