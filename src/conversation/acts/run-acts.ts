import type {
  CheckpointInfo,
  Draft,
  InputAnswer,
  InputRequest,
  RunKeys,
} from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { EMPTY_ANSWER, type Message, type MessageFields } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ConversationCore } from '../conversation-core.js';
import { answerRequest, findArmedRequest, listArmedRequests } from '../data/input-requests.js';
import { setStatus } from '../run/run-record.js';
import type { RunPlan } from '../run/run-plan.js';
import { unsupported, type ThreadActs } from './thread-acts.js';

/** Key that the stored form of a question gives its one text, so that reading it again changes nothing. */
const QUESTION_TEXT: Key = '/0:text';

/** A message that the server knows by `id`. */
interface NamedMessage {
  readonly thread: Thread;
  readonly message: Message;
  readonly id: string;
}

/** The acts that make the agent work. Each asks the service at most once. */
export class RunActs {
  readonly #core: ConversationCore;
  readonly #threads: ThreadActs;
  /** Requests that are being answered. */
  readonly #answering = new Set<string>();

  constructor(core: ConversationCore, threads: ThreadActs) {
    this.#core = core;
    this.#threads = threads;
  }

  /** Sends a message. */
  async send(draft: Draft): Promise<void> {
    const { backend, current, drafts, page, runs } = this.#core;
    checkDraft(draft);
    if (current) runs.checkFree(current.key);
    if (!page.online) {
      drafts.set(current?.key ?? null, draft);
      throw new UbikError(
        'not-sent',
        'You are offline. The text is kept; send it when you are online again.',
      );
    }
    const { thread, ready } = this.#threads.ensure();
    const head = this.#thread(thread).head;
    const keys = this.#createKeys(thread, true);
    drafts.send(thread, draft);
    const plan: RunPlan = {
      keys,
      open: [
        ...this.#ask(keys, draft, { parent: head }),
        ...this.#answer(keys, { parent: keys.user }),
      ],
      back: takeBack(keys, head),
      rereads: false,
      start: (threadId, signal) => backend.send(threadId, draft, keys, signal),
      accepted: () => {
        drafts.sent(thread);
        return [];
      },
      refused: () => {
        // A thread that could not be made is none: its text is that of the thread to be made.
        drafts.giveBack(this.#thread(thread).id === null ? null : thread, draft);
      },
    };
    await runs.begin(plan, ready).accepted;
  }

  /** Sends another version of a message of the person. */
  async edit(key: Key, draft: Draft): Promise<void> {
    const { backend } = this.#core;
    if (!backend.edit) throw unsupported('edit messages');
    checkDraft(draft);
    const { thread, message, id } = this.#findNamed(key) ?? (await this.#learnName(key));
    if (message.role !== 'user') {
      throw new UbikError(
        'misuse',
        'Only messages of the person can be edited. Regenerate the answer instead.',
      );
    }
    const keys = this.#createKeys(thread.key, true);
    const place = { parent: message.parent, siblingIds: siblingsOf(message, id) };
    await this.#begin(
      {
        keys,
        open: [...this.#ask(keys, draft, place), ...this.#answer(keys, { parent: keys.user })],
        start: (threadId, signal) => backend.edit?.(threadId, id, draft, keys, signal) ?? never(),
      },
      thread,
    );
  }

  /** Asks for another answer. */
  async regenerate(key: Key): Promise<void> {
    const { backend } = this.#core;
    if (!backend.regenerate) throw unsupported('answer again');
    const { thread, message, id } = this.#findNamed(key) ?? (await this.#learnName(key));
    const keys = this.#createKeys(thread.key, false);
    const place =
      message.role === 'user'
        ? { parent: message.key }
        : { parent: message.parent, siblingIds: siblingsOf(message, id) };
    await this.#begin(
      {
        keys,
        open: this.#answer(keys, place),
        start: (threadId, signal) => backend.regenerate?.(threadId, id, keys, signal) ?? never(),
      },
      thread,
    );
  }

