import { PatchedReply, type Patch } from '../../../../src/backends/data-agent/patched-reply.js';
import type { Value, WirePatch } from './json-chains.js';

/** The agent that {@link ScriptedService} has. */
export const AGENT = 'stock-agent';

/** One answer of the service. */
export interface Script {
  /** The patches of its stream, which build the reply from `{}`. */
  readonly events: readonly WirePatch[];
  /** Status of the stored message after the end; `succeded` (as the service spells it) by default. */
  readonly status?: string;
}

/** What a stream does after its last event. */
type Ending = 'close' | 'break' | 'stay';

/** A request that the service has received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, Value>>;
}

interface Message {
  readonly id: string;
  readonly origin: 'user' | 'assistant';
  readonly reply_id: string;
  index: number;
  content: string;
  content_type: string;
  ext: string;
  status: string;
}

interface Conversation {
  readonly id: string;
  title: string;
  messages: Message[];
}

/** A run: its events are numbered, and its readers have received those before `position`. */
interface Run {
  readonly conversation: Conversation;
  readonly script: Script;
  readonly answer: Message;
  position: number;
  isStopped: boolean;
  /** Ends a stream that is still open. */
  close: () => void;
}

/**
 * A Data Agent that responds with recorded streams, without a network. A run whose reader has lost the connection continues where the
 * reader was: a resumed stream sends the snapshot of that point twice, then the remaining events.
 */
export class ScriptedService {
  readonly received: ReceivedRequest[] = [];
  readonly conversations = new Map<string, Conversation>();
  /** The next answers, in order. */
  readonly scripts: Script[] = [];
  /** How the next streams end early: after how many events, and how. The last entry applies to all further streams. */
  cuts: { readonly after: number; readonly then: Ending }[] = [];
  /** Responses instead of the regular ones, by `METHOD path` below the agent's app. Each is used once. */
  readonly overrides: { readonly route: string; readonly respond: () => Response }[] = [];
  /** Whether a run in progress can be resumed. */
  canResume = true;
  /** Delays the responses to questions. */
  responseDelay: Promise<void> | null = null;
  /** Number of streams that the client has neither read to the end nor cancelled. */
  openStreams = 0;
  /** Events that build the stored answer when they differ from those of the stream, such as unsafe patches; null: those of the stream. */
  stored: readonly WirePatch[] | null = null;
  #run: Run | null = null;
  #count = 0;
  #onStay: () => void = () => undefined;

