import { isJsonObject, textOf, type Json, type JsonObject } from '../agent/json.js';
import type { ChatMessage, LanguageModelOptions } from '../agent/llm/chat-completion.js';
import { answerLanguageOf } from '../agent/plan/data-question.js';
import type { Schema } from '../agent/query/schema.js';
import type { ApprovalDecision } from './approval.js';
import type { ConversationRow, ConversationStore, StoredMessage } from './conversations.js';
import { DataAgentError, type ServiceLanguage } from './errors.js';
import type { ModelQuestion } from './model-answer.js';
import { AGENT_ID, listModels, THINKING_MODEL } from './onboarding.js';
import { planAnswer } from './plan.js';
import { createContent, type Reply, type ReplyContent, type ReplyExtension } from './reply.js';
import type { DataAgentRun, ExecutorFault } from './run.js';
import type { Runs, RunTask } from './runs.js';
import { createUlid } from './ulid.js';

/** Maximum number of earlier messages that a language model gets with a question. */
const MAX_HISTORY = 20;

/** The dependencies of a completion, and the settings of its request. */
export interface ChatContext {
  readonly store: ConversationStore;
  readonly runs: Runs;
  /** The tables of the sample database. */
  readonly schema: Schema;
  /** The language model that answers; null for the rules. */
  readonly model: LanguageModelOptions | null;
  readonly owner: string;
  /** Number of frames after which a snapshot is published. */
  readonly publishEvery: number;
  readonly errorLanguage: ServiceLanguage;
  readonly fault: ExecutorFault | null;
}

/** Starts the run of a `chat/completion` request: a new question, a regenerated answer, an edited question, or a decision about a tool. */
export function startCompletion(context: ChatContext, body: JsonObject): DataAgentRun {
  const modelName = readModel(context, body['model_name']);
  const interrupted = textField(body, 'interrupted_assistant_message_id');
  const regenerated = textField(body, 'regenerate_assistant_message_id');
  const edited = textField(body, 'regenerate_user_message_id');
  if (regenerated !== '' && edited !== '') throw invalid('Only one regenerate id is allowed.');
  const query = textField(body, 'query');
  if (query.trim() === '' && interrupted === '' && regenerated === '') {
    throw invalid('query is required.');
  }
  const conversation = findOrCreateConversation(context, body, query);
  if (context.runs.find(conversation.id) !== null) {
    throw new DataAgentError(409, 'AgentAPP.InvalidParameter.RequestBody', 'An answer is running.');
  }
  const messages = context.store.messages(conversation.id);
  if (interrupted !== '') {
    return continueInterrupted(context, body, conversation, messages, interrupted);
  }
  const [question, answer] =
    regenerated !== ''
      ? restartAnswer(context.store, messages, regenerated)
      : edited !== ''
        ? editQuestion(context.store, messages, edited, query)
        : context.store.appendTurn(conversation, encodeQuestion(query, body['selected_files']));
  const text = decodeQuestion(question.content);
  const options = isJsonObject(body['chat_option']) ? body['chat_option'] : {};
  const needsProgress = options['is_need_progress'] === true;
  const customQueries = isJsonObject(body['custom_querys']) ? body['custom_querys'] : null;
  const history =
    options['is_need_history'] === true
      ? messages.filter((each) => each.position < question.position)
      : [];
  const reply = createReply(
    conversation,
    question,
    answer,
    createContent(text, needsProgress ? null : []),
  );
  const variables = reply.message.content?.middle_answer.other_variables;
  if (variables !== undefined) {
    if (customQueries !== null) variables['custom_querys'] = customQueries;
    if (modelName !== '') variables['model_name'] = modelName;
  }
  return context.runs.start(
    {
      ...runOptions(context, reply, text),
      needsProgress,
      deepThinking: body['chat_mode'] === 'deep_thinking' || modelName === THINKING_MODEL,
    },
    createTask(context, { question: text, history, customQueries, modelName }),
  );
}

