import type { Service } from './service.js';

/** A request that a tab has sent. */
export interface SentRequest {
  readonly name: string;
  readonly method: string;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** Its JSON body. */
  readonly body: { readonly [field: string]: unknown };
  readonly connection: AbortController;
  /** Bytes of the response body that were read; null while there is no response. */
  received: number | null;
  /** The response was read, or the request has failed or was aborted. */
  over: boolean;
}

/** The request that loads a thread. */
const THREAD_PATH = /^GET \/agent-sessions\/[^/]+\/messages$/u;

/** The response of a request of a crashed page. */
const NEVER = new Promise<never>(() => undefined);

/** The network between one tab and the service. */
export class TabNetwork {
  readonly sent: SentRequest[] = [];
  /** Paths of POST requests after the tab was closed. */
  readonly requestsAfterClose: string[] = [];
  /** The number of failures and delays so far. */
  failureCount = 0;
  readonly #service: Service;
  readonly #name: string;
  /** The response that is delayed. */
  #late: { readonly sent: SentRequest; readonly deliverDelayed: () => void } | null = null;
  #delays = false;
  /** What the next responses of a thread contain of its last run, and their number. */
  #lag = { stored: '', responses: 0 };
  #loss: 'request' | 'response' | null = null;
  #refusal: number | null = null;
  /** Pieces of the response to the next POST request before it breaks. */
  #pieces = Infinity;
  #hasCrashed = false;
  #isClosed = false;

  /** @param name prefix of the name of each request */
  constructor(service: Service, name: string) {
    this.#service = service;
    this.#name = name;
  }

