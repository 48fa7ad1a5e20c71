import { expect } from '@open-wc/testing';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';
import '../../src/elements/branches/branch-map-panel.js';
import type { UbikBranchMap } from '../../src/elements/ubik-branch-map.js';
import { contentOf } from '../controller/scripted-backend.js';
import { version } from '../elements/branch-fixture.js';
import { nextFrame, setupController } from '../elements/chat-fixture.js';

/** Permitted cost of 200 versions relative to 20. All rows are rendered, for screen readers; those out of view have no layout. */
const OPEN_LIMIT = 5;
const NAVIGATION_LIMIT = 3;
/** Repetitions per round, so that the cost is measurable. */
const REPETITIONS = 12;
/** Key presses per navigation. */
const STEPS = 15;

/** A controller with a thread whose question has `count` loaded versions. */
async function setupVersions(count: number) {
  const { controller, backend, environment } = setupController();
  backend.capabilities.add('branches');
  const ids = Array.from({ length: count }, (_, at) => `q${at}`);
  const question = (id: string) =>
    version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) + 1);
  backend.responses.set('loadMessage', (_, id) => question(String(id)));
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

/** CPU seconds of several repetitions. */
async function costOf(run: () => Promise<void>): Promise<number> {
  const start = await readCpuSeconds();
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) await run();
  return (await readCpuSeconds()) - start;
}

/** Cost with 200 versions relative to 20. */
const compareVersions = (cost: (count: number) => Promise<number>, limit: number) =>
  measureCostRatio(
    () => cost(20),
    () => cost(200),
    { limit },
  );

/** Opens the branch map and removes it. */
async function openAndRemove(controller: Versions): Promise<void> {
  const map = await openMap(controller);
  map.remove();
}

/** Navigates down a branch map and back to its top by keyboard. */
async function navigate(map: UbikBranchMap): Promise<void> {
  const press = async (key: string): Promise<void> => {
    map.shadowRoot?.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    await nextFrame();
  };
  for (let step = 0; step < STEPS; step += 1) await press('ArrowDown');
  await press('Home');
}

describe('branch map of two hundred versions', function () {
  this.timeout(900_000);

  it('opens in at most five times the time of twenty versions', async () => {
    const controllers = new Map([20, 200].map((count) => [count, setupVersions(count)]));
    for (const [count, controller] of controllers) {
      const map = await openMap(await controller);
      expect(map.shadowRoot?.querySelectorAll('.point').length).to.equal(count);
      map.remove();
    }
    const cost = async (count: number): Promise<number> => {
      const controller = await controllers.get(count);
      if (!controller) throw new Error('No controller was set up.');
      return costOf(() => openAndRemove(controller));
    };
    expect(await compareVersions(cost, OPEN_LIMIT)).to.be.at.most(OPEN_LIMIT);
  });

  it('is navigated by keyboard in at most three times the time of twenty versions', async () => {
    const cost = async (count: number): Promise<number> => {
      const map = await openMap(await setupVersions(count));
      map.shadowRoot?.querySelector<HTMLElement>('.point')?.focus();
      const seconds = await costOf(() => navigate(map));
      map.remove();
      return seconds;
    };
    expect(await compareVersions(cost, NAVIGATION_LIMIT)).to.be.at.most(NAVIGATION_LIMIT);
  });
});
