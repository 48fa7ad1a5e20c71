import type { StreamController } from '../../src/controller/controller-types.js';
import { UbikTranscript } from '../../src/elements/ubik-transcript.js';
import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { EMPTY_ANSWER } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import { nextFrame, type MakeSubject } from './subject.js';

const KEY = 'bench';
const TEXT = { message: KEY, part: 'text' };

/** The elements alone: a message in a transcript whose model is changed directly, without a run, a connection or a clock. */
export const element: MakeSubject = async ({ box }) => {
  const store = createStore();
  const listeners = new Set<(change: Change) => void>();
  const applyChanges = (...changes: Change[]): void => {
    const { applied } = apply(store, { thread: KEY, time: 0, changes });
    for (const change of applied) for (const listener of listeners) listener(change);
  };
  applyChanges(
    { type: 'message', message: KEY, value: { ...EMPTY_ANSWER, status: 'streaming' } },
    { type: 'part', ...TEXT, parent: null, before: null, value: { kind: 'text' } },
    { type: 'thread', set: { head: KEY } },
  );
  const transcript = new UbikTranscript();
  transcript.style.cssText = 'display: block; height: 800px';
  box.append(transcript);
  transcript.controller = createStaticController(store.threads.get(KEY), listeners);
  await transcript.updateComplete;
  const root = transcript.renderRoot instanceof ShadowRoot ? transcript.renderRoot : transcript;
  let length = 0;
  return {
    root,
    shown: () => root.querySelector('[part~=text]'),
    push: (text) => {
      applyChanges({ type: 'text', ...TEXT, at: length, text });
      length += text.length;
    },
    end: async () => {
      applyChanges({ type: 'set', message: KEY, part: null, path: ['status'], value: 'complete' });
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
  };
};

function throwNoService(): never {
  throw new RangeError('There is no service behind this.');
}

/** Creates an object with the members of a controller that a transcript uses. */
function createStaticController(
  thread: StreamController['thread'] | undefined,
  listeners: Set<(change: Change) => void>,
): StreamController {
  const noop = (): void => undefined;
  const controller: Partial<StreamController> = {
    backend: {
      name: KEY,
      capabilities: new Set(),
      idleTimeout: 0,
      createThread: throwNoService,
      loadThread: throwNoService,
      send: throwNoService,
    },
    thread: thread ?? null,
    userKey: null,
    subscribe: (_scope, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onNotice: () => noop,
    retain: () => noop,
    revision: () => 0,
  };
  return controller as StreamController;
}
