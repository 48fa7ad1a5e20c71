import { UbikError } from '../../../errors.js';
import type { Json } from '../../../model/json.js';
import type { Attachment, MessageSettings } from '../../../model/message.js';
import { asFields, omitNulls, readFlag, readString } from '../../fields.js';
import type { DataAgentClient } from '../api/client.js';
import type { ChatOption, DataAgentMessageOptions } from '../options.js';

/** The text and the attachments of a question. */
export interface Question {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** All members are sent, because one that is left out counts as false (Data Agent R7). */
const ALL_OPTIONS: ChatOption = {
  is_need_history: true,
  is_need_doc_retrival_post_process: true,
  is_need_progress: true,
  enable_dependency_cache: true,
};

/**
 * Creates the fields of a request that starts a run (Data Agent 3.3).
 *
 * @throws {UbikError} `misuse` when `buildQuestion` throws or does not return a text.
 */
export function createChatRequest(
  { agentId, agentKey, agentVersion, options }: DataAgentClient,
  conversation: string,
  { text, attachments = [] }: Question,
  messageOptions: DataAgentMessageOptions,
): Readonly<Record<string, unknown>> {
  const { executorVersion = 'v2', buildQuestion, chatOption } = options;
  const { deepThinking, model, inputs, context } = messageOptions;
  const query =
    context && buildQuestion && text !== ''
      ? addContext(text, (question) => buildQuestion(question, context))
      : text;
  const data = context ? (asFields(context.data) ?? { context: context.data }) : {};
  const custom = { ...inputs, ...data };
  const files = attachments.map(({ name }) => ({ file_name: name }));
  return {
    agent_id: agentId,
    agent_key: agentKey,
    agent_version: agentVersion,
    executor_version: executorVersion,
    conversation_id: conversation,
    query,
    stream: true,
    inc_stream: true,
    chat_mode: deepThinking ? 'deep_thinking' : 'normal',
    ...(model ? { model_name: model } : {}),
    ...(Object.keys(custom).length > 0 ? { custom_querys: custom } : {}),
    ...(files.length > 0 ? { selected_files: files } : {}),
    chat_option: { ...ALL_OPTIONS, ...chatOption },
  };
}

/** A private-use character that is inserted in place of a text, to find the text that is built before and after it. */
const ANY_TEXT = '\uE000';

/**
 * Adds a context to a question, unless the question already contains the same one, because it is asked again. Another context is replaced if
 * it has the form of {@link CONTEXT_HEADER}.
 */
function addContext(text: string, build: (text: string) => string): string {
  try {
    const [before = '', after, ...more] = build(ANY_TEXT).split(ANY_TEXT);
    const isBuilt =
      after !== undefined &&
      more.length === 0 &&
      text.startsWith(before) &&
      text.slice(before.length).endsWith(after);
    return isBuilt ? text : build(splitQuery(text).text);
  } catch (cause) {
    throw new UbikError('misuse', 'buildQuestion must return a text.', { cause });
  }
}

/**
 * The text that the vendor's clients write before a question with an application context: the title of the context, and its data as JSON,
 * which contains no empty line (Data Agent 3.3).
 */
const CONTEXT_HEADER = /^【上下文: (.+)】\n[^]*?\n\n/;

/** Splits a question into the text of the user and the title of its context, which is empty when the question contains none. */
export function splitQuery(query: string): {
  readonly text: string;
  readonly contextTitle: string;
} {
  const [header = '', contextTitle = ''] = CONTEXT_HEADER.exec(query) ?? [];
  return { text: query.slice(header.length), contextTitle };
}

/** Reads those settings of a message that this service knows. They override the settings of the backend. */
export function readMessageOptions(
  { options }: DataAgentClient,
  { options: given, context }: MessageSettings,
): DataAgentMessageOptions {
  const fields = asFields(given) ?? {};
  return {
    ...options.messageOptions,
    ...omitNulls({
      deepThinking: readFlag(fields, 'deepThinking'),
      model: readString(fields, 'model'),
      inputs: asFields(fields['inputs']) as Readonly<Record<string, Json>> | null,
    }),
    // A context of null removes the default context of the backend.
    ...(context === undefined ? {} : { context }),
  };
}
