import { createRandom, pickIndex, pickOne } from '../../helpers/seeded-random.js';
import { bringToEnd, checkWorld } from '../oracle/oracle.js';
import type { Service } from '../world/service.js';
import { World } from '../world/world.js';
import { chooseAct, doAct } from './written-act.js';

/** Acts of one person, and how the service speaks to them. */
export interface Sequence {
  readonly dialect: string;
  readonly acts: readonly string[];
}

/** Ways to speak after which a message is the same live and stored. */
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
 * The sequence of a seed: without a first question there is nothing to steer.
 *
 * @param lags whether the service's lists of messages are behind from time to time
 */
export function createSequence(seed: number, lags = false): Sequence {
  const random = createRandom(seed);
  const dialect = pickOne(random, DIALECTS);
  const length = 7 + pickIndex(random, 5);
  const others = Array.from({ length }, () => chooseAct(random));
  const acts = [chooseAct(random, 'send'), ...others];
  if (!lags) return { dialect, acts };
  const isBehind = () => random() < 0.4;
  return {
    dialect,
    acts: acts.flatMap((act) => (isBehind() ? [chooseAct(random, 'lag'), act] : [act])),
  };
}

let persons = 0;

/** Does a sequence, brings it to its end and looks at everything. Gives what is wrong; null when nothing is. */
export async function runSequence(
  service: Service,
  sequence: Sequence,
  isShared = false,
): Promise<Error | null> {
  persons += 1;
  const world = new World(service, `person-${persons}`, sequence.dialect, isShared);
  try {
    for (const act of sequence.acts) await doAct(world, act);
    await bringToEnd(world);
    await checkWorld(world);
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    service.gates.release(world.person);
    for (const tab of world.allTabs) tab.close();
  }
}

/** The shortest beginning of a sequence that still fails, without the acts in it that do not matter. */
export async function shorten(
  service: Service,
  { dialect, acts }: Sequence,
  isShared = false,
): Promise<Sequence> {
  const fails = async (some: readonly string[]) =>
    (await runSequence(service, { dialect, acts: some }, isShared)) !== null;
  let length = 0;
  while (length < acts.length && !(await fails(acts.slice(0, length)))) length += 1;
  let left = acts.slice(0, length);
  for (let at = left.length - 2; at >= 0; at -= 1) {
    const fewer = left.toSpliced(at, 1);
    if (await fails(fewer)) left = fewer;
  }
  return { dialect, acts: left };
}
