import type { InputRequest, StoredMessage, ThreadContent } from '../../backends/backend.js';
import type { Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import type { ControllerContext } from '../controller-context.js';

/** Maximum number of stored requests per thread; the oldest are removed. */
const MAX_REQUESTS = 20;

/** The fields of a request that only its event contains. The storage has them under the key `questions`. */
interface StoredDetails {
  /** Identifies the request, see {@link identify}. */
  readonly name: string;
  readonly options: Json;
  readonly schema: Json;
  readonly deadline: number | null;
}

/**
 * Fields of requests that events contain and stored threads lack: options, schema, deadline. Known if this browser has received the event.
 */
export interface RequestDetails {
  /** Reads the stored details of a thread. */
  load(id: string): Promise<void>;
  /** Stores the details of a request that a change adds or replaces. Ignores other changes. */
  record(id: string | null, change: Change): void;
  /** Adds the stored details to the requests of a loaded thread. */
  addTo(content: ThreadContent): ThreadContent;
  /** Clears the memory; the storage is unchanged. */
  clear(): void;
}

/** Creates {@link RequestDetails} that are stored per service and user. */
export function createRequestDetails({ storage }: ControllerContext): RequestDetails {
  const byThread = new Map<string, readonly StoredDetails[]>();
  return {
    async load(id) {
      const stored = await storage.read('questions', id);
      if (byThread.has(id)) return;
      byThread.set(id, Array.isArray(stored) ? stored.filter(isStoredDetails) : []);
    },
    record(id, change) {
      const request =
        change.type === 'part' && change.value.kind === 'request-activity' && change.value;
      if (!request || id === null) return;
      const { options, schema, deadline } = request;
      if (options === null && schema === null && deadline === null) return;
      const details: StoredDetails = { name: identify(request), options, schema, deadline };
      const others = (byThread.get(id) ?? []).filter(({ name }) => name !== details.name);
      const all = [...others, details].slice(-MAX_REQUESTS);
      byThread.set(id, all);
      storage.write('questions', id, all);
    },
    addTo(content) {
      const stored = byThread.get(content.thread.id ?? '') ?? [];
      if (stored.length === 0) return content;
      const byName = new Map(stored.map((details) => [details.name, details]));
      const messages = content.messages.map((message) => completeMessage(message, byName));
      return { ...content, messages };
    },
    clear() {
      byThread.clear();
    },
  };
}

function completeMessage(
  message: StoredMessage,
  stored: ReadonlyMap<string, StoredDetails>,
): StoredMessage {
  if (message.requests.length === 0) return message;
  const requests = message.requests.map((request): InputRequest => {
    const { options, schema, deadline } = request;
    const details = stored.get(identify(request));
    return details
      ? {
          ...request,
          options: options ?? details.options,
          schema: schema ?? details.schema,
          deadline: deadline ?? details.deadline,
        }
      : request;
  });
  return { ...message, requests };
}

/** Identifies a request by its checkpoint or execution, and by its prompt, because a later request can have the same checkpoint. */
function identify({ level, checkpointName, executionId, prompt }: RequestQuestion): string {
  return JSON.stringify([level, level === 'tool' ? executionId : checkpointName, prompt]);
}

function isStoredDetails(value: unknown): value is StoredDetails {
  const { name, options, schema, deadline } = Object(value) as Partial<Record<string, unknown>>;
  const isTime = deadline === null || Number.isFinite(deadline);
  return typeof name === 'string' && options !== undefined && schema !== undefined && isTime;
}
