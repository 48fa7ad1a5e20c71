import type { InputRequest, StoredMessage, ThreadContent } from '../../backends/backend.js';
import type { ControllerContext } from '../controller-context.js';
import { identifyRequest, type RequestDetails } from '../requests/request-details.js';

/** Reads the stored details of the requests of a thread. Those that were recorded on this page take precedence. */
export async function loadRequestDetails(
  { requestDetails, storage }: Pick<ControllerContext, 'requestDetails' | 'storage'>,
  id: string,
): Promise<void> {
  const stored = await storage.read('questions', id);
  if (requestDetails.has(id)) return;
  requestDetails.set(id, Array.isArray(stored) ? stored.filter(isRequestDetails) : []);
}

/** Adds the details to the requests of a loaded thread. */
export function completeRequests(
  { requestDetails }: Pick<ControllerContext, 'requestDetails'>,
  content: ThreadContent,
): ThreadContent {
  const stored = requestDetails.get(content.thread.id ?? '') ?? [];
  if (stored.length === 0) return content;
  const byName = new Map(stored.map((details) => [details.name, details]));
  const messages = content.messages.map((message) => completeMessage(message, byName));
  return { ...content, messages };
}

function completeMessage(
  message: StoredMessage,
  stored: ReadonlyMap<string, RequestDetails>,
): StoredMessage {
  if (message.requests.length === 0) return message;
  const requests = message.requests.map((request): InputRequest => {
    const { options, schema, deadline } = request;
    const details = stored.get(identifyRequest(request));
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

function isRequestDetails(value: unknown): value is RequestDetails {
  const { name, options, schema, deadline } = Object(value) as Partial<Record<string, unknown>>;
  const isTime = deadline === null || Number.isFinite(deadline);
  return typeof name === 'string' && options !== undefined && schema !== undefined && isTime;
}
