import { readFileSync } from 'node:fs';
import { createDataAgentBackend } from '../../../../src/backends/data-agent/index.js';
import type { DataAgentBackendOptions } from '../../../../src/backends/data-agent/index.js';
import type { Backend, RunKeys, RunStream } from '../../../../src/backends/backend.js';
import type { UbikError } from '../../../../src/errors.js';
import { canonicalize } from '../../../../src/model/canonicalize.js';
import type { Key } from '../../../../src/model/json.js';
import { Reader } from '../../../conformance/backend-conformance.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import type { WirePatch } from './json-chains.js';
import { AGENT, ScriptedService } from './scripted-service.js';

/** The events of a recorded stream, by the name of its file. */
export function readFixture(name: string): WirePatch[] {
  const file = new URL(`../../../fixtures/data-agent/${name}.sse`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line.slice(6)) as WirePatch);
}

/** A scripted service, a backend for it, and an open thread. */
export async function setupRun(options: Partial<DataAgentBackendOptions> = {}) {
  const service = new ScriptedService();
  const environment = createTestEnvironment({ respond: service.respond });
  const diagnostics: UbikError[] = [];
  const backend = createDataAgentBackend({
    agentId: AGENT,
    getToken: () => 'token',
    environment,
    ...options,
  });
  backend.onDiagnostic = (error) => diagnostics.push(error);
  const reader = new Reader(backend);
  await reader.open();
  return { service, environment, backend, reader, diagnostics };
}

/** A signal that never aborts. */
export const noSignal = (): AbortSignal => new AbortController().signal;

/** Sends a question, and returns its stream and its keys. */
export function send(reader: Reader, text = 'A question'): { stream: RunStream; keys: RunKeys } {
  const keys = reader.makeKeys();
  const draft = { text, attachments: [] };
  return { stream: reader.backend.send(reader.session, draft, keys, noSignal()), keys };
}

/** Rejoins a run. */
export function rejoin(reader: Reader, keys: RunKeys, otherRunIds: string[] = []): RunStream {
  const run = { id: reader.thread.run.id, keys, otherRunIds };
  return method(reader.backend, 'rejoin')(reader.session, run, noSignal());
}

/** A method that the backend must have. */
export function method<N extends keyof Backend>(
  backend: Backend,
  name: N,
): NonNullable<Backend[N]> {
  const found = backend[name];
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

/** The shown content and the fields of an answer, and the state of the run of its thread. */
export function shown(reader: Reader, key: Key) {
  const message = reader.message(key);
  const { id, runId, status, failure, usage, followUps } = message;
  const { state, id: currentRun, error } = reader.thread.run;
  const content = canonicalize(message);
  return { content, id, runId, status, failure, usage, followUps, state, currentRun, error };
}
