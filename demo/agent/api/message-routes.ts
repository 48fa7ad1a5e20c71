import { randomUUID } from 'node:crypto';
import { findDocument } from '../store/documents.js';
import {
  findMessage,
  insertMessage,
  newestLeaf,
  readAllSiblings,
  readBranch,
  type MessageRow,
} from '../store/messages.js';
import { updateSession, type SessionRow } from '../store/sessions.js';
import { ApiError, notFound } from './api-error.js';
import { readJson } from './body.js';
import { mayUse, type ApiContext } from './api-context.js';
import { Fields } from './fields.js';
import { readStaleBranch } from './stale-branch.js';
import type { ApiRequest, Router } from './router.js';
import { toMessageJson } from './to-json.js';
import { startAnswer } from './start-answer.js';
import { titleOf } from './title.js';

/** Maximum length of a message, in UTF-16 units. */
const MAX_MESSAGE = 200_000;

/** Routes to read, send, edit and regenerate messages, and to switch branches. */
export function addMessageRoutes(router: Router, context: ApiContext): void {
  const { database } = context;
  const messages = '/agent-sessions/{session_id}/messages';
  router.on('GET', messages, (call) => {
    const session = context.session(call);
    const staleness = context.faultInjection.stalenessOf(call.request);
    const siblingsOf = readAllSiblings(database, session.id);
    if (staleness !== null) {
      const { messages: stale, head, has } = readStaleBranch(database, session, staleness);
      const toJson = (message: MessageRow): object =>
        toMessageJson(database, message, siblingsOf(message).filter(has));
      return { items: stale.map(toJson), active_head_id: head };
    }
    const branch = readBranch(database, session.id, session.active_head);
    return {
      items: branch.map((message) => toMessageJson(database, message, siblingsOf(message))),
      active_head_id: session.active_head,
    };
  });
  router.on('POST', messages, (call) => sendMessage(context, call));
  router.on('GET', `${messages}/{message_id}`, (call) =>
    toMessageJson(database, messageOf(context, call, context.session(call))),
  );
  router.on('POST', `${messages}/{message_id}/edit`, (call) => editMessage(context, call));
  router.on('POST', `${messages}/{message_id}/regenerate`, (call) => regenerate(context, call));
  router.on('POST', '/agent-sessions/{session_id}/navigate', (call) => navigate(context, call));
}

function messageOf(context: ApiContext, call: ApiRequest, session: SessionRow): MessageRow {
  const message = findMessage(context.database, session.id, context.id(call, 'message_id'));
  if (message === null) throw notFound('Message');
  return message;
}

async function sendMessage(context: ApiContext, call: ApiRequest): Promise<unknown> {
  // An unknown session is reported before the body is read.
  context.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const content = fields.text('content', { min: 1, max: MAX_MESSAGE });
  const attachments = fields.uuids('attachment_document_ids', false);
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice'); // Validated, but without effect: the agent chooses its tools.
  fields.throwIfInvalid();
  rejectBlank(content);
  for (const id of attachments) rejectForeignDocument(context, call, id);
  // Checked only after the body has been read, because another message may have started a run in the meantime.
  const session = context.idleSession(call);
  const question = context.database.transaction(() => {
    const message = insertQuestion(context, session, {
      content,
      parent: session.active_head,
      attachments,
    });
    if (session.title === null) {
      updateSession(context.database, session.id, { title: titleOf(content) }, message.created_at);
    }
    return message;
  });
  return startAnswer(context, call, { session, question, stream });
}

async function editMessage(context: ApiContext, call: ApiRequest): Promise<unknown> {
  const original = messageOf(context, call, context.session(call));
  const fields = new Fields(await readJson(call.request), 'body');
  const content = fields.text('content', { min: 1, max: MAX_MESSAGE });
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice'); // Validated, but without effect: the agent chooses its tools.
  fields.throwIfInvalid();
  rejectBlank(content);
  if (original.role !== 'user') throw new ApiError(400, 'Only user messages can be edited');
  const session = context.idleSession(call);
  const question = insertQuestion(context, session, {
    content,
    parent: original.parent_id,
    attachments: JSON.parse(original.attachments) as string[],
  });
  return startAnswer(context, call, { session, question, stream });
}

async function regenerate(context: ApiContext, call: ApiRequest): Promise<unknown> {
  const message = messageOf(context, call, context.session(call));
  const fields = new Fields(await readJson(call.request), 'body');
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice'); // Validated, but without effect: the agent chooses its tools.
  fields.throwIfInvalid();
  const session = context.idleSession(call);
  const question =
    message.role === 'user' || message.parent_id === null
      ? message
      : findMessage(context.database, session.id, message.parent_id);
  if (question === null) throw notFound('Message');
  return startAnswer(context, call, { session, question, stream });
}

async function navigate(context: ApiContext, call: ApiRequest): Promise<unknown> {
  // An unknown session is reported before the body is read.
  context.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const target = fields.uuid('target_message_id');
  fields.throwIfInvalid();
  const session = context.idleSession(call);
  const message = findMessage(context.database, session.id, target.toLowerCase());
  if (message === null) throw notFound('Message');
  const head = newestLeaf(context.database, message);
  updateSession(context.database, session.id, { active_head: head }, context.now());
  return { status: 'success', active_head_id: head };
}

function insertQuestion(
  context: ApiContext,
  session: SessionRow,
  question: { content: string; parent: string | null; attachments: readonly string[] },
): MessageRow {
  const id = randomUUID();
  insertMessage(context.database, {
    id,
    session_id: session.id,
    parent_id: question.parent,
    role: 'user',
    content: question.content,
    task_id: null,
    attachments: JSON.stringify(question.attachments),
    created_at: context.now(),
  });
  const message = findMessage(context.database, session.id, id);
  if (message === null) throw new Error('The message that was just stored is missing.');
  return message;
}

function rejectBlank(content: string): void {
  if (content.trim() === '') throw new ApiError(400, 'Message content cannot be empty');
}

function rejectForeignDocument(context: ApiContext, call: ApiRequest, id: string): void {
  const document = findDocument(context.database, id.toLowerCase());
  if (document !== null && (document.owner === null || mayUse(call.identity, document.owner)))
    return;
  throw notFound('Document');
}
