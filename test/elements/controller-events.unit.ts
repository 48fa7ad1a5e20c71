import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerNotice, StreamController } from '../../src/controller/controller-types.js';
import {
  describeAnswer,
  describeMessage,
  describeRun,
  describeThread,
  dispatchError,
  dispatchInputRequired,
  dispatchMissingLanguage,
  dispatchNotice,
} from '../../src/elements/base/controller-events.js';
import { UbikError } from '../../src/errors.js';
import type { UbikInputRequiredEvent } from '../../src/events/index.js';
import { IDLE_RUN } from '../../src/model/thread.js';
import { setupMessage } from '../helpers/model-message.js';

const PARTS = {
  '@run': { kind: 'run-activity', result: { rows: 3 } },
  '@step:2': { kind: 'step-activity', number: 2, title: 'Look', results: [1] },
  '@request': { kind: 'request-activity', level: 'tool', prompt: 'Which year?', state: 'pending' },
};

/** A controller with a thread and a message that has activity. */
function setupController() {
  const { store, run } = setupMessage();
  run({
    type: 'thread',
    set: { id: 'thread', run: { state: 'streaming', id: 'run', answer: 'm' } },
  });
  run({ type: 'set', message: 'm', part: null, path: ['id'], value: 'message' });
  for (const [key, value] of Object.entries(PARTS)) {
    const change = { type: 'part', message: 'm', part: key, parent: '@activity', before: null };
    run({ ...change, value } as never);
  }
  const provided: unknown[] = [];
  const controller = {
    thread: store.threads.get('t'),
    getThread: (key: string) => store.threads.get(key) ?? null,
    provideInput: (...args: unknown[]) => {
      provided.push(args);
      return Promise.resolve();
    },
  };
  return { controller: controller as unknown as StreamController, provided };
}

/** An event target that records all events that are dispatched on it. */
function setupHost() {
  const target = new EventTarget();
  const events: CustomEvent[] = [];
  const { dispatchEvent } = target;
  target.dispatchEvent = (event) => {
    events.push(event as CustomEvent);
    return dispatchEvent.call(target, event);
  };
  return { host: target as HTMLElement, events };
}

/** Returns the console warnings of `act`. */
function warningsOf(act: () => void): string[] {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  act();
  console.warn = warn;
  return warnings;
}

describe('details of events', () => {
  it('describe thread, message and run, and have nulls for what is unknown', () => {
    const { controller } = setupController();
    assert.deepEqual(describeThread(controller), { threadId: 'thread' });
    assert.deepEqual(describeThread(null), { threadId: null });
    const message = { threadId: 'thread', messageId: 'message' };
    assert.deepEqual(describeMessage(controller, 'm'), message);
    assert.deepEqual(describeMessage(controller, 'x'), { ...message, messageId: null });
    assert.deepEqual(describeMessage(null, 'm'), { threadId: null, messageId: null });
    const run = { threadId: 'thread', runId: 'run', resumed: false };
    assert.deepEqual(describeRun(controller), run);
    assert.deepEqual(describeRun(controller, { ...IDLE_RUN, id: 'other', resumed: true }), {
      ...{ threadId: 'thread', runId: 'other', resumed: true },
    });
    assert.deepEqual(describeRun(null), { threadId: null, runId: null, resumed: false });
  });

  it('describe answers of each type', () => {
    const answers = [
      { type: 'text', text: '2025' },
      { type: 'declined', text: 'No' },
      { type: 'selection', value: ['a'] },
      { type: 'file', file: { name: 'a.pdf' } },
    ].map((answer) => {
      const { type, text, value, fileName } = describeAnswer(null, 'm', 'r', answer as never);
      return [type, text, value, fileName];
    });
    assert.deepEqual(answers, [
      ['text', '2025', null, null],
      ['declined', 'No', null, null],
      ['selection', null, ['a'], null],
      ['file', null, null, 'a.pdf'],
    ]);
    assert.equal(describeAnswer(null, 'm', 'r', { type: 'text', text: '' }).request, 'r');
  });
});

