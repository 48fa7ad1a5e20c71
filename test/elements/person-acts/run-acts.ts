import { lazyQueueView } from '../../../src/elements/queue/message-queue.js';
import type { UbikChat } from '../../../src/elements/ubik-chat.js';
import { setupChat } from '../chat-stage.js';
import { begin, fill, TEXT, type ActStage, type PersonAct, type Stage } from './person-act.js';

type ChatStage = Awaited<ReturnType<typeof setupChat>>;

/** A run that is on. */
async function setupRun(prepare?: (chat: UbikChat) => void): Promise<ChatStage> {
  await lazyQueueView.load();
  const stage = await setupChat(prepare);
  await stage.start();
  return stage;
}

const texts = ({ root }: Stage | ChatStage): string[] =>
  [...root.querySelectorAll('.waiting li .queued')].map(({ textContent }) => textContent);

async function press(stage: ChatStage, text: string): Promise<void> {
  stage.write(text);
  stage.press('Enter');
  await stage.settle();
}

/** A box beside a run that is on. */
async function setupBox(whileRunning: string): Promise<ActStage> {
  const stage = await setupRun((chat) => {
    chat.whileRunning = whileRunning;
  });
  const { chat: target, field } = stage;
  return {
    ...stage,
    target,
    act: () => press(stage, TEXT),
    kept: () => [texts(stage), field.value],
  };
}

/** A message that waits behind a run; `name` is the act of its row. */
async function setupQueue(name: string, text: string | null = null): Promise<ActStage> {
  const stage = await setupRun();
  const { chat: target, query, root, settle } = stage;
  await press(stage, 'Second');
  const click = async (): Promise<void> => {
    query(`.waiting li [data-act="${name}"]`).click();
    await settle();
  };
  if (text !== null) await click();
  const field = (): HTMLTextAreaElement | null => root.querySelector('.waiting textarea');
  const save = async (): Promise<void> => {
    fill(field() as HTMLTextAreaElement, text ?? '');
    query<HTMLFormElement>('.waiting form').requestSubmit();
    await settle();
  };
  const kept = (): unknown => [texts(stage), field()?.value];
  return { ...stage, target, kept, act: text === null ? click : save };
}

/** A message that is held since the run before it failed. */
async function setupHeld(): Promise<ActStage> {
  const stage = await setupRun();
  const { backend, chat: target, query, settle } = stage;
  await press(stage, 'Second');
  backend.stream.finish('failed');
  await settle();
  const act = async (): Promise<void> => {
    query('.waiting [role=status] button').click();
    await settle();
  };
  return { ...stage, target, act, kept: () => texts(stage) };
}

/** The stop that was asked for is heard, and the message begins. */
async function follow({ backend, settle }: Stage): Promise<void> {
  backend.stream.finish('stopped');
  await settle();
  backend.stream.begin('task-2');
}

/** A run that can be stopped. */
async function setupStop(): Promise<ActStage> {
  const stage = await setupRun();
  const { chat: target, query, settle } = stage;
  const act = async (): Promise<void> => {
    query('.send').click();
    await settle();
  };
  return { ...stage, target, act, kept: () => stage.text('.assistant') };
}

/** A run whose connection broke for good, or whose end does not come; with the button about that. */
async function setupStatus(bring: (stage: ChatStage) => Promise<void>): Promise<ActStage> {
  const stage = await setupRun((chat) => {
    chat.stopTimeout = 0;
  });
  const { chat: target, controller, query, settle } = stage;
  await bring(stage);
  await settle();
  const act = async (): Promise<void> => {
    query('.status-bar button').click();
    await settle();
  };
  return { ...stage, target, act, kept: () => controller.thread?.run.state };
}

async function breakOff({ backend, environment }: ChatStage): Promise<void> {
  for (let tries = 0; tries < 9; tries += 1) {
    backend.stream.fail();
    await environment.advance(60_000);
  }
}

async function stopInVain({ query, settle }: ChatStage): Promise<void> {
  query('.send').click();
  await settle();
}

/** A question of the agent. */
async function setupRequest(answer: (stage: ChatStage) => void): Promise<ActStage> {
  const stage = await setupRun();
  const { backend, chat: target, query, settle } = stage;
  backend.stream.ask('@request:c');
  backend.stream.finish('waiting');
  await settle();
  const field = (): HTMLTextAreaElement => query('.request textarea');
  const act = async (): Promise<void> => {
    fill(field(), TEXT);
    answer(stage);
    await settle();
  };
  return { ...stage, target, act, kept: () => field().value };
}

const sends = { before: 'ubik-message-send', past: 'ubik-message-sent' };
const provides = { before: 'ubik-input-provide', past: 'ubik-input-provided' };

/** What a person does about a run, and while it is on. */
export const RUN_ACTS: readonly PersonAct[] = [
  {
    ...{ name: 'a stop', before: 'ubik-run-stop', past: 'ubik-run-stopped', method: 'stop' },
    ...{ setUp: setupStop, succeed: ({ backend }) => backend.stream.finish('stopped') },
  },
  {
    ...{ name: 'joining again', before: 'ubik-run-rejoin', past: 'ubik-run-started' },
    ...{ method: 'rejoin', setUp: () => setupStatus(breakOff), streams: true, succeed: begin },
  },
  {
    ...{ name: 'leaving a run', before: 'ubik-run-leave', past: 'ubik-run-interrupted' },
    ...{ method: null, setUp: () => setupStatus(stopInVain) },
  },
  {
    ...{ name: 'a message for later', before: 'ubik-message-queue', past: 'ubik-message-queued' },
    ...{ method: null, setUp: () => setupBox('queue'), written: [[], TEXT] },
  },
  {
    ...{ name: 'stopping to send', ...sends, method: 'stop', setUp: () => setupBox('stop') },
    ...{ succeed: follow, written: [[], TEXT] },
  },
  {
    ...{ name: 'sending what waits at once', ...sends, method: 'stop', succeed: follow },
    setUp: () => setupQueue('queueStopAndSend'),
  },
  {
    ...{ name: 'sending what is held', ...sends, method: 'send', setUp: setupHeld },
    ...{ streams: true, succeed: begin },
  },
  {
    ...{ name: 'another text for what waits', method: null, written: [[], TEXT] },
    ...{ before: 'ubik-queue-edit', past: 'ubik-queue-edited' },
    setUp: () => setupQueue('queueEdit', TEXT),
  },
  {
    ...{ name: 'taking out what waits', method: null, setUp: () => setupQueue('queueRemove') },
    ...{ before: 'ubik-queue-remove', past: 'ubik-queue-removed' },
  },
  {
    ...{ name: 'an answer to a question', ...provides, method: 'provideInput', streams: true },
    ...{ succeed: begin, written: TEXT },
    setUp: () =>
      setupRequest(({ query }) => query<HTMLFormElement>('.request form').requestSubmit()),
  },
  {
    ...{ name: 'declining a question', ...provides, method: 'provideInput', streams: true },
    ...{ succeed: begin, written: TEXT },
    setUp: () => setupRequest(({ query }) => query('.request .quiet').click()),
  },
];
