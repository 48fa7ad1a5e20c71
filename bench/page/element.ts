import type { StreamController } from '../../src/controller/controller-types.js';
import { UbikTranscript } from '../../src/elements/ubik-transcript.js';
import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { EMPTY_ANSWER } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import { nextFrame, type MakeSubject } from './subject.js';

const KEY = 'still';
const TEXT = { message: KEY, part: 'text' };

/** The elements alone: a message in a transcript whose model is changed directly, without a run, a connection and a clock. */
export const element: MakeSubject = async ({ box }) => {
  const store = createStore();
  const listeners = new Set<(change: Change) => void>();
  const tell = (...changes: Change[]): void => {
    const done = apply(store, { thread: KEY, time: 0, changes });
    for (const change of done.applied) for (const listen of listeners) listen(change);
  };
  tell(
    { type: 'message', message: KEY, value: { ...EMPTY_ANSWER, status: 'streaming' } },
    { type: 'part', ...TEXT, parent: null, before: null, value: { kind: 'text' } },
    { type: 'thread', set: { head: KEY } },
  );
  const transcript = new UbikTranscript();
  transcript.style.cssText = 'display: block; height: 800px';
  box.append(transcript);
  transcript.controller = standStill(store.threads.get(KEY), listeners);
  await transcript.updateComplete;
  const root = transcript.renderRoot instanceof ShadowRoot ? transcript.renderRoot : transcript;
  let length = 0;
  return {
    root,
    shown: () => root.querySelector('[part~=text]'),
    push: (text) => {
      tell({ type: 'text', ...TEXT, at: length, text });
      length += text.length;
    },
    end: async () => {
      tell({ type: 'set', message: KEY, part: null, path: ['status'], value: 'complete' });
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
  };
};

function refuse(): never {
  throw new RangeError('There is no service behind this.');
}

/** The members of a controller that a transcript uses. */
function standStill(
  thread: StreamController['thread'] | undefined,
  listeners: Set<(change: Change) => void>,
): StreamController {
  const nothing = (): void => undefined;
  const still: Partial<StreamController> = {
    backend: {
      name: KEY,
      capabilities: new Set(),
      idleTimeout: 0,
      createThread: refuse,
      loadThread: refuse,
      send: refuse,
    },
    thread: thread ?? null,
    userKey: null,
    subscribe: (_scope, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onNotice: () => nothing,
    retain: () => nothing,
    revision: () => 0,
  };
  return still as StreamController;
}