/** A question, and the data from which it is answered. */
interface AskedQuestion {
  readonly question: string;
  /** The messages before the question that may be used. */
  readonly history: readonly StoredMessage[];
  /** `custom_querys`: the declared inputs and the data of the application context. */
  readonly customQueries: JsonObject | null;
  /** The model that was chosen, or an empty text. */
  readonly modelName: string;
}

function createTask(context: ChatContext, asked: AskedQuestion): RunTask {
  const modelQuestion = createModelQuestion(context, asked);
  if (modelQuestion !== null) return { kind: 'model-answer', modelQuestion };
  const previous = asked.history.findLast((each) => each.origin === 'user');
  const plan = planAnswer({
    question: asked.question,
    previous: decodeQuestion(previous?.content ?? ''),
    context: asked.customQueries === null ? '' : JSON.stringify(asked.customQueries),
    schema: context.schema,
  });
  return { kind: 'answer', question: asked.question, plan };
}

/** The question for the language model; null when the rules answer. */
function createModelQuestion(
  { model }: ChatContext,
  { question, history, customQueries, modelName }: AskedQuestion,
): ModelQuestion | null {
  if (model === null || (modelName !== '' && modelName !== model.model)) return null;
  return {
    model,
    question,
    history: history.slice(-MAX_HISTORY).flatMap(toChatMessage),
    context: customQueries === null ? '' : JSON.stringify(customQueries),
  };
}

function toChatMessage({ origin, content }: StoredMessage): ChatMessage[] {
  const text =
    origin === 'user' || content === ''
      ? decodeQuestion(content)
      : ((JSON.parse(content) as ReplyContent | null)?.final_answer.answer.text ?? '');
  return text === '' ? [] : [{ role: origin, content: text }];
}

/** Cancels an answer that waits for approval. Returns false when there is none with this id. */
export function cancelInterrupted(
  store: ConversationStore,
  conversationId: string,
  messageId: string,
): boolean {
  const message = store.messages(conversationId).find((each) => each.id === messageId);
  if (message?.status !== 'processing') return false;
  store.updateAnswer(message.id, {
    content: message.content,
    contentType: message.content_type,
    status: 'cancelled',
    ext: message.ext,
  });
  return true;
}

/** The text of a stored question. */
export function decodeQuestion(content: string): string {
  if (content === '') return '';
  return textField(JSON.parse(content) as JsonObject, 'text');
}

function continueInterrupted(
  context: ChatContext,
  body: JsonObject,
  conversation: ConversationRow,
  messages: readonly StoredMessage[],
  id: string,
): DataAgentRun {
  const answer = messages.find((each) => each.id === id && each.status === 'processing');
  const question = messages.find((each) => each.id === answer?.reply_id);
  const info = body['resume_interrupt_info'];
  if (answer === undefined || question === undefined || !isJsonObject(info)) {
    throw invalid('No tool of this message waits for approval.');
  }
  const ext = JSON.parse(answer.ext) as ReplyExtension;
  const handle = info['resume_handle'];
  const isSameHandle =
    isJsonObject(handle) && handle['resume_token'] === ext.interrupt_info?.handle['resume_token'];
  if (!isSameHandle) throw invalid('The resume handle does not belong to this message.');
  if (textField(body, 'agent_run_id') !== ext.agent_run_id) throw invalid('agent_run_id is wrong.');
  const content = JSON.parse(answer.content) as ReplyContent;
  const reply = createReply(conversation, question, answer, content, ext.agent_run_id);
  const text = decodeQuestion(question.content);
  const variables = content.middle_answer.other_variables;
  const modelQuestion = createModelQuestion(context, {
    question: text,
    history: messages.filter((each) => each.position < question.position),
    customQueries: isJsonObject(variables['custom_querys']) ? variables['custom_querys'] : null,
    modelName: textOf(variables['model_name']),
  });
  return context.runs.start(
    {
      ...runOptions(context, reply, text),
      needsProgress: true,
      deepThinking: false,
    },
    { kind: 'approval', decision: readDecision(info), modelQuestion },
  );
}

