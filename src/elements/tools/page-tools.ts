import { html, nothing, render, type TemplateResult } from 'lit';
import type { InputAnswer } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { pageToolStrings } from '../../locales/en-page-tools.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { langOfContent } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { createPayloadView } from '../../message/json-view.js';
import type { MountedPart, PartContext } from '../../message/parts/renderer-types.js';
import { listPendingRequests } from '../../message/thread-selectors.js';
import { toolLabel } from '../../message/tool/tool-text.js';
import type { Json, Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import { ConnectedElements } from '../base/connected-elements.js';
import type { PageToolsHost } from './lazy-page-tools.js';
import type { PageTool } from './page-tool-types.js';

addDefaultStrings(pageToolStrings);

type Request = PartOf<'request-activity'>;
type ToolPart = PartOf<'tool'>;

/** Name of the stored list of calls that were started. */
const STARTED = 'page-tools';
/** Number of started calls that are remembered. */
const MAX_STARTED = 200;

/** The calls of each controller, by message and request. */
const callsOfControllers = new WeakMap<StreamController, Map<string, Call>>();

/** Starts the pending calls of the tools of the host page in the last message, unless they were started before. Call this after each change. */
export function startCalls(host: PageToolsHost): void {
  const thread = host.controller?.thread;
  const message = thread?.messages.get(thread.head ?? '');
  if (!message) return;
  for (const request of listPendingRequests(message)) ensureCall(host, message.key, request);
}

/** Shows a call of a tool of the host page: the question whether it is allowed, or what it is doing. */
export function mountCall(
  host: PageToolsHost,
  box: HTMLElement,
  context: PartContext<'request-activity'>,
): MountedPart<PartContext<'request-activity'>> | undefined {
  const call = ensureCall(host, context.message.key, context.part);
  if (!call) return context.decline();
  const view = new CallView(host, box, call);
  return {
    update: (changed) => {
      // The built-in view shows how the request was answered.
      if (changed.part.state === 'pending') view.render();
      else changed.decline();
    },
    focus: () => {
      view.focus();
    },
    unmount: call.observe(view.render),
  };
}

/**
 * Returns the call for a pending request of a tool of the host page; undefined for another request. A new or cancelled call is started. If it
 * cannot start, because the run is being stopped or the host page answers the request in another way, undefined is returned.
 */
function ensureCall(host: PageToolsHost, message: Key, request: Request): Call | undefined {
  const { controller } = host;
  const tool = findTool(host, request);
  if (!controller || !host.isRetained || !tool) return undefined;
  const calls = callsOfControllers.get(controller) ?? new Map<string, Call>();
  callsOfControllers.set(controller, calls);
  const key = JSON.stringify([message, request.key]);
  const known = calls.get(key);
  if (known && !known.isCancelled) return known;
  // No call answers the request, so the page has cancelled `ubik-input-required` to answer it in another way.
  if (host.isHandledByPage(message, request.key)) return undefined;
  if (isStopped(controller)) return undefined;
  const call = known ?? new Call(controller, { message, request });
  calls.set(key, call);
  call.start(host, tool);
  return call;
}

/** Whether the run is being stopped or was stopped, so that no answer is sent any more. */
function isStopped({ thread }: StreamController): boolean {
  const state = thread?.run.state;
  return state === 'stopping' || state === 'stopped';
}

function findTool({ element: { tools } }: PageToolsHost, request: Request): PageTool | undefined {
  const { level, toolName, state } = request;
  if (level !== 'tool' || toolName === null || state !== 'pending' || !tools) return undefined;
  return Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/** The question of the service that a call answers. */
interface CallAddress {
  readonly message: Key;
  readonly request: Request;
}

/** One call of a tool of the host page. */
class Call {
  readonly request: Request;
  readonly input: Json;
  /** `asking`: the user decides whether it may run; `failed`: the call could not be checked or recorded, or its answer could not be sent. */
  state: 'checking' | 'asking' | 'running' | 'sending' | 'failed' | 'cancelled' = 'checking';
  /** What the tool is doing, in the words of the host page. */
  progress = '';
  /** Why the call has failed; null when the host page has cancelled the answer. */
  error: unknown = null;
  readonly #controller: StreamController;
  readonly #message: Key;
  readonly #listeners = new Set<() => void>();
  #host!: PageToolsHost;
  #tool!: PageTool;
  /** Aborted when the call is cancelled. Each start creates a new one. */
  #abort = new AbortController();
  #cleanups: readonly (() => void)[] = [];
  #answer: InputAnswer | null = null;

  constructor(controller: StreamController, { message, request }: CallAddress) {
    this.request = request;
    this.#controller = controller;
    this.#message = message;
    this.input = this.#readInput();
  }

  get tool(): PageTool {
    return this.#tool;
  }

  get isCancelled(): boolean {
    return this.state === 'cancelled';
  }

  /** Calls `listener` when the call has changed. Returns the function that unsubscribes it. */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Starts the call, or restarts it after it was cancelled: checks the input, then asks the user or runs the tool. */
  start(host: PageToolsHost, tool: PageTool): void {
    const controller = this.#controller;
    this.#host = host;
    this.#tool = tool;
    this.#abort = new AbortController();
    this.#cleanups = [
      controller.subscribe({ all: true }, this.#handleChange),
      controller.onNotice(({ type }) => {
        if (type === 'thread-changed') this.#handleChange();
        else if (type === 'closed') this.#cancel();
      }),
    ];
    this.#setAnsweredByTool(true);
    this.#setState('checking');
    // The answer is already known, but could not be sent before the call was cancelled.
    if (this.#answer) void this.#send(this.#answer);
    else void this.#check();
  }

  /** Runs the tool and sends the result; sends an error if another tab or an earlier page has started the call and not answered it. */
  async allow(): Promise<void> {
    const { signal } = this.#abort;
    if (signal.aborted) return;
    this.#setAnsweredByTool(true);
    this.#setState('running');
    try {
      await withLock(`ubik-page-tool ${this.#id}`, signal, async () => {
        if (!this.#isPending || signal.aborted) return;
        const isFirst = await this.#recordStart(signal);
        if (signal.aborted) return;
        const answer = isFirst
          ? await this.#run(signal)
          : createError(
              'interrupted',
              'The page was closed during this call. It may have had an effect.',
            );
        if (!signal.aborted) await this.#send(answer);
      });
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** Declines the request, because the user does not allow the call. */
  decline(): void {
    const text = this.#host.context.locale.text('requestDeclineSentence');
    void this.#send({ type: 'declined', text });
  }

  /** Tries again after a failure: sends the answer, or checks the call if there is no answer yet. */
  retry(): void {
    if (this.#answer) void this.#send(this.#answer);
    else void this.#check();
  }

  async #check(): Promise<void> {
    const { signal } = this.#abort;
    try {
      const problem = await this.#validate();
      const asks = problem === '' && (await this.#needsConfirmation());
      if (signal.aborted) return;
      if (problem) await this.#send(createError('invalid-input', problem));
      else if (asks) {
        this.#setAnsweredByTool(false);
        this.#setState('asking');
      } else await this.allow();
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  get #isPending(): boolean {
    const message = this.#controller.thread?.messages.get(this.#message);
    const part = message?.parts.get(this.request.key);
    return part?.kind === 'request-activity' && part.state === 'pending';
  }

  /** Identifies the call among all tabs and pages. */
  get #id(): string {
    const { executionId, key } = this.request;
    const { thread } = this.#controller;
    return executionId ?? JSON.stringify([thread?.id ?? thread?.key ?? null, key]);
  }

  /** The input that the request states, else that of the tool's part. */
  #readInput(): Json {
    const { toolInput, toolName, executionId } = this.request;
    if (toolInput !== undefined) return toolInput;
    const parts = this.#controller.thread?.messages.get(this.#message)?.parts;
    const find = (isOwn: (tool: ToolPart) => boolean, parent: Key | null): ToolPart | undefined => {
      for (const key of [...(parts?.children(parent) ?? [])].reverse()) {
        const part = parts?.get(key);
        const isFound = part?.kind === 'tool' && part.result === null && isOwn(part);
        const found = isFound ? part : find(isOwn, key);
        if (found) return found;
      }
      return undefined;
    };
    // By id first, because several calls of one tool can wait at the same time.
    const called =
      find(({ toolId }) => toolId === executionId, null) ??
      find(({ name }) => name === toolName, null);
    const raw = called?.input ?? null;
    try {
      return raw === null ? null : (JSON.parse(raw) as Json);
    } catch {
      // The schema of the tool decides whether a text is an input.
      return raw;
    }
  }

  /** Resolves to the reason why the input does not match the schema of the tool; empty when it does. */
  async #validate(): Promise<string> {
    const { schema } = this.tool;
    if (!schema) return '';
    const extra = (await this.#host.context.loadExtra?.('json-schema')) as {
      validateBySchema(value: Json, schema: object): string;
    };
    return extra.validateBySchema(this.input, schema);
  }

  async #needsConfirmation(): Promise<boolean> {
    const { confirm = 'always' } = this.tool;
    if (typeof confirm !== 'function') return confirm !== 'never';
    try {
      return await confirm(this.input);
    } catch {
      return true;
    }
  }

  /** Records that the call has started, unless it is aborted meanwhile. Resolves to false when it was recorded before. */
  async #recordStart(signal: AbortSignal): Promise<boolean> {
    const { storage } = this.#controller;
    let isFirst = false;
    // Calls that start at the same time would otherwise remove the records of each other.
    await withLock('ubik-page-tools', signal, async () => {
      const stored = await storage.get(STARTED);
      const started = Array.isArray(stored) ? (stored as readonly Json[]) : [];
      isFirst = !started.includes(this.#id);
      if (!isFirst || signal.aborted) return;
      storage.set(STARTED, [...started, this.#id].slice(-MAX_STARTED));
      // The storage performs its calls in order, so this call waits until the record is stored.
      await storage.get(STARTED);
      // The tool has not run, and can run when its question is shown again.
      if (signal.aborted) storage.set(STARTED, started);
    });
    return isFirst;
  }

  async #run(signal: AbortSignal): Promise<InputAnswer> {
    const progress = (text: string): void => {
      if (signal.aborted) return;
      this.progress = String(text);
      this.#notify();
    };
    try {
      const id = this.request.executionId;
      const call = Object.freeze({ id, signal, progress });
      // A tool that ignores the signal must not keep the lock.
      const result = await Promise.race([this.#tool.run(this.input, call), whenAborted(signal)]);
      return { type: 'json', value: JSON.parse(JSON.stringify(result ?? null)) as Json };
    } catch (error) {
      return createError('tool-failed', error instanceof Error ? error.message : String(error));
    }
  }

  async #send(answer: InputAnswer): Promise<void> {
    const { signal } = this.#abort;
    if (signal.aborted) return;
    this.#answer = answer;
    this.error = null;
    this.#setAnsweredByTool(true);
    this.#setState('sending');
    try {
      const controller = this.#controller;
      const address = [this.#message, this.request.key] as const;
      // The element may be connected to another controller by now.
      const isSent = await this.#host.provideInput(...address, answer, controller);
      if (isSent) this.#stopObserving();
      // The host page has cancelled the answer; the user can send it again, or stop the run.
      else if (!signal.aborted) this.#setState('failed');
      else return;
      // The service may ask again.
      this.#setAnsweredByTool(false);
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  #fail(error: unknown, signal: AbortSignal): void {
    const isOver = signal.aborted || (isUbikError(error) && error.code === 'aborted');
    if (isOver) return;
    this.error = error;
    this.#setState('failed');
  }

  /** Cancels the call when its run is being stopped, its question was answered or withdrawn, or another thread is shown. */
  readonly #handleChange = (): void => {
    // The answer of this call ends the request before the promise of `provideInput` has settled.
    if (this.state === 'sending' || (this.#isPending && !isStopped(this.#controller))) return;
    this.#cancel();
  };

  #cancel(): void {
    this.#stopObserving();
    this.#abort.abort();
    // When the request is shown again, or its run is not stopped after all, the call starts again.
    this.#setAnsweredByTool(false);
    this.#setState('cancelled');
  }

  #stopObserving(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }

  #setState(state: Call['state']): void {
    this.state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Sets whether this call answers the question, so that the user is not asked for an answer. */
  #setAnsweredByTool(isHandled: boolean): void {
    const elements = ConnectedElements.of(this.#controller);
    elements.setAnsweredByTool(this.#message, this.request.key, isHandled);
    this.#host.requestUpdate();
  }
}

/** Renders a call. */
class CallView {
  readonly #host: PageToolsHost;
  readonly #box: HTMLElement;
  readonly #call: Call;
  readonly #id: string;
  readonly #input: HTMLElement | null;

  constructor(host: PageToolsHost, box: HTMLElement, call: Call) {
    this.#host = host;
    this.#box = box;
    this.#call = call;
    this.#id = host.context.createId();
    const { input } = call;
    const { locale } = host.context;
    this.#input = input === null ? null : createPayloadView(JSON.stringify(input), locale);
    this.render();
  }

  readonly render = (): void => {
    const { locale } = this.#host.context;
    const focused = (this.#box.getRootNode() as Partial<ShadowRoot>).activeElement;
    const hadFocus = this.#box.contains(focused ?? null);
    const { request, tool, state } = this.#call;
    const name = toolLabel(request.toolName ?? '', locale);
    const question = state === 'asking' ? locale.text('pageToolAsk', { tool: name }) : name;
    render(
      html`<section
        class="request"
        part="request"
        tabindex="-1"
        role="group"
        aria-labelledby=${this.#id}
      >
        <p class="meta">${renderIcon('question')} ${locale.text('pageTool')}</p>
        <h3 class="question" id=${this.#id}>${question}</h3>
        ${
          tool.description
            ? html`<p dir="auto" lang=${langOfContent(locale)}>${tool.description}</p>`
            : nothing
        }
        ${this.#input ?? nothing} ${this.#renderState()}
      </section>`,
      this.#box,
    );
    // The focused button was removed.
    if (hadFocus && !focused?.isConnected) this.#box.querySelector('section')?.focus();
  };

  /** Focuses the first button of the call, else the whole call. */
  focus(): void {
    (this.#box.querySelector('button') ?? this.#box.querySelector('section'))?.focus();
  }

  #renderState(): TemplateResult | typeof nothing {
    const call = this.#call;
    const { locale } = this.#host.context;
    const { text } = locale;
    switch (call.state) {
      case 'asking':
        return this.#renderButtons(
          { className: 'primary', label: text('pageToolAllow'), act: () => void call.allow() },
          {
            className: 'quiet',
            label: text('requestDecline'),
            act: () => {
              call.decline();
            },
          },
        );
      case 'failed':
        return html`${
          call.error === null
            ? nothing
            : html`<p class="error-text" role="alert">${explainError(call.error, locale)}</p>`
        }
        ${this.#renderButtons({
          className: 'quiet',
          label: text('retry'),
          act: () => {
            call.retry();
          },
        })}`;
      case 'cancelled':
        return nothing;
      default:
        return html`<p class="meta" role="status" dir="auto">
          ${call.progress || text('pageToolRunning')}
        </p>`;
    }
  }

  #renderButtons(
    ...buttons: readonly {
      readonly className: string;
      readonly label: string;
      readonly act: () => void;
    }[]
  ): TemplateResult {
    return html`<div class="buttons">
      ${buttons.map(
        ({ className, label, act }) =>
          html`<button class=${className} type="button" @click=${act}>${label}</button>`,
      )}
    </div>`;
  }
}

/** Rejects when a signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new DOMException('The call was aborted.', 'AbortError'));
    });
  });
}

function createError(code: string, message: string): InputAnswer {
  return { type: 'json', value: { error: { code, message } } };
}

/** The last callback of each lock name, where the Web Locks API is not available. */
const lastCallbacks = new Map<string, Promise<void>>();

/** Runs a callback while no other tab runs one with the same name. Waits for the other tab, unless the signal is aborted. */
async function withLock(
  name: string,
  signal: AbortSignal,
  callback: () => Promise<void>,
): Promise<void> {
  // Missing on pages without a secure connection. Without locks, only the callbacks of one page wait for each other.
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  let isGranted = false;
  const hold = (): Promise<void> => {
    isGranted = true;
    return callback();
  };
  try {
    if (locks) return await locks.request(name, { signal }, hold);
  } catch (error) {
    // Documents with an opaque origin, such as in a sandboxed frame, may not use locks.
    if (isGranted || signal.aborted) throw error;
  }
  const current = (lastCallbacks.get(name) ?? Promise.resolve()).then(callback);
  const finished = current.catch(() => undefined);
  lastCallbacks.set(name, finished);
  await current.finally(() => {
    if (lastCallbacks.get(name) === finished) lastCallbacks.delete(name);
  });
}
