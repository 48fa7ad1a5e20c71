import type { InputRequest, StoredMessage, ThreadContent } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { PartTree } from '../../../model/part.js';
import { loadExecution } from '../api/executions.js';
import { loadActiveBranch, toStoredMessages, type SessionMessage } from '../api/messages.js';
import type { UbikClient } from '../api/client.js';
import { loadCheckpoints, loadSession } from '../api/threads.js';
import type { SessionState } from './session-state.js';

/** Maximum number of executions of one message that are looked up. */
const MAX_EXECUTIONS = 8;

/** Loads the active branch of a session, with the requests that are pending according to the service's history (UBIK R7). */
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
    const parts = markWaitingTools(head.parts, new Set(requests.map((each) => each.executionId)));
    messages.splice(-1, 1, { ...head, requests, fields, parts });
  }
  recordTasks(state, messages);
  return {
    thread: { id: session, title },
    messages,
    headId: head?.id ?? null,
    unfinishedRun: requests.length > 0 ? null : findUnfinishedRun(state, session, items),
  };
}

/**
 * Returns the run of a user's message without an answer, or of a message that is unfinished according to the state of this page (UBIK 3.4).
 */
function findUnfinishedRun(
  { runs }: SessionState,
  session: string,
  items: readonly SessionMessage[],
): ThreadContent['unfinishedRun'] {
  const newest = items.at(-1);
  if (!newest) return null;
  const { id: answer, role, taskId } = newest;
  const isInProgress = [...runs.values()].some(
    ({ status }) => !status.ended && status.taskId === taskId,
  );
  if (role !== 'user' && (role === 'system' || taskId === null || !isInProgress)) return null;
  const others = items.map((item) => item.taskId).filter((id) => id !== taskId);
  return {
    id: taskId,
    keys: { thread: session, user: null, answer },
    otherRunIds: others.filter((id) => id !== null),
  };
}

/** Records the ids of the messages, the task and size of each assistant message, and the head. */
function recordTasks(state: SessionState, messages: readonly StoredMessage[]): void {
  state.head = null;
  for (const { id, fields, parts } of messages) {
    const { runId: taskId } = fields;
    state.messageIds.add(id);
    const size = measureParts(parts);
    state.head = fields.role === 'assistant' ? { taskId, size } : null;
    if (state.head && taskId !== null) state.tasks.set(taskId, size);
  }
}

function measureParts(parts: readonly PartTree[]): number {
  let size = 0;
  for (const part of parts) {
    size += 1 + (part.text?.length ?? 0);
    if (part.kind === 'tool') size += (part.input?.length ?? 0) + (part.result?.length ?? 0);
    if (part.parts) size += measureParts(part.parts);
  }
  return size;
}

function flatten(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...flatten(part.parts ?? [])]);
}

/**
 * Returns requests of agents whose checkpoint is listed, and of tools that wait for input (UBIK R7). A request that cannot be looked up
 * counts as not pending, so that the history is shown in any case.
 */
async function findPendingRequests(
  client: UbikClient,
  session: string,
  { fields, parts }: StoredMessage,
  signal: AbortSignal | undefined,
): Promise<InputRequest[]> {
  if (fields.role !== 'assistant') return [];
  const all = flatten(parts);
  const unanswered = all
    .filter((part) => part.kind === 'input-request')
    .filter((part) => part.answer === null && part.checkpointName !== null);
  const running = all
    .filter((part) => part.kind === 'tool')
    .filter((tool) => tool.state !== 'done' && tool.result === null && tool.toolId !== '');
  const toolRequests = running.slice(-MAX_EXECUTIONS).map(async ({ toolId, name }) => {
    const execution = await loadExecution(client, toolId, signal).catch(() => null);
    if (execution?.status !== 'waiting_for_input') return [];
    const { id, question, inputs } = execution;
    const request = createRequest('tool', id, question ?? name, { toolName: name });
    return [inputs === null ? request : { ...request, toolInput: inputs }];
  });
  const checkpoints =
    unanswered.length > 0 ? await loadCheckpoints(client, session, signal).catch(() => []) : [];
  const agentRequests = unanswered.flatMap(({ checkpointName, prompt, inputTypes }) =>
    checkpoints.some(({ name }) => name === checkpointName)
      ? [createRequest('agent', checkpointName ?? '', prompt, { inputTypes })]
      : [],
  );
  return [...agentRequests, ...(await Promise.all(toolRequests)).flat()];
}

/** Sets the state `waiting` of tools whose executions wait for input, as the events of a live run do. */
function markWaitingTools(
  trees: readonly PartTree[],
  executions: ReadonlySet<string | null>,
): PartTree[] {
  return trees.map((tree) => {
    const inner = tree.parts && { parts: markWaitingTools(tree.parts, executions) };
    return tree.kind === 'tool' && executions.has(tree.toolId)
      ? { ...tree, ...inner, state: 'waiting' }
      : { ...tree, ...inner };
  });
}

function createRequest(
  level: InputRequest['level'],
  name: string,
  prompt: string,
  { inputTypes = [], toolName = null }: Partial<Pick<InputRequest, 'inputTypes' | 'toolName'>>,
): InputRequest {
  const isTool = level === 'tool';
  return {
    key: isTool ? `@request:tool:${name}` : `@request:${name}`,
    message: '',
    level,
    checkpointName: isTool ? null : name,
    executionId: isTool ? name : null,
    toolName,
    prompt,
    inputTypes: inputTypes.length > 0 ? inputTypes : ['text'],
    options: null,
    schema: null,
    deadline: null,
  };
}
