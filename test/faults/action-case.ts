import assert from 'node:assert/strict';
import type { UbikErrorCode } from '../../src/errors.js';
import { listPendingRequests } from '../../src/model/pending-requests.js';
import type { Key } from '../../src/model/json.js';
import type { Message } from '../../src/model/message.js';
import { listShown } from '../simulation/world/world.js';
import type { FaultyPage } from './faulty-page.js';

/** An action, and how it behaves with faults. */
export interface ActionCase {
  readonly name: string;
  /** Matches method and path of the request of the action. */
  readonly request: RegExp;
  /** Whether the action starts a run, which the controller locates when the response was lost. */
  readonly startsRun?: boolean;
  /** Whether the action sends a loading request before `request`. */
  readonly loadsFirst?: boolean;
  /** Names of faults that are not tested, because the action does not fail with them: an action that reads only the status accepts any body. */
  readonly ignoredFaults?: readonly string[];
  /** Error of the action for a broken network. Default: `network`. */
  readonly networkError?: UbikErrorCode;
  /** Outcome with every fault, for an action that sends nothing or aborts its request. */
  readonly fixedOutcome?: UbikErrorCode | 'done';
  /** Called once before all faults. */
  setUp?(page: FaultyPage): Promise<unknown>;
  /** Called before each fault. */
  prepare?(page: FaultyPage): Promise<unknown>;
  execute(page: FaultyPage): Promise<unknown>;
  /** Repeats it. Default: `execute`. */
  retry?(page: FaultyPage): Promise<unknown>;
  /** Releases what the repetition waits for. */
  release?(page: FaultyPage): Promise<unknown>;
  /** Checks what is shown after a fault. Default: the same as before. */
  checkFailed?(page: FaultyPage, before: unknown): Promise<void> | void;
  /** Checks its effect. */
  checkDone(page: FaultyPage): Promise<unknown> | void;
}

/** A draft without attachments. */
export const draft = (text: string) => ({ text, attachments: [] });
/** A question whose answer cites documents and sets checkpoints. */
export const SEARCH = 'How does an answer survive a broken network?';
/** A question with a short answer. */
export const GREET = 'Hello';
/** A page that contains the whole list. */
export const PAGE = { page: 1, limit: 100 };

let count = 0;
/** Creates a unique word. */
export const createWord = (): string => `w${(count += 1)}`;
const texts = new WeakMap<FaultyPage, string>();
/** The last text of {@link newText} in this page. */
export const textOf = (page: FaultyPage): string => texts.get(page) ?? '';
/** Creates a unique question. */
export const newText = (page: FaultyPage): string => {
  const text = `What is 1 + ${(count += 1)}?`;
  texts.set(page, text);
  return text;
};

/** The shown texts of the user. */
export const listUserTexts = ({ tab }: FaultyPage): string[] =>
  listShown(tab).flatMap(({ role, parts }) =>
    role === 'user' ? parts.children(null).map((key) => parts.get(key)?.text?.read() ?? '') : [],
  );
/** The last message. */
export const lastMessage = ({ tab }: FaultyPage): Message =>
  listShown(tab).at(-1) ?? assert.fail('a message is shown');
/** The last user message. */
export const lastUserMessage = ({ tab }: FaultyPage): Message =>
  listShown(tab).findLast(({ role }) => role === 'user') ?? assert.fail('a question is shown');
/** The keys of the last message and of its oldest pending request. */
export const pendingRequest = (page: FaultyPage): { message: Key; request: Key } => {
  const message = lastMessage(page);
  const [request] = listPendingRequests(message);
  assert.ok(request, 'a request is pending');
  return { message: message.key, request: request.key };
};
/** The service's id of the current thread. */
export const threadIdOf = ({ controller }: FaultyPage): string => controller.thread?.id ?? '';
/** Asserts that the text of {@link newText} is shown once. */
export const assertShownOnce = (page: FaultyPage): void =>
  assert.equal(listUserTexts(page).filter((text) => text === textOf(page)).length, 1);
/** Asserts that the last message is complete. */
export const assertComplete = (page: FaultyPage): void =>
  assert.equal(lastMessage(page).status, 'complete');
