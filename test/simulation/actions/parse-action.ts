import type { Random } from '../../helpers/seeded-random.js';
import { ACTIONS } from './actions.js';
import type { World } from '../world/world.js';

/** The text of an action: tab, name, arguments, and `!` when the next one does not wait for it. Without a name a random one. */
export function chooseAction(random: Random, name = chooseName(random)): string {
  const tab = random() < 0.75 ? 'A' : 'B';
  // Some actions do not wait until the one before has settled.
  const hurry = random() < 0.15 ? ['!'] : [];
  return [tab, name, ...(ACTIONS.get(name)?.choose?.(random) ?? []), ...hurry].join(' ');
}

function chooseName(random: Random): string {
  const all = [...ACTIONS];
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  return all.find(([, { weight }]) => (at -= weight) < 0)?.[0] ?? 'go';
}

/** Executes the text of an action. */
export async function executeAction(world: World, written: string): Promise<void> {
  const [name = '', action = '', ...rest] = written.split(' ');
  const args = rest.filter((word) => word !== '!');
  const tab = await world.tab(name);
  await ACTIONS.get(action)?.execute(world, tab, ...args);
  if (!rest.includes('!')) await world.settle();
}
