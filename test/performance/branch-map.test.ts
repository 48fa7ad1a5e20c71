import { expect } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import '../../src/elements/branches/branch-map-panel.js';
import type { UbikBranchMap } from '../../src/elements/ubik-branch-map.js';
import { contentOf } from '../controller/scripted-backend.js';
import { version } from '../elements/branch-stage.js';
import { nextFrame, setupController } from '../elements/chat-stage.js';

/** How much dearer 200 versions may be than 20: all rows are drawn, so that a screen reader finds them, out of sight without layout. */
const MOST_TO_OPEN = 5;
const MOST_TO_STEP = 3;
/** Times that the same is done in one round, so that there is something to measure. */
const TIMES = 12;
/** Presses of a key on the way down. */
const STEPS = 15;

const cpuSeconds = (): Promise<number> => executeServerCommand('cpu-seconds');

/** A conversation whose question has so many versions, all of them read. */
async function setupVersions(count: number) {
  const { controller, backend, environment } = setupController();
  backend.capabilities.add('branches' as never);
  const ids = Array.from({ length: count }, (_, at) => `q${at}`);
  const question = (id: string) =>
    version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) + 1);
  backend.answers.set('loadMessage', (_, id) => question(String(id)));
  backend.threads.set('t', contentOf('t', [question('q0')]));
  await controller.openThread('t');
  const [first = ''] = controller.thread?.messages.keys() ?? [];
  for (const id of ids.slice(1)) await controller.loadVersion(first, id);
  await environment.settle();
  return controller;
}

type Versions = Awaited<ReturnType<typeof setupVersions>>;

async function openMap(controller: Versions): Promise<UbikBranchMap> {
  const map = document.createElement('ubik-branch-map');
  map.controller = controller;
  map.style.height = '400px';
  document.body.append(map);
  while (!map.shadowRoot?.querySelector('.point')) await nextFrame();
  return map;
}

/** CPU seconds of what is done a few times. */
async function costOf(run: () => Promise<void>): Promise<number> {
  const start = await cpuSeconds();
  for (let time = 0; time < TIMES; time += 1) await run();
  return (await cpuSeconds()) - start;
}

/** How much dearer the same is with 200 versions than with 20, in the best of a few rounds. */
async function ratioOf(cost: (count: number) => Promise<number>, most: number): Promise<number> {
  let [few, many, ratio] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < 12 && ratio > most; round += 1) {
    few = Math.min(few, await cost(20));
    many = Math.min(many, await cost(200));
    ratio = many / few;
  }
  return ratio;
}

/** Opens the map of a conversation, and takes it away again. */
async function openAndLeave(controller: Versions): Promise<void> {
  const map = await openMap(controller);
  map.remove();
}

/** Goes down a map and back to its top by the keys. */
async function goThrough(map: UbikBranchMap): Promise<void> {
  const press = async (key: string): Promise<void> => {
    map.shadowRoot?.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    await nextFrame();
  };
  for (let step = 0; step < STEPS; step += 1) await press('ArrowDown');
  await press('Home');
}

describe('two hundred versions', function () {
  this.timeout(900_000);

  it('cost to open less than in proportion to twenty', async () => {
    const held = new Map([20, 200].map((count) => [count, setupVersions(count)]));
    for (const [count, controller] of held) {
      const map = await openMap(await controller);
      expect(map.shadowRoot?.querySelectorAll('.point').length).to.equal(count);
      map.remove();
    }
    const cost = async (count: number): Promise<number> => {
      const controller = await held.get(count);
      if (!controller) throw new Error('There is none.');
      return costOf(() => openAndLeave(controller));
    };
    expect(await ratioOf(cost, MOST_TO_OPEN)).to.be.at.most(MOST_TO_OPEN);
  });

  it('cost to go through by the keys hardly more than twenty', async () => {
    const cost = async (count: number): Promise<number> => {
      const map = await openMap(await setupVersions(count));
      map.shadowRoot?.querySelector<HTMLElement>('.point')?.focus();
      const taken = await costOf(() => goThrough(map));
      map.remove();
      return taken;
    };
    expect(await ratioOf(cost, MOST_TO_STEP)).to.be.at.most(MOST_TO_STEP);
  });
});
