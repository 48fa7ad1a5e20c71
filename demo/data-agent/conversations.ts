import type { Database } from '../agent/store/database.js';
import { createUlid } from './ulid.js';

const TABLES = `
CREATE TABLE IF NOT EXISTS data_agent_conversations (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, message_index INTEGER NOT NULL DEFAULT 0,
  read_message_index INTEGER NOT NULL DEFAULT 0, create_time INTEGER NOT NULL, update_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS data_agent_conversations_by_owner ON data_agent_conversations (owner, update_time);
CREATE TABLE IF NOT EXISTS data_agent_messages (
  id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES data_agent_conversations ON DELETE CASCADE,
  reply_id TEXT NOT NULL, position INTEGER NOT NULL, origin TEXT NOT NULL, content TEXT NOT NULL, content_type TEXT NOT NULL,
  status TEXT NOT NULL, ext TEXT NOT NULL, create_time INTEGER NOT NULL, update_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS data_agent_messages_by_position ON data_agent_messages (conversation_id, position);
`;

/** State of a stored answer; `succeded` is the spelling of the API. */
export type AnswerStatus = 'processing' | 'succeded' | 'failed' | 'cancelled';

/** A stored conversation. Times are milliseconds since 1970. */
export interface ConversationRow {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly message_index: number;
  readonly read_message_index: number;
  readonly create_time: number;
  readonly update_time: number;
  /** Status of the last message; null without messages. */
  readonly last_status: string | null;
}

/** A stored message. `content` and `ext` are JSON texts; both may be empty. */
export interface StoredMessage {
  readonly id: string;
  readonly conversation_id: string;
  /** The question that an answer replies to; empty for a question. */
  readonly reply_id: string;
  /** From 1. */
  readonly position: number;
  readonly origin: 'user' | 'assistant';
  readonly content: string;
  readonly content_type: string;
  readonly status: string;
  readonly ext: string;
  readonly create_time: number;
  readonly update_time: number;
}

const SELECT = `SELECT *, (SELECT status FROM data_agent_messages WHERE conversation_id = data_agent_conversations.id
  ORDER BY position DESC LIMIT 1) AS last_status FROM data_agent_conversations`;

/** The stored conversations of the Data Agent API. */
export class ConversationStore {
  readonly #database: Database;

  /** Creates missing tables. Marks as failed the answers that were running when the process ended. */
  constructor(database: Database) {
    this.#database = database;
    database.script(TABLES);
    database.run(
      `UPDATE data_agent_messages SET status = 'failed'
       WHERE origin = 'assistant' AND status = 'processing' AND ext NOT LIKE '%"interrupt_info"%'`,
    );
  }

