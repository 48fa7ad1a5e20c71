import type { InputRequestFields, RequestActivityFields } from '../../../model/part.js';
import {
  asFields,
  readId,
  readNumber,
  readString,
  readStrings,
  toJson,
  type Fields,
} from '../../fields.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import { openRequest, findRequestPart } from './input-requests.js';
import { openTool, readExecutionId, getToolGroups } from './tool-events.js';

/** Reduces an input request of the agent at a checkpoint. A matching, unanswered request in the content becomes its part. */
export const inputRequiredHandler: EventHandler = {
  groups: () => ['main', 'opens'],
  part: readQuestion,
  reduce: (event, reducer) => {
    const question = readQuestion(event);
    const part = findRequestPart(reducer, question, true) ?? reducer.resolvePart(question);
    openRequest(reducer, { ...readRequest(event, null), part });
  },
};

/** Reduces an input request of a tool. */
export const toolInputHandler: EventHandler = {
  groups: (event, reducer) => [...getToolGroups(event, reducer), 'opens'],
  reduce: (event, reducer) => {
    const tool = openTool(event, reducer);
    if (tool) openRequest(reducer, readRequest(event, tool.name));
  },
};

function readQuestion(event: ReducerEvent): InputRequestFields {
  const { prompt, inputTypes, checkpointName } = readRequest(event, null);
  return { kind: 'input-request', prompt, inputTypes, checkpointName, answer: null };
}

/** Reads a request of a tool, or of the agent (`toolName` null). Its question is in the event or in the `tool_input` of the event (UBIK 6.1). */
export function readRequest(
  { fields, time }: Pick<ReducerEvent, 'fields' | 'time'>,
  toolName: string | null,
): RequestActivityFields {
  const input = asFields(fields['tool_input']) ?? {};
  const seconds = readNumber(fields, 'timeout') ?? -1;
  const prompt = readString(input, 'question', 'prompt') ?? readString(fields, 'prompt', 'message');
  return {
    kind: 'request-activity',
    level: toolName === null ? 'agent' : 'tool',
    prompt: prompt || (toolName ?? ''),
    inputTypes: readTypes(fields) ?? readTypes(input) ?? ['text'],
    checkpointName: readId(fields, 'checkpoint_name'),
    executionId: toolName === null ? null : readExecutionId(fields),
    toolName,
    options: toJson(input['options'] ?? fields['options']),
    schema: toJson(input['schema'] ?? fields['schema']),
    // Counted from the time of the event; unknown without a time or a timeout.
    deadline: seconds < 0 || time === null ? null : time + seconds * 1000,
    part: null,
    state: 'pending',
    ...(toolName !== null && fields['tool_input'] !== undefined
      ? { toolInput: toJson(fields['tool_input']) }
      : {}),
  };
}

function readTypes(fields: Fields): string[] | null {
  const types = readStrings(fields, 'input_types');
  return types.length > 0 ? types : null;
}
