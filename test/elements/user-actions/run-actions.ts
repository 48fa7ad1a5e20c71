import { lazyQueueView } from '../../../src/elements/queue/queue-controller.js';
import type { UbikChat } from '../../../src/elements/ubik-chat.js';
import { setupChat } from '../chat-fixture.js';
import {
  beginRun,
  fill,
  TEXT,
  type ActionFixture,
  type UserAction,
  type Fixture,
} from './user-action.js';

type ChatFixture = Awaited<ReturnType<typeof setupChat>>;

/** A chat with an active run. */
async function setupRun(prepare?: (chat: UbikChat) => void): Promise<ChatFixture> {
  await lazyQueueView.load();
  const fixture = await setupChat(prepare);
  await fixture.start();
  return fixture;
}

const queuedTexts = ({ root }: Fixture | ChatFixture): string[] =>
  [...root.querySelectorAll('.queue li .queued')].map(({ textContent }) => textContent);

async function submit(fixture: ChatFixture, text: string): Promise<void> {
  fixture.write(text);
  fixture.press('Enter');
  await fixture.settle();
}

/** A composer during a run. */
async function setupComposer(whileRunning: UbikChat['whileRunning']): Promise<ActionFixture> {
  const fixture = await setupRun((chat) => {
    chat.whileRunning = whileRunning;
  });
  const { chat: target, field } = fixture;
  return {
    ...fixture,
    target,
    perform: () => submit(fixture, TEXT),
    snapshot: () => [queuedTexts(fixture), field.value],
  };
}

/** A queued message; `name` is the action of its row, `text` the edited text. */
async function setupQueue(name: string, text: string | null = null): Promise<ActionFixture> {
  const fixture = await setupRun();
  const { chat: target, query, root, settle } = fixture;
  await submit(fixture, 'Second');
  const click = async (): Promise<void> => {
    query(`.queue li [data-act="${name}"]`).click();
    await settle();
  };
  if (text !== null) await click();
  const field = (): HTMLTextAreaElement | null => root.querySelector('.queue textarea');
  const save = async (): Promise<void> => {
    fill(field() as HTMLTextAreaElement, text ?? '');
    query<HTMLFormElement>('.queue form').requestSubmit();
    await settle();
  };
  const snapshot = (): unknown => [queuedTexts(fixture), field()?.value];
  return { ...fixture, target, snapshot, perform: text === null ? click : save };
}

/** A queue that is paused because the run failed. */
async function setupPausedQueue(): Promise<ActionFixture> {
  const fixture = await setupRun();
  const { backend, chat: target, query, settle } = fixture;
  await submit(fixture, 'Second');
  backend.stream.finish('failed');
  await settle();
  const perform = async (): Promise<void> => {
    query('.queue [role=status] button').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => queuedTexts(fixture) };
}

/** Stops the run, and starts the run of the message. */
async function stopAndStart({ backend, settle }: Fixture): Promise<void> {
  backend.stream.finish('stopped');
  await settle();
  backend.stream.begin('task-2');
}

/** A run that can be stopped. */
async function setupStop(): Promise<ActionFixture> {
  const fixture = await setupRun();
  const { chat: target, query, settle } = fixture;
  const perform = async (): Promise<void> => {
    query('.send').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => fixture.text('.assistant') };
}

/** A run in a state with a button in the status line. */
async function setupStatus(
  prepare: (fixture: ChatFixture) => Promise<void>,
): Promise<ActionFixture> {
  const fixture = await setupRun((chat) => {
    chat.stopTimeout = 0;
  });
  const { chat: target, controller, query, settle } = fixture;
  await prepare(fixture);
  await settle();
  const perform = async (): Promise<void> => {
    query('.status-bar button').click();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => controller.thread?.run.state };
}

/** Interrupts the run: all attempts to rejoin it fail. */
async function interrupt({ backend, environment }: ChatFixture): Promise<void> {
  for (let attempts = 0; attempts < 9; attempts += 1) {
    backend.stream.fail();
    await environment.advance(60_000);
  }
}

/** Stops the run, whose end the service does not report. */
async function stopWithoutEnd({ query, settle }: ChatFixture): Promise<void> {
  query('.send').click();
  await settle();
}

/** A pending request of the agent. */
async function setupRequest(answer: (fixture: ChatFixture) => void): Promise<ActionFixture> {
  const fixture = await setupRun();
  const { backend, chat: target, query, settle } = fixture;
  backend.stream.request('@request:c');
  backend.stream.finish('waiting');
  await settle();
  const field = (): HTMLTextAreaElement => query('.request textarea');
  const perform = async (): Promise<void> => {
    fill(field(), TEXT);
    answer(fixture);
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => field().value };
}

const sends = { before: 'ubik-message-send', after: 'ubik-message-sent' };
const provides = { before: 'ubik-input-provide', after: 'ubik-input-provided' };

/** Actions on a run, its requests and the queue. */
export const RUN_ACTIONS: readonly UserAction[] = [
  {
    ...{ name: 'stop a run', before: 'ubik-run-stop', after: 'ubik-run-stopped', method: 'stop' },
    ...{ setUp: setupStop, succeed: ({ backend }) => backend.stream.finish('stopped') },
  },
  {
    ...{ name: 'rejoin a run', before: null, after: 'ubik-run-started' },
    ...{
      method: 'rejoin',
      setUp: () => setupStatus(interrupt),
      isStreamed: true,
      succeed: beginRun,
    },
  },
  {
    ...{ name: 'leave a run', before: null, after: 'ubik-run-interrupted' },
    ...{ method: null, setUp: () => setupStatus(stopWithoutEnd) },
  },
  {
    ...{ name: 'queue a message', before: 'ubik-message-queue', after: null },
    ...{ method: null, setUp: () => setupComposer('queue'), snapshotWhenCancelled: [[], TEXT] },
  },
  {
    ...{
      name: 'stop a run and send a message',
      ...sends,
      method: 'stop',
      setUp: () => setupComposer('stop'),
    },
    ...{ succeed: stopAndStart, snapshotWhenCancelled: [[], TEXT] },
  },
  {
    ...{
      name: 'stop a run and send a queued message',
      ...sends,
      method: 'stop',
      succeed: stopAndStart,
    },
    setUp: () => setupQueue('queueStopAndSend'),
  },
  {
    ...{ name: 'resume the queue', ...sends, method: 'send', setUp: setupPausedQueue },
    ...{ isStreamed: true, succeed: beginRun },
  },
  {
    ...{ name: 'edit a queued message', method: null, snapshotWhenCancelled: [[], TEXT] },
    ...{ before: 'ubik-queue-edit', after: null },
    setUp: () => setupQueue('queueEdit', TEXT),
  },
  {
    ...{ name: 'remove a queued message', method: null, setUp: () => setupQueue('queueRemove') },
    ...{ before: null, after: null },
  },
  {
    ...{ name: 'answer a request', ...provides, method: 'provideInput', isStreamed: true },
    ...{ succeed: beginRun, snapshotWhenCancelled: TEXT },
    setUp: () =>
      setupRequest(({ query }) => query<HTMLFormElement>('.request form').requestSubmit()),
  },
  {
    ...{ name: 'decline a request', ...provides, method: 'provideInput', isStreamed: true },
    ...{ succeed: beginRun, snapshotWhenCancelled: TEXT },
    setUp: () => setupRequest(({ query }) => query('.request .quiet').click()),
  },
];