  /** Creates a conversation; the title is cut to 50 characters. */
  create(owner: string, title: string): ConversationRow {
    const now = Date.now();
    const id = createUlid();
    this.#database.run(
      'INSERT INTO data_agent_conversations (id, owner, title, create_time, update_time) VALUES (?, ?, ?, ?, ?)',
      [id, owner, [...title].slice(0, 50).join(''), now, now],
    );
    return {
      id,
      owner,
      title: [...title].slice(0, 50).join(''),
      message_index: 0,
      read_message_index: 0,
      create_time: now,
      update_time: now,
      last_status: null,
    };
  }

  /** Returns the conversation of this owner, or null. */
  find(owner: string, id: string): ConversationRow | null {
    return this.#database.one<ConversationRow>(`${SELECT} WHERE id = ? AND owner = ?`, [id, owner]);
  }

  /** Lists the conversations of an owner, most recently updated first. */
  list(owner: string, offset: number, limit: number): ConversationRow[] {
    return this.#database.all<ConversationRow>(
      `${SELECT} WHERE owner = ? ORDER BY update_time DESC, id DESC LIMIT ? OFFSET ?`,
      [owner, limit, offset],
    );
  }

  /** Counts the conversations of an owner. */
  count(owner: string): number {
    return (
      this.#database.one<{ count: number }>(
        'SELECT count(*) AS count FROM data_agent_conversations WHERE owner = ?',
        [owner],
      )?.count ?? 0
    );
  }

  /** Changes the title, which is cut to 50 characters. */
  rename(id: string, title: string): void {
    this.#database.run(
      'UPDATE data_agent_conversations SET title = ?, update_time = ? WHERE id = ?',
      [[...title].slice(0, 50).join(''), Date.now(), id],
    );
  }

  /** Sets the index up to which the user has read. */
  markRead(id: string, index: number): void {
    this.#database.run('UPDATE data_agent_conversations SET read_message_index = ? WHERE id = ?', [
      index,
      id,
    ]);
  }

  /** Deletes a conversation of an owner with its messages; without `id`, all conversations of the owner. */
  remove(owner: string, id?: string): void {
    if (id === undefined) {
      this.#database.run('DELETE FROM data_agent_conversations WHERE owner = ?', [owner]);
    } else {
      this.#database.run('DELETE FROM data_agent_conversations WHERE owner = ? AND id = ?', [
        owner,
        id,
      ]);
    }
  }

  /** Lists the messages of a conversation by position. */
  messages(conversationId: string): StoredMessage[] {
    return this.#database.all<StoredMessage>(
      'SELECT * FROM data_agent_messages WHERE conversation_id = ? ORDER BY position',
      [conversationId],
    );
  }

  /** Appends a question and its answer, which has no content yet. */
  appendTurn(conversation: ConversationRow, question: string): [StoredMessage, StoredMessage] {
    return this.#database.transaction(() => {
      const position = (this.messages(conversation.id).at(-1)?.position ?? 0) + 1;
      const user = createMessage(conversation.id, 'user', position, '', question);
      const answer = createMessage(conversation.id, 'assistant', position + 1, user.id, '');
      for (const message of [user, answer]) this.#insert(message);
      this.#database.run(
        'UPDATE data_agent_conversations SET message_index = ?, update_time = ? WHERE id = ?',
        [answer.position, answer.create_time, conversation.id],
      );
      return [user, answer];
    });
  }

  /** Replaces a question. */
  editQuestion(id: string, content: string): void {
    this.#database.run('UPDATE data_agent_messages SET content = ?, update_time = ? WHERE id = ?', [
      content,
      Date.now(),
      id,
    ]);
  }

  /** Empties an answer that is generated again and deletes what follows it. */
  restartAnswer(answer: StoredMessage): void {
    this.#database.transaction(() => {
      this.updateAnswer(answer.id, {
        content: '',
        contentType: 'prompt',
        status: 'processing',
        ext: '',
      });
      this.#database.run(
        'DELETE FROM data_agent_messages WHERE conversation_id = ? AND position > ?',
        [answer.conversation_id, answer.position],
      );
      this.#database.run(
        'UPDATE data_agent_conversations SET message_index = ?, update_time = ? WHERE id = ?',
        [answer.position, Date.now(), answer.conversation_id],
      );
    });
  }

  /** Stores the state of an answer. */
  updateAnswer(
    id: string,
    state: {
      readonly content: string;
      readonly contentType: string;
      readonly status: AnswerStatus;
      readonly ext: string;
    },
  ): void {
    this.#database.run(
      'UPDATE data_agent_messages SET content = ?, content_type = ?, status = ?, ext = ?, update_time = ? WHERE id = ?',
      [state.content, state.contentType, state.status, state.ext, Date.now(), id],
    );
  }

  #insert(message: StoredMessage): void {
    this.#database.run(
      `INSERT INTO data_agent_messages
       (id, conversation_id, reply_id, position, origin, content, content_type, status, ext, create_time, update_time)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        message.id,
        message.conversation_id,
        message.reply_id,
        message.position,
        message.origin,
        message.content,
        message.content_type,
        message.status,
        message.ext,
        message.create_time,
        message.update_time,
      ],
    );
  }
}

function createMessage(
  conversationId: string,
  origin: StoredMessage['origin'],
  position: number,
  replyId: string,
  content: string,
): StoredMessage {
  const now = Date.now();
  return {
    id: createUlid(),
    conversation_id: conversationId,
    reply_id: replyId,
    position,
    origin,
    content,
    content_type: origin === 'user' ? 'text' : 'prompt',
    status: origin === 'user' ? 'processed' : 'processing',
    ext: '',
    create_time: now,
    update_time: now,
  };
}
