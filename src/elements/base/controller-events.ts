import type { InputAnswer } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { UbikError, type UbikErrorCode } from '../../errors.js';
import {
  UbikAuthRequiredEvent,
  UbikDiagnosticEvent,
  UbikErrorEvent,
  UbikInputProvidedEvent,
  UbikInputRequiredEvent,
  UbikMessageSentEvent,
  UbikRunCompletedEvent,
  UbikRunFailedEvent,
  UbikRunInterruptedEvent,
  UbikRunPausedEvent,
  UbikRunStartedEvent,
  UbikRunStoppedEvent,
  UbikStepCompletedEvent,
  UbikThreadCreatedEvent,
  UbikThreadOpenedEvent,
  type DiagnosticDetail,
  type ErrorDetail,
  type InputProvideDetail,
  type InputRequiredDetail,
  type MessageRefDetail,
  type RunDetail,
  type StepDetail,
  type ThreadDetail,
} from '../../events/index.js';
import { warnOnce } from '../../dom/warn-once.js';
import { RUN_ACTIVITY } from '../../message/thread-selectors.js';
import type { Json, Key } from '../../model/json.js';
import type { Run } from '../../model/thread.js';

type Notice<Type> = Extract<ControllerNotice, { readonly type: Type }>;
/** An object with the thread that a detail refers to, such as a controller, which has the shown thread. */
type ThreadHolder = Pick<StreamController, 'thread'>;

/**
 * DOM events by the notice for which they are dispatched. The events for `auth-required`, which has no detail, and `input-required`, which
 * can be cancelled, are dispatched separately; all other notices are for views only.
 */
const NOTICE_EVENTS = {
  'run-started': UbikRunStartedEvent,
  'step-completed': UbikStepCompletedEvent,
  'run-completed': UbikRunCompletedEvent,
  'run-paused': UbikRunPausedEvent,
  'run-stopped': UbikRunStoppedEvent,
  'run-failed': UbikRunFailedEvent,
  'run-interrupted': UbikRunInterruptedEvent,
  'thread-opened': UbikThreadOpenedEvent,
  'thread-created': UbikThreadCreatedEvent,
  'queued-sent': UbikMessageSentEvent,
  error: UbikErrorEvent,
  diagnostic: UbikDiagnosticEvent,
};
/** Fields of a request that `ubik-input-required` exposes to the host page. */
const REQUEST_FIELDS = [
  'level',
  'prompt',
  'inputTypes',
  'checkpointName',
  'executionId',
  'toolName',
  'options',
  'schema',
  'deadline',
] as const satisfies readonly (keyof InputRequiredDetail)[];

/** Returns the detail about a thread. */
export function describeThread(controller: ThreadHolder | null): ThreadDetail {
  return { threadId: controller?.thread?.id ?? null };
}

/** Returns the detail about a message. */
export function describeMessage(controller: ThreadHolder | null, message: Key): MessageRefDetail {
  const { id = null } = controller?.thread?.messages.get(message) ?? {};
  return { ...describeThread(controller), messageId: id };
}

/** Returns the detail about a run, by default the current one. */
export function describeRun(
  controller: ThreadHolder | null,
  run = controller?.thread?.run,
): RunDetail {
  return {
    ...describeThread(controller),
    runId: run?.id ?? null,
    resumed: run?.resumed ?? false,
  };
}

/** Returns the detail about an answer to a request. */
export function describeAnswer(
  controller: ThreadHolder | null,
  message: Key,
  request: Key,
  answer: InputAnswer,
): InputProvideDetail {
  return {
    ...describeMessage(controller, message),
    request,
    type: answer.type,
    text: ('text' in answer ? answer.text : null) ?? null,
    value: 'value' in answer ? answer.value : null,
    fileName: 'file' in answer ? answer.file.name : null,
  };
}

/** Returns the detail about an error. */
function describeError(error: UbikError): ErrorDetail & DiagnosticDetail {
  const { code, message, status, offender } = error;
  return { code, message, status: status ?? null, offender: offender ?? null };
}

/** Errors that only the developer of the host page can fix. */
const SETUP_ERRORS: readonly UbikErrorCode[] = ['blocked', 'not-an-api', 'misuse'];

/**
 * Warns about an error that the developer of the host page can fix. A network error has an offender only when its message says what to
 * check. The value that `getToken` has thrown is logged here and is not in the event, because it may contain a token.
 */