function readDecision(info: JsonObject): ApprovalDecision {
  const action = info['action'];
  if (action !== 'confirm' && action !== 'skip') throw invalid('action is confirm or skip.');
  const modified = new Map<string, Json>();
  const list = Array.isArray(info['modified_args'])
    ? (info['modified_args'] as readonly Json[])
    : [];
  for (const each of list) {
    if (isJsonObject(each)) modified.set(textField(each, 'key'), each['value'] ?? null);
  }
  return { action, modified };
}

function findOrCreateConversation(
  context: ChatContext,
  body: JsonObject,
  query: string,
): ConversationRow {
  const id = textField(body, 'conversation_id');
  if (id === '') return context.store.create(context.owner, query);
  const found = context.store.find(context.owner, id);
  if (found === null) throw new DataAgentError(404, 'AgentAPP.Agent.GetConversationFailed');
  return found;
}

function restartAnswer(
  store: ConversationStore,
  messages: readonly StoredMessage[],
  id: string,
): readonly [StoredMessage, StoredMessage] {
  const answer = messages.find((each) => each.id === id && each.origin === 'assistant');
  const question = messages.find((each) => each.id === answer?.reply_id);
  if (answer === undefined || question === undefined) throw invalid('The answer does not exist.');
  store.restartAnswer(answer);
  return [question, answer];
}

function editQuestion(
  store: ConversationStore,
  messages: readonly StoredMessage[],
  id: string,
  text: string,
): readonly [StoredMessage, StoredMessage] {
  const question = messages.find((each) => each.id === id && each.origin === 'user');
  const answer = messages.find((each) => each.reply_id === id);
  if (answer === undefined || question === undefined) throw invalid('The question does not exist.');
  const content = encodeQuestion(text, undefined);
  store.editQuestion(id, content);
  store.restartAnswer(answer);
  return [{ ...question, content }, answer];
}

function createReply(
  conversation: ConversationRow,
  question: StoredMessage,
  answer: StoredMessage,
  content: ReplyContent,
  runId: string = createUlid(),
): Reply {
  return {
    conversation_id: conversation.id,
    user_message_id: question.id,
    assistant_message_id: answer.id,
    agent_run_id: runId,
    message: {
      id: answer.id,
      conversation_id: conversation.id,
      role: 'assistant',
      content,
      content_type: 'prompt',
      status: '',
      reply_id: question.id,
      index: answer.position,
      agent_info: {
        agent_id: AGENT_ID,
        agent_name: 'River analyst',
        agent_status: 'published',
        agent_version: 'latest',
      },
      ext: { agent_run_id: runId },
    },
    error: null,
  };
}

function runOptions(
  context: ChatContext,
  reply: Reply,
  question: string,
): Pick<
  DataAgentRun['options'],
  'reply' | 'owner' | 'publishEvery' | 'language' | 'errorLanguage' | 'fault'
> {
  return {
    reply,
    owner: context.owner,
    publishEvery: context.publishEvery,
    language: answerLanguageOf(question),
    errorLanguage: context.errorLanguage,
    fault: context.fault,
  };
}

function encodeQuestion(text: string, files: Json | undefined): string {
  return JSON.stringify({ text, selected_files: Array.isArray(files) ? files : [] });
}

function readModel({ model }: ChatContext, value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '';
  const known = listModels(model?.model ?? null).find(({ name }) => name === value);
  if (known === undefined) throw invalid(`There is no model ${JSON.stringify(value)}.`);
  return known.name;
}

function textField(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

function invalid(details: string): DataAgentError {
  return new DataAgentError(400, 'AgentAPP.InvalidParameter.RequestBody', details);
}
