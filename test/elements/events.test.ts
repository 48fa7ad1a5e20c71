import { expect, oneEvent } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import {
  UbikCheckpointRestoreEvent,
  UbikMessageSendEvent,
  type UbikEventMap,
  type UbikInputRequiredEvent,
} from '../../src/events/index.js';
import * as events from '../../src/events/index.js';
import type { ActivityFields } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { setupChat } from './chat-fixture.js';
import { pressButton, restoreFirstCheckpoint } from './compare-fixture.js';
import { PASSAGE, setupCitation } from './passage-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupChat>>;

/** Events of a chat, each with an action that causes it, and fields of its detail. Further events are in `user-actions.test.ts`. */
const CASES: Partial<
  Record<keyof UbikEventMap, { act: (fixture: Fixture) => Promise<void>; detail: object | null }>
> = {
  'ubik-message-send': {
    act: ({ start }) => start('Hello'),
    detail: { threadId: null, text: 'Hello', attachments: [] },
  },
  'ubik-message-sent': {
    act: ({ start }) => start('Hello'),
    detail: { threadId: 'thread-id-1', text: 'Hello', attachments: [] },
  },
  'ubik-message-queue': {
    act: queueMessage,
    detail: { threadId: 'thread-id-1', text: 'Afterwards', attachments: [] },
  },
  'ubik-thread-create': { act: ({ start }) => start(), detail: { threadId: null } },
  'ubik-thread-created': { act: ({ start }) => start(), detail: { threadId: 'thread-id-1' } },
  'ubik-run-started': {
    act: ({ start }) => start(),
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false },
  },
  'ubik-run-completed': {
    act: async (fixture) => {
      await fixture.start();
      setActivity(fixture, '@run', {
        kind: 'run-activity',
        step: 1,
        totalSteps: 1,
        progress: 100,
        description: '',
        result: { status: 'completed' },
      });
      fixture.backend.stream.finish('complete');
      await fixture.settle();
    },
    detail: {
      threadId: 'thread-id-1',
      runId: 'task-1',
      resumed: false,
      result: { status: 'completed' },
    },
  },
  'ubik-step-completed': {
    act: async (fixture) => {
      await fixture.start();
      setActivity(fixture, '@step:2', {
        kind: 'step-activity',
        number: 2,
        title: 'Look',
        progress: 100,
        status: '',
        results: { found: [1] },
        state: 'completed',
        startedAt: 1,
        endedAt: 2,
      });
      await fixture.settle();
    },
    detail: {
      threadId: 'thread-id-1',
      messageId: null,
      step: 2,
      title: 'Look',
      results: { found: [1] },
    },
  },
  'ubik-run-paused': {
    act: (fixture) => finish(fixture, 'waiting'),
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false },
  },
  'ubik-run-stopped': {
    act: (fixture) => finish(fixture, 'stopped'),
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false },
  },
  'ubik-run-failed': {
    act: (fixture) => finish(fixture, 'failed'),
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false, code: 'run-failed' },
  },
  'ubik-run-interrupted': {
    act: async ({ start, backend, environment, settle }) => {
      await start();
      for (let tries = 0; tries < 9; tries++) {
        backend.stream.fail();
        await environment.advance(60_000);
      }
      await settle();
    },
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false, code: 'interrupted' },
  },
  'ubik-run-stop': {
    act: async ({ start, query, settle }) => {
      await start();
      query('.send').click();
      await settle();
    },
    detail: { threadId: 'thread-id-1', runId: 'task-1', resumed: false },
  },
  'ubik-input-required': {
    act: requestInput,
    detail: {
      threadId: 'thread-id-1',
      request: '@request:c',
      level: 'agent',
      prompt: 'Which year?',
      inputTypes: ['text'],
    },
  },
  'ubik-input-provide': {
    act: answer,
    detail: { request: '@request:c', type: 'text', text: '2025', value: null, fileName: null },
  },
  'ubik-input-provided': {
    act: answer,
    detail: { request: '@request:c', type: 'text', text: '2025', value: null, fileName: null },
  },
  'ubik-checkpoint-restore': {
    act: restoreCheckpoint,
    detail: { threadId: 't', checkpoint: 'c1' },
  },
  'ubik-checkpoint-restored': {
    act: restoreCheckpoint,
    detail: { threadId: 't', checkpoint: 'c1', hint: 'faster' },
  },
  'ubik-thread-open': { act: open, detail: { threadId: 't' } },
  'ubik-thread-opened': { act: open, detail: { threadId: 't' } },
  'ubik-link-open': {
    act: async (fixture) => {
      await fixture.start();
      fixture.backend.stream.append(0, '[docs](https://docs.example/a)');
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      fixture.chat.addEventListener('click', (event) => {
        event.preventDefault();
      });
      fixture.query('.text a').click();
    },
    detail: { url: 'https://docs.example/a' },
  },
  'ubik-image-load': {
    act: async (fixture) => {
      fixture.chat.addEventListener('ubik-image-load', (event) => {
        event.preventDefault();
      });
      await fixture.start();
      fixture.backend.stream.append(0, '![a](https://pictures.example/a.png)');
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      fixture.query('.text button').click();
    },
    detail: { url: 'https://pictures.example/a.png' },
  },
  'ubik-auth-required': {
    act: async ({ write, press, settle, backend }) => {
      write('x');
      press('Enter');
      await settle();
      backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
      await settle();
    },
    detail: null,
  },
  'ubik-error': {
    act: async ({ write, press, settle, backend }) => {
      write('x');
      press('Enter');
      await settle();
      backend.stream.fail(new UbikError('too-large', 'too long', { status: 413 }));
      await settle();
    },
    detail: { code: 'too-large', message: 'too long', status: 413 },
  },
  'ubik-diagnostic': {
    act: async ({ backend }) => {
      backend.onDiagnostic?.(new UbikError('unknown-event', 'odd', { offender: 'hologram' }));
      return Promise.resolve();
    },
    detail: { code: 'unknown-event', message: 'odd', offender: 'hologram' },
  },
};

