import { fixture, html } from '@open-wc/testing';
import type { ThreadSummary } from '../../src/backends/backend.js';
import type { ControllerOptions } from '../../src/controller/controller-types.js';
import '../../src/elements/threads/threads-panel.js';
import type { UbikThreadList } from '../../src/elements/ubik-thread-list.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { nextFrame, pressKey, setupController } from './chat-fixture.js';
import { NOON, ScriptedClock } from './scripted-clock.js';

const DAY = 86_400_000;

/** Threads of a service, the newest first, six hours apart. */
export function threadsOf(count: number, title = 'Talk'): ThreadSummary[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    title: `${title} ${at}`,
    createdAt: NOON - at * (DAY / 4),
    updatedAt: NOON - at * (DAY / 4),
  }));
}

/** A thread list in the page, with a scripted backend. */
export async function setupThreads(
  threads: readonly ThreadSummary[] = threadsOf(5),
  options: Partial<ControllerOptions> = {},
) {
  const conversation = setupController(options);
  const { backend, environment, controller } = conversation;
  for (const name of ['threads', 'rename', 'delete'] as const) {
    backend.capabilities.add(name);
  }
  backend.responses.set('listThreads', (request) => {
    const { page, limit } = request as { page: number; limit: number };
    const items = threads.slice((page - 1) * limit, page * limit);
    return { items, hasMore: page * limit < threads.length, total: threads.length };
  });
  for (const { id, title } of threads.slice(0, 100)) {
    const content = contentOf(id, [stored(`m-${id}`, 'user', `Question of ${id}`)]);
    backend.threads.set(id, { ...content, thread: { id, title } });
  }
  const clock = new ScriptedClock();
  const list: UbikThreadList = document.createElement('ubik-thread-list');
  Object.assign((list as unknown as { viewContext: object }).viewContext, { clock });
  list.style.height = '400px';
  list.controller = controller;
  const events: CustomEvent[] = [];
  for (const act of ['open', 'opened', 'rename', 'renamed', 'delete', 'deleted']) {
    list.addEventListener(`ubik-thread-${act}`, (event) => events.push(event as CustomEvent));
  }
  list.addEventListener('ubik-error', (event) => events.push(event));
  const box = await fixture(html`<div style="width: 260px"></div>`);
  box.append(list);
  const root = list.shadowRoot as ShadowRoot;
  const settle = async (): Promise<void> => {
    await environment.settle();
    await nextFrame();
    await nextFrame();
  };
  await settle();
  const all = <E extends HTMLElement = HTMLElement>(selector: string): E[] => [
    ...root.querySelectorAll<E>(selector),
  ];
  const row = (title: string): HTMLElement => {
    const found = all('.thread').find((node) => node.textContent?.includes(title));
    if (!found) throw new Error(`No conversation is called ${title}.`);
    return found;
  };
  const click = (node: Element | null | undefined): void => {
    if (!(node instanceof HTMLElement)) throw new Error('There is nothing to click on.');
    node.click();
  };
  return {
    ...conversation,
    clock,
    list,
    box,
    root,
    events,
    settle,
    all,
    row,
    click,
    titles: () => all('.thread').map((node) => plain(node.querySelector('.thread-title'))),
    names: () => events.map(({ type }) => type),
    focused: () => plain(root.activeElement),
    /** Opens a thread by its title. */
    open: (title: string): Promise<void> => {
      click(row(title).querySelector('.thread-open'));
      return settle();
    },
    /** Clicks a button of a row, after expanding its actions. */
    press: async (title: string, name: string): Promise<void> => {
      const node = row(title);
      if (!buttonOf(node, name)) click(node.querySelector('.thread-more'));
      click(buttonOf(node, name));
      await settle();
    },
    key: (key: string): void => {
      pressKey(root.activeElement, key);
    },
  };
}

/** The text of a node in one line. */
export function plain(node: Element | null): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function buttonOf(node: Element, name: string): HTMLButtonElement | undefined {
  return [...node.querySelectorAll('button')].find((button) => plain(button) === name);
}
