import { UbikError } from '../../../errors.js';
import { createFieldChange, type Batch, type Change } from '../../../model/change.js';
import type { MessageSettings } from '../../../model/message.js';
import { cancelBody } from '../../../transport/response.js';
import type { Draft } from '../../backend.js';
import { loadConversation, renameConversation } from '../api/conversations.js';
import { asString } from '../projection/read-json.js';
import {
  createChatRequest,
  readMessageOptions,
  splitQuery,
  type Question,
} from './chat-request.js';
import type { SentQuestion } from './conversation-state.js';
import { DataAgentRun, type RunContext } from './data-agent-run.js';
import { findQuestion } from './stored-answer.js';

/** Longest title that the service stores, in characters. */
const MAX_TITLE = 50;

/** Sends a question, which starts a run. The first question of a conversation without a title becomes its title. */
export async function* sendQuestion(context: RunContext, draft: Draft): AsyncGenerator<Batch> {
  const { client, conversation, state } = context;
  const title = [...draft.text.trim()].slice(0, MAX_TITLE).join('');
  const body = createBody(context, draft, draft);
  state.lastQuestion = createSentQuestion(context, asString(body['query']));
  if (state.hasTitle || title === '') {
    yield* startRun(context, body);
    return;
  }
  yield* startRun(context, body, () => {
    state.hasTitle = true;
    void renameConversation(client, conversation, title).catch(() => undefined);
    return [{ type: 'thread', set: { title } }];
  });
}

/** Sends another version of a question. The service replaces the stored one and everything after it (Data Agent 9.5). */
export async function* editQuestion(
  context: RunContext,
  messageId: string,
  draft: Draft,
): AsyncGenerator<Batch> {
  await reopenFrom(context, messageId);
  const body = createBody(context, draft, draft);
  yield* startRun(context, { ...body, regenerate_user_message_id: messageId });
}

/** Requests another answer. The service replaces the stored one under the same id, and everything after it (Data Agent 9.5). */
export async function* regenerateAnswer(
  context: RunContext,
  messageId: string,
  settings: MessageSettings,
): AsyncGenerator<Batch> {
  const question = await reopenFrom(context, messageId);
  const hasSettings = Object.keys(settings).length > 0;
  const body = createBody(context, question, hasSettings ? settings : null);
  yield* startRun(context, { ...body, regenerate_assistant_message_id: messageId });
}

/** Creates the request body for a question. Its settings are remembered, and apply to later requests without settings (null). */
function createBody(context: RunContext, question: Question, settings: MessageSettings | null) {
  const { client, conversation, state } = context;
  if (settings) state.messageOptions = readMessageOptions(client, settings);
  const options = state.messageOptions ?? client.options.messageOptions ?? {};
  return createChatRequest(client, conversation, question, options);
}

/** Records a question before it is sent, with the answers of all runs known by then, finished or not. */
function createSentQuestion({ state, keys }: RunContext, query: string): SentQuestion {
  const { finishedAnswerIds, approvals, answers } = state;
  const streamed = [...answers.values()].map(({ reply }) => reply.messageId ?? '');
  const earlierAnswerIds = new Set([...finishedAnswerIds, ...approvals.keys(), ...streamed]);
  return { answer: keys.answer, query, earlierAnswerIds };
}

/**
 * Prepares for a run that replaces a stored message and all after it: removes their ids from `finishedAnswerIds` and `approvals`. Returns the
 * question that is asked again.
 */
async function reopenFrom(context: RunContext, messageId: string): Promise<Question> {
  const { client, conversation, signal, state } = context;
  const { messages } = await loadConversation(client, conversation, signal);
  const at = messages.findIndex(({ id }) => id === messageId);
  const found = messages[at];
  if (!found) throw new UbikError('not-found');
  for (const { id } of messages.slice(at)) {
    state.finishedAnswerIds.delete(id);
    state.approvals.delete(id);
  }
  return (found.role === 'user' ? found : findQuestion(messages, found)) ?? { text: '' };
}

/**
 * Sends the POST that starts a run, once, and reads its stream. `onAccepted` is called when the service has accepted the request, and returns
 * changes to emit. A context that the question contains is shown at the question, as after a reload.
 */
async function* startRun(
  context: RunContext,
  body: Readonly<Record<string, unknown>>,
  onAccepted: () => readonly Change[] = () => [],
): AsyncGenerator<Batch> {
  const response = await context.client.openStream('/chat/completion', body, context.signal);
  const run = new DataAgentRun(context);
  const { user } = context.keys;
  const { contextTitle } = splitQuery(asString(body['query']));
  const changes =
    user === null || contextTitle === ''
      ? onAccepted()
      : [...onAccepted(), createFieldChange(user, null, 'contextTitle', contextTitle)];
  try {
    if (changes.length > 0) yield run.createBatch(changes);
    yield* run.follow(response, { buildsOffScreen: false });
  } finally {
    // When the consumer has stopped at the first batch, nothing else reads or cancels the body.
    if (!response.bodyUsed) cancelBody(response);
  }
}
