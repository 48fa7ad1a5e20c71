import { isUbikError } from '../../../errors.js';
import { postRun } from './start-run.js';
import type { RunContext } from './ubik-run.js';

/**
 * Restores a checkpoint by its name, as a new run. If the service rejects the name and requests `checkpoint_id`, sends the id, once; the
 * rejected request has started no run (UBIK 6.2, R8).
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
