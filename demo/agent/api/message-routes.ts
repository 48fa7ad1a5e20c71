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
import { mustFindSession, updateSession, type SessionRow } from '../store/sessions.js';
import { ApiError, notFound } from './api-error.js';
import { readJson } from './body.js';
import { mayUse, type Desk } from './desk.js';
import { Fields } from './fields.js';
import { readLaggingBranch } from './lagging-branch.js';
import type { Call, Router } from './router.js';
import { shapeMessage } from './shapes.js';
import { startAnswer } from './start-answer.js';
import { titleOf } from './title.js';

/** Maximum length of a message, in UTF-16 units. */
const MAX_MESSAGE = 200_000;

/** Routes to read, send, edit and regenerate messages, and to switch branches. */
export function addMessageRoutes(router: Router, desk: Desk): void {
  const { database } = desk;
  const messages = '/agent-sessions/{session_id}/messages';
  router.on('GET', messages, (call) => {
    const session = desk.session(call);
    const lag = desk.interference.lagOf(call.request);
    const siblingsOf = readAllSiblings(database, session.id);
    if (lag !== null) {
      const { messages: behind, head, has } = readLaggingBranch(database, session, lag);
      const shape = (message: MessageRow): object =>
        shapeMessage(database, message, siblingsOf(message).filter(has));
      return { items: behind.map(shape), active_head_id: head };
    }
    const branch = readBranch(database, session.id, session.active_head);
    return {
      items: branch.map((message) => shapeMessage(database, message, siblingsOf(message))),
      active_head_id: session.active_head,
    };
  });
  router.on('POST', messages, (call) => sendMessage(desk, call));
  router.on('GET', `${messages}/{message_id}`, (call) =>
    shapeMessage(database, messageOf(desk, call, desk.session(call))),
  );
  router.on('POST', `${messages}/{message_id}/edit`, (call) => editMessage(desk, call));
  router.on('POST', `${messages}/{message_id}/regenerate`, (call) => regenerate(desk, call));
  router.on('POST', '/agent-sessions/{session_id}/navigate', (call) => navigate(desk, call));
}

function messageOf(desk: Desk, call: Call, session: SessionRow): MessageRow {
  const message = findMessage(desk.database, session.id, desk.id(call, 'message_id'));
  if (message === null) throw notFound('Message');
  return message;
}

async function sendMessage(desk: Desk, call: Call): Promise<unknown> {
  desk.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const content = fields.text('content', { min: 1, max: MAX_MESSAGE });
  const attachments = fields.uuids('attachment_document_ids', false);
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice');
  fields.done();
  refuseBlank(content);
  for (const id of attachments) refuseForeignDocument(desk, call, id);
  // Checked again after the body has been read: another message may have started a run in the meantime.
  const session = desk.idleSession(call);
  const question = desk.database.transaction(() => {
    const message = putQuestion(desk, session, {
      content,
      parent: session.active_head,
      attachments,
    });
    if (session.title === null) {
      updateSession(desk.database, session.id, { title: titleOf(content) }, message.created_at);
    }
    return message;
  });
  return startAnswer(desk, call, { session, question, stream });
}

async function editMessage(desk: Desk, call: Call): Promise<unknown> {
  const original = messageOf(desk, call, desk.session(call));
  const fields = new Fields(await readJson(call.request), 'body');
  const content = fields.text('content', { min: 1, max: MAX_MESSAGE });
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice');
  fields.done();
  refuseBlank(content);
  if (original.role !== 'user') throw new ApiError(400, 'Only user messages can be edited');
  const session = desk.idleSession(call);
  const question = putQuestion(desk, session, {
    content,
    parent: original.parent_id,
    attachments: JSON.parse(original.attachments) as string[],
  });
  return startAnswer(desk, call, { session, question, stream });
}

async function regenerate(desk: Desk, call: Call): Promise<unknown> {
  const message = messageOf(desk, call, desk.session(call));
  const fields = new Fields(await readJson(call.request), 'body');
  const stream = fields.flag('stream', true);
  fields.optionalText('tool_choice');
  fields.done();
  const session = desk.idleSession(call);
  const question =
    message.role === 'user' || message.parent_id === null
      ? message
      : findMessage(desk.database, session.id, message.parent_id);
  if (question === null) throw notFound('Message');
  return startAnswer(desk, call, { session, question, stream });
}

async function navigate(desk: Desk, call: Call): Promise<unknown> {
  desk.session(call);
  const fields = new Fields(await readJson(call.request), 'body');
  const target = fields.uuid('target_message_id');
  fields.done();
  const session = desk.idleSession(call);
  const message = findMessage(desk.database, session.id, target.toLowerCase());
  if (message === null) throw notFound('Message');
  const head = newestLeaf(desk.database, message);
  updateSession(desk.database, session.id, { active_head: head }, desk.now());
  return { status: 'success', active_head_id: head };
}

function putQuestion(
  desk: Desk,
  session: SessionRow,
  question: { content: string; parent: string | null; attachments: readonly string[] },
): MessageRow {
  const id = randomUUID();
  insertMessage(desk.database, {
    id,
    session_id: session.id,
    parent_id: question.parent,
    role: 'user',
    content: question.content,
    task_id: null,
    attachments: JSON.stringify(question.attachments),
    created_at: desk.now(),
  });
  const message = findMessage(desk.database, mustFindSession(desk.database, session.id).id, id);
  if (message === null) throw new Error('A message that was just stored is there.');
  return message;
}

function refuseBlank(content: string): void {
  if (content.trim() === '') throw new ApiError(400, 'Message content cannot be empty');
}

function refuseForeignDocument(desk: Desk, call: Call, id: string): void {
  const document = findDocument(desk.database, id.toLowerCase());
  if (document !== null && (document.owner === null || mayUse(call.identity, document.owner)))
    return;
  throw notFound('Document');
}
