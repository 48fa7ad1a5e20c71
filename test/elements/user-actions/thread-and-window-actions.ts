import { plain, setupThreads } from '../thread-fixture.js';
import { setupChat } from '../chat-fixture.js';
import { TEXT, type ActionFixture, type UserAction } from './user-action.js';

type ThreadFixture = Awaited<ReturnType<typeof setupThreads>>;

/** A thread list with one open thread. */
async function setupList(
  perform: (stage: ThreadFixture) => Promise<unknown> | void,
  prepare?: (stage: ThreadFixture) => Promise<unknown>,
): Promise<ActionFixture> {
  const stage = await setupThreads();
  await stage.open('Talk 1');
  await prepare?.(stage);
  const { all, controller, list: target, settle } = stage;
  return {
    ...stage,
    target,
    perform: async () => {
      await perform(stage);
      await settle();
    },
    snapshot: () => [
      controller.thread?.id,
      all<HTMLInputElement>('.thread input')[0]?.value ?? all('.thread').map(plain),
    ],
  };
}

/** Renames the first thread. */
async function rename(stage: ThreadFixture): Promise<void> {
  await stage.press('Talk 0', 'Rename');
  const [field] = stage.all<HTMLInputElement>('.thread input');
  if (field) field.value = TEXT;
  stage.click(stage.root.querySelector('.thread .primary'));
}

/** Deletes the first thread, and waits until it cannot be undone. */
async function remove(stage: ThreadFixture): Promise<void> {
  await stage.press('Talk 0', 'Delete');
  stage.clock.pass(8);
}

/** A chat with the layout bubble. */
async function setupBubble(isOpen: boolean): Promise<ActionFixture> {
  const stage = await setupChat((chat) => {
    chat.layout = 'bubble';
    chat.open = isOpen;
  });
  await stage.settle();
  const { chat: target, field, press, query, settle, write } = stage;
  if (isOpen) write(TEXT);
  const perform = async (): Promise<void> => {
    if (isOpen) press('Escape');
    else query('.launcher').click();
    await settle();
  };
  return { ...stage, target, perform, snapshot: () => [target.open, field.value] };
}

const opens = { before: 'ubik-thread-open', after: 'ubik-thread-opened' };

/** Actions on threads and on the window. */
export const THREAD_AND_WINDOW_ACTIONS: readonly UserAction[] = [
  {
    ...{ name: 'open a thread', ...opens, method: 'loadThread' },
    setUp: () => setupList((stage) => stage.open('Talk 2')),
  },
  {
    ...{ name: 'start a thread', ...opens, method: null },
    setUp: () => setupList(({ click, root }) => click(root.querySelector('.thread-new'))),
  },
  {
    ...{ name: 'rename a thread', method: 'renameThread' },
    ...{ before: 'ubik-thread-rename', after: 'ubik-thread-renamed' },
    setUp: () => setupList(rename),
    snapshotWhenCanceled: ['t1', TEXT],
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
        (stage) => stage.press('Talk 0', 'Delete'),
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
];
