import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { ConnectedElements } from '../../src/elements/base/connected-elements.js';
import { exportThread } from '../../src/elements/menu/export-thread.js';
import type { PageTool } from '../../src/elements/tools/page-tool-types.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import * as jsonSchema from '../../src/markdown/extras/json-schema.js';
import type { RendererRule, ToolContext } from '../../src/message/parts/renderer-types.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';
import { pushPart, questionOf } from './push-part.js';

/** Adds a light DOM element to a slot. */
function addToSlot(chat: UbikChat, slot: string): void {
  const node = document.createElement('p');
  node.slot = slot;
  node.textContent = `The page's ${slot}`;
  chat.append(node);
}

describe('content of the host page in a chat', () => {
  it('is shown in the slots header, empty and footer', async () => {
    const { chat, query, start } = await setupChat((element) => {
      for (const slot of ['header', 'empty', 'footer']) addToSlot(element, slot);
    });
    const tops = ['header', 'empty', 'footer'].map((name) => {
      const node = chat.querySelector(`[slot=${name}]`);
      expect(node?.checkVisibility()).to.equal(true);
      return node?.getBoundingClientRect().top ?? NaN;
    });
    expect(tops).to.deep.equal([...tops].sort((left, right) => left - right));
    expect(query('.greeting').checkVisibility()).to.equal(false);
    await start();
    expect(chat.querySelector('[slot=empty]')?.checkVisibility()).to.equal(false);
  });

  it('is rendered at each message, and cleaned up when the message is removed', async () => {
    const cleanups: string[] = [];
    const { chat, start, root, settle, controller } = await setupChat((element) => {
      element.messageAvatar = (box, { role }) => {
        box.textContent = role === 'user' ? 'Me' : 'Bot';
        return () => cleanups.push(role);
      };
      element.messageActions = (box) => {
        box.append(document.createElement('button'));
        return undefined;
      };
    });
    await start();
    const boxes = [...chat.children].filter(({ slot }) => slot.endsWith('-avatar'));
    expect(boxes.map(({ textContent }) => textContent)).to.deep.equal(['Me', 'Bot']);
    expect(boxes.every((box) => box.checkVisibility())).to.equal(true);
    expect(root.querySelectorAll('.message-footer > .actions').length).to.equal(2);
    controller.switchToNewThread();
    await settle();
    expect(cleanups).to.deep.equal(['user', 'assistant']);
    expect(chat.children.length).to.equal(0);
  });

  it('does not affect the message when a renderer throws', async () => {
    const { start, text, names } = await setupChat((element) => {
      element.messageAvatar = () => {
        throw new Error('The page is broken.');
      };
    });
    await start('A question');
    expect(text('.message.user')).to.contain('A question');
    expect(names()).to.include('ubik-error');
  });

  describe('as a renderer of parts', () => {
    type Setup = Awaited<ReturnType<typeof setupChat>>;

    const CALL = {
      ...{ kind: 'tool', name: 'get_weather', toolId: '1', state: 'done' },
      ...{ input: null, result: '{"temperature":21}' },
    };

    /** Adds a tool call to the answer. */
    const pushTool = (setup: Setup, more: object = {}): Promise<void> =>
      pushPart(setup, 'tool:1', { ...CALL, ...more });

    it('shows a call of its tool, also when the thread is loaded again', async () => {
      const setup = await setupChat((element) => {
        element.renderers = [
          {
            tool: 'get_weather',
            renderer: {
              mount: (box, { tool }) => {
                box.textContent = JSON.stringify(tool.result);
                return undefined;
              },
            },
          },
        ];
      });
      const { chat, start, controller, backend, settle, root } = setup;
      await start();
      await pushTool(setup);
      const check = (): void => {
        expect(chat.childElementCount).to.equal(1);
        expect(chat.children[0]?.textContent).to.equal('{"temperature":21}');
        expect(chat.children[0]?.checkVisibility()).to.equal(true);
        expect(root.querySelector('.call')).to.equal(null);
      };
      check();
      backend.stream.finish('complete');
      await settle();
      controller.switchToNewThread();
      await settle();
      expect(chat.childElementCount).to.equal(0);
      const answer = stored('m2', 'assistant', 'It is warm.');
      const call = { ...CALL, key: 'tool:1' } as StoredMessage['parts'][number];
      const messages = [stored('m1', 'user', 'Question'), { ...answer, parts: [call] }];
      backend.threads.set('again', contentOf('again', messages));
      await controller.openThread('again');
      await settle();
      check();
    });

    for (const [replay, pieces] of [
      ['an equal replay', ['The weather ', 'in Vienna: ']],
      ['a replay in other pieces', ['The w', 'eather in', ' Vienna: ']],
    ] as const) {
      it(`keeps its box after ${replay} of an interrupted run, and is called once`, async () => {
        const calls: string[] = [];
        const setup = await setupChat((element) => {
          const mount = (box: HTMLElement, { tool }: ToolContext) => {
            calls.push('mount');
            box.textContent = tool.rawResult ?? tool.state;
            return {
              update: (changed: ToolContext) => {
                box.textContent = changed.tool.rawResult ?? changed.tool.state;
              },
              unmount: () => void calls.push('unmount'),
            };
          };
          element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
        });
        const { chat, start, backend, settle, environment } = setup;
        /** Emits the text before the call in pieces, then the call. */
        const emit = async (texts: readonly string[], more: object): Promise<void> => {
          let at = 0;
          for (const text of texts) {
            backend.stream.append(at, text);
            at += text.length;
          }
          await pushTool(setup, more);
        };
        await start();
        await emit(['The weather ', 'in Vienna: '], { state: 'running', result: null });
        const [box] = chat.children;
        expect(box?.textContent).to.equal('running');
        backend.stream.fail();
        await settle();
        while (backend.stream.method !== 'rejoin') {
          await environment.advance(1000);
          await settle();
        }
        backend.stream.begin();
        await emit(pieces, { state: 'running', result: null });
        expect([...chat.children]).to.deep.equal([box]);
        await pushTool(setup);
        backend.stream.finish('complete');
        await settle();
        expect([...chat.children]).to.deep.equal([box]);
        expect(box?.textContent).to.equal('{"temperature":21}');
        expect(calls).to.deep.equal(['mount']);
      });
    }

    it('keeps its box when the chat is moved', async () => {
      let unmounts = 0;
      const setup = await setupChat((element) => {
        const mount = (target: HTMLElement) => {
          target.textContent = 'drawn once';
          return { unmount: () => void (unmounts += 1) };
        };
        element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
      });
      const { chat, box, start, settle } = setup;
      await start();
      await pushTool(setup);
      const [drawn] = chat.children;
      const place = document.createElement('section');
      box.append(place);
      place.append(chat);
      await settle();
      expect([...chat.children]).to.deep.equal([drawn]);
      expect([drawn?.checkVisibility(), unmounts]).to.deep.equal([true, 0]);
    });

    it('asks the page, sends messages, and has none of these actions in other elements', async () => {
      let context: ToolContext | undefined;
      const setup = await setupChat((element) => {
        const mount = (_box: HTMLElement, given: ToolContext): undefined => void (context = given);
        element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
        element.addEventListener('ubik-part-ask', (event) => {
          if (event.detail.name === 'price') event.respondWith(Promise.resolve(event.detail.data));
        });
      });
      const { start, backend, settle, names } = setup;
      await start();
      await pushTool(setup);
      const asked = { product: 'tea' };
      expect(await context?.ask?.('price', asked)).to.deep.equal({ product: 'tea' });
      expect(Object.isFrozen(asked)).to.equal(false);
      expect(await context?.ask?.('unknown')).to.equal(undefined);
      backend.stream.finish('complete');
      await settle();
      void context?.send?.('Another question');
      await settle();
      expect(names().filter((name) => name === 'ubik-message-send').length).to.equal(2);
    });

    it('with the built-in view in its box dispatches the events of links in it', async () => {
      const { start, backend, settle, chat } = await setupChat((element) => {
        element.renderers = [
          {
            kind: 'text',
            renderer: {
              mount: (box, context) => {
                if (context.message.role === 'user') return context.decline();
                box.append(context.standard());
                return undefined;
              },
            },
          },
        ];
      });
      await start();
      backend.stream.append(0, '[docs](https://docs.example/a)');
      backend.stream.finish('complete');
      await settle();
      const opened: string[] = [];
      chat.addEventListener('ubik-link-open', (event) => {
        opened.push(event.detail.url);
        event.preventDefault();
      });
      const link = chat.children[0]?.children[0]?.shadowRoot?.querySelector('a');
      link?.click();
      expect(opened).to.deep.equal(['https://docs.example/a']);
    });

    it('defines the Markdown of its parts in exports', async () => {
      const rule: RendererRule = {
        tool: 'get_weather',
        renderer: {
          mount: () => undefined,
          toMarkdown: ({ tool }) => `Weather: **${tool.rawResult ?? ''}**`,
        },
      };
      const setup = await setupChat();
      await setup.start();
      await pushTool(setup);
      const { controller } = setup;
      const options = { renderers: [rule] };
      expect(await exportThread(controller, 'markdown', options)).to.contain(
        'Weather: **{"temperature":21}**',
      );
      expect(await exportThread(controller, 'html', options)).to.contain('<strong>');
      expect(await exportThread(controller, 'markdown')).not.to.contain('Weather');
    });
  });
});

