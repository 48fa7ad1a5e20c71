import { isUbikError, UbikError } from '../../errors.js';
import type { Environment } from '../environment.js';

/** One exchange: its signal and its time limit. Each has its own, so that giving one up never touches another. */
export interface Attempt {
  /** Aborted when the caller gives up or the time is over. */
  readonly signal: AbortSignal;
  /** A promise's result, unless the attempt is given up first. */
  wait<T>(promise: Promise<T>): Promise<T>;
  /** What a thrown value means: `aborted`, `network`, or the `UbikError` that it is. */
  explain(error: unknown): UbikError;
  /** The time limit is over; the caller's signal still reaches the body. */
  headArrived(): void;
  /** All is over; nothing is listened to any more. */
  end(): void;
}

/** Begins an exchange that ends with the caller's signal, or when `timeout` ms are over. */
export function startAttempt(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  callerSignal: AbortSignal | undefined,
  timeout: number | undefined,
): Attempt {
  const controller = new AbortController();
  const { signal } = controller;
  let timedOut = false;
  const passOn = () => controller.abort(callerSignal?.reason);
  if (callerSignal?.aborted) passOn();
  else callerSignal?.addEventListener('abort', passOn);
  const timer =
    timeout === undefined
      ? null
      : environment.setTimer(() => {
          timedOut = true;
          controller.abort();
        }, timeout);
  const headArrived = () => {
    if (timer) environment.clearTimer(timer);
  };
  return {
    signal,
    wait: (promise) => waitUnless(signal, promise),
    explain: (error) => explainFailure(error, timedOut, callerSignal?.aborted === true),
    headArrived,
    end: () => {
      headArrived();
      callerSignal?.removeEventListener('abort', passOn);
    },
  };
}

function waitUnless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function explainFailure(error: unknown, timedOut: boolean, aborted: boolean): UbikError {
  if (aborted) return new UbikError('aborted', 'The request was given up.');
  if (timedOut) return new UbikError('network', 'The service did not answer in time.');
  if (isUbikError(error)) return error;
  return new UbikError('network', 'The service could not be reached.', { cause: error });
}