describe('ubik-error', () => {
  it('has the code, message, status and offender', () => {
    const { host, events } = setupHost();
    dispatchError(host, new UbikError('too-large', 'Too long', { status: 413, offender: 'x' }));
    dispatchError(host, new UbikError('server', 'Broken'));
    assert.deepEqual(
      events.map(({ detail }) => detail as unknown),
      [
        { code: 'too-large', message: 'Too long', status: 413, offender: 'x' },
        { code: 'server', message: 'Broken', status: null, offender: null },
      ],
    );
  });

  it('is written to the console when only the developer of the page can fix the error', () => {
    const { host } = setupHost();
    const { controller } = setupController();
    const errors = [
      ...(['blocked', 'not-an-api', 'misuse', 'server', 'network'] as const).map(
        (code) => new UbikError(code, `Text of ${code}`),
      ),
      new UbikError('network', 'Allow the origin', { offender: 'cors' }),
      new UbikError('not-found', 'With offender', { offender: 'cors' }),
    ];
    const expected = ['blocked', 'not-an-api', 'misuse'].map((code) => `Text of ${code}`);
    const warnings = warningsOf(() => {
      for (const error of errors) dispatchError(host, error);
    });
    const written = warnings.map((text) => text.replace('ubik-elements: ', ''));
    assert.deepEqual(written, [...expected, 'Allow the origin']);
    const notice = warningsOf(() => {
      const error = new UbikError('misuse', 'Of a notice');
      dispatchNotice(host, controller, { type: 'error', error });
      const diagnostic = new UbikError('misuse', 'Of a diagnostic');
      dispatchNotice(host, controller, { type: 'diagnostic', error: diagnostic } as never);
    });
    assert.deepEqual(notice, ['ubik-elements: Of a notice']);
  });

  it('is written to the console with what getToken has thrown, which the event omits', () => {
    const { host, events } = setupHost();
    const { warn } = console;
    const warnings: unknown[][] = [];
    console.warn = (...args: unknown[]) => void warnings.push(args);
    const cause = new TypeError('Thrown with a token');
    const message = 'getToken threw an error.';
    dispatchError(host, new UbikError('network', message, { offender: 'getToken', cause }));
    console.warn = warn;
    assert.deepEqual(warnings, [[`ubik-elements: ${message}`, cause]]);
    const detail = { code: 'network', message, status: null, offender: 'getToken' };
    assert.deepEqual(events[0]?.detail, detail);
  });

  it('is a diagnostic when a language cannot be loaded', () => {
    const { host, events } = setupHost();
    dispatchMissingLanguage(host, 'de', new TypeError('Broken'));
    const [event] = events;
    assert.equal(event?.type, 'ubik-diagnostic');
    const { code, offender } = event.detail as { code: string; offender: string };
    assert.deepEqual([code, offender], ['load-failed', 'de']);
  });
});

