import assert from 'node:assert/strict';
import type { UbikErrorCode } from '../../src/errors.js';
import { listPendingRequests } from '../../src/controller/requests/input-requests.js';
import type { Key } from '../../src/model/json.js';
import type { Message } from '../../src/model/message.js';
import { shownIn } from '../steering/world/world.js';
import type { Stage } from './stage.js';

/** How an act takes trouble. */
export interface TriedAct {
  readonly name: string;
  /** Its request, as method and path. */
  readonly request: RegExp;
  /** It begins a run: what stays open after trouble is looked up before anything is said. */
  readonly begins?: boolean;
  /** It reads something first. */
  readonly reads?: boolean;
  /** What its answer may be instead of the right one, since it is not read beyond its status. */
  readonly takes?: readonly string[];
  /** What it calls a broken network. */
  readonly broken?: UbikErrorCode;
  /** What becomes of it whatever is in its way: it asks for nothing, or gives up what it asked for. */
  readonly always?: UbikErrorCode | 'done';
  /** Once, before anything. */
  setUp?(stage: Stage): Promise<unknown>;
  /** Before each trouble. */
  prepare?(stage: Stage): Promise<unknown>;
  act(stage: Stage): Promise<unknown>;
  /** The same once more, where that is another call. */
  again?(stage: Stage): Promise<unknown>;
  /** Lets what waits for it come to its end. */
  release?(stage: Stage): Promise<unknown>;
  /** What is seen after trouble, which is not what was seen before. */
  kept?(stage: Stage, before: unknown): Promise<void> | void;
  /** What has come of it when it has worked. */
  works(stage: Stage): Promise<unknown> | void;
}

/** A draft without attachments. */
export const draft = (text: string) => ({ text, attachments: [] });
/** A question whose answer cites documents and sets checkpoints. */
export const SEARCH = 'How does an answer survive a broken network?';
/** A question with a short answer. */
export const GREET = 'Hello';
/** All of a list. */
export const PAGE = { page: 1, limit: 100 };

let count = 0;
/** A word that nobody has said yet. */
export const word = (): string => `w${(count += 1)}`;
const texts = new WeakMap<Stage, string>();
/** What {@link newText} has given last at this stage. */
export const textOf = (stage: Stage): string => texts.get(stage) ?? '';
/** A question that nobody has asked yet. */
export const newText = (stage: Stage): string => {
  const text = `What is 1 + ${(count += 1)}?`;
  texts.set(stage, text);
  return text;
};

/** What the person has said, as it is shown. */
export const sayings = ({ tab }: Stage): string[] =>
  shownIn(tab).flatMap(({ role, parts }) =>
    role === 'user' ? parts.children(null).map((key) => parts.get(key)?.text?.read() ?? '') : [],
  );
/** The newest message. */
export const last = ({ tab }: Stage): Message =>
  shownIn(tab).at(-1) ?? assert.fail('a message is shown');
/** The newest message of the person. */
export const lastQuestion = ({ tab }: Stage): Message =>
  shownIn(tab).findLast(({ role }) => role === 'user') ?? assert.fail('a question is shown');
/** The oldest open question of the newest message. */
export const asking = (stage: Stage): { message: Key; request: Key; count: number } => {
  const message = last(stage);
  const armed = listPendingRequests(message);
  assert.ok(armed[0], 'a question is open');
  return { message: message.key, request: armed[0].key, count: armed.length };
};
/** The service's id of the present thread. */
export const idOf = ({ controller }: Stage): string => controller.thread?.id ?? '';
/** The new text is shown once. */
export const isShown = (stage: Stage): void =>
  assert.equal(sayings(stage).filter((text) => text === textOf(stage)).length, 1);
/** The newest message is complete. */
export const isAnswered = (stage: Stage): void => assert.equal(last(stage).status, 'complete');
