import type { Service } from './service.js';

/** A request that a tab has sent. */
export interface Sent {
  readonly name: string;
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  /** Its JSON body. */
  readonly body: { readonly [field: string]: unknown };
  readonly line: AbortController;
  /** Bytes of the answer's body that were taken; null while there is no answer. */
  received: number | null;
  /** Its answer is read, refused or given up. */
  over: boolean;
}

/** What is read of a thread. */
const THREAD_PATH = /^GET \/agent-sessions\/[^/]+\/messages$/u;

const NEVER = new Promise<never>(() => undefined);

/** The network between one tab and the service. */
export class Cable {
  readonly sent: Sent[] = [];
  /** Paths that were posted to after the tab was closed. */
  readonly strays: string[] = [];
  /** How often something was broken or lost. */
  breaks = 0;
  readonly #service: Service;
  readonly #name: string;
  /** Lets the answer that is late arrive. */
  #late: { readonly sent: Sent; readonly arrive: () => void } | null = null;
  #delays = false;
  /** What the next answers about a thread hold of its newest run, and how many. */
  #lag = { stored: '', answers: 0 };
  #loss: 'request' | 'answer' | null = null;
  #isDead = false;
  #isLeft = false;

  /** @param name begins the name of every request of this tab */
  constructor(service: Service, name: string) {
    this.#service = service;
    this.#name = name;
  }

  /** Requests whose answers are not read to their ends. */
  get open(): Sent[] {
    return this.sent.filter((sent) => !sent.over && sent !== this.#late?.sent);
  }

  /** Whether an answer is late: who waits for it goes on when it arrives. */
  get isLate(): boolean {
    return this.#late !== null;
  }

  /** Whether everything that the service has said so far has arrived. */
  get isStill(): boolean {
    return this.open.every(({ name, received }) => {
      const exchange = this.#service.exchanges.get(name);
      return exchange && !exchange.ended && received === exchange.written;
    });
  }

  /** What the service made of a request: its status; null when it did not come that far. */
  statusOf({ name }: Sent): number | null {
    const response = this.#service.exchanges.get(name)?.response;
    return response?.headersSent ? response.statusCode : null;
  }

  /** Breaks everything that is open. */
  cut(): void {
    this.breaks += 1;
    for (const { line } of this.open) line.abort(new TypeError('The network broke.'));
  }

  /** Loses the next POST on its way, or its answer. */
  lose(what: 'request' | 'answer'): void {
    this.#loss = what;
  }

  /** The next answer about a thread is late: it arrives when it is let. */
  delay(): void {
    this.breaks += 1;
    this.#delays = true;
  }

  /** The next answers about a thread are behind: of the newest run they hold what is stored. */
  lag(stored: string, answers: number): void {
    this.#lag = { stored, answers };
  }

  /** Lets what is late arrive, and nothing be behind any more. */
  arrive(): void {
    this.#lag = { stored: '', answers: 0 };
    this.#delays = false;
    const late = this.#late;
    this.#late = null;
    late?.arrive();
  }

  /** The tab is closed: what is late arrives, and nothing that is not on its way yet may follow. */
  leave(): void {
    this.#isLeft = true;
    this.arrive();
  }

  /** The page is gone: nobody hears anything any more. */
  die(): void {
    this.#isDead = true;
    this.arrive();
    this.cut();
  }

  /** The tab's network. */
  readonly answer = async (request: Request): Promise<Response> => {
    if (this.#isDead) return NEVER;
    const sent = await this.#note(request);
    try {
      return await this.#exchange(request, sent);
    } catch (error) {
      sent.over = true;
      this.#service.bell.ring();
      if (this.#isDead) return NEVER;
      throw error;
    }
  };

  async #note(request: Request): Promise<Sent> {
    const isJson = request.headers.get('content-type') === 'application/json';
    const sent: Sent = {
      name: `${this.#name}-${this.sent.length}`,
      method: request.method,
      path: request.url.slice(this.#service.baseUrl.length).split('?', 1)[0] ?? '',
      body: {},
      line: new AbortController(),
      received: null,
      over: false,
    };
    this.sent.push(sent);
    if (this.#isLeft && sent.method === 'POST') this.strays.push(sent.path);
    if (isJson) Object.assign(sent.body, await request.clone().json());
    return sent;
  }

  async #exchange(request: Request, sent: Sent): Promise<Response> {
    const loss = request.method === 'POST' ? this.#loss : null;
    if (loss) {
      this.#loss = null;
      this.breaks += 1;
    }
    if (loss === 'request') throw new TypeError('The request was lost.');
    const headers = new Headers(request.headers);
    headers.set('x-request', sent.name);
    if (this.#lag.answers > 0 && THREAD_PATH.test(`${sent.method} ${sent.path}`)) {
      this.#lag.answers -= 1;
      headers.set('x-demo-fault', `lag; stored=${this.#lag.stored}`);
    }
    const signal = AbortSignal.any([request.signal, sent.line.signal]);
    const response = await fetch(new Request(request, { headers }), { signal });
    if (loss === 'answer') {
      sent.line.abort();
      throw new TypeError('The answer was lost.');
    }
    await this.#wait(sent);
    sent.received = 0;
    this.#service.bell.ring();
    const { status, statusText } = response;
    const body = response.body && this.#count(response.body, sent);
    if (!body) sent.over = true;
    return new Response(body, { status, statusText, headers: response.headers });
  }

  /** Waits when this is the answer that is late. */
  #wait(sent: Sent): Promise<void> | undefined {
    if (!this.#delays || this.#late || !THREAD_PATH.test(`${sent.method} ${sent.path}`)) return;
    this.#delays = false;
    return new Promise((resolve, reject) => {
      this.#late = { sent, arrive: resolve };
      sent.line.signal.addEventListener('abort', reject);
      this.#service.bell.ring();
    });
  }

  #count(body: ReadableStream<Uint8Array>, sent: Sent): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const end = () => {
      sent.over = true;
      this.#service.bell.ring();
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (done) {
              end();
              return controller.close();
            }
            sent.received = (sent.received ?? 0) + value.length;
            controller.enqueue(value);
            this.#service.bell.ring();
          } catch (error) {
            end();
            if (this.#isDead) await NEVER;
            throw error;
          }
        },
        cancel: (reason) => {
          end();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}