async function finish(
  fixture: Fixture,
  state: 'complete' | 'waiting' | 'stopped' | 'failed',
): Promise<void> {
  await fixture.start();
  fixture.backend.stream.finish(state);
  await fixture.settle();
}

/** Adds or changes an activity part of the answer, like an event of the service. */
function setActivity({ backend }: Fixture, part: string, value: ActivityFields): void {
  const { stream } = backend;
  stream.push({
    type: 'part',
    message: stream.keys.answer,
    part,
    parent: '@activity',
    before: null,
    value,
  });
}

async function queueMessage(fixture: Fixture): Promise<void> {
  await fixture.start();
  fixture.write('Afterwards');
  fixture.press('Enter');
  await fixture.settle();
}

/** Sends the first message of a thread; the service has not accepted it yet. */
async function sendFirst({ write, press, settle }: Fixture): Promise<void> {
  write('Question');
  press('Enter');
  await settle();
}

async function requestInput(fixture: Fixture): Promise<void> {
  await fixture.start();
  fixture.backend.stream.request('@request:c');
  fixture.backend.stream.finish('waiting');
  await fixture.settle();
}

/** Requests input, and cancels its event, so that the page answers. */
async function requestFromPage(fixture: Fixture): Promise<UbikInputRequiredEvent | undefined> {
  let asked: UbikInputRequiredEvent | undefined;
  fixture.chat.addEventListener('ubik-input-required', (event) => {
    asked = event;
    event.preventDefault();
  });
  await requestInput(fixture);
  return asked;
}

async function answer(fixture: Fixture): Promise<void> {
  await requestInput(fixture);
  fixture.query<HTMLTextAreaElement>('.request textarea').value = '2025';
  fixture.query<HTMLFormElement>('.request form').requestSubmit();
  await fixture.settle();
  fixture.backend.stream.begin('task-2');
  await fixture.settle();
}

async function open(fixture: Fixture): Promise<void> {
  const checkpoint = { kind: 'checkpoint', key: 'checkpoint:c1', name: 'c1' } as const;
  const message = stored('m2', 'assistant', 'Hello');
  fixture.backend.threads.set(
    't',
    contentOf('t', [
      stored('m1', 'user', 'Hi'),
      { ...message, parts: [...message.parts, checkpoint] },
    ]),
  );
  await fixture.chat.openThread('t');
  await fixture.settle();
}

