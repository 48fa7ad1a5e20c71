import type { InputRequest, StoredMessage, ThreadContent } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { PartTree } from '../../../model/part.js';
import { loadExecution } from '../api/executions.js';
import { loadActiveBranch, toStoredMessages, type WireMessage } from '../api/messages.js';
import type { UbikClient } from '../api/client.js';
import { loadCheckpoints, loadSession } from '../api/threads.js';
import type { SessionState } from './session-state.js';

/** Executions of one message that are asked whether they wait. */
const MAX_EXECUTIONS = 8;

/** The active branch of a session, with the questions that the service's own history allows to answer (R7). */
export async function loadThread(
  client: UbikClient,
  state: SessionState,
  session: string,
  signal?: AbortSignal,
): Promise<ThreadContent> {
  const [items, { title }] = await Promise.all([
    loadActiveBranch(client, session, { signal }),
    loadSession(client, session, signal),
  ]);
  const messages = await toStoredMessages(client, items);
  const head = messages.at(-1);
  const requests = head ? await findPendingRequests(client, session, head, signal) : [];
  if (signal?.aborted) throw new UbikError('aborted');
  if (head && requests.length > 0) {
    const fields = { ...head.fields, status: 'waiting' } as const;
    messages.splice(-1, 1, { ...head, requests, fields });
  }
  recordTasks(state, messages);
  return {
    thread: { id: session, title },
    messages,
    headId: head?.id ?? null,
    unfinishedRun: requests.length > 0 ? null : findUnfinishedRun(state, session, items),
  };
}

/** A question without an answer, or a message that this page knows to be unfinished. */
function findUnfinishedRun(
  { runs }: SessionState,
  session: string,
  items: readonly WireMessage[],
): ThreadContent['unfinishedRun'] {
  const newest = items.at(-1);
  if (!newest) return null;
  const { id: answer, role, taskId } = newest;
  const isOn = [...runs.values()].some(({ status: run }) => !run.ended && run.taskId === taskId);
  if (role !== 'user' && (role === 'system' || taskId === null || !isOn)) return null;
  const others = items.map((item) => item.taskId).filter((id) => id !== taskId);
  return {
    id: taskId,
    keys: { thread: session, user: null, answer },
    finishedRuns: others.filter((id) => id !== null),
  };
}

/** Of what an assistant wrote: which task it was, and how much there is to see of it. */
function recordTasks(state: SessionState, messages: readonly StoredMessage[]): void {
  state.head = null;
  for (const { id, fields, parts } of messages) {
    const { taskId } = fields;
    state.messageIds.add(id);
    const size = measureParts(parts);
    state.head = fields.role === 'assistant' ? { taskId, size } : null;
    if (state.head && taskId !== null) state.tasks.set(taskId, size);
  }
}

function measureParts(parts: readonly PartTree[]): number {
  return flatten(parts).reduce((sum, part) => {
    const ofTool =
      part.kind === 'tool' ? (part.input?.length ?? 0) + (part.result?.length ?? 0) : 0;
    return sum + 1 + (part.text?.length ?? 0) + ofTool;
  }, 0);
}

function flatten(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...flatten(part.parts ?? [])]);
}

/** Agents' questions whose checkpoint is listed, and tools that wait. What cannot be read arms nothing: the history is worth more. */
async function findPendingRequests(
  client: UbikClient,
  session: string,
  { fields, parts }: StoredMessage,
  signal: AbortSignal | undefined,
): Promise<InputRequest[]> {
  if (fields.role !== 'assistant') return [];
  const all = flatten(parts);
  const asked = all
    .filter((part) => part.kind === 'input-request')
    .filter((part) => part.answer === null && part.checkpointName !== null);
  const running = all
    .filter((part) => part.kind === 'tool')
    .filter((tool) => tool.state !== 'done' && tool.result === null && tool.toolId !== '');
  const ofTools = running.slice(-MAX_EXECUTIONS).map(async ({ toolId, name }) => {
    const execution = await loadExecution(client, toolId, signal).catch(() => null);
    if (execution?.status !== 'waiting_for_input') return [];
    return [createRequest('tool', execution.id, execution.question ?? name)];
  });
  const checkpoints =
    asked.length > 0 ? await loadCheckpoints(client, session, signal).catch(() => []) : [];
  const ofAgent = asked.flatMap(({ checkpointName, prompt, inputTypes }) =>
    checkpoints.some(({ name }) => name === checkpointName)
      ? [createRequest('agent', checkpointName ?? '', prompt, inputTypes)]
      : [],
  );
  return [...ofAgent, ...(await Promise.all(ofTools)).flat()];
}

function createRequest(
  level: InputRequest['level'],
  name: string,
  prompt: string,
  inputTypes: readonly string[] = [],
): InputRequest {
  const isTool = level === 'tool';
  return {
    key: isTool ? `@request:tool:${name}` : `@request:${name}`,
    message: '',
    level,
    checkpointName: isTool ? null : name,
    executionId: isTool ? name : null,
    prompt,
    inputTypes: inputTypes.length > 0 ? inputTypes : ['text'],
    options: null,
    schema: null,
    deadline: null,
  };
}
