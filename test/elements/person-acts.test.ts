import { expect } from '@open-wc/testing';
import '../../src/elements/window/chat-window.js';
import { UbikError } from '../../src/errors.js';
import { contentOf } from '../conversation/scripted-backend.js';
import { setupBranches, TALK, version } from './branch-stage.js';
import { setupChat } from './chat-stage.js';
import { setupDocuments } from './documents-stage.js';
import { plain, setupThreads } from './thread-stage.js';

const TEXT = 'Do not lose me';

/** What every stage of an element has. */
interface Stage {
  readonly target: HTMLElement;
  readonly root: ShadowRoot;
  readonly backend: Awaited<ReturnType<typeof setupChat>>['backend'];
  settle(): Promise<void>;
}

/** One act of a person. Those on documents and threads that are told after one call are tried where their lists are. */
interface PersonAct {
  readonly before: string;
  readonly past: string;
  /** What the service is asked for it; null: nothing. */
  readonly method: string | null;
  setUp(): Promise<Stage & { act(): Promise<void>; kept(): unknown }>;
  /** Its stream has begun, or its run ended; unless the call itself says so. */
  succeed?(stage: Stage): void;
  /** What stands there when it was not done, if that is not what stood there before: what was written. */
  readonly written?: unknown;
  /** It opens a stream, which breaks with this; unless the call itself rejects. */
  readonly streams?: boolean;
}

const begin = ({ backend }: Stage): void => backend.stream.begin();

/** A stage whose text in the box must not be lost. */
async function setupBox(isRunning: boolean) {
  const stage = await setupChat();
  const { chat: target, field, press, query, settle, start, write } = stage;
  if (isRunning) await start();
  const act = async (): Promise<void> => {
    if (isRunning) query('.send').click();
    else {
      write(TEXT);
      press('Enter');
    }
    await settle();
  };
  return { ...stage, target, act, kept: () => (isRunning ? '' : field.value) };
}

/** A talk with versions; `name` is the button that begins the act. */
async function setupTalk(name: string, text: string | null = null) {
  const other = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
  const stage = await setupBranches(TALK, (id) => ({ ...other, id }));
  const { backend, button, chat: target, field, press, root, settle, shown } = stage;
  backend.answers.set('navigate', () => contentOf('t', [other]));
  await new Promise((resolve) => {
    new IntersectionObserver(resolve).observe(root.querySelector('.acts') as Element);
  });
  await settle();
  await settle();
  const act = async (): Promise<void> => {
    if (text === null || !root.querySelector('.edit')) {
      button(name).focus();
      button(name).click();
      await settle();
    }
    if (text !== null) {
      field().value = text;
      field().dispatchEvent(new InputEvent('input', { bubbles: true }));
      field().focus();
      press('Enter');
    }
    await settle();
  };
  const kept = (): unknown => [shown().at(-1), root.querySelector('.edit') && field().value];
  return { ...stage, target, act, kept };
}

/** A list of documents with a file that the network has lost. */
async function setupLost(name: string) {
  const stage = await setupDocuments();
  const { backend, documents: target, drop, press, rows } = stage;
  backend.answers.set('upload', () => Promise.reject(new UbikError('network')));
  await drop(new File(['text'], 'a.txt'));
  backend.answers.clear();
  return { ...stage, target, act: () => press(name), kept: () => rows().length };
}

/** A list of documents with a file on its way. */
async function setupUpload() {
  const stage = await setupDocuments();
  const { backend, documents: target, drop, press, rows } = stage;
  backend.answers.set('upload', () => new Promise(() => undefined));
  await drop(new File(['text'], 'a.txt'));
  return { ...stage, target, act: () => press('Stop sending a.txt'), kept: () => rows() };
}

/** A list of threads with one of them open. */
async function setupList() {
  const stage = await setupThreads();
  await stage.open('Talk 1');
  const { all, click, controller, list: target, settle } = stage;
  const act = async (): Promise<void> => {
    click(all('button').find((one) => plain(one) === 'New conversation'));
    await settle();
  };
  return { ...stage, target, act, kept: () => controller.thread?.id };
}

