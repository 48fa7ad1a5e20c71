import { isUbikError } from '../../../errors.js';
import type { RestoreOrigin } from '../../../model/message.js';
import { encodePath } from '../../../transport/http.js';
import type { CheckpointInfo } from '../../backend.js';
import {
  asFields,
  createRecordReader,
  readCount,
  readId,
  readJson,
  readList,
  readString,
  type Fields,
} from '../../fields.js';
import type { UbikClient } from '../api/client.js';
import { MAX_ENTRIES, readTime, sortByTime } from '../api/read-response.js';
import { postRun } from './start-run.js';
import type { RunContext } from './ubik-run.js';

const readCheckpoint = createRecordReader((fields, name): Omit<CheckpointInfo, 'restorable'> => {
  const metadata = asFields(fields['metadata']) ?? {};
  return {
    name,
    id:
      readId(fields, 'id') ??
      readId(fields, 'checkpoint_id') ??
      readId(metadata, 'checkpoint_id') ??
      readId(metadata, 'id'),
    runId: readId(fields, 'task_id'),
    createdAt: readTime(fields, 'created_at'),
    metadata: readJson(fields, 'metadata'),
    step: readCount(metadata, 'step'),
    title: readString(metadata, 'description'),
    restoredFrom: readOrigin(metadata),
  };
}, 'checkpoint_name');

/**
 * Reads the origin of a restored branch from the metadata of a checkpoint. The service does not document the metadata: `checkpoint_hint` is a
 * field of the requests to the service, `restored_from` is a field of the demo agent (decision 40).
 */
function readOrigin(metadata: Fields): RestoreOrigin | null {
  const checkpoint = readId(metadata, 'restored_from');
  const hint = readString(metadata, 'checkpoint_hint');
  return checkpoint === null ? null : { checkpoint, hint };
}

/** Loads the newest 1,000 checkpoints of a session, oldest first. Of checkpoints with equal names, only the newest one can be restored (UBIK 6.2). */
export async function loadCheckpoints(
  { requestJson }: UbikClient,
  session: string,
  signal?: AbortSignal,
): Promise<readonly CheckpointInfo[]> {
  const path = encodePath`/agent-sessions/${session}/checkpoints`;
  const body = await requestJson('GET', path, { signal });
  const sorted = sortByTime(readList(body, 'checkpoints', readCheckpoint)).slice(-MAX_ENTRIES);
  const newest = new Map(sorted.map((info) => [info.name, info]));
  return sorted.map((info) => ({ ...info, restorable: newest.get(info.name) === info }));
}

/**
 * Restores a checkpoint by its name, as a new run. If the service rejects the name and requests `checkpoint_id`, the request is repeated
 * once with that field; the rejected one has started no run (UBIK 6.2, R8). If the id is not known, the field contains the name, which a
 * service may accept as well.
 */
export async function postRestore(
  context: RunContext,
  { name, id }: { readonly name: string; readonly id: string | null },
  hint: string | null,
): Promise<Response> {
  const action = 'navigate-to-checkpoint';
  const hintField = hint === null ? {} : { checkpoint_hint: hint };
  try {
    return await postRun(context, action, { checkpoint_name: name, ...hintField });
  } catch (error) {
    const requiresId =
      isUbikError(error) &&
      error.status === 422 &&
      /\bcheckpoint_id\b/.test(error.offender ?? error.message);
    if (!requiresId) throw error;
    return postRun(context, action, { checkpoint_id: id ?? name, ...hintField });
  }
}