  /** Requests whose responses were not read completely. */
  get open(): SentRequest[] {
    return this.sent.filter((sent) => !sent.over && sent !== this.#late?.sent);
  }

  /** Whether a response is being delayed. */
  get isDelaying(): boolean {
    return this.#late !== null;
  }

  /** Whether everything that the service has written was read. */
  get isIdle(): boolean {
    return this.open.every(({ name, received }) => {
      const exchange = this.#service.exchanges.get(name);
      return exchange && !exchange.ended && received === exchange.written;
    });
  }

  /** The status of the response to a request; null when there is none. */
  statusOf({ name }: SentRequest): number | null {
    const response = this.#service.exchanges.get(name)?.response;
    return response?.headersSent ? response.statusCode : null;
  }

  /** Breaks all open connections. */
  cut(): void {
    this.failureCount += 1;
    for (const { connection } of this.open) connection.abort(new TypeError('The network broke.'));
  }

  /** Loses the next POST request or its response. */
  lose(what: 'request' | 'response'): void {
    this.#loss = what;
  }

  /** Responds to the next POST request with a status, in place of the service. */
  refuse(status: number): void {
    this.#refusal = status;
  }

  /** Breaks the connection of the next POST request after some pieces of its response. */
  cutAfter(pieces: number): void {
    this.#pieces = pieces;
  }

  /** Cancels the faults of the next POST request. */
  resetFaults(): void {
    this.#loss = null;
    this.#refusal = null;
    this.#pieces = Infinity;
  }

  /** Delays the next response of a thread until {@link arrive}. Counts as a failure. */
  delay(): void {
    this.failureCount += 1;
    this.#delays = true;
  }

  /** Makes the next `responses` responses of a thread contain only `stored` of the last run. */
  lag(stored: string, responses: number): void {
    this.#lag = { stored, responses };
  }

  /** Delivers the delayed response and ends the lag. */
  arrive(): void {
    this.#lag = { stored: '', responses: 0 };
    this.#delays = false;
    const late = this.#late;
    this.#late = null;
    late?.deliverDelayed();
  }

  /** The tab is closed: the delayed response is delivered, and later POST requests are recorded, because there must be none. */
  close(): void {
    this.#isClosed = true;
    this.arrive();
  }

  /** The page has crashed: it receives nothing any more. */
  crash(): void {
    this.#hasCrashed = true;
    this.arrive();
    this.cut();
  }

  /** The `fetch` of the tab. */
  readonly respond = async (request: Request): Promise<Response> => {
    if (this.#hasCrashed) return NEVER;
    const sent = await this.#record(request);
    try {
      return await this.#exchange(request, sent);
    } catch (error) {
      sent.over = true;
      this.#service.activity.notify();
      if (this.#hasCrashed) return NEVER;
      throw error;
    }
  };

  /** Records a request that is about to be sent. */
  async #record(request: Request): Promise<SentRequest> {
    const isJson = request.headers.get('content-type') === 'application/json';
    const sent: SentRequest = {
      name: `${this.#name}-${this.sent.length}`,
      method: request.method,
      path: request.url.slice(this.#service.baseUrl.length).split('?', 1)[0] ?? '',
      body: {},
      connection: new AbortController(),
      received: null,
      over: false,
    };
    this.sent.push(sent);
    if (this.#isClosed && sent.method === 'POST') this.requestsAfterClose.push(sent.path);
    if (isJson) Object.assign(sent.body, await request.clone().json());
    return sent;
  }

  async #exchange(request: Request, sent: SentRequest): Promise<Response> {
    const isPost = request.method === 'POST';
    const loss = isPost ? this.#loss : null;
    const refusal = isPost ? this.#refusal : null;
    const pieces = isPost ? this.#pieces : Infinity;
    if (isPost) this.resetFaults();
    if (loss || refusal !== null || pieces < Infinity) this.failureCount += 1;
    if (refusal !== null) {
      sent.over = true;
      this.#service.activity.notify();
      return new Response('{}', { status: refusal });
    }
    if (loss === 'request') throw new TypeError('The request was lost.');
    const headers = new Headers(request.headers);
    headers.set('x-request', sent.name);
    if (this.#lag.responses > 0 && THREAD_PATH.test(`${sent.method} ${sent.path}`)) {
      this.#lag.responses -= 1;
      headers.set('x-demo-fault', `lag; stored=${this.#lag.stored}`);
    }
    const signal = AbortSignal.any([request.signal, sent.connection.signal]);
    const response = await fetch(new Request(request, { headers }), { signal });
    if (loss === 'response') {
      sent.connection.abort();
      throw new TypeError('The response was lost.');
    }
    await this.#wait(sent);
    sent.received = 0;
    this.#service.activity.notify();
    const { status, statusText } = response;
    const body = response.body && this.#count(response.body, sent, pieces);
    if (!body) sent.over = true;
    return new Response(body, { status, statusText, headers: response.headers });
  }

  /** Waits when this is the response to delay. */
  #wait(sent: SentRequest): Promise<void> | undefined {
    if (!this.#delays || this.#late || !THREAD_PATH.test(`${sent.method} ${sent.path}`)) return;
    this.#delays = false;
    return new Promise((resolve, reject) => {
      this.#late = { sent, deliverDelayed: resolve };
      sent.connection.signal.addEventListener('abort', reject);
      this.#service.activity.notify();
    });
  }

  /** Counts the bytes that the tab reads, and breaks the connection after some pieces. */
  #count(
    body: ReadableStream<Uint8Array>,
    sent: SentRequest,
    pieces: number,
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let left = pieces;
    const end = () => {
      sent.over = true;
      this.#service.activity.notify();
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            if (left <= 0) {
              sent.connection.abort();
              throw new TypeError('The network broke.');
            }
            left -= 1;
            const { done, value } = await reader.read();
            if (done) {
              end();
              return controller.close();
            }
            sent.received = (sent.received ?? 0) + value.length;
            controller.enqueue(value);
            this.#service.activity.notify();
          } catch (error) {
            end();
            if (this.#hasCrashed) await NEVER;
            throw error;
          }
        },
        cancel: (reason) => {
          end();
          return reader.cancel(reason);
        },
      },
      // Nothing is read ahead, so that only what the tab has read is counted.
      { highWaterMark: 0 },
    );
  }
}
