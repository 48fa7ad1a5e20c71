import type { Json, Key } from '../../../../model/json.js';
import type { InputRequestFields } from '../../../../model/part.js';
import {
  asFields,
  readId,
  readJson,
  readNumber,
  readText,
  readTexts,
  type Fields,
} from '../../wire/fields.js';
import type { EventRow } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import { nameOfRequest } from '../known-constructs.js';
import type { MessageFold } from '../message-fold.js';
import type { RequestData } from '../request-book.js';
import { openTool, toolIdOf, toolLanes } from './tool-rows.js';

/** The agent asks, at a checkpoint. */
export const inputRequiredRow: EventRow = {
  lanes: () => ['main'],
  isAppend: () => false,
  construct: ({ fields }) => nameOfRequest(readId(fields, 'checkpoint_name'), readPrompt(fields)),
  reduce: (event, fold) => {
    const question = readQuestion(event.fields);
    const { prompt, inputTypes, checkpointName } = question;
    const part = placeQuestion(fold, question);
    fold.requests.arm(
      {
        level: 'agent',
        prompt,
        inputTypes,
        checkpointName,
        executionId: null,
        toolName: null,
        options: readJson(event.fields, 'options'),
        schema: readJson(event.fields, 'schema'),
        deadline: readDeadline(event),
      },
      part,
    );
    fold.updateWaiting();
  },
};

/** A tool asks. */
export const toolInputRow: EventRow = {
  lanes: toolLanes,
  isAppend: () => false,
  reduce: (event, fold) => {
    const tool = openTool(event, fold);
    if (!tool) return;
    fold.requests.arm(readToolRequest(event, tool.name), null);
    fold.updateWaiting();
  },
};

/** Two shapes of tool questions are one. */
function readToolRequest(event: FoldEvent, toolName: string): RequestData {
  const { fields } = event;
  const input = asFields(fields['tool_input']) ?? {};
  const types = readTexts(fields, 'input_types');
  const innerTypes = readTexts(input, 'input_types');
  const prompt = readText(input, 'question') ?? readText(input, 'prompt') ?? readPrompt(fields);
  return {
    level: 'tool',
    prompt: prompt || toolName,
    inputTypes: types.length > 0 ? types : innerTypes.length > 0 ? innerTypes : ['text'],
    checkpointName: readId(fields, 'checkpoint_name'),
    executionId: toolIdOf(fields),
    toolName,
    options: first(readJson(input, 'options'), readJson(fields, 'options')),
    schema: first(readJson(input, 'schema'), readJson(fields, 'schema')),
    deadline: readDeadline(event),
  };
}

function first(left: Json, right: Json): Json {
  return left === null ? right : left;
}

function readPrompt(fields: Fields): string {
  return readText(fields, 'prompt') ?? readText(fields, 'message') ?? '';
}

/** Counted from the event's own time. Unknown without a time or a limit. */
function readDeadline({ fields, at }: FoldEvent): number | null {
  const seconds = readNumber(fields, 'timeout');
  return seconds === null || seconds < 0 || at === null ? null : at + seconds * 1000;
}

function readQuestion(fields: Fields): InputRequestFields {
  const inputTypes = readTexts(fields, 'input_types');
  return {
    kind: 'input-request',
    prompt: readPrompt(fields),
    inputTypes: inputTypes.length > 0 ? inputTypes : ['text'],
    checkpointName: readId(fields, 'checkpoint_name'),
    answer: null,
  };
}

/** A question that is asked again while it is open, or that stands in the text already, is one question. */
function placeQuestion(fold: MessageFold, question: InputRequestFields): Key {
  const { checkpointName, prompt } = question;
  const name = nameOfRequest(checkpointName, prompt);
  const open = fold.requests.armedAt(checkpointName, prompt);
  const known = open === null ? undefined : fold.outline.get(open)?.fields;
  if (known?.kind === 'request-activity' && known.part !== null) return known.part;
  const placed = fold.constructs.isTold(name) ? openQuestion(fold, checkpointName, prompt) : null;
  fold.constructs.tell(name);
  if (placed !== null) return placed;
  let key: Key = '';
  fold.texts.place(() => {
    key = fold.keys.named(`request:${checkpointName ?? '?'}`);
    fold.outline.put(key, null, question);
    return key;
  });
  return key;
}

/** The newest question of that name in the content that nobody has answered. */
function openQuestion(
  fold: MessageFold,
  checkpointName: string | null,
  prompt: string,
): Key | null {
  let newest: Key | null = null;
  for (const { key, fields } of fold.outline.entries()) {
    if (fields.kind !== 'input-request' || fields.answer !== null) continue;
    const sameName = checkpointName !== null && fields.checkpointName === checkpointName;
    if (sameName || (checkpointName === null && fields.prompt === prompt)) newest = key;
  }
  return newest;
}
