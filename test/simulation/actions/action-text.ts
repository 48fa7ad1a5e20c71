import type { Random } from '../../helpers/seeded-random.js';
import { ACTIONS } from './actions.js';
import type { World } from '../world/world.js';

/**
 * Chooses an action as text: tab, name, arguments, and `!` when the next action does not wait until this one has settled.
 *
 * @param name the name of the action; by default a random one, by weight
 */
export function chooseAction(random: Random, name = chooseName(random)): string {
  const tab = random() < 0.75 ? 'A' : 'B';
  const hurry = random() < 0.15 ? ['!'] : [];
  return [tab, name, ...(ACTIONS.get(name)?.choose?.(random) ?? []), ...hurry].join(' ');
}

function chooseName(random: Random): string {
  const all = [...ACTIONS];
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  return all.find(([, { weight }]) => (at -= weight) < 0)?.[0] ?? 'go';
}

/** Executes an action in the form that {@link chooseAction} returns. */
export async function executeAction(world: World, text: string): Promise<void> {
  const [name = '', action = '', ...rest] = text.split(' ');
  const args = rest.filter((word) => word !== '!');
  const tab = await world.tab(name);
  await ACTIONS.get(action)?.execute(world, tab, ...args);
  if (!rest.includes('!')) await world.settle();
}