describe('notices of the controller', () => {
  const run = { ...IDLE_RUN, id: 'run', answer: 'm' };
  const error = new UbikError('server', 'Broken', { status: 500 });
  const ofRun = { threadId: 'thread', runId: 'run', resumed: false };
  const ofError = { code: 'server', message: 'Broken', status: 500, offender: null };
  const draft = { text: 'Hi', attachments: [] };
  const CASES: readonly (readonly [
    notice: object,
    type: string | null,
    detail?: object | null,
    variant?: string,
  ])[] = [
    [{ type: 'run-started', thread: 't', run }, 'ubik-run-started', ofRun],
    [
      { type: 'run-completed', thread: 't', run },
      'ubik-run-completed',
      { ...ofRun, result: { rows: 3 } },
    ],
    [
      { type: 'run-completed', thread: 't', run: { ...run, answer: 'x' } },
      'ubik-run-completed',
      { ...ofRun, result: null },
      'of an unknown answer',
    ],
    [
      { type: 'run-completed', thread: 't', run: { ...run, answer: null } },
      'ubik-run-completed',
      { ...ofRun, result: null },
      'without an answer',
    ],
    [{ type: 'run-failed', thread: 't', run, error }, 'ubik-run-failed', { ...ofRun, ...ofError }],
    [
      { type: 'step-completed', thread: 't', message: 'm', step: '@step:2' },
      'ubik-step-completed',
      { threadId: 'thread', messageId: 'message', step: 2, title: 'Look', results: [1] },
    ],
    [
      { type: 'step-completed', thread: 't', message: 'm', step: '@run' },
      'ubik-step-completed',
      { threadId: 'thread' },
      'of a part that is no step',
    ],
    [{ type: 'thread-opened', thread: 't' }, 'ubik-thread-opened', { threadId: 'thread' }],
    [
      { type: 'queued-sent', thread: 't', draft },
      'ubik-message-sent',
      { threadId: 'thread', ...draft },
    ],
    [{ type: 'error', error }, 'ubik-error', ofError],
    [{ type: 'diagnostic', error }, 'ubik-diagnostic', ofError],
    [{ type: 'auth-required' }, 'ubik-auth-required', null],
    [{ type: 'draft-changed' }, null],
    // The name of a property that every object inherits.
    [{ type: 'toString' }, null],
  ];
  for (const [notice, type, detail, variant] of CASES) {
    const { type: name } = notice as ControllerNotice;
    it(`${[name, variant].filter(Boolean).join(' ')} dispatches ${type ?? 'nothing'}`, () => {
      const { host, events } = setupHost();
      dispatchNotice(host, setupController().controller, notice as ControllerNotice);
      assert.deepEqual(
        events.map((event) => event.type),
        type === null ? [] : [type],
      );
      if (type !== null) assert.deepEqual(events[0]?.detail, detail);
    });
  }
});

describe('ubik-input-required', () => {
  /** Dispatches the event. `handle` is called with it. */
  function ask(request: string, handle: (event: UbikInputRequiredEvent) => void = () => undefined) {
    const { host, events } = setupHost();
    const { controller, provided } = setupController();
    host.addEventListener('ubik-input-required', (event) => {
      handle(event);
    });
    const notice = { type: 'input-required', message: 'm', request } as never;
    const isHandled = dispatchInputRequired(host, controller, notice, () => 'I decline');
    return { isHandled, events, provided };
  }

  it('describes the request, and says whether the page answers it', () => {
    const { isHandled, events } = ask('@request');
    assert.equal(isHandled, false);
    const [event] = events;
    const detail = event?.detail as Record<string, unknown>;
    assert.deepEqual(
      [detail['threadId'], detail['messageId'], detail['request'], detail['level']],
      ['thread', 'message', '@request', 'tool'],
    );
    assert.equal(detail['prompt'], 'Which year?');
    assert.equal('state' in detail, false);
    assert.equal(ask('@request', (each) => each.preventDefault()).isHandled, true);
  });

  it('is not dispatched for a request that is gone', () => {
    for (const request of ['@other', '@run']) {
      const { isHandled, events } = ask(request, (event) => event.preventDefault());
      assert.deepEqual([isHandled, events], [false, []]);
    }
  });

  it('lets the page answer and decline', async () => {
    let respond: Promise<unknown> | undefined;
    const answered = ask('@request', (event) => {
      event.preventDefault();
      respond = event.respond('2024');
    });
    await respond;
    assert.deepEqual(answered.provided, [['m', '@request', { type: 'text', text: '2024' }]]);
    assert.deepEqual(
      answered.events.map(({ type }) => type),
      ['ubik-input-required', 'ubik-input-provided'],
    );
    const declined = ask('@request', (event) => {
      respond = event.decline();
    });
    await respond;
    assert.deepEqual(declined.provided, [
      ['m', '@request', { type: 'declined', text: 'I decline' }],
    ]);
    const own = ask('@request', (event) => {
      respond = event.decline('Not now');
    });
    await respond;
    assert.deepEqual(own.provided, [['m', '@request', { type: 'declined', text: 'Not now' }]]);
  });
});
