import { ACTIVITY, type PartOf } from '../../../src/model/part.js';
import type { Message } from '../../../src/model/message.js';
import { pickOne } from '../../helpers/seeded-random.js';
import { aNumber, ask, hold, HOLDS, number, pick, question, type Act } from './act.js';
import { QUEUE_ACTS } from './queue-acts.js';
import type { Tab } from '../world/tab.js';
import { shownIn } from '../world/world.js';

/** Requests that wait for an answer, with the messages that ask. */
function openRequests(tab: Tab): { message: Message; request: PartOf<'request-activity'> }[] {
  return shownIn(tab).flatMap((message) =>
    message.parts.children(ACTIVITY).flatMap((key) => {
      const request = message.parts.get(key);
      const isOpen = request?.kind === 'request-activity' && request.state === 'pending';
      return isOpen ? [{ message, request }] : [];
    }),
  );
}

/** Everything that is done, by its name. */
export const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>(
  Object.entries<Act>({
    send: {
      weight: 22,
      choose: question,
      do(world, tab, kind = '', point = '-') {
        const { text } = ask(world, kind);
        hold(world, point);
        world.begin(tab, 'send', text, () => tab.controller.send({ text, attachments: [] }));
      },
    },
    edit: {
      weight: 7,
      choose: (random) => [number(random), ...question(random)],
      do(world, tab, which, kind = '', point = '-') {
        const mine = shownIn(tab).filter(({ role }) => role === 'user');
        const message = pick(mine, which);
        if (!message) return;
        const { text } = ask(world, kind);
        hold(world, point);
        const draft = { text, attachments: [] };
        world.begin(tab, 'edit', text, () => tab.controller.edit(message.key, draft));
      },
    },
    regenerate: {
      weight: 7,
      choose: (random) => [number(random), pickOne(random, HOLDS)],
      do(world, tab, which, point = '-') {
        const message = pick(shownIn(tab), which);
        if (!message) return;
        hold(world, point);
        world.begin(tab, 'regenerate', null, () => tab.controller.regenerate(message.key));
      },
    },
    navigate: {
      weight: 7,
      choose: aNumber,
      do(world, tab, which) {
        const others = shownIn(tab).flatMap(({ id, siblingIds }) =>
          siblingIds.filter((other) => other !== id),
        );
        const target = pick(others, which);
        if (target === undefined) return;
        world.begin(tab, 'navigate', null, () => tab.controller.switchBranch(target));
      },
    },
    restore: {
      weight: 6,
      choose: (random) => [
        number(random),
        pickOne(random, ['hint', 'plain']),
        pickOne(random, HOLDS),
      ],
      async do(world, tab, which, hint, point = '-') {
        const { controller } = tab;
        if (!controller.thread) return;
        const listed = await controller.listCheckpoints().catch(() => []);
        const checkpoint = pick(
          listed.filter(({ restorable }) => restorable),
          which,
        );
        if (!checkpoint || tab.isGone) return;
        const text = hint === 'hint' ? `only the second, ${world.word()}` : null;
        hold(world, point);
        world.begin(tab, 'restore', text, () =>
          controller.restoreCheckpoint(checkpoint.name, text),
        );
      },
    },
    answer: {
      weight: 10,
      choose: (random) => [number(random), pickOne(random, ['yes', 'yes', 'no'])],
      do(world, tab, which, how) {
        const asked = pick(openRequests(tab), which);
        if (!asked) return;
        const { message, request } = asked;
        const text = how === 'yes' ? `by length, ${world.word()}` : null;
        const answer =
          text === null
            ? ({ type: 'declined', text: "I don't want to answer this." } as const)
            : ({ type: 'text', text } as const);
        const name = request.level === 'tool' ? 'answer-tool' : 'answer';
        world.begin(tab, name, text, () =>
          tab.controller.provideInput(message.key, request.key, answer),
        );
      },
    },
    stop: {
      weight: 6,
      do: (world, tab) => world.begin(tab, 'stop', null, () => tab.controller.stop()),
    },
    go: { weight: 12, do: ({ service, person }) => service.gates.release(person) },
    open: {
      weight: 7,
      choose: aNumber,
      do(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        world.begin(tab, 'open', null, () => tab.controller.openThread(id), id);
      },
    },
    new: {
      weight: 5,
      do: (world, tab) =>
        world.begin(tab, 'new', null, async () => tab.controller.switchToNewThread()),
    },
    rename: {
      weight: 3,
      choose: aNumber,
      do(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        const title = `Title ${world.word()}`;
        world.begin(tab, 'rename', null, () => tab.controller.renameThread(id, title), id);
      },
    },
    delete: {
      weight: 2,
      choose: aNumber,
      do(world, tab, which) {
        const id = pick(world.threads, which);
        if (id === undefined) return;
        world.deleted.add(id);
        world.begin(tab, 'delete', null, () => tab.controller.deleteThread(id), id);
      },
    },
    list: {
      weight: 2,
      do: (world, tab) =>
        world.begin(tab, 'list', null, () => tab.controller.listThreads({ page: 1, limit: 20 })),
    },
    reload: {
      weight: 6,
      choose: (random) => [pickOne(random, ['leave', 'crash'])],
      async do(world, tab, how) {
        const [name = ''] = [...'AB'].filter((each) => world.has(each, tab));
        if (how === 'crash') tab.die();
        else {
          tab.page.hide();
          tab.close();
        }
        world.forget(name);
        await world.tab(name);
      },
    },
    close: {
      weight: 3,
      do(world, tab) {
        if (!world.has('B', tab)) return;
        tab.close();
        world.forget('B');
      },
    },
    ...QUEUE_ACTS,
    cut: { weight: 7, do: (_world, tab) => tab.cable.cut() },
    lose: {
      weight: 4,
      choose: (random) => [pickOne(random, ['request', 'answer'])],
      do: (_world, tab, what) => tab.cable.lose(what as 'request' | 'answer'),
    },
    // One answer about a thread is late: what comes after it overtakes it.
    slow: { weight: 4, do: (_world, tab) => tab.cable.delay() },
    // A service that stores late, or in parts: answers about a thread are behind. Put between the acts of sequences of their own.
    lag: {
      weight: 0,
      choose: (random) => [
        pickOne(random, ['nothing', 'question', 'empty', 'half']),
        pickOne(random, ['1', '2', '3']),
      ],
      do: (world, tab, stored = '', answers) =>
        world.begin(tab, 'lag', null, async () => tab.cable.lag(stored, Number(answers))),
    },
    arrive: { weight: 3, do: (_world, tab) => tab.cable.arrive() },
    silence: { weight: 2, do: (_world, tab) => tab.environment.advance(46_000) },
    detach: {
      weight: 2,
      do(_world, tab) {
        tab.wasDetached = true;
        tab.controller.detach();
      },
    },
    rejoin: {
      weight: 3,
      do: (world, tab) => world.begin(tab, 'rejoin', null, () => tab.controller.rejoin()),
    },
    upload: {
      weight: 3,
      do(world, tab) {
        const word = world.word();
        const file = new File([`The word of today is ${word}.`], `${word}.txt`);
        world.begin(tab, 'upload', null, () => tab.controller.uploadDocument(file));
      },
    },
    link: {
      weight: 2,
      choose: (random) => [number(random), pickOne(random, ['link', 'unlink'])],
      async do(world, tab, which, how) {
        const { backend, thread } = tab.controller;
        const source = pick(world.threads, which);
        if (source === undefined) return;
        const documents = await backend
          .listDocuments?.(source, { page: 1, limit: 50 })
          .catch(() => null);
        const id = pick(documents?.items ?? [], which)?.id;
        const threadId = thread?.id;
        if (id === undefined || threadId == null || tab.isGone) return;
        world.begin(tab, how ?? '', null, async () =>
          how === 'link'
            ? backend.linkDocuments?.(threadId, [id])
            : backend.unlinkDocument?.(threadId, id),
        );
      },
    },
  }),
);
