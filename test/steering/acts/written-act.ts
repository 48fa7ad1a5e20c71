import type { Random } from '../../helpers/seeded-random.js';
import { ACTS } from './acts.js';
import type { World } from '../world/world.js';

/** An act as it is written down: tab, name, arguments. Without a name, chance decides. */
export function chooseAct(random: Random, name = chooseName(random)): string {
  const tab = random() < 0.75 ? 'A' : 'B';
  // Some do not wait until what was done before has had its effect.
  const hurry = random() < 0.15 ? ['!'] : [];
  return [tab, name, ...(ACTS.get(name)?.choose?.(random) ?? []), ...hurry].join(' ');
}

function chooseName(random: Random): string {
  const all = [...ACTS];
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  return all.find(([, { weight }]) => (at -= weight) < 0)?.[0] ?? 'go';
}

/** Does an act as it is written down. */
export async function doAct(world: World, written: string): Promise<void> {
  const [name = '', act = '', ...rest] = written.split(' ');
  const args = rest.filter((word) => word !== '!');
  const tab = await world.tab(name);
  await ACTS.get(act)?.do(world, tab, ...args);
  if (!rest.includes('!')) await world.settle();
}