/** A chat in an open bubble. */
async function setupBubble() {
  const stage = await setupChat((chat) => {
    chat.layout = 'bubble';
    chat.open = true;
  });
  await stage.settle();
  const { chat: target, field, press, settle, write } = stage;
  write(TEXT);
  const act = async (): Promise<void> => {
    press('Escape');
    await settle();
  };
  return { ...stage, target, act, kept: () => [target.open, field.value] };
}

const ACTS: readonly PersonAct[] = [
  {
    ...{ before: 'ubik-message-send', past: 'ubik-message-sent', method: 'send' },
    ...{ setUp: () => setupBox(false), succeed: begin, streams: true, written: TEXT },
  },
  {
    ...{ before: 'ubik-run-stop', past: 'ubik-run-stopped', method: 'stop' },
    setUp: () => setupBox(true),
    succeed: ({ backend }) => backend.stream.finish('stopped'),
  },
  {
    ...{ before: 'ubik-message-edit', past: 'ubik-message-edited', method: 'edit' },
    ...{ setUp: () => setupTalk('Edit', TEXT), succeed: begin, streams: true },
    written: ['Second answer', TEXT],
  },
  {
    ...{ before: 'ubik-message-regenerate', past: 'ubik-message-regenerated' },
    ...{ method: 'regenerate', setUp: () => setupTalk('Answer again') },
    ...{ succeed: begin, streams: true },
  },
  {
    ...{ before: 'ubik-branch-navigate', past: 'ubik-branch-navigated', method: 'navigate' },
    setUp: () => setupTalk('Next version'),
  },
  {
    ...{ before: 'ubik-document-retry', past: 'ubik-document-retried', method: 'upload' },
    setUp: () => setupLost('Try again to send a.txt'),
  },
  {
    ...{ before: 'ubik-document-cancel', past: 'ubik-document-cancelled', method: null },
    setUp: setupUpload,
  },
  {
    ...{ before: 'ubik-thread-open', past: 'ubik-thread-opened', method: null },
    setUp: setupList,
  },
  {
    ...{ before: 'ubik-chat-close', past: 'ubik-chat-closed', method: null },
    setUp: setupBubble,
  },
];

/** Sets an act up and hears its events. `calls`: how often the service was asked since. */
async function prepare({ before, past, method, setUp }: PersonAct) {
  const stage = await setUp();
  const told: string[] = [];
  for (const name of [before, past, 'ubik-error']) {
    stage.target.addEventListener(name, ({ type }) => told.push(type));
  }
  const count = (): number => (method === null ? 0 : stage.backend.count(method));
  const earlier = count();
  return { stage, told, calls: () => count() - earlier };
}

describe('an act of a person', () => {
  for (const tried of ACTS) {
    const { before, past, method, streams, succeed, written } = tried;

    it(`is not done when the page cancels ${before}, and nothing is lost`, async () => {
      const { stage, told, calls } = await prepare(tried);
      stage.target.addEventListener(before, (event) => event.preventDefault());
      const kept = stage.kept();
      await stage.act();
      expect(calls()).to.equal(0);
      expect(told).to.deep.equal([before]);
      expect(stage.kept()).to.deep.equal(written ?? kept);
    });

    it(`is told by ${past} once, when the service has done it`, async () => {
      const { stage, told, calls } = await prepare(tried);
      await stage.act();
      if (succeed) expect(told, 'not before').to.deep.equal([before]);
      succeed?.(stage);
      await stage.settle();
      expect(calls()).to.equal(method === null ? 0 : 1);
      expect(told).to.deep.equal([before, past]);
    });

    if (method === null) continue;

    it(`is not told by ${past} when the service refuses it, but by an error and a sentence`, async () => {
      const { stage, told, calls } = await prepare(tried);
      const refusal = new UbikError('forbidden', 'no', { status: 403 });
      if (!streams) stage.backend.answers.set(method, () => Promise.reject(refusal));
      await stage.act();
      if (streams) stage.backend.stream.fail(refusal);
      await stage.settle();
      expect(calls()).to.equal(1);
      expect(told).to.deep.equal([before, 'ubik-error']);
      const words = [...stage.root.querySelectorAll('[role=alert], .complaint')];
      expect(words.map((one) => one.textContent.trim()).join('')).to.match(/\w.*\./u);
      if (written) expect(stage.kept()).to.deep.equal(written);
    });
  }
});