const CHECKPOINT = {
  name: 'c1',
  runId: null,
  createdAt: 1,
  id: null,
  metadata: null,
  restorable: true,
};

async function restoreCheckpoint(fixture: Fixture): Promise<void> {
  await open(fixture);
  fixture.backend.checkpoints = [CHECKPOINT];
  fixture.query('.divider button').click();
  await fixture.settle();
  fixture.query<HTMLTextAreaElement>('.restore textarea').value = 'faster';
  fixture.query<HTMLFormElement>('.restore form').requestSubmit();
  await fixture.settle();
  fixture.backend.stream.begin('task-3');
  await fixture.settle();
}

/** The ends of the names of cancelable events; `ubik-auth-required`, which has such an end, is not cancelable. */
const CANCELABLE = /-(send|queue|stop|provide|restore|switch|open|create|load|required)$/;

describe('events of <ubik-chat>', () => {
  for (const [name, { act, detail }] of Object.entries(CASES)) {
    it(`${name} is dispatched once, with its detail and flags`, async () => {
      const fixture = await setupChat();
      await act(fixture);
      const fired = fixture.events.filter(({ type }) => type === name);
      expect(fired.length, 'once').to.equal(1);
      const [event] = fired;
      if (!event) return;
      if (detail === null) expect(event.detail).to.equal(null);
      else expect(event.detail).to.deep.include(detail);
      expect(Object.isFrozen(event.detail), 'frozen').to.equal(true);
      expect(event.bubbles && event.composed, 'bubbles over shadow roots').to.equal(true);
      expect(event.cancelable, 'cancelable').to.equal(
        CANCELABLE.test(name) && name !== 'ubik-auth-required',
      );
      expect(event).to.be.instanceOf(events.UbikEvent);
    });
  }

  it('are dispatched in the documented order', async () => {
    const { start, backend, settle, names } = await setupChat();
    await start();
    backend.stream.finish('complete');
    await settle();
    // The order of ubik-message-sent and the run events is not guaranteed.
    const order = names().filter((name) => name !== 'ubik-message-sent');
    expect(order).to.deep.equal([
      'ubik-message-send',
      'ubik-thread-create',
      'ubik-thread-created',
      'ubik-run-started',
      'ubik-run-completed',
    ]);
  });

  it('ubik-message-send keeps the message in the field when it is cancelled', async () => {
    const { chat, write, press, settle, backend, field, names } = await setupChat();
    chat.addEventListener('ubik-message-send', (event) => {
      expect(event).to.be.instanceOf(UbikMessageSendEvent);
      event.preventDefault();
    });
    write('keep me');
    press('Enter');
    await settle();
    expect(backend.streams.length).to.equal(0);
    expect(field.value).to.equal('keep me');
    expect(names()).to.deep.equal(['ubik-message-send']);
  });

  it('of a run are dispatched once when two elements share a controller', async () => {
    const fixture = await setupChat();
    const other = document.createElement('ubik-chat');
    other.controller = fixture.controller;
    let second = 0;
    other.addEventListener('ubik-run-started', () => (second += 1));
    fixture.box.append(other);
    await other.updateComplete;
    await fixture.start();
    expect(fixture.names().filter((name) => name === 'ubik-run-started').length).to.equal(1);
    expect(second).to.equal(0);
    expect(other.shadowRoot?.querySelectorAll('.message').length).to.equal(2);
  });

  it('describe their own thread when another one is shown meanwhile', async () => {
    const fixture = await setupChat();
    const { backend, settle, events: fired } = fixture;
    await sendFirst(fixture);
    const { stream } = backend;
    await open(fixture);
    stream.begin();
    await settle();
    const { answer } = stream.keys;
    const value = { kind: 'run-activity', step: 1, totalSteps: 1, result: [1] };
    const address = { message: answer, part: '@run', parent: '@activity', before: null };
    stream.push({ type: 'part', ...address, value } as never);
    stream.finish('complete');
    await settle();
    const run = { threadId: 'thread-id-1', runId: 'task-1', resumed: false };
    const message = { threadId: 'thread-id-1', text: 'Question', attachments: [] };
    const details = fired.slice(-3).map(({ type, detail }) => [type, detail as unknown]);
    expect(Object.fromEntries(details)).to.deep.equal({
      'ubik-run-started': run,
      'ubik-message-sent': message,
      'ubik-run-completed': { ...run, result: [1] },
    });
  });

  it('ubik-thread-created describes the new thread when the user has left it meanwhile', async () => {
    const fixture = await setupChat();
    const created = new Deferred<unknown>();
    fixture.backend.responses.set('createThread', () => created.promise);
    await sendFirst(fixture);
    fixture.chat.startThread();
    created.resolve({ id: 'late', title: '' });
    await fixture.settle();
    const event = fixture.events.find(({ type }) => type === 'ubik-thread-created');
    expect(event?.detail).to.deep.equal({ threadId: 'late' });
  });

  it('have a copy of what the page passes, whose objects they do not freeze', async () => {
    const fixture = await setupChat();
    const value = { seats: [{ row: 12 }] };
    fixture.chat.addEventListener('ubik-input-required', (event) => {
      event.preventDefault();
      void event.respond({ type: 'json', value });
    });
    await requestInput(fixture);
    fixture.backend.stream.begin('task-2');
    await fixture.settle();
    const provided = fixture.events.find(({ type }) => type === 'ubik-input-provided');
    const { value: copy } = provided?.detail as { readonly value: typeof value };
    expect(copy).to.deep.equal(value);
    const frozen = [copy, copy.seats, copy.seats[0]].map(Object.isFrozen);
    expect(frozen).to.deep.equal([true, true, true]);
    const own = [value, value.seats, value.seats[0]].map(Object.isFrozen);
    expect(own, 'the objects of the page').to.deep.equal([false, false, false]);
    const file = Object.assign(new File([], 'a.txt'), { nested: {} });
    const event = new events.UbikEvent('test', { file, none: null });
    expect(event.detail).to.deep.equal({ file, none: null });
    expect([file, file.nested].some(Object.isFrozen)).to.equal(false);
  });

  it('report a thread that cannot be opened', async () => {
    const { chat, settle, events: fired, names } = await setupChat();
    await chat.openThread('nowhere');
    await settle();
    expect(names()).to.deep.equal(['ubik-thread-open', 'ubik-error']);
    expect(fired[1]?.detail).to.deep.include({ code: 'not-found' });
  });

  it('ubik-checkpoint-restore lets the host page change the hint', async () => {
    const fixture = await setupChat();
    fixture.chat.addEventListener('ubik-checkpoint-restore', (event) => {
      expect(event).to.be.instanceOf(UbikCheckpointRestoreEvent);
      event.hint = `${event.hint ?? ''}, and in French`;
    });
    await restoreCheckpoint(fixture);
    expect(fixture.backend.stream.args[2]).to.equal('faster, and in French');
  });

  it('ubik-checkpoint-restore restores nothing when it is cancelled', async () => {
    const fixture = await setupChat();
    fixture.chat.addEventListener('ubik-checkpoint-restore', (event) => {
      event.preventDefault();
    });
    await open(fixture);
    fixture.backend.checkpoints = [CHECKPOINT];
    fixture.query('.divider button').click();
    await fixture.settle();
    fixture.query<HTMLFormElement>('.restore form').requestSubmit();
    await fixture.settle();
    expect(fixture.backend.count('restoreCheckpoint')).to.equal(0);
  });

  it('ubik-input-required lets the host page answer later when it is cancelled', async () => {
    const fixture = await setupChat();
    const asked = await requestFromPage(fixture);
    expect(fixture.root.querySelector('.request form')).to.equal(null);
    expect(fixture.text('.request'))
      .to.contain('Which year?')
      .and.to.contain('Answer this outside the chat.');
    const answered = asked?.respond('2024');
    await fixture.settle();
    expect(fixture.backend.stream.args[2]).to.deep.equal({ type: 'text', text: '2024' });
    fixture.backend.stream.begin('task-2');
    await fixture.settle();
    await answered;
  });

  it('ubik-input-required lets the host page answer when another thread is shown', async () => {
    const fixture = await setupChat();
    const asked = await requestFromPage(fixture);
    const { threadId, messageId } = asked?.detail ?? {};
    await open(fixture);
    const answered = asked?.respond('2024');
    await fixture.settle();
    fixture.backend.stream.begin('task-2');
    await answered;
    const provided = fixture.events.find(({ type }) => type === 'ubik-input-provided');
    expect(provided?.detail).to.deep.include({ threadId, messageId, text: '2024' });
    expect(threadId).to.equal('thread-id-1');
  });

  it('ubik-input-required lets the host page decline with the default text', async () => {
    const fixture = await setupChat();
    fixture.chat.addEventListener('ubik-input-required', (event) => {
      event.preventDefault();
      void event.decline();
    });
    await requestInput(fixture);
    expect(fixture.backend.stream.args[2]).to.deep.equal({
      type: 'declined',
      text: 'I don’t want to answer this.',
    });
  });

  it('contain no token, not even one that the service repeats in an error', async () => {
    const { fetch } = window;
    const sent: (string | null)[] = [];
    window.fetch = (_, init) => {
      sent.push(new Headers(init?.headers).get('Authorization'));
      return Promise.resolve(Response.json({ detail: 'Bad token secret-token' }, { status: 400 }));
    };
    const chat = document.createElement('ubik-chat');
    Object.assign(chat, { baseUrl: '/service', threadId: 't', getToken: () => 'secret-token' });
    try {
      const failed = oneEvent(chat, 'ubik-error');
      document.body.append(chat);
      const detail = JSON.stringify((await failed).detail);
      expect(sent).to.include('Bearer secret-token');
      expect(detail).to.contain('Bad token').and.not.to.contain('secret-token');
    } finally {
      chat.remove();
      window.fetch = fetch;
    }
  });
});

