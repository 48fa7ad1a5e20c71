import { plain, setupThreads } from '../thread-stage.js';
import { setupChat } from '../chat-stage.js';
import { TEXT, type ActStage, type PersonAct } from './person-act.js';

type ThreadStage = Awaited<ReturnType<typeof setupThreads>>;

/** A list of threads with one of them open. */
async function setupList(
  act: (stage: ThreadStage) => Promise<unknown> | void,
  prepare?: (stage: ThreadStage) => Promise<unknown>,
): Promise<ActStage> {
  const stage = await setupThreads();
  await stage.open('Talk 1');
  await prepare?.(stage);
  const { all, controller, list: target, settle } = stage;
  return {
    ...stage,
    target,
    act: async () => {
      await act(stage);
      await settle();
    },
    kept: () => [
      controller.thread?.id,
      all<HTMLInputElement>('.thread input')[0]?.value ?? all('.thread').map(plain),
    ],
  };
}

/** Gives the first thread another name. */
async function rename(stage: ThreadStage): Promise<void> {
  await stage.press('Talk 0', 'Rename');
  const [field] = stage.all<HTMLInputElement>('.thread input');
  if (field) field.value = TEXT;
  stage.click(stage.root.querySelector('.thread .primary'));
}

/** Deletes the first thread, and lets the time to take it back run out. */
async function remove(stage: ThreadStage): Promise<void> {
  await stage.press('Talk 0', 'Delete');
  stage.clock.pass(8);
}

/** A chat in a bubble. */
async function setupBubble(isOpen: boolean): Promise<ActStage> {
  const stage = await setupChat((chat) => {
    chat.layout = 'bubble';
    chat.open = isOpen;
  });
  await stage.settle();
  const { chat: target, field, press, query, settle, write } = stage;
  if (isOpen) write(TEXT);
  const act = async (): Promise<void> => {
    if (isOpen) press('Escape');
    else query('.launcher').click();
    await settle();
  };
  return { ...stage, target, act, kept: () => [target.open, field.value] };
}

const opens = { before: 'ubik-thread-open', past: 'ubik-thread-opened' };

/** What a person does with threads, and with the window. */
export const LIST_ACTS: readonly PersonAct[] = [
  {
    ...{ name: 'opening a thread', ...opens, method: 'loadThread' },
    setUp: () => setupList((stage) => stage.open('Talk 2')),
  },
  {
    ...{ name: 'beginning a conversation', ...opens, method: null },
    setUp: () => setupList(({ click, root }) => click(root.querySelector('.thread-new'))),
  },
  {
    ...{ name: 'another name for a thread', method: 'renameThread' },
    ...{ before: 'ubik-thread-rename', past: 'ubik-thread-renamed' },
    setUp: () => setupList(rename),
    written: ['t1', TEXT],
  },
  {
    ...{ name: 'deleting a thread', method: 'deleteThread', setUp: () => setupList(remove) },
    ...{ before: 'ubik-thread-delete', past: 'ubik-thread-deleted' },
  },
  {
    ...{ name: 'taking a deletion back', method: null },
    ...{ before: 'ubik-thread-undelete', past: 'ubik-thread-undeleted' },
    setUp: () =>
      setupList(
        ({ click, root }) => click(root.querySelector('.thread-undo')),
        (stage) => stage.press('Talk 0', 'Delete'),
      ),
  },
  {
    ...{ name: 'opening the window', before: 'ubik-chat-open', past: 'ubik-chat-opened' },
    ...{ method: null, setUp: () => setupBubble(false) },
  },
  {
    ...{ name: 'closing the window', before: 'ubik-chat-close', past: 'ubik-chat-closed' },
    ...{ method: null, setUp: () => setupBubble(true) },
  },
];
