import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../../server/safe-response.js';
import type { Interference } from '../agent/api/interference.js';
import type { Lag } from '../agent/api/lagging-branch.js';
import type { Gate, GatePoint } from '../agent/run/gate.js';
import type { Meddler } from '../agent/wire/connection.js';
import { parseDialect, PLAIN_DIALECT, type Dialect } from '../agent/wire/dialect.js';
import { createMeddler } from './meddler.js';
import { isStreamFault, parseFault, readFaultHeader, type Fault } from './fault.js';
import { answerInstead } from './answer-instead.js';

/** Where runs are paused. */
export interface Hold {
  readonly point: GatePoint;
  /** Number of times that the point is passed before a run is paused; 0 by default. */
  readonly skip?: number;
}

/** Controls of a test server: its dialect, faults and paused runs. */
export interface Controls extends Interference, Gate {
  /** Sets the dialect of requests that do not select one. */
  speak(dialect: string): void;
  /** Adds faults. Each is injected into as many matching requests as it declares. */
  strike(...faults: readonly Fault[]): void;
  /** Pauses runs at a point until they are released. */
  hold(hold: Hold): void;
  /** Resumes paused runs, and pauses no others. */
  release(): void;
  /** Resolves when a run is paused. */
  held(): Promise<void>;
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
  const gate = createHoldingGate();
  const taken = new WeakMap<IncomingMessage, Fault | null>();
  /** Each request has at most one fault, which is chosen at the first call. */
  const faultOf = (request: IncomingMessage): Fault | null => {
    const known = taken.get(request);
    if (known !== undefined) return known;
    const fault = readFaultHeader(request) ?? takeFault(faults, request);
    taken.set(request, fault);
    return fault;
  };
  const controls: Controls = {
    speak: (text) => {
      dialect = parseDialect(text);
    },
    strike: (...more) => {
      faults.push(...more.map((fault) => ({ ...fault })));
    },
    hold: gate.hold,
    release: gate.release,
    held: gate.held,
    pass: gate.pass,
    reset: () => {
      dialect = PLAIN_DIALECT;
      faults = [];
      gate.release();
    },
    before: async (request, response, createErrorBody) => {
      const fault = faultOf(request);
      if (fault === null || fault.kind === 'lag' || isStreamFault(fault)) return false;
      if (fault.kind === 'blank-message' || fault.kind === 'executor-death') return false;
      return answerInstead(fault, response, createErrorBody);
    },
    lagOf: (request): Lag | null => {
      const fault = faultOf(request);
      return fault?.kind === 'lag' ? (fault.stored ?? 'nothing') : null;
    },
    dialectOf: (request): Dialect => {
      const own = request.headers[DIALECT_HEADER];
      const asked = new URL(request.url ?? '/', 'http://local').searchParams.get('demo_dialect');
      const words = typeof own === 'string' ? own : asked;
      return words === null ? dialect : parseDialectOr(words, dialect);
    },
    meddlerOf: (request): Meddler | null => {
      const fault = faultOf(request);
      return fault !== null && isStreamFault(fault) ? createMeddler(fault) : null;
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

function takeFault(faults: Fault[], request: IncomingMessage): Fault | null {
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

function createHoldingGate(): Pick<Controls, 'hold' | 'release' | 'held' | 'pass'> {
  let held: { readonly point: GatePoint; left: number } | null = null;
  let goOn: (() => void)[] = [];
  let watchers: (() => void)[] = [];
  return {
    hold: ({ point, skip = 0 }) => {
      held = { point, left: skip };
    },
    release: () => {
      held = null;
      const waiting = goOn;
      goOn = [];
      for (const go of waiting) go();
    },
    held: () =>
      new Promise((resolve) => {
        if (goOn.length > 0) resolve();
        else watchers.push(resolve);
      }),
    pass: (_owner, point) => {
      if (held?.point !== point) return Promise.resolve();
      if (held.left > 0) {
        held.left -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        goOn.push(resolve);
        const seen = watchers;
        watchers = [];
        for (const tell of seen) tell();
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
    const wish = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
    if (wish['reset'] === true) controls.reset();
    if (typeof wish['dialect'] === 'string') controls.speak(wish['dialect']);
    if (Array.isArray(wish['faults'])) controls.strike(...wish['faults'].map(parseFault));
    if (typeof wish['hold'] === 'object' && wish['hold'] !== null)
      controls.hold(wish['hold'] as Hold);
    if (wish['release'] === true) controls.release();
    if (wish['held'] === true) await controls.held();
    sendJson(response, 200, { status: 'ok' });
  } catch (error) {
    sendJson(response, 400, {
      detail: error instanceof Error ? error.message : 'Not understood',
    });
  }
}
