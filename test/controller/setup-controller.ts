import { createStreamController } from '../../src/controller/controller.js';
import type {
  ControllerNotice,
  ControllerOptions,
  PageState,
  StreamController,
} from '../../src/controller/controller-types.js';
import type { Draft } from '../../src/backends/backend.js';
import type { Message } from '../../src/model/message.js';
import { pathTo, type RunState } from '../../src/model/thread.js';
import '../helpers/load-lazy-actions.js';
import { createTestEnvironment, type TestEnvironment } from '../helpers/test-environment.js';
import { ScriptedBackend } from './scripted-backend.js';

/** The delay before the first attempt to rejoin a run, in ms. */
export const FIRST_REJOIN_DELAY = 500;
/** Longer than any delay between two attempts to rejoin a run, which is at most 30 s; in ms. */
export const ANY_REJOIN_DELAY = 31_000;

type WakeReason = Parameters<Parameters<PageState['onWake']>[0]>[0];

/** A page whose visibility and connectivity the test controls. */
export class ScriptedPage implements PageState {
  visible = true;
  online = true;
  readonly wakeListeners = new Set<(reason: WakeReason) => void>();
  readonly hideListeners = new Set<() => void>();

  onWake(listener: (reason: WakeReason) => void): () => void {
    this.wakeListeners.add(listener);
    return () => void this.wakeListeners.delete(listener);
  }

  onHide(listener: () => void): () => void {
    this.hideListeners.add(listener);
    return () => void this.hideListeners.delete(listener);
  }

  wake(reason: WakeReason): void {
    for (const listener of this.wakeListeners) listener(reason);
  }

  hide(): void {
    for (const listener of this.hideListeners) listener();
  }
}

/** A controller with a scripted backend and what it has emitted. */
export interface ControllerFixture {
  readonly environment: TestEnvironment;
  readonly backend: ScriptedBackend;
  readonly page: ScriptedPage;
  readonly controller: StreamController;
  readonly notices: ControllerNotice[];
  /** States of the current thread's run in the order in which they were emitted, without repetitions. */
  readonly states: RunState[];
  /** Types of the emitted notices of runs. */
  readonly runNotices: () => string[];
  /** Sends a message, begins its run, and resolves when its changes are applied. */
  start(text?: string): Promise<void>;
  /** Texts of the shown messages. */
  texts(): string[];
  /** The last shown message. */
  last(): Message;
}

/** Creates a controller. `random` returns 0.999…, so that each backoff delay has its maximum; a test may replace it. */
export function setupController(options: Partial<ControllerOptions> = {}): ControllerFixture {
  const base = createTestEnvironment();
  // Inherits from the environment instead of copying it, because its counters are getters.
  const environment: TestEnvironment = Object.create(base, {
    random: { value: () => 0.999_999, writable: true },
  }) as TestEnvironment;
  const backend = new ScriptedBackend(() => environment.monotonic());
  const page = new ScriptedPage();
  const controller = createStreamController({
    backend,
    environment,
    page,
    userKey: 'user-1',
    storageScope: 'https://service.test',
    ...options,
  });
  const notices: ControllerNotice[] = [];
  controller.onNotice((notice) => notices.push(notice));
  const states: RunState[] = [];
  controller.subscribe({ thread: true }, (change) => {
    const state = change.type === 'thread' ? change.set.run?.state : undefined;
    if (state !== undefined && state !== states.at(-1)) states.push(state);
  });
  const fixture: ControllerFixture = {
    environment,
    backend,
    page,
    controller,
    notices,
    states,
    runNotices: () => notices.map(({ type }) => type).filter((type) => type.startsWith('run-')),
    start: async (text = 'Question') => {
      const sent = controller.send(draftOf(text));
      await environment.settle();
      backend.stream.begin();
      await sent;
      await environment.settle();
    },
    texts: () => (controller.thread ? pathTo(controller.thread).map(textOf) : []),
    last: () => {
      const message = controller.thread ? pathTo(controller.thread).at(-1) : undefined;
      if (!message) throw new Error('No message is shown.');
      return message;
    },
  };
  return fixture;
}

/** A draft without attachments. */
export function draftOf(text: string): Draft {
  return { text, attachments: [] };
}

/** The text of a message. */
export function textOf(message: Message): string {
  const { parts } = message;
  return parts
    .children(null)
    .map((key) => parts.get(key)?.text?.read() ?? '')
    .join('');
}

/** The error code with which a promise rejects; `none` when it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'none';
}
