import { createRandom, pickIndex, pickOne } from '../../helpers/seeded-random.js';
import { bringToEnd, checkWorld } from '../oracle/oracle.js';
import type { Service } from '../world/service.js';
import { createUbik } from '../world/tab.js';
import { World } from '../world/world.js';
import { chooseAction, executeAction } from './action-text.js';

/** Actions of one user as texts (see {@link chooseAction}), and the dialect of the service. */
export interface Sequence {
  readonly dialect: string;
  readonly actions: readonly string[];
}

/** Dialects in which a streamed message equals the stored one. The plain one is twice as likely as each of the others. */
const DIALECTS = [
  'F1',
  'F1',
  'F2,crlf,answer=json,final=empty',
  'F3,naive,answer=json-assistant,waiting=complete',
  'F4,delta=200,delta-shuffle,answer=json-bare,waiting=open,linger',
  'F5,cut=40,merge,checkpoint-id,final=empty',
  'F6,shuffle=4,alias,bom',
];

/**
 * The sequence of a seed. It starts with a message, because the other actions need one.
 *
 * @param lags whether the stored thread lags behind from time to time
 */
export function createSequence(seed: number, lags = false): Sequence {
  const random = createRandom(seed);
  const dialect = pickOne(random, DIALECTS);
  const length = 7 + pickIndex(random, 5);
  const others = Array.from({ length }, () => chooseAction(random));
  const actions = [chooseAction(random, 'send'), ...others];
  if (!lags) return { dialect, actions };
  const isBehind = () => random() < 0.4;
  return {
    dialect,
    actions: actions.flatMap((action) =>
      isBehind() ? [chooseAction(random, 'lag'), action] : [action],
    ),
  };
}

let userCount = 0;

/**
 * Executes a sequence, waits for its end and checks everything. Resolves to the failure; null when there is none.
 *
 * @param isShared whether the tabs share their runs
 */
export async function runSequence(
  service: Service,
  sequence: Sequence,
  isShared = false,
): Promise<Error | null> {
  userCount += 1;
  const world = new World(service, `user-${userCount}`, createUbik(sequence.dialect), isShared);
  try {
    for (const action of sequence.actions) await executeAction(world, action);
    await bringToEnd(world);
    await checkWorld(world);
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    service.pauses.release(world.user);
    for (const tab of world.allTabs) tab.close();
  }
}

/** Shortens a failing sequence: the shortest failing prefix without the actions that do not matter. */
export async function shorten(
  service: Service,
  { dialect, actions }: Sequence,
  isShared = false,
): Promise<Sequence> {
  const fails = async (some: readonly string[]) =>
    (await runSequence(service, { dialect, actions: some }, isShared)) !== null;
  let length = 0;
  while (length < actions.length && !(await fails(actions.slice(0, length)))) length += 1;
  let left = actions.slice(0, length);
  // The last action is needed, because the prefix before it succeeds.
  for (let at = left.length - 2; at >= 0; at -= 1) {
    const fewer = left.toSpliced(at, 1);
    if (await fails(fewer)) left = fewer;
  }
  return { dialect, actions: left };
}
