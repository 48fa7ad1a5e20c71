import type { CheckpointInfo } from '../../../src/backends/backend.js';
import { apply } from '../../../src/model/apply.js';
import { createItemChange, type Change } from '../../../src/model/change.js';
import type { Json } from '../../../src/model/json.js';
import { EMPTY_ANSWER, type MessageFields } from '../../../src/model/message.js';
import type { PartTree } from '../../../src/model/part.js';
import { createStore } from '../../../src/model/store.js';
import type { Thread } from '../../../src/model/thread.js';

/** The fields and parts of a message of a tree; its key is also its id. */
export interface TreeMessage extends Partial<Omit<MessageFields, 'id'>> {
  readonly parts?: readonly PartTree[];
}

/** A thread with messages by key, a head and checkpoints. */
export function buildThread(
  messages: Readonly<Record<string, TreeMessage>>,
  head: string,
  checkpoints: readonly CheckpointInfo[] = [],
): Thread {
  const store = createStore();
  const changes = Object.entries(messages).flatMap(([key, { parts = [], ...fields }]): Change[] => [
    {
      type: 'message',
      message: key,
      value: { ...EMPTY_ANSWER, id: key, status: 'complete', ...fields },
    },
    { type: 'content', message: key, parts },
  ]);
  const items = checkpoints.map((info, at) =>
    createItemChange('checkpoints', `${at}`, info as unknown as Json),
  );
  const { rejected } = apply(store, {
    thread: 't',
    time: 0,
    changes: [...changes, ...items, { type: 'thread', set: { id: 'T', head } }],
  });
  const thread = store.threads.get('t');
  if (!thread || rejected.length > 0) throw new Error('The model has rejected the tree.');
  return thread;
}

/** A restorable checkpoint; `more` overrides its fields. */
export function checkpoint(name: string, more: Partial<CheckpointInfo> = {}): CheckpointInfo {
  return {
    name,
    runId: null,
    createdAt: null,
    id: null,
    metadata: null,
    restorable: true,
    ...more,
  };
}

/** The part that shows a checkpoint. */
export function checkpointPart(name: string, key = `checkpoint:${name}`): PartTree {
  return { kind: 'checkpoint', key, name };
}

/** A completed step with its number, and `tools` finished tool calls in it. */
export function step(number: number, tools = 0): PartTree {
  const parts = Array.from({ length: tools }, (_, at): PartTree => {
    const toolId = `${number}.${at}`;
    const call = { name: 'x', toolId, state: 'done', input: null, result: null } as const;
    return { kind: 'tool', key: `tool:${toolId}`, ...call };
  });
  const fields = { number, title: `Step ${number}`, single: false, state: 'completed' } as const;
  return { kind: 'step', key: `step:${number}`, ...fields, parts };
}

/** A text. */
export function textPart(text: string, key = '/0:text'): PartTree {
  return { kind: 'text', key, text };
}