describe('events of what the user reads or copies', () => {
  /** Records events of a type. */
  const record = (target: EventTarget, type: string): CustomEvent[] => {
    const found: CustomEvent[] = [];
    target.addEventListener(type, (event) => found.push(event as CustomEvent));
    return found;
  };

  /** A chat with a complete answer. */
  async function setupAnswer(text: string) {
    const fixture = await setupChat();
    await fixture.start();
    fixture.backend.stream.append(0, text);
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    return fixture;
  }

  it('report a copied message once, and none when copying fails', async () => {
    const { chat, query, settle, controller } = await setupAnswer('Ninety-eight.');
    const found = record(chat, 'ubik-message-copied');
    const clipboard = mockClipboard();
    try {
      query('[part~=answer] .copy').click();
      await settle();
      query('[part~=answer] .copy').dispatchEvent(new PointerEvent('pointerleave'));
      const { id, messages } = controller.thread ?? {};
      const answer = [...(messages?.values() ?? [])].at(-1);
      expect(found.map(({ detail }): unknown => detail)).to.deep.equal([
        { threadId: id, messageId: answer?.id },
      ]);
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'));
      query('[part~=answer] .copy').click();
      await settle();
      expect(found.length).to.equal(1);
    } finally {
      clipboard.restore();
    }
  });

  it('do not report a link whose opening is cancelled', async () => {
    const { chat, query } = await setupAnswer('[docs](https://docs.example/a)');
    const found = record(chat, 'ubik-link-opened');
    chat.addEventListener('ubik-link-open', (event) => event.preventDefault());
    query('.text a').click();
    expect(found).to.deep.equal([]);
  });

  it('do not report the loading of an image that is not remote', async () => {
    const { chat, root } = await setupAnswer('Text.');
    const found = record(chat, 'ubik-image-loaded');
    const image = new Image();
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    root.querySelector('.text')?.append(image);
    await image.decode();
    image.dispatchEvent(new Event('load'));
    expect(found).to.deep.equal([]);
  });

  it('report an opened passage with its id and title', async () => {
    let found: CustomEvent[] = [];
    await setupCitation(
      () => PASSAGE,
      undefined,
      (chat) => (found = record(chat, 'ubik-passage-opened')),
    );
    expect(found.map(({ detail }): unknown => detail)).to.deep.equal([
      { threadId: 't', passageId: 'p', title: 'rivers.pdf' },
    ]);
  });

  it('report a comparison of branches with the version', async () => {
    const fixture = await restoreFirstCheckpoint();
    const found = record(fixture.chat, 'ubik-branch-compared');
    await pressButton(fixture, 'Compare both branches…');
    expect(found.map(({ detail }): unknown => detail)).to.deep.equal([
      { threadId: 't', messageId: 'b1' },
    ]);
  });
});