  /** Goes back to a checkpoint and on from there. */
  async restore(checkpoint: CheckpointInfo, hint: string | null): Promise<void> {
    const { backend, current, runs } = this.#core;
    if (!backend.restoreCheckpoint) throw unsupported('go back to checkpoints');
    if (current?.id == null) throw noThread();
    if (!checkpoint.restorable) {
      const text = 'A newer checkpoint has the same name, so this one cannot be restored.';
      throw new UbikError('misuse', text, { offender: checkpoint.name });
    }
    runs.checkFree(current.key);
    const keys = this.#createKeys(current.key, false);
    const from = findCheckpoint(current, checkpoint);
    const origin = { checkpoint: checkpoint.name, hint };
    await this.#begin(
      {
        keys,
        open: this.#answer(keys, { parent: from ? from.parent : current.head, origin }),
        start: (threadId, signal) =>
          backend.restoreCheckpoint?.(threadId, checkpoint, hint, keys, signal) ?? never(),
      },
      current,
    );
  }

  /** Answers a request for input, once. */
  async provideInput(key: Key, request: Key, answer: InputAnswer): Promise<void> {
    const { backend, current, runs } = this.#core;
    if (!backend.provideInput) throw unsupported('take answers');
    const message = current?.messages.get(key);
    const question = message ? findArmedRequest(message, request) : null;
    if (current?.id == null || !message || !question) {
      throw new UbikError('misuse', 'This question is not open (any more).', { offender: request });
    }
    const name = JSON.stringify([current.key, key, request]);
    if (this.#answering.has(name)) throw new UbikError('busy', 'The answer is already on its way.');
    const before = runs.of(current.key);
    const wasBusy = before?.busy ?? false;
    this.#answering.add(name);
    try {
      // A run that asks is done for the moment, also when its stream is still open.
      before?.giveWay();
      await runs.begin(this.#planAnswer(current, message, question, answer)).accepted;
    } catch (error) {
      if (before && wasBusy) runs.restore(before);
      throw error;
    } finally {
      this.#answering.delete(name);
    }
  }

  /** An answer to a tool goes on in the message that asks, one to the agent in a message of its own. */
  #planAnswer(
    thread: Thread,
    message: Message,
    question: InputRequest,
    answer: InputAnswer,
  ): RunPlan {
    const { backend, store } = this.#core;
    const ofTool = question.level === 'tool';
    const keys = ofTool
      ? { thread: thread.key, user: message.parent, answer: message.key }
      : this.#createKeys(thread.key, true);
    const status = store.thread(thread.key)?.messages.get(message.key)?.status ?? 'waiting';
    return {
      keys,
      open: ofTool
        ? [setStatus(message.key, 'streaming')]
        : this.#answer(keys, { parent: message.key }),
      back: ofTool ? [setStatus(message.key, status)] : takeBack(keys, thread.head),
      rereads: true,
      start: (threadId, signal) =>
        backend.provideInput?.(threadId, question, answer, keys, signal) ?? never(),
      accepted: () => {
        const asking = store.thread(thread.key)?.messages.get(message.key);
        if (!asking) return [];
        const changes = answerRequest(asking, question.key, answer);
        const last = listArmedRequests(asking).length === 1;
        return ofTool || !last ? changes : [...changes, setStatus(message.key, 'complete')];
      },
    };
  }

  async #begin(plan: Pick<RunPlan, 'keys' | 'open' | 'start'>, thread: Thread): Promise<void> {
    const { keys } = plan;
    const back = takeBack(keys, thread.head);
    await this.#core.runs.begin({ ...plan, back, rereads: true }).accepted;
  }

  /** A message that the server has named. */
  #findNamed(key: Key): NamedMessage | null {
    const { current: thread, runs } = this.#core;
    if (thread?.id == null) throw noThread();
    runs.checkFree(thread.key);
    const message = thread.messages.get(key);
    return message?.id == null ? null : { thread, message, id: message.id };
  }

  /** The same after reading the messages again: names come late. */
  async #learnName(key: Key): Promise<NamedMessage> {
    const { current } = this.#core;
    if (current) await this.#threads.refresh(current.key);
    const found = this.#findNamed(key);
    if (found) return found;
    const text = 'The service does not know this message. Open the thread again.';
    throw new UbikError('not-found', text);
  }

  #thread(key: Key): Thread {
    const thread = this.#core.store.thread(key);
    if (!thread) throw noThread();
    return thread;
  }

  #createKeys<User extends boolean>(
    thread: Key,
    withUser: User,
  ): RunKeys & { readonly user: User extends true ? Key : null };
  #createKeys(thread: Key, withUser: boolean): RunKeys {
    const { store } = this.#core;
    const user = withUser ? store.createKey('message') : null;
    return { thread, user, answer: store.createKey('message') };
  }

  /** The question as it is shown at once. */
  #ask(keys: { readonly user: Key }, draft: Draft, fields: Partial<MessageFields>): Change[] {
    const { user: message } = keys;
    const { text, attachments } = draft;
    const createdAt = this.#core.environment.now();
    const value = { ...EMPTY_ANSWER, ...fields, role: 'user' as const, attachments, createdAt };
    const part = QUESTION_TEXT;
    return [
      { do: 'message', message, value },
      { do: 'part', message, part, parent: null, before: null, value: { kind: 'text' } },
      { do: 'text', message, part, at: 0, text },
    ];
  }

  /** The answer, empty, as the newest message. */
  #answer(keys: RunKeys, fields: Partial<MessageFields>): Change[] {
    const value = { ...EMPTY_ANSWER, ...fields, createdAt: this.#core.environment.now() };
    return [
      { do: 'message', message: keys.answer, value },
      { do: 'thread', set: { head: keys.answer } },
    ];
  }
}

/** The changes that take back what a refused act has shown. */
function takeBack(keys: RunKeys, head: Key | null): Change[] {
  const made = keys.user === null ? [keys.answer] : [keys.answer, keys.user];
  const back: Change[] = [{ do: 'thread', set: { head } }];
  for (const message of made) back.push({ do: 'remove', message, part: null });
  return back;
}

function siblingsOf(message: Message, id: string): string[] {
  return [...new Set([...message.siblingIds, id])];
}

/** The message in which a checkpoint was set. */
function findCheckpoint(thread: Thread, { name, taskId }: CheckpointInfo): Message | undefined {
  const messages = [...thread.messages.values()].filter(({ role }) => role === 'assistant');
  const byTask =
    taskId === null ? undefined : messages.find((message) => message.taskId === taskId);
  return byTask ?? messages.find(({ parts }) => parts.get(`checkpoint:${name}`) !== undefined);
}

function checkDraft({ text, attachments }: Draft): void {
  if (text.trim() !== '' || attachments.length > 0) return;
  throw new UbikError('misuse', 'There is nothing to send. Write a message first.');
}

function noThread(): UbikError {
  return new UbikError('misuse', 'No thread is open. Open one, or send a message to begin one.');
}

/** For methods whose presence was checked when the act began. */
function never(): never {
  throw unsupported('do this');
}
