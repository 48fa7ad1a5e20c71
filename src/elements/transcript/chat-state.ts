import { messageMarkdown } from '../../message/message-formats.js';
import type { RendererRule } from '../../message/parts/renderer-types.js';
import type { Attachment, Message } from '../../model/message.js';
import type { Run, RunState } from '../../model/thread.js';

/** A message of the shown branch, as plain data. */
export interface ChatMessage {
  /** The service's id; null until it is known. */
  readonly id: string | null;
  readonly role: 'user' | 'assistant';
  readonly status: Message['status'];
  /** In ms since the epoch; null while unknown. */
  readonly createdAt: number | null;
  /** The texts and data of the message as Markdown. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The run of the shown thread, as plain data. */
export interface ChatRun {
  readonly state: RunState;
  /** The service's id of the run; null until it is known, and without a run. */
  readonly id: string | null;
  /** The last error: code and English message; null when there was none. */
  readonly error: Run['error'];
  /** When the run entered this state, or its thread was shown in this state, in ms since the epoch. */
  readonly since: number;
}

/** Describes messages as plain data that does not change with them. `own` are the renderers of the chat. */
export function describeMessages(
  messages: readonly Message[],
  own: readonly RendererRule[] | undefined,
): readonly ChatMessage[] {
  return messages.map((message) => {
    const { id, role, status, createdAt, attachments } = message;
    return {
      id,
      // Messages of the system are not shown.
      role: role as ChatMessage['role'],
      status,
      createdAt,
      text: messageMarkdown(message, own),
      attachments: attachments.map((attachment) => ({ ...attachment })),
    };
  });
}