  /** Responds to a request like `fetch`. */
  readonly respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, Value>>);
    const { method, headers } = request;
    this.received.push({ method, path: pathname, headers, body });
    const route = /^\/api\/agent-(?:factory|app)\/v1\/app\/stock-agent(\/.*)$/.exec(pathname)?.[1];
    if (route === undefined) return new Response('404 page not found', { status: 404 });
    const at = this.overrides.findIndex((each) => each.route === `${method} ${route}`);
    if (at >= 0) return this.overrides.splice(at, 1)[0]?.respond() ?? empty();
    const response = this.#route(method, route, body);
    if (route === '/chat/completion') await this.responseDelay;
    return response;
  };

  /** The requests for one route, such as `POST /chat/completion`. */
  requestsFor(route: string): ReceivedRequest[] {
    const [method = '', path = ''] = route.split(' ');
    return this.received.filter((each) => each.method === method && each.path.endsWith(path));
  }

  /** Resolves when a stream has sent the events before its cut and stays open. */
  whenStreamStays(): Promise<void> {
    return new Promise((resolve) => (this.#onStay = resolve));
  }

  /** Ends the run in progress with its complete answer. */
  finish(): void {
    const run = this.#run;
    if (!run) throw new Error('No run is active.');
    run.position = run.script.events.length;
    this.#end(run);
  }

  /** The messages of a conversation. */
  messagesOf(id: string): readonly Message[] {
    return this.conversations.get(id)?.messages ?? [];
  }

  #route(method: string, route: string, body: ReceivedRequest['body']): Response {
    const [, first = '', second = ''] = route.split('/');
    if (first === 'chat') return this.#chat(second, body);
    const found = this.conversations.get(second);
    if (second === '') return method === 'POST' ? this.#create(body) : this.#list();
    if (!found) return refuse(404, 'AgentAPP.Agent.GetConversationFailed');
    if (method === 'DELETE') this.conversations.delete(second);
    if (method === 'PUT' && typeof body['title'] === 'string') found.title = body['title'];
    if (method !== 'GET') return empty();
    return json({ id: found.id, title: found.title, Messages: found.messages });
  }

  #create({ title = '' }: ReceivedRequest['body']): Response {
    this.#count += 1;
    const id = `C${String(this.#count)}`;
    this.conversations.set(id, { id, title: textOf(title), messages: [] });
    return json({ id, sandbox_session_id: '' });
  }

  #list(): Response {
    const entries = [...this.conversations.values()].map(({ id, title }) => ({ id, title }));
    return json({ entries, total: entries.length });
  }

  #chat(action: string, body: ReceivedRequest['body']): Response {
    if (action === 'completion') return this.#complete(body);
    const run = this.#run;
    const isActive = run?.conversation.id === body['conversation_id'];
    if (!run || !isActive || (action === 'resume' && !this.canResume)) {
      return refuse(500, 'AgentAPP.Agent.ResumeFailed');
    }
    if (action === 'resume') return this.#stream(run, true);
    run.isStopped = true;
    this.#end(run, 'cancelled');
    run.close();
    return empty();
  }

  #complete(body: ReceivedRequest['body']): Response {
    const script = this.scripts.shift();
    const conversation = this.conversations.get(textOf(body['conversation_id']));
    if (!script || !conversation) return refuse(400, 'AgentAPP.InvalidParameter.RequestBody');
    const recorded = this.stored ?? script.events;
    const root = apply(recorded, recorded.length) as { message?: { id?: string } };
    const { id = '' } = root.message ?? {};
    let answer = conversation.messages.find((message) => message.id === id);
    if (!answer) {
      this.#count += 1;
      const index = conversation.messages.length + 1;
      const { query: text, selected_files } = body;
      const content = JSON.stringify({ text, selected_files });
      const question = createMessage(`U${String(this.#count)}`, 'user', index, '', content);
      answer = createMessage(id, 'assistant', index + 1, question.id, '');
      conversation.messages.push(question, answer);
    }
    Object.assign(answer, { status: 'processing', content: '', ext: '' });
    const run = {
      conversation,
      script,
      answer,
      position: 0,
      isStopped: false,
      close: () => undefined,
    };
    this.#run = run;
    return this.#stream(run, false);
  }

  /** The stream of a run from the position of its last reader. */
  #stream(run: Run, isResumed: boolean): Response {
    const { events } = run.script;
    const snapshot = isResumed ? apply(events, run.position) : {};
    const upserts = Object.entries(snapshot as Readonly<Record<string, Value>>).map(
      ([name, content]): WirePatch => {
        return { key: [name], content: structuredClone(content), action: 'upsert' };
      },
    );
    const before = isResumed ? [...upserts, ...upserts] : [];
    const cut = this.cuts.length > 1 ? this.cuts.shift() : this.cuts[0];
    const { after = Infinity, then = 'close' } = cut ?? {};
    const all = [...before, ...events.slice(run.position)];
    const sent = Math.min(after, all.length);
    run.position = Math.max(run.position, run.position + sent - before.length);
    if (sent === all.length || run.position === events.length) this.#end(run);
    return this.#createStream(all.slice(0, sent), sent === all.length ? 'close' : then, run);
  }

  #createStream(events: readonly WirePatch[], then: Ending, run: Run): Response {
    const encoder = new TextEncoder();
    let next = 0;
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.openStreams -= 1;
      isOpen = false;
    };
    this.openStreams += 1;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const event = events[next];
          const seq = next;
          next += 1;
          if (event) {
            controller.enqueue(
              encoder.encode(`data: ${JSON.stringify({ seq_id: seq, ...event })}\n\n`),
            );
            return;
          }
          if (then === 'stay' && !run.isStopped) await this.#waitForClose(run);
          if (!isOpen) return;
          end();
          if (then === 'break') {
            controller.error(new TypeError('terminated'));
            return;
          }
          if (run.isStopped) controller.enqueue(encoder.encode(`data: ${JSON.stringify(END)}\n\n`));
          controller.close();
        },
        cancel: () => {
          end();
          run.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  #waitForClose(run: Run): Promise<void> {
    return new Promise((resolve) => {
      run.close = resolve;
      this.#onStay();
    });
  }

  /** Ends a run, and stores its answer as far as it was sent. */
  #end(run: Run, status = run.script.status ?? 'succeded'): void {
    const root = apply(this.stored ?? run.script.events, run.position) as {
      message?: { content?: Value; content_type?: string; ext?: Value };
    };
    const { content = null, content_type: type = 'prompt', ext = null } = root.message ?? {};
    Object.assign(run.answer, {
      status,
      content: content === null ? '' : JSON.stringify(content),
      content_type: type,
      ext: ext === null ? '' : JSON.stringify(ext),
    });
    this.#run = null;
  }
}

function createMessage(
  id: string,
  origin: Message['origin'],
  index: number,
  replyId: string,
  content: string,
): Message {
  const others = { content_type: 'text', ext: '', status: 'processed' };
  return { id, origin, index, reply_id: replyId, content, ...others };
}

/**
 * Returns the reply after the first `count` events. Uses the product's code, which other tests compare with an independent implementation.
 */
function apply(events: readonly WirePatch[], count: number): unknown {
  const reply = new PatchedReply();
  for (const { key, action, content } of structuredClone(events.slice(0, count))) {
    reply.apply({ path: key, action, value: content } satisfies Patch);
  }
  return reply.root;
}

/** The event that closes a stream. */
export const END: WirePatch = { key: [], content: null, action: 'end' };

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
}

function empty(): Response {
  return new Response(null, { status: 204 });
}

/** An error response of the service. */
export function refuse(status: number, code: string): Response {
  const body = { error_code: code, description: 'Refused.', solution: 'Try again.' };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}
