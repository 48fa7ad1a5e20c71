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
import { createTestEnvironment, type TestEnvironment } from '../helpers/test-environment.js';
import { ScriptedBackend } from './scripted-backend.js';

type WakeReason = Parameters<Parameters<PageState['onWake']>[0]>[0];

/** A page whose life the test leads. */
export class ScriptedPage implements PageState {
  visible = true;
  online = true;
  readonly wakers = new Set<(reason: WakeReason) => void>();
  readonly hiders = new Set<() => void>();

  onWake(listener: (reason: WakeReason) => void): () => void {
    this.wakers.add(listener);
    return () => void this.wakers.delete(listener);
  }

  onHide(listener: () => void): () => void {
    this.hiders.add(listener);
    return () => void this.hiders.delete(listener);
  }

  wake(reason: WakeReason): void {
    for (const listener of this.wakers) listener(reason);
  }

  hide(): void {
    for (const listener of this.hiders) listener();
  }
}

/** A controller over a scripted backend, and what was told of it. */
export interface Conversation {
  readonly environment: TestEnvironment;
  readonly backend: ScriptedBackend;
  readonly page: ScriptedPage;
  readonly controller: StreamController;
  readonly notices: ControllerNotice[];
  /** States of the current thread's run in the order they were told, each change once. */
  readonly states: RunState[];
  /** Types of the notices about runs. */
  readonly told: () => string[];
  /** Sends and has it accepted. */
  start(text?: string): Promise<void>;
  /** Texts of the messages that are shown. */
  texts(): string[];
  /** The newest message that is shown. */
  last(): Message;
}

/** Makes a conversation. `random` is 0.999…, so that backoff waits are as long as they get, unless the seed is used. */
export function setupConversation(options: Partial<ControllerOptions> = {}): Conversation {
  const base = createTestEnvironment();
  const environment: TestEnvironment = Object.create(base, {
    random: { value: () => 0.999_999 },
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
  const conversation: Conversation = {
    environment,
    backend,
    page,
    controller,
    notices,
    states,
    told: () => notices.map(({ type }) => type).filter((type) => type.startsWith('run-')),
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
  return conversation;
}

/** A draft without attachments. */
export function draftOf(text: string): Draft {
  return { text, attachments: [] };
}

/** What a message says in its own texts. */
export function textOf(message: Message): string {
  const { parts } = message;
  return parts
    .children(null)
    .map((key) => parts.get(key)?.text?.read() ?? '')
    .join('');
}

/** The code of what a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'none';
}
