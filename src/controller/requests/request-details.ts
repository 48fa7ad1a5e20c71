import type { Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import type { ControllerContext } from '../controller-context.js';

/** Maximum number of stored requests per thread; the oldest are removed. */
const MAX_REQUESTS = 20;

/**
 * The fields of a request that its event contains and a stored thread lacks: options, schema, deadline. Known if this browser has received the
 * event. The storage has them under the key `questions`.
 */
export interface RequestDetails {
  /** Identifies the request, see {@link identifyRequest}. */
  readonly name: string;
  readonly options: Json;
  readonly schema: Json;
  readonly deadline: number | null;
}

/** Stores the details of a request that a change adds to a thread or replaces. Ignores other changes, and a thread without an id. */
export function recordRequestDetails(
  { requestDetails, storage }: Pick<ControllerContext, 'requestDetails' | 'storage'>,
  threadId: string | null,
  change: Change,
): void {
  const request =
    change.type === 'part' && change.value.kind === 'request-activity' && change.value;
  if (!request || threadId === null) return;
  const { options, schema, deadline } = request;
  if (options === null && schema === null && deadline === null) return;
  const details: RequestDetails = { name: identifyRequest(request), options, schema, deadline };
  const others = (requestDetails.get(threadId) ?? []).filter(({ name }) => name !== details.name);
  const all = [...others, details].slice(-MAX_REQUESTS);
  requestDetails.set(threadId, all);
  storage.write('questions', threadId, all);
}

/** Identifies a request by its checkpoint or execution, and by its prompt, because a later request can have the same checkpoint. */
export function identifyRequest({
  level,
  checkpointName,
  executionId,
  prompt,
}: RequestQuestion): string {
  return JSON.stringify([level, level === 'tool' ? executionId : checkpointName, prompt]);
}
