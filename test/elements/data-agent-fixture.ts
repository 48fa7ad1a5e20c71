import { createDataAgentBackend } from '../../src/backends/data-agent/index.js';
import { createStreamController } from '../../src/controller/controller.js';
import { ScriptedPage } from '../controller/setup-controller.js';
import { createControlledStream, type ControlledStream } from '../helpers/controlled-stream.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { nextFrame, setupChat } from './chat-fixture.js';
import { answerText } from './long-thread.js';

/** Number of characters of a chunk. Every eighth chunk, which ends a paragraph, is up to three characters shorter. */
export const CHUNK_LENGTH = 50;

const PROGRESS = ['message', 'content', 'middle_answer', 'progress'];
const FINAL_TEXT = ['message', 'content', 'final_answer', 'answer', 'text'];

const createContent = (text: string, status: string): object => ({
  final_answer: { answer: { text }, thinking: '' },
  middle_answer: {
    progress: [{ id: 'p1', stage: 'llm', answer: text, think: '', status, skill_info: null }],
  },
});

/** A stored message. Questions and answers alternate. */
function createMessage(index: number): object {
  const isQuestion = index % 2 === 0;
  const text = `Question ${String(index)}: how long may I take?`;
  return {
    id: `m${String(index)}`,
    index: index + 1,
    origin: isQuestion ? 'user' : 'assistant',
    reply_id: isQuestion ? '' : `m${String(index - 1)}`,
    status: isQuestion ? 'processed' : 'succeded',
    content: JSON.stringify(isQuestion ? { text } : createContent(answerText(index), 'completed')),
    content_type: 'prompt',
    ext: '',
  };
}

function createChunk(index: number): string {
  const text = `Chunk ${String(index)} tells of one more river of this land`;
  return index % 8 === 7 ? `${text}.\n\n` : text.padEnd(CHUNK_LENGTH, ' ');
}

/** A chat with a conversation of a Data Agent that has `count` messages, and whose next answer is streamed. */
export async function setupDataAgentChat(count: number) {
  const environment = createTestEnvironment({ respond });
  let stream: ControlledStream | null = null;
  function respond({ url, signal }: Request): Response {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/chat/completion')) {
      stream = createControlledStream(signal);
      return new Response(stream.stream, { headers: { 'content-type': 'text/event-stream' } });
    }
    if (!pathname.endsWith('/conversation/c1')) return Response.json({});
    const Messages = Array.from({ length: count }, (_, index) => createMessage(index));
    return Response.json({ id: 'c1', title: 'Rivers', Messages });
  }
  const send = (key: readonly (string | number)[], action: string, content: unknown): void => {
    stream?.push(`data: ${JSON.stringify({ key, action, content })}\n\n`);
  };
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  const page = new ScriptedPage();
  const controller = createStreamController({ backend, environment, page });
  const fixture = await setupChat((chat) => {
    chat.controller = controller;
  });
  await controller.openThread('c1');
  const settle = async (): Promise<void> => {
    await environment.settle();
    await nextFrame();
  };
  let chunks = 0;
  const pushChunk = (): void => {
    const text = createChunk(chunks);
    chunks += 1;
    send([...PROGRESS, 0, 'answer'], 'append', text);
    send(FINAL_TEXT, 'append', text);
  };
  while (fixture.root.querySelectorAll('.message').length < count) await nextFrame();
  void controller.send({ text: 'And now?', attachments: [] });
  await settle();
  send(['conversation_id'], 'upsert', 'c1');
  send(['user_message_id'], 'upsert', 'question');
  send(['assistant_message_id'], 'upsert', 'answer');
  send(['error'], 'upsert', null);
  const ext = { agent_run_id: 'r1' };
  const content = createContent('', 'processing');
  send(['message'], 'upsert', { id: 'answer', content, content_type: 'prompt', ext });
  await settle();
  return {
    chat: fixture.chat,
    root: fixture.root,
    controller,
    /** Streams chunks, a number of them in each frame. */
    sendChunks: async (total: number, perFrame = 1): Promise<void> => {
      for (let sent = 0; sent < total; sent += 1) {
        pushChunk();
        if ((sent + 1) % perFrame === 0) await settle();
      }
      await settle();
    },
  };
}
