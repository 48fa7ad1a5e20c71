import type { InputRequest, StoredMessage, ThreadContent } from '../../backend.js';
import type { PartTree } from '../../../model/part.js';
import { getCheckpoints } from '../requests/checkpoints.js';
import type { UbikContext } from '../requests/context.js';
import { getExecution } from '../requests/executions.js';
import { getBranch } from '../requests/messages.js';
import { toStoredMessage, type WireMessage } from '../requests/read-message.js';
import { getSession } from '../requests/sessions.js';
import type { ShownSize } from './hidden-task.js';
import type { TaskRegistry } from './task-registry.js';

/** Executions of one message that are asked whether they wait. */
const MAX_EXECUTIONS = 8;

/** The active branch of a session, with the questions that the service's own history allows to answer (R7). */
export async function loadThread(
  context: UbikContext,
  registry: TaskRegistry,
  session: string,
): Promise<ThreadContent> {
  const [branch, summary] = await Promise.all([
    getBranch(context, session),
    getSession(context, session),
  ]);
  const messages = branch.items.map(toStoredMessage);
  const head = messages.at(-1);
  const requests = head ? await findRequests(context, session, head) : [];
  if (head && requests.length > 0) {
    messages[messages.length - 1] = {
      ...head,
      requests,
      fields: { ...head.fields, status: 'waiting' },
    };
  }
  noteTasks(registry, session, branch.items, messages);
  return {
    thread: { id: session, title: summary.title },
    messages,
    headId: branch.headId,
    unfinished: requests.length > 0 ? null : findUnfinished(registry, session, branch.items),
  };
}

/** A question without an answer, or a message that this page knows to be unfinished. */
function findUnfinished(
  registry: TaskRegistry,
  session: string,
  items: readonly WireMessage[],
): ThreadContent['unfinished'] {
  const newest = items.at(-1);
  if (!newest || newest.role === 'system') return null;
  const isOpen = newest.role === 'user' || registry.findTask(session, newest.taskId) !== undefined;
  if (!isOpen || (newest.role === 'assistant' && newest.taskId === null)) return null;
  const finishedRuns = items.flatMap((item) =>
    item !== newest && item.taskId !== null ? [item.taskId] : [],
  );
  return {
    id: newest.taskId,
    keys: { thread: session, user: null, answer: newest.id },
    finishedRuns: finishedRuns.filter((id) => id !== newest.taskId),
  };
}

function noteTasks(
  registry: TaskRegistry,
  session: string,
  items: readonly WireMessage[],
  messages: readonly StoredMessage[],
): void {
  registry.noteHead(session, null);
  for (const [index, { role, taskId }] of items.entries()) {
    if (role !== 'assistant') continue;
    const size = measure(messages[index]?.parts ?? []);
    if (index === items.length - 1) registry.noteHead(session, { taskId, size });
    if (taskId === null) continue;
    registry.noteLoaded(session, taskId, size);
    if (!registry.findTask(session, taskId)) registry.noteKnown(session, taskId);
  }
}

function measure(parts: readonly PartTree[]): ShownSize {
  let text = 0;
  let count = 0;
  for (const part of parts) {
    const inner = measure(part.parts ?? []);
    text += (part.text?.length ?? 0) + inner.text;
    if (part.kind === 'tool') text += (part.input?.length ?? 0) + (part.result?.length ?? 0);
    count += 1 + inner.parts;
  }
  return { text, parts: count, fullContents: 0 };
}

async function findRequests(
  context: UbikContext,
  session: string,
  { fields, parts }: StoredMessage,
): Promise<InputRequest[]> {
  if (fields.role !== 'assistant') return [];
  const all = flatten(parts);
  const asked = all.flatMap((part) =>
    part.kind === 'input-request' && part.answer === null && part.checkpointName !== null
      ? [part]
      : [],
  );
  const [known, ofTools] = await Promise.all([
    asked.length > 0 ? readNames(context, session) : new Set<string>(),
    findToolRequests(context, all),
  ]);
  const armed = asked.filter((part) => known.has(part.checkpointName ?? ''));
  return [...armed.map(toAgentRequest), ...ofTools];
}

/** Without the list nothing is armed. */
async function readNames(context: UbikContext, session: string): Promise<Set<string>> {
  try {
    const checkpoints = await getCheckpoints(context, session);
    return new Set(checkpoints.map(({ name }) => name));
  } catch {
    // The history is worth more than a form; the question stays readable.
    return new Set();
  }
}

async function findToolRequests(
  context: UbikContext,
  parts: readonly PartTree[],
): Promise<InputRequest[]> {
  const open = parts.flatMap((part) =>
    part.kind === 'tool' && part.state !== 'done' && part.result === null && part.toolId !== ''
      ? [part]
      : [],
  );
  const asked = open.slice(-MAX_EXECUTIONS).map(async (tool): Promise<InputRequest[]> => {
    try {
      const execution = await getExecution(context, tool.toolId);
      if (execution.status !== 'waiting_for_input') return [];
      return [toToolRequest(execution.id, execution.question ?? tool.name)];
    } catch {
      // An execution that cannot be read arms nothing.
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

function toAgentRequest(part: Extract<PartTree, { kind: 'input-request' }>): InputRequest {
  const { prompt, inputTypes, checkpointName } = part;
  return {
    key: `@request:${checkpointName ?? '?'}`,
    message: '',
    level: 'agent',
    checkpointName,
    executionId: null,
    prompt,
    inputTypes: inputTypes.length > 0 ? inputTypes : ['text'],
    options: null,
    schema: null,
    deadline: null,
  };
}

function toToolRequest(executionId: string, prompt: string): InputRequest {
  return {
    key: `@request:tool:${executionId}`,
    message: '',
    level: 'tool',
    checkpointName: null,
    executionId,
    prompt,
    inputTypes: ['text'],
    options: null,
    schema: null,
    deadline: null,
  };
}

function flatten(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...flatten(part.parts ?? [])]);
}
