import type { InputRequest, StoredMessage, ThreadContent } from '../../backends/backend.js';
import type { Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import type { ControllerContext } from '../controller-context.js';

/** Most questions that are kept for a thread; the oldest go. */
const MOST_KEPT = 20;

/** What only the event says of a question, under what names it. */
interface KeptQuestion {
  readonly name: string;
  readonly options: Json;
  readonly schema: Json;
  readonly deadline: number | null;
}

/** What events have told of questions and histories do not, as far as this browser was there: choices, schema, deadline. */
export interface Questions {
  /** Reads what was kept of a thread. */
  read(id: string): Promise<void>;
  /** Keeps what a change tells of a question. */
  note(id: string | null, change: Change): void;
  /** A history, with what was kept of its questions. */
  complete(content: ThreadContent): ThreadContent;
  /** Forgets everything here; what is stored stays. */
  clear(): void;
}

/** What is kept of them under service and user. */
export function createQuestions({ notes }: ControllerContext): Questions {
  const kept = new Map<string, readonly KeptQuestion[]>();
  return {
    async read(id) {
      const note = await notes.read('questions', id);
      if (!kept.has(id)) kept.set(id, Array.isArray(note) ? note.filter(isKept) : []);
    },
    note(id, change) {
      const told =
        change.type === 'part' && change.value.kind === 'request-activity' && change.value;
      if (!told || id === null) return;
      const { options, schema, deadline } = told;
      if (options === null && schema === null && deadline === null) return;
      const question: KeptQuestion = { name: nameOf(told), options, schema, deadline };
      const held = (kept.get(id) ?? []).filter(({ name }) => name !== question.name);
      const next = [...held, question].slice(-MOST_KEPT);
      kept.set(id, next);
      notes.keep('questions', id, next);
    },
    complete(content) {
      const held = kept.get(content.thread.id ?? '') ?? [];
      if (held.length === 0) return content;
      const byName = new Map(held.map((question) => [question.name, question]));
      const messages = content.messages.map((message) => completeMessage(message, byName));
      return { ...content, messages };
    },
    clear() {
      kept.clear();
    },
  };
}

function completeMessage(
  message: StoredMessage,
  kept: ReadonlyMap<string, KeptQuestion>,
): StoredMessage {
  if (message.requests.length === 0) return message;
  const requests = message.requests.map((request): InputRequest => {
    const { options, schema, deadline } = request;
    const known = kept.get(nameOf(request));
    return known
      ? {
          ...request,
          options: options ?? known.options,
          schema: schema ?? known.schema,
          deadline: deadline ?? known.deadline,
        }
      : request;
  });
  return { ...message, requests };
}

/** Checkpoints and executions have names of their own; a later question may stand at the same checkpoint. */
function nameOf({ level, checkpointName, executionId, prompt }: RequestQuestion): string {
  return JSON.stringify([level, level === 'tool' ? executionId : checkpointName, prompt]);
}

function isKept(value: unknown): value is KeptQuestion {
  const { name, options, schema, deadline } = Object(value) as Partial<Record<string, unknown>>;
  const isTime = deadline === null || Number.isFinite(deadline);
  return typeof name === 'string' && options !== undefined && schema !== undefined && isTime;
}
