import type { CheckpointInfo } from '../../backend.js';
import { isUbikError } from '../../../errors.js';
import { parseInstant } from '../../../stream/instant.js';
import { encodePath, type HttpRequest } from '../../../stream/http.js';
import { asFields, asList, readId, readJson } from '../wire/fields.js';
import type { UbikContext } from './context.js';
import { createShapeError } from './read-message.js';

/** The checkpoints of a session, oldest first. Of equal names only the newest can be restored. */
export async function getCheckpoints(
  context: UbikContext,
  session: string,
): Promise<readonly CheckpointInfo[]> {
  const path = encodePath`/agent-sessions/${session}/checkpoints`;
  const timeout = context.limits.timeout ?? 30_000;
  const answer = await context.http.json({ method: 'GET', path, timeout });
  const list = Array.isArray(answer) ? answer : asFields(answer)?.['checkpoints'];
  if (!Array.isArray(list)) throw createShapeError('checkpoints');
  return markRestorable(asList(list).flatMap((item) => readCheckpoint(item) ?? []));
}

/** Goes back to a checkpoint, as a new run. One refusal that names the other form of its name is met with that form, once. */
export async function postRestore(
  context: UbikContext,
  session: string,
  checkpoint: Pick<CheckpointInfo, 'name' | 'id'>,
  hint: string | null,
  request: Pick<HttpRequest, 'accept' | 'signal'>,
): Promise<Response> {
  const path = encodePath`/agent-sessions/${session}/navigate-to-checkpoint`;
  const rest = { ...(hint === null ? {} : { checkpoint_hint: hint }), stream: true };
  const send = (name: object): Promise<Response> =>
    context.http.request({ method: 'POST', path, json: { ...name, ...rest }, ...request });
  try {
    return await send({ checkpoint_name: checkpoint.name });
  } catch (error) {
    const asksForId =
      isUbikError(error) &&
      error.status === 422 &&
      /\bcheckpoint_id\b/.test(error.offender ?? error.message);
    if (!asksForId) throw error;
    return send({ checkpoint_id: checkpoint.id ?? checkpoint.name });
  }
}

interface Found {
  readonly info: Omit<CheckpointInfo, 'restorable'>;
  readonly instant: number | null;
}

function readCheckpoint(value: unknown): Found | null {
  const fields = asFields(value);
  const name = fields && readId(fields, 'checkpoint_name');
  if (!fields || !name) return null;
  const metadata = asFields(fields['metadata']);
  const instant = parseInstant(fields['created_at']);
  const id =
    readId(fields, 'id') ??
    readId(fields, 'checkpoint_id') ??
    (metadata && (readId(metadata, 'checkpoint_id') ?? readId(metadata, 'id')));
  return {
    instant,
    info: {
      name,
      id,
      taskId: readId(fields, 'task_id'),
      createdAt: instant === null ? null : Math.floor(instant / 1000),
      metadata: readJson(fields, 'metadata'),
    },
  };
}

/** Without times the service's own order tells which is the newest. */
function markRestorable(found: readonly Found[]): CheckpointInfo[] {
  const timed = found.every(({ instant }) => instant !== null);
  const sorted = timed
    ? [...found].sort((left, right) => (left.instant ?? 0) - (right.instant ?? 0))
    : found;
  const newest = new Map(sorted.map(({ info }) => [info.name, info]));
  return sorted.map(({ info }) => ({ ...info, restorable: newest.get(info.name) === info }));
}
