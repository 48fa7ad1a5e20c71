import { expect, fixture, html } from '@open-wc/testing';
import type { LitElement } from 'lit';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import '../../src/elements/branches/branch-map-panel.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/threads/threads-panel.js';
import '../../src/elements/window/chat-window.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import {
  contentOf,
  documentOf,
  stored,
  type ScriptedBackend,
} from '../controller/scripted-backend.js';
import { nextFrame, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';
import { ScriptedClock } from './scripted-clock.js';
import { threadsOf } from './thread-fixture.js';

const CAPABILITIES = [
  'threads',
  'rename',
  'delete',
  'documents',
  'upload',
  'link',
  'context',
] as const;

before(() => lazyDocuments.load());

/** A controller whose thread has a running answer and a document that is being processed. */
async function setupConversation() {
  const conversation = setupController();
  const { backend, controller, environment } = conversation;
  for (const name of CAPABILITIES) backend.capabilities.add(name);
  backend.responses.set('listThreads', () => ({ items: threadsOf(3), hasMore: false, total: 3 }));
  backend.documents = [documentOf('a', { status: 'pending' })];
  const options = { properties: { deepThinking: { type: 'boolean' } } };
  Object.assign(backend, {
    loadOnboarding: () =>
      Promise.resolve({ greeting: null, starters: [], messageOptions: options }),
  } satisfies Partial<Record<keyof ScriptedBackend | 'loadOnboarding', unknown>>);
  backend.threads.set(
    'a',
    contentOf('a', [stored('m1', 'user', 'Question'), stored('m2', 'assistant', 'Answer')]),
  );
  await controller.openThread('a');
  void controller.send({ text: 'Another question', attachments: [] });
  await environment.settle();
  backend.stream.begin();
  await environment.settle();
  return conversation;
}

/** Elements, each with what is done before it is first removed. */
const ELEMENTS: readonly (readonly [
  name: string,
  create: () => HTMLElement,
  use?: (element: HTMLElement) => void,
])[] = [
  ['<ubik-chat>', () => document.createElement('ubik-chat'), writeCommand],
  [
    '<ubik-chat> with side panels',
    () => {
      const chat = document.createElement('ubik-chat');
      chat.style.width = '1200px';
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      const documents = document.createElement('ubik-documents');
      documents.slot = 'end';
      chat.append(list, documents);
      return chat;
    },
  ],
  [
    '<ubik-chat layout="bubble">',
    () => Object.assign(document.createElement('ubik-chat'), { layout: 'bubble', open: true }),
    writeCommand,
  ],
  ['<ubik-composer>', () => document.createElement('ubik-composer'), writeCommand],
  ['<ubik-transcript>', () => document.createElement('ubik-transcript')],
  ['<ubik-thread-list>', () => document.createElement('ubik-thread-list')],
  ['<ubik-documents>', () => document.createElement('ubik-documents')],
  ['<ubik-checkpoints>', () => document.createElement('ubik-checkpoints')],
  ['<ubik-branch-map>', () => document.createElement('ubik-branch-map')],
];

/** Opens the list of commands, which observes the window to stay beside the field. */
function writeCommand(node: HTMLElement): void {
  const chat = node as UbikChat;
  chat.commands = [{ name: 'summary' }];
  const field = chat.shadowRoot?.querySelector('textarea');
  if (!field) throw new Error('There is no message field.');
  field.focus();
  field.value = '/s';
  field.setSelectionRange(2, 2);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Selectors of what the elements show of a conversation. */
const SHOWN = [
  ...['.message', '.option', '.queue li', '.chip'],
  ...['.threads', '.documents', '.checkpoints', '.branch-map'],
];

describe('an element whose controller is set to null', () => {
  for (const [name, create] of ELEMENTS.filter(([each]) => !each.startsWith('<ubik-chat'))) {
    it(`neither observes nor shows that controller until it is set again: ${name}`, async () => {
      const { controller, environment } = await setupConversation();
      await controller.enqueue({ text: 'A third question', attachments: [] });
      controller.setDraft({ text: '', attachments: [{ id: 'a', name: 'a.pdf' }] });
      uploadQueueOf(controller);
      const observations = recordObservations({}, [controller]);
      const element = create();
      const box = await fixture(html`<div style="height: 500px"></div>`);
      box.append(element);
      const settle = async (value: typeof controller | null): Promise<unknown> => {
        Object.assign(element, { controller: value });
        for (let turn = 0; turn < 5; turn += 1) {
          await environment.settle();
          await nextFrame();
        }
        const find = (selector: string) => element.shadowRoot?.querySelector(selector);
        return [SHOWN.filter(find), observations.list()];
      };
      const connected = await settle(controller);
      expect(connected).to.not.deep.equal([[], []]);
      expect(await settle(null)).to.deep.equal([[], []]);
      expect(await settle(controller)).to.deep.equal(connected);
      observations.restore();
    });
  }
});

describe('an element that is removed while its code is loading', () => {
  for (const name of ['ubik-thread-list', 'ubik-documents', 'ubik-checkpoints']) {
    it(`requests and observes nothing until it is added again: <${name}>`, async () => {
      const { backend, controller, environment } = await setupConversation();
      uploadQueueOf(controller);
      const observations = recordObservations({}, [controller]);
      const settle = async (): Promise<void> => {
        for (let turn = 0; turn < 5; turn += 1) {
          await environment.settle();
          await nextFrame();
        }
      };
      const element = document.createElement(name) as LitElement;
      Object.assign(element, { controller });
      const remove = {
        hostUpdated: () => {
          element.remove();
        },
      };
      // Called after the element has connected to the controller, which loads its code.
      element.addController(remove);
      const box = await fixture(html`<div style="height: 500px"></div>`);
      const before = [observations.list(), backend.calls.length];
      box.append(element);
      await settle();
      expect(element.isConnected).to.equal(false);
      expect([observations.list(), backend.calls.length]).to.deep.equal(before);
      element.removeController(remove);
      box.append(element);
      await settle();
      expect(observations.list()).not.to.deep.equal(before[0]);
      expect(SHOWN.some((selector) => element.shadowRoot?.querySelector(selector))).to.equal(true);
      observations.restore();
    });
  }
});

describe('a removed element', () => {
  for (const [name, create, use] of ELEMENTS) {
    it(`observes nothing any more, and the same as before when it is added again: ${name}`, async () => {
      const { controller, environment } = await setupConversation();
      const settle = async (): Promise<void> => {
        for (let turn = 0; turn < 5; turn += 1) {
          await environment.settle();
          await nextFrame();
        }
      };
      const element = create();
      const clock = new ScriptedClock();
      for (const each of [element, ...element.children])
        Object.assign((each as unknown as { viewContext: object }).viewContext, { clock });
      const box = await fixture(html`<div style="height: 500px"></div>`);
      // The queue of uploads observes its controller as long as that exists.
      uploadQueueOf(controller);
      const observations = recordObservations(
        { window, document, viewport: window.visualViewport, element },
        [controller],
      );
      /** What is observed, except the element's own events, and the number of listeners of the clock. */
      const observed = (): readonly (string | number)[] => [
        ...observations.list().filter((each) => !each.startsWith('element ubik-')),
        clock.waiting,
      ];
      try {
        Object.assign(element, { controller });
        const idle = observed();
        const states: (readonly (string | number)[])[] = [];
        for (let time = 0; time < 3; time += 1) {
          box.append(element);
          await settle();
          states.push(observed());
          expect(clock.isRunning, 'connected').to.equal(true);
          if (time === 0) use?.(element);
          await settle();
          element.remove();
          await settle();
          expect(observed(), 'removed').to.deep.equal(idle);
          expect(clock.isRunning, 'removed').to.equal(false);
          for (const each of [element, ...element.children])
            (each as unknown as { requestUpdate(): void }).requestUpdate();
          await settle();
          expect(observed(), 'rendered while it is removed').to.deep.equal(idle);
        }
        const [first = [], second = [], third = []] = states;
        expect(first.length).to.be.above(idle.length);
        expect(third).to.deep.equal(second);
        // The first use has loaded code that also observes.
        if (use) expect(second.length).to.be.above(first.length);
        else expect(second).to.deep.equal(first);
      } finally {
        observations.restore();
        element.remove();
      }
    });
  }
});