function warnDeveloper({ code, message, offender, cause }: UbikError): void {
  const isDiagnosed = code === 'network' && offender !== undefined;
  if (offender === 'getToken') warnOnce(message, cause);
  else if (isDiagnosed || SETUP_ERRORS.includes(code)) warnOnce(message);
}

/** Dispatches `ubik-error`. */
export function dispatchError(host: HTMLElement, error: UbikError): void {
  warnDeveloper(error);
  host.dispatchEvent(new UbikErrorEvent(describeError(error)));
}

/** Dispatches `ubik-diagnostic`. */
export function dispatchDiagnostic(host: HTMLElement, error: UbikError): void {
  host.dispatchEvent(new UbikDiagnosticEvent(describeError(error)));
}

/** Dispatches `ubik-diagnostic`: the strings of a language could not be loaded, so the interface is English. */
export function dispatchMissingLanguage(
  host: HTMLElement,
  lang: string | undefined,
  cause: unknown,
): void {
  const message = 'The strings of this language could not be loaded; the interface is English.';
  dispatchDiagnostic(host, new UbikError('load-failed', message, { offender: lang, cause }));
}

/** Dispatches the DOM event for a notice of the controller, if there is one. */
export function dispatchNotice(
  host: HTMLElement,
  controller: StreamController,
  notice: ControllerNotice,
): void {
  if (notice.type === 'auth-required') host.dispatchEvent(new UbikAuthRequiredEvent());
  if (notice.type === 'error') warnDeveloper(notice.error);
  if (!Object.hasOwn(NOTICE_EVENTS, notice.type)) return;
  const EventClass = NOTICE_EVENTS[notice.type as keyof typeof NOTICE_EVENTS] as new (
    detail: object,
  ) => Event;
  // The notice may be about another thread than the shown one.
  const thread = 'thread' in notice ? controller.getThread(notice.thread ?? '') : null;
  const detail = {
    ...('thread' in notice && describeThread({ thread })),
    ...('run' in notice && describeRun({ thread }, notice.run)),
    ...(notice.type === 'run-completed' && { result: findResult({ thread }, notice.run) }),
    ...(notice.type === 'step-completed' && describeStep({ thread }, notice)),
    ...('draft' in notice && notice.draft),
    ...('error' in notice && describeError(notice.error)),
  };
  host.dispatchEvent(new EventClass(detail));
}

/** Returns the result that the service reported at the end of a run; null when it reported none. */
function findResult({ thread }: ThreadHolder, { answer }: Run): Json {
  const part = thread?.messages.get(answer ?? '')?.parts.get(RUN_ACTIVITY);
  return part?.kind === 'run-activity' ? part.result : null;
}

/** Returns the detail about a completed step. */
function describeStep(
  controller: ThreadHolder,
  { message, step }: Notice<'step-completed'>,
): Partial<StepDetail> {
  const part = controller.thread?.messages.get(message)?.parts.get(step);
  if (part?.kind !== 'step-activity') return {};
  const { number, title, results } = part;
  return { ...describeMessage(controller, message), step: number, title, results };
}

/**
 * Dispatches `ubik-input-required`. Returns true when the host page cancels it in order to answer the request itself, immediately or later.
 * `declineText` returns the text that declines the request by default.
 */
export function dispatchInputRequired(
  host: HTMLElement,
  controller: StreamController,
  { message, request }: Notice<'input-required'>,
  declineText: () => string,
): boolean {
  const { thread } = controller;
  const part = thread?.messages.get(message)?.parts.get(request);
  if (part?.kind !== 'request-activity') return false;
  const fields = Object.fromEntries(REQUEST_FIELDS.map((name) => [name, part[name]])) as Pick<
    InputRequiredDetail,
    (typeof REQUEST_FIELDS)[number]
  >;
  const detail = { ...describeMessage({ thread }, message), request, ...fields };
  const event = new UbikInputRequiredEvent(detail, async (given, text = declineText()) => {
    const answer = given ?? { type: 'declined', text };
    await controller.provideInput(message, request, answer);
    const provided = describeAnswer({ thread }, message, request, answer);
    host.dispatchEvent(new UbikInputProvidedEvent(provided));
  });
  return !host.dispatchEvent(event);
}
