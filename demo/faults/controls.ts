import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../../server/inert-content.js';
import type { FaultInjection } from '../agent/api/fault-injection.js';
import type { Staleness } from '../agent/api/stale-branch.js';
import type { PausePoints, PausePoint } from '../agent/run/pause-points.js';
import type { StreamFault } from '../agent/wire/connection.js';
import { parseDialect, PLAIN_DIALECT, type Dialect } from '../agent/wire/dialect.js';
import { createStreamFault } from './stream-fault.js';
import { isStreamFault, parseFault, readFaultHeader, type Fault } from './fault.js';
import { respondWithFault } from './respond-with-fault.js';

/** The point at which runs are paused. */
export interface PauseRequest {
  readonly point: PausePoint;
  /** Number of times that runs pass the point before one is paused; 0 by default. */
  readonly skip?: number;
}

/** Controls of a test server: its dialect, faults and paused runs. */
export interface Controls extends FaultInjection, PausePoints {
  /** Sets the dialect of requests that do not select one. */
  setDialect(dialect: string): void;
  /** Adds faults. Each is injected into as many matching requests as it declares. */
  addFaults(...faults: readonly Fault[]): void;
  /** Pauses all runs that reach a point, until `resumeRuns` is called. */
  pauseAt(pause: PauseRequest): void;
  /** Resumes paused runs, and pauses no others. */
  resumeRuns(): void;
  /** Resolves as soon as a run is paused; at once if one is. */
  whenPaused(): Promise<void>;
  /** Restores the defaults. */
  reset(): void;
  /** Handles `POST /demo/controls`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const DIALECT_HEADER = 'x-demo-dialect';

/** Creates the controls of one server. */
export function createControls(): Controls {
  let dialect = PLAIN_DIALECT;
  let faults: Fault[] = [];
  const pausePoints = createPausePoints();
  const chosen = new WeakMap<IncomingMessage, Fault | null>();
  /** Each request has at most one fault, which is chosen at the first call. */
  const faultOf = (request: IncomingMessage): Fault | null => {
    const known = chosen.get(request);
    if (known !== undefined) return known;
    const fault = readFaultHeader(request) ?? consumeFault(faults, request);
    chosen.set(request, fault);
    return fault;
  };
  const controls: Controls = {
    setDialect: (text) => {
      dialect = parseDialect(text);
    },
    addFaults: (...more) => {
      faults.push(...more.map((fault) => ({ ...fault })));
    },
    pauseAt: pausePoints.pauseAt,
    resumeRuns: pausePoints.resumeRuns,
    whenPaused: pausePoints.whenPaused,
    reach: pausePoints.reach,
    reset: () => {
      dialect = PLAIN_DIALECT;
      faults = [];
      pausePoints.resumeRuns();
    },
    interceptRequest: async (request, response, createErrorBody) => {
      const fault = faultOf(request);
      if (fault === null || fault.kind === 'lag' || isStreamFault(fault)) return false;
      if (fault.kind === 'blank-message' || fault.kind === 'executor-death') return false;
      return respondWithFault(fault, response, createErrorBody);
    },
    stalenessOf: (request): Staleness | null => {
      const fault = faultOf(request);
      return fault?.kind === 'lag' ? (fault.stored ?? 'nothing') : null;
    },
    dialectOf: (request): Dialect => {
      const header = request.headers[DIALECT_HEADER];
      const parameter = new URL(request.url ?? '/', 'http://local').searchParams.get(
        'demo_dialect',
      );
      const words = typeof header === 'string' ? header : parameter;
      return words === null ? dialect : parseDialectOr(words, dialect);
    },
    streamFaultOf: (request): StreamFault | null => {
      const fault = faultOf(request);
      return fault !== null && isStreamFault(fault) ? createStreamFault(fault) : null;
    },
    executorFaultOf: (request) => {
      const fault = faultOf(request);
      if (fault?.kind !== 'blank-message' && fault?.kind !== 'executor-death') return null;
      return { kind: fault.kind, frames: fault.events ?? 10 };
    },
    handle: (request, response) => handleControls(controls, request, response),
  };
  return controls;
}

function parseDialectOr(words: string, fallback: Dialect): Dialect {
  try {
    return parseDialect(words);
  } catch {
    return fallback; // An unknown dialect in a request is ignored. The control API reports it.
  }
}

function consumeFault(faults: Fault[], request: IncomingMessage): Fault | null {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  for (const [index, fault] of faults.entries()) {
    const fits =
      (fault.method === undefined || fault.method === request.method) &&
      (fault.path === undefined || path.includes(fault.path));
    if (!fits) continue;
    if ((fault.skip ?? 0) > 0) {
      faults[index] = { ...fault, skip: (fault.skip ?? 0) - 1 };
      continue;
    }
    const times = (fault.times ?? 1) - 1;
    if (times <= 0) faults.splice(index, 1);
    else faults[index] = { ...fault, times };
    return fault;
  }
  return null;
}

function createPausePoints(): Pick<Controls, 'pauseAt' | 'resumeRuns' | 'whenPaused' | 'reach'> {
  let target: { readonly point: PausePoint; remaining: number } | null = null;
  let paused: (() => void)[] = [];
  let listeners: (() => void)[] = [];
  return {
    pauseAt: ({ point, skip = 0 }) => {
      target = { point, remaining: skip };
    },
    resumeRuns: () => {
      target = null;
      const resumed = paused;
      paused = [];
      for (const resume of resumed) resume();
    },
    whenPaused: () =>
      new Promise((resolve) => {
        if (paused.length > 0) resolve();
        else listeners.push(resolve);
      }),
    reach: (_owner, point) => {
      if (target?.point !== point) return Promise.resolve();
      if (target.remaining > 0) {
        target.remaining -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        paused.push(resolve);
        const notified = listeners;
        listeners = [];
        for (const notify of notified) notify();
      });
    },
  };
}

async function handleControls(
  controls: Controls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const command = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
    if (command['reset'] === true) controls.reset();
    if (typeof command['dialect'] === 'string') controls.setDialect(command['dialect']);
    if (Array.isArray(command['faults'])) controls.addFaults(...command['faults'].map(parseFault));
    if (typeof command['pause'] === 'object' && command['pause'] !== null)
      controls.pauseAt(command['pause'] as PauseRequest);
    if (command['resume'] === true) controls.resumeRuns();
    if (command['whenPaused'] === true) await controls.whenPaused();
    sendJson(response, 200, { status: 'ok' });
  } catch (error) {
    sendJson(response, 400, {
      detail: error instanceof Error ? error.message : 'Not understood',
    });
  }
}
