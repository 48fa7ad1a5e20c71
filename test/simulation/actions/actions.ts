import { ACTIVITY, type PartOf } from '../../../src/model/part.js';
import type { Message } from '../../../src/model/message.js';
import { pickOne } from '../../helpers/seeded-random.js';
import {
  chooseNumberArgument,
  createQuestion,
  holdRuns,
  HOLD_POINTS,
  chooseNumber,
  pick,
  chooseQuestion,
  type Action,
} from './action.js';
import { QUEUE_ACTIONS } from './queue-actions.js';
import type { Tab } from '../world/tab.js';
import { listShown } from '../world/world.js';

/** The pending requests of the shown messages, with these messages. */
function openRequests(tab: Tab): { message: Message; request: PartOf<'request-activity'> }[] {
  return listShown(tab).flatMap((message) =>
    message.parts.children(ACTIVITY).flatMap((key) => {
      const request = message.parts.get(key);
      const isOpen = request?.kind === 'request-activity' && request.state === 'pending';
      return isOpen ? [{ message, request }] : [];
    }),
  );
}

/** All actions by name. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>(
  Object.entries<Action>({
    send: {
      weight: 22,
      choose: chooseQuestion,
      execute(world, tab, kind = '', point = '-') {
        const { text } = createQuestion(world, kind);
        holdRuns(world, point);
        world.start(tab, 'send', text, () => tab.controller.send({ text, attachments: [] }));
      },
    },
    edit: {
      weight: 7,
      choose: (random) => [chooseNumber(random), ...chooseQuestion(random)],
      execute(world, tab, which, kind = '', point = '-') {
        const mine = listShown(tab).filter(({ role }) => role === 'user');
        const message = pick(mine, which);
        if (!message) return;
        const { text } = createQuestion(world, kind);
        holdRuns(world, point);
        const draft = { text, attachments: [] };
        world.start(tab, 'edit', text, () => tab.controller.edit(message.key, draft));
      },
    },
    regenerate: {
      weight: 7,
      choose: (random) => [chooseNumber(random), pickOne(random, HOLD_POINTS)],
      execute(world, tab, which, point = '-') {
        const message = pick(listShown(tab), which);
        if (!message) return;
        holdRuns(world, point);
        world.start(tab, 'regenerate', null, () => tab.controller.regenerate(message.key));
      },
    },
    switch: {
      weight: 7,
      choose: chooseNumberArgument,
      execute(world, tab, which) {
        const others = listShown(tab).flatMap(({ id, siblingIds }) =>
          siblingIds.filter((other) => other !== id),
        );
        const target = pick(others, which);
        if (target === undefined) return;
        world.start(tab, 'switch', null, () => tab.controller.switchBranch(target));
      },
    },
    restore: {
      weight: 6,
      choose: (random) => [
        chooseNumber(random),
        pickOne(random, ['hint', 'plain']),
        pickOne(random, HOLD_POINTS),
      ],
      async execute(world, tab, which, hint, point = '-') {
        const { controller } = tab;
        if (!controller.thread) return;
        const listed = await controller.listCheckpoints().catch(() => []);
        const checkpoint = pick(
          listed.filter(({ restorable }) => restorable),
          which,
        );
        if (!checkpoint || tab.isClosed) return;
        const text = hint === 'hint' ? `only the second, ${world.createWord()}` : null;
        holdRuns(world, point);
        world.start(tab, 'restore', text, () =>
          controller.restoreCheckpoint(checkpoint.name, text),
        );
      },
    },
    answer: {
      weight: 10,
      choose: (random) => [chooseNumber(random), pickOne(random, ['yes', 'yes', 'no'])],
      execute(world, tab, which, how) {
        const target = pick(openRequests(tab), which);
        if (!target) return;
        const { message, request } = target;
        const text = how === 'yes' ? `by length, ${world.createWord()}` : null;
        const answer =
          text === null
            ? ({ type: 'declined', text: 'I don’t want to answer this.' } as const)
            : ({ type: 'text', text } as const);
        const name = request.level === 'tool' ? 'answer-tool' : 'answer';
        world.start(tab, name, text, () =>
          tab.controller.provideInput(message.key, request.key, answer),
        );
      },
    },
    stop: {
      weight: 6,
      execute: (world, tab) => world.start(tab, 'stop', null, () => tab.controller.stop()),
    },
    // Releases the held runs of the user.
    go: { weight: 12, execute: ({ service, user }) => service.pauses.release(user) },
    open: {
      weight: 7,
      choose: chooseNumberArgument,
      execute(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        world.start(tab, 'open', null, () => tab.controller.openThread(id), id);
      },
    },
    new: {
      weight: 5,
      execute: (world, tab) =>
        world.start(tab, 'new', null, async () => tab.controller.switchToNewThread()),
    },
    rename: {
      weight: 3,
      choose: chooseNumberArgument,
      execute(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        const title = `Title ${world.createWord()}`;
        world.start(tab, 'rename', null, () => tab.controller.renameThread(id, title), id);
      },
    },
    delete: {
      weight: 2,
      choose: chooseNumberArgument,
      execute(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        world.deleted.add(id);
        world.start(tab, 'delete', null, () => tab.controller.deleteThread(id), id);
      },
    },
    list: {
      weight: 2,
      execute: (world, tab) =>
        world.start(tab, 'list', null, () => tab.controller.listThreads({ page: 1, limit: 20 })),
    },
    reload: {
      weight: 6,
      choose: (random) => [pickOne(random, ['leave', 'crash'])],
      async execute(world, tab, how) {
        const [name = ''] = [...'AB'].filter((each) => world.has(each, tab));
        if (how === 'crash') tab.crash();
        else {
          tab.page.hide();
          tab.close();
        }
        world.removeTab(name);
        await world.tab(name);
      },
    },
    // Only tab B is closed, so that at least one tab remains.
    close: {
      weight: 3,
      execute(world, tab) {
        if (!world.has('B', tab)) return;
        tab.close();
        world.removeTab('B');
      },
    },
    ...QUEUE_ACTIONS,
    // Breaks all open connections of the tab.
    cut: { weight: 7, execute: (_world, tab) => tab.network.cut() },
    lose: {
      weight: 4,
      choose: (random) => [pickOne(random, ['request', 'response'])],
      execute: (_world, tab, what) => tab.network.lose(what as 'request' | 'response'),
    },
    // Delays one response of a thread, so that later ones overtake it.
    slow: { weight: 4, execute: (_world, tab) => tab.network.delay() },
    // Makes the stored thread lag behind. Has no weight: `createSequence` inserts it.
    lag: {
      weight: 0,
      choose: (random) => [
        pickOne(random, ['nothing', 'question', 'empty', 'half']),
        pickOne(random, ['1', '2', '3']),
      ],
      execute: (world, tab, stored = '', responses) =>
        world.start(tab, 'lag', null, async () => tab.network.lag(stored, Number(responses))),
    },
    // Delivers the delayed response and ends the lag.
    arrive: { weight: 3, execute: (_world, tab) => tab.network.arrive() },
    // Longer than the idle timeout of UBIK (45 s).
    silence: { weight: 2, execute: (_world, tab) => tab.environment.advance(46_000) },
    detach: {
      weight: 2,
      execute(_world, tab) {
        tab.wasDetached = true;
        tab.controller.detach();
      },
    },
    rejoin: {
      weight: 3,
      execute: (world, tab) => world.start(tab, 'rejoin', null, () => tab.controller.rejoin()),
    },
    upload: {
      weight: 3,
      execute(world, tab) {
        const word = world.createWord();
        const file = new File([`The word of today is ${word}.`], `${word}.txt`);
        world.start(tab, 'upload', null, () => tab.controller.uploadDocument(file));
      },
    },
    link: {
      weight: 2,
      choose: (random) => [chooseNumber(random), pickOne(random, ['link', 'unlink'])],
      async execute(world, tab, which, how) {
        const { backend, thread } = tab.controller;
        const source = pick(world.threads, which);
        if (source === undefined) return;
        const documents = await backend
          .listDocuments?.(source, { page: 1, limit: 50 })
          .catch(() => null);
        const id = pick(documents?.items ?? [], which)?.id;
        const threadId = thread?.id;
        if (id === undefined || threadId == null || tab.isClosed) return;
        world.start(tab, how ?? '', null, async () =>
          how === 'link'
            ? backend.linkDocuments?.(threadId, [id])
            : backend.unlinkDocument?.(threadId, id),
        );
      },
    },
  }),
);