describe('a tool of the host page', () => {
  type Setup = Awaited<ReturnType<typeof setupChat>>;

  let callCount = 0;

  /** Emits the question of a tool that waits for the page. A lock of the browser with its id may outlive the test. */
  const push = (
    setup: Setup,
    id = `call-${(callCount += 1)}`,
    input: object = { toolInput: { row: 12 } },
  ): Promise<void> =>
    pushPart(
      setup,
      `@request:tool:${id}`,
      { ...questionOf(id, 'book_seat'), ...input },
      '@activity',
    );

  /** Emits the question, and waits until it is shown. */
  const call = async (setup: Setup, id?: string, input?: object): Promise<void> => {
    await push(setup, id, input);
    await setup.settle();
  };

  /** Starts a run whose tool `book_seat` waits for the page. */
  const setUp = async (tool: PageTool, options: Partial<UbikChat> = {}): Promise<Setup> => {
    const setup = await setupChat((element) => {
      Object.assign(element, { tools: { book_seat: tool }, ...options });
    });
    await setup.start();
    return setup;
  };

  /** Waits until a condition holds: locks and storage answer in tasks of their own. */
  const until = async ({ settle }: Setup, condition: () => boolean): Promise<void> => {
    for (let rounds = 0; rounds < 200 && !condition(); rounds += 1) await settle();
  };

  const answersOf = ({ backend }: Setup): unknown[] =>
    backend.streams.filter(({ method }) => method === 'provideInput').map(({ args }) => args[2]);

  it('runs when the user allows it, and sends its result', async () => {
    const inputs: unknown[] = [];
    const setup = await setUp({
      description: 'Reserves a seat.',
      run: (input) => {
        inputs.push(input);
        return { seat: '12A' };
      },
    });
    await call(setup);
    const { query, root } = setup;
    expect(query('.host .request h3').textContent).to.equal('Allow “Book seat” on this page?');
    expect(query('.host .request').textContent).to.contain('Reserves a seat.');
    expect(root.querySelector('.request form')).to.equal(null);
    expect([inputs, answersOf(setup)]).to.deep.equal([[], []]);
    query('.host .primary').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect(inputs).to.deep.equal([{ row: 12 }]);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: { seat: '12A' } }]);
  });

  it('that the user does not allow is declined', async () => {
    const setup = await setUp({ run: () => 1 });
    await call(setup);
    setup.query('.host .quiet').click();
    await setup.settle();
    expect(answersOf(setup)).to.deep.equal([
      { type: 'declined', text: 'I don’t want to answer this.' },
    ]);
  });

  it('without confirmation runs at once, and its errors are the answer', async () => {
    const setup = await setUp({
      confirm: 'never',
      run: () => {
        throw new Error('No seat is free.');
      },
    });
    await call(setup);
    await until(setup, () => answersOf(setup).length > 0);
    const error = { code: 'tool-failed', message: 'No seat is free.' };
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: { error } }]);
  });

  /** Starts a run whose tool `book_seat` has a schema, which a module that is loaded on demand checks. */
  const setUpSchema = async (run: PageTool['run'], loadExtra: () => Promise<unknown>) => {
    const schema = { type: 'object', properties: { row: { type: 'string' } } };
    const setup = await setupChat((element) => {
      element.tools = { book_seat: { confirm: 'never', schema, run } };
      const { viewContext } = element as unknown as { readonly viewContext: object };
      Object.assign(viewContext, { loadExtra });
    });
    await setup.start();
    return setup;
  };

  it('does not run with an input that its schema does not allow, and answers why', async () => {
    let runs = 0;
    const answers: unknown[] = [];
    for (const row of [12, '12']) {
      const setup = await setUpSchema(
        () => (runs += 1),
        () => Promise.resolve(jsonSchema),
      );
      await call(setup, undefined, { toolInput: { row } });
      await until(setup, () => answersOf(setup).length > 0);
      answers.push(...answersOf(setup));
    }
    const [refused, accepted] = answers;
    expect(refused).to.have.nested.property('value.error.code', 'invalid-input');
    expect(refused).to.have.nested.property('value.error.message').that.contains('#/row');
    expect([accepted, runs]).to.deep.equal([{ type: 'json', value: 1 }, 1]);
  });

  it('does not run before its input is checked, and offers to try again when that fails', async () => {
    let runs = 0;
    let loads = 0;
    const setup = await setUpSchema(
      () => (runs += 1),
      () => {
        loads += 1;
        return loads === 1
          ? Promise.reject(new UbikError('load-failed', 'The file cannot be fetched.'))
          : Promise.resolve(jsonSchema);
      },
    );
    await call(setup, undefined, { toolInput: { row: '12' } });
    await until(setup, () => setup.root.querySelector('.host [role=alert]') !== null);
    expect([runs, answersOf(setup)]).to.deep.equal([0, []]);
    setup.query('.host .quiet').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect([runs, answersOf(setup)]).to.deep.equal([1, [{ type: 'json', value: 1 }]]);
  });

  it('asks only about the inputs that a function selects', async () => {
    const asked: unknown[] = [];
    const setup = await setUp({
      confirm: (input) => {
        asked.push(input);
        return Promise.resolve(false);
      },
      run: () => undefined,
    });
    await call(setup);
    await until(setup, () => answersOf(setup).length > 0);
    expect(asked).to.deep.equal([{ row: 12 }]);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: null }]);
  });

  it('asks in a chat that is added while the call waits, too', async () => {
    const setup = await setUp({ run: () => 1 });
    await call(setup, 'waits');
    await until(setup, () => setup.root.querySelector('.host .primary') !== null);
    const other = document.createElement('ubik-chat');
    Object.assign(other, { controller: setup.controller, tools: setup.chat.tools });
    setup.box.append(other);
    const find = (selector: string) => other.shadowRoot?.querySelector(selector) ?? null;
    await until(setup, () => find('.request .primary') !== null);
    expect(find('.host .request .primary')).not.to.equal(null);
    expect(find('.request form')).to.equal(null);
  });

  it('runs at most once, whatever is reloaded', async () => {
    let runs = 0;
    const tool: PageTool = {
      confirm: 'never',
      run: () => {
        runs += 1;
        return new Promise(() => undefined);
      },
    };
    const setup = await setUp(tool);
    await call(setup, 'reloaded');
    await until(setup, () => runs > 0);
    await call(setup, 'reloaded');
    expect(runs).to.equal(1);
    // Another page of the same user, after this one was closed during the call.
    const stored = await setup.controller.storage.get('page-tools');
    setup.chat.remove();
    setup.controller.close();
    const later = await setUp(tool);
    later.controller.storage.set('page-tools', stored as string[]);
    await call(later, 'reloaded');
    await until(later, () => answersOf(later).length > 0);
    expect(runs).to.equal(1);
    expect(answersOf(later)).to.have.length(1);
    expect(JSON.stringify(answersOf(later))).to.contain('"interrupted"');
  });

  it('is aborted when the run is stopped, and sends nothing', async () => {
    let signal: AbortSignal | undefined;
    const setup = await setUp({
      confirm: 'never',
      run: (_input, given) => {
        given.progress('Looking for seats');
        signal = given.signal;
        return new Promise((resolve) => {
          given.signal.addEventListener('abort', () => {
            resolve('too late');
          });
        });
      },
    });
    await call(setup);
    await until(setup, () => signal !== undefined);
    expect(setup.query('.host [role=status]').textContent).to.contain('Looking for seats');
    expect(signal?.aborted).to.equal(false);
    void setup.chat.stop();
    await setup.settle();
    expect(signal?.aborted).to.equal(true);
    expect(answersOf(setup)).to.deep.equal([]);
  });

  it('is aborted when another thread is shown, and its question is open again', async () => {
    let signal: AbortSignal | undefined;
    const setup = await setUp({
      confirm: 'never',
      run: (_input, given) => {
        signal = given.signal;
        return new Promise(() => undefined);
      },
    });
    await call(setup, 'left');
    await until(setup, () => signal !== undefined);
    const { controller, settle } = setup;
    const message = controller.thread?.head ?? '';
    const elements = ConnectedElements.of(controller);
    expect(elements.isHandledByPage(message, '@request:tool:left')).to.equal(true);
    controller.switchToNewThread();
    await settle();
    expect(signal?.aborted).to.equal(true);
    expect(elements.isHandledByPage(message, '@request:tool:left')).to.equal(false);
  });

  it('that cannot send its answer offers to send it again, without running again', async () => {
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { backend, query, root } = setup;
    await call(setup);
    await until(setup, () => answersOf(setup).length > 0);
    backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
    await until(setup, () => root.querySelector('.host .request .quiet') !== null);
    query('.host .request .quiet').click();
    await until(setup, () => answersOf(setup).length > 1);
    expect(runs).to.equal(1);
    expect(answersOf(setup)).to.deep.equal([
      { type: 'json', value: 1 },
      { type: 'json', value: 1 },
    ]);
  });

  it('does not run for a chat that was removed, and runs when the chat is added again', async () => {
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { box, chat, controller, settle } = setup;
    // The chat has scheduled its update for the question when it is removed.
    const unsubscribe = controller.subscribe({ all: true }, () => {
      chat.remove();
    });
    await push(setup);
    for (let rounds = 0; rounds < 4; rounds += 1) await settle();
    expect([runs, chat.isConnected]).to.deep.equal([0, false]);
    unsubscribe();
    box.append(chat);
    await until(setup, () => answersOf(setup).length > 0);
    expect(runs).to.equal(1);
  });

  it('that is left while it is checked does not run, and runs when the thread is shown again', async () => {
    const decisions: ((asks: boolean) => void)[] = [];
    let runs = 0;
    const setup = await setUp({
      confirm: () => new Promise((resolve) => decisions.push(resolve)),
      run: () => (runs += 1),
    });
    await call(setup);
    await until(setup, () => decisions.length > 0);
    const { backend, controller, settle } = setup;
    const id = controller.thread?.id ?? '';
    controller.switchToNewThread();
    await settle();
    decisions[0]?.(false);
    for (let rounds = 0; rounds < 5; rounds += 1) await settle();
    expect(runs).to.equal(0);
    backend.stream.finish('waiting');
    await settle();
    await controller.openThread(id);
    await until(setup, () => decisions.length > 1);
    decisions[1]?.(false);
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
  });

  it('asks again when the service does not stop the run', async () => {
    const setup = await setUp({ run: () => 'done' });
    const { backend, chat, query, root, settle } = setup;
    await call(setup);
    let refuse: (error: UbikError) => void = () => undefined;
    backend.responses.set('stop', () => new Promise((_resolve, reject) => (refuse = reject)));
    query('.host .primary').focus();
    const stopped = chat.stop();
    await settle();
    expect(root.querySelector('.host button')).to.equal(null);
    expect(root.activeElement).to.equal(query('.host section'));
    refuse(new UbikError('server', 'no'));
    await stopped;
    await until(setup, () => root.querySelector('.host .primary') !== null);
    query('.host .primary').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 'done' }]);
  });

  it('sends an answer that could not be sent when its thread is shown again, without running again', async () => {
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { backend, controller, root, settle } = setup;
    await call(setup);
    await until(setup, () => answersOf(setup).length > 0);
    backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
    await until(setup, () => root.querySelector('.host .request .quiet') !== null);
    const id = controller.thread?.id ?? '';
    controller.switchToNewThread();
    await settle();
    await controller.openThread(id);
    await until(setup, () => answersOf(setup).length > 1);
    expect(runs).to.equal(1);
    expect(answersOf(setup)).to.deep.equal([
      { type: 'json', value: 1 },
      { type: 'json', value: 1 },
    ]);
  });

  it('gets the input of its own call when several calls of the tool wait', async () => {
    const inputs: unknown[] = [];
    const setup = await setUp({ confirm: 'never', run: (input) => inputs.push(input) });
    for (const [id, input] of [
      ['first', '{"row":1}'],
      ['second', '{"row":2}'],
    ] as const) {
      const value = { kind: 'tool', name: 'book_seat', toolId: id, state: 'waiting', input };
      await pushPart(setup, `tool:${id}`, { ...value, result: null });
    }
    for (const id of ['first', 'second']) await call(setup, id, {});
    await until(setup, () => inputs.length > 1);
    expect(inputs).to.deep.equal([{ row: 1 }, { row: 2 }]);
  });

  const refused = { request: () => Promise.reject(new DOMException('Denied.', 'SecurityError')) };
  for (const [name, locks] of [
    ['with', navigator.locks],
    ['without', undefined],
    ['in a document that may not use', refused],
  ] as const) {
    it(`records all calls that start together, ${name} locks of the browser`, async () => {
      Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
      try {
        let runs = 0;
        const setup = await setUp({
          confirm: 'never',
          run: () => {
            runs += 1;
            return new Promise(() => undefined);
          },
        });
        const ids = [1, 2, 3].map((number) => `together-${String(number)}-${name}`);
        await Promise.all(ids.map((id) => call(setup, id)));
        await until(setup, () => runs > 2);
        expect(await setup.controller.storage.get('page-tools')).to.have.members(ids);
      } finally {
        delete (navigator as { locks?: unknown }).locks;
      }
    });
  }

  it('leaves the questions of other tools to their form, and those that the page answers', async () => {
    const setup = await setupChat((element) => {
      element.tools = { other: { run: () => 1 }, book_seat: { run: () => 1 } };
      element.addEventListener('ubik-input-required', (event) => {
        event.preventDefault();
      });
    });
    await setup.start();
    await call(setup);
    expect(setup.root.querySelector('.host')).to.equal(null);
    expect(setup.query('.request').dataset['state']).to.equal('external');
    setup.chat.tools = {};
    setup.backend.stream.request('@request:tool:2', 'tool');
    await setup.settle();
    expect(setup.root.querySelectorAll('.request').length).to.equal(2);
    expect(setup.names()).not.to.include('ubik-error');
  });
});
