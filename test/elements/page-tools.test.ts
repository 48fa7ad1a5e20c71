import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { ConnectedElements } from '../../src/elements/base/connected-elements.js';
import type { PageTool } from '../../src/elements/tools/page-tool-types.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import * as jsonSchema from '../../src/markdown/extras/json-schema.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { Deferred } from '../helpers/deferred.js';
import { setupChat, setupController } from './chat-fixture.js';
import { pushPart, questionOf } from './push-part.js';

describe('a tool of the host page', () => {
  type Setup = Awaited<ReturnType<typeof setupChat>>;

  let callCount = 0;

  /** Emits the question of a tool that waits for the page. By default with a new id, because a lock of the browser with the id may outlive a test. */
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

  /** Waits until a condition holds: locks and the storage respond in separate tasks. */
  const until = async ({ settle }: Setup, condition: () => boolean): Promise<void> => {
    for (let rounds = 0; rounds < 200 && !condition(); rounds += 1) await settle();
    if (!condition()) throw new Error(`Not met: ${String(condition)}`);
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
    await call(setup, 'repeated');
    const { query, root } = setup;
    expect(query('.host .request h3').textContent).to.equal('Allow “Book seat” on this page?');
    expect(query('.host .request').textContent).to.contain('Reserves a seat.');
    expect(root.querySelector('.request form')).to.equal(null);
    expect([inputs, answersOf(setup)]).to.deep.equal([[], []]);
    query('.host .primary').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect(inputs).to.deep.equal([{ row: 12 }]);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: { seat: '12A' } }]);
    // Once the answer is accepted, the page no longer handles the request: if the service asked again, the user would be asked.
    expect(isHandled(setup, 'repeated')).to.equal(true);
    setup.backend.stream.begin();
    await until(setup, () => !isHandled(setup, 'repeated'));
    await setup.settle();
    expect(isHandled(setup, 'repeated')).to.equal(false);
  });

  it('can be stopped with its run while it works', async () => {
    const signals: AbortSignal[] = [];
    const setup = await setUp({
      confirm: 'never',
      run: (_input, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    await call(setup);
    await until(setup, () => signals.length > 0);
    const { backend, query, settle } = setup;
    backend.stream.finish('waiting');
    await settle();
    expect(query('.send').title).to.equal('Stop');
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
    expect(signals[0]?.aborted).to.equal(true);
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

  it('also asks in a chat that is added while the call waits', async () => {
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

  it('runs at most once, also when its call is repeated or the page is opened again', async () => {
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

  it('does not run when the run is stopped while the storage records the call, which can be started again', async () => {
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { tabStorage: storage } = setup.environment;
    const set = storage.set.bind(storage);
    const recorded = new Deferred<undefined>();
    let isRecording = false;
    storage.set = async (key, value) => {
      if (!key.includes('page-tools')) return set(key, value);
      isRecording = true;
      await recorded.promise;
      return set(key, value);
    };
    await call(setup, 'recorded');
    await until(setup, () => isRecording);
    void setup.chat.stop();
    await setup.settle();
    recorded.resolve(undefined);
    for (let rounds = 0; rounds < 5; rounds += 1) await setup.settle();
    expect([runs, answersOf(setup)]).to.deep.equal([0, []]);
    expect(await setup.controller.storage.get('page-tools')).to.deep.equal([]);
    setup.backend.stream.finish('stopped');
    await setup.settle();
    await setup.start();
    await call(setup, 'recorded');
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
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

  it('answers the conversation that has called it when another one is connected meanwhile', async () => {
    let finish: ((result: number) => void) | undefined;
    const run = (): Promise<number> => new Promise((resolve) => (finish = resolve));
    const setup = await setUp({ confirm: 'never', run });
    const { controller } = setup;
    // Another element still uses this controller.
    const release = controller.retain();
    await call(setup);
    await until(setup, () => finish !== undefined);
    const other = setupController();
    setup.chat.controller = other.controller;
    await setup.settle();
    finish?.(1);
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
    expect(other.backend.calls).to.deep.equal([]);
    release();
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

  it('whose thread is left while `confirm` decides does not run, and runs when the thread is shown again', async () => {
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

  it('whose answer could not be sent sends it when the thread is shown again, without running again', async () => {
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

  it('leaves a question to the page that answers it itself, and the questions of other tools to their form', async () => {
    let answersItself = true;
    const setup = await setupChat((element) => {
      element.tools = { book_seat: { run: () => 1 } };
      element.addEventListener('ubik-input-required', (event) => {
        if (answersItself) event.preventDefault();
      });
    });
    const { root, query } = setup;
    await setup.start();
    await call(setup);
    expect(root.querySelector('.host')).to.equal(null);
    expect(query('.request').dataset['state']).to.equal('external');
    expect(root.querySelector('.request form')).to.equal(null);
    answersItself = false;
    await call(setup, undefined, { toolName: 'other', inputTypes: ['text'] });
    expect(root.querySelectorAll('.request').length).to.equal(2);
    expect(root.querySelector('.host')).to.equal(null);
    expect(root.querySelectorAll('.request form').length).to.equal(1);
    expect(setup.names()).not.to.include('ubik-error');
  });

  /** Whether the host page answers the question of a call, so that the user is not asked for an answer. */
  const isHandled = ({ controller }: Setup, id: string): boolean =>
    ConnectedElements.of(controller).isHandledByPage(
      controller.thread?.head ?? '',
      `@request:tool:${id}`,
    );

  /** Sets the state of the question of a call, as when it was answered elsewhere. */
  const setState = async ({ backend, settle }: Setup, id: string, state: string): Promise<void> => {
    const message = backend.stream.keys.answer;
    const part = `@request:tool:${id}`;
    backend.stream.push({ type: 'set', message, part, path: ['state'], value: state });
    await settle();
    await settle();
  };

  it('shows its input, then what it is doing, then its answer', async () => {
    let finish: (seat: string) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const setup = await setUp({
      run: (_input, given) => {
        signal = given.signal;
        return new Promise((resolve) => (finish = resolve));
      },
    });
    const { backend, controller, query, root, settle, text } = setup;
    await call(setup, 'shown');
    expect(text('.host .request')).to.match(/^Request to this page Allow “Book seat” .*row.*12/u);
    expect(root.querySelector('.host p[dir]'), 'it has no description').to.equal(null);
    expect(query('.host section').getAttribute('aria-labelledby')).to.equal(query('.host h3').id);
    expect(isHandled(setup, 'shown')).to.equal(false);
    query('.host .primary').click();
    expect(text('.host h3')).to.equal('Book seat');
    expect(text('.host [role=status]')).to.equal('The page is working…');
    expect(root.querySelector('.host button')).to.equal(null);
    expect(isHandled(setup, 'shown')).to.equal(true);
    await until(setup, () => signal !== undefined);
    expect(root.activeElement, 'the focus stays where it was').to.equal(null);
    finish('12A');
    await until(setup, () => answersOf(setup).length > 0);
    backend.stream.begin();
    await settle();
    await settle();
    expect(root.querySelector('.host')).to.equal(null);
    expect(query('.request').dataset['state']).to.equal('answered');
    controller.close();
    expect(signal?.aborted, 'the call had ended before').to.equal(false);
  });

  it('is aborted when its question is answered elsewhere or the controller is closed', async () => {
    for (const end of ['answered', 'closed']) {
      let signal: AbortSignal | undefined;
      const setup = await setUp({
        confirm: 'never',
        run: (_input, given) => {
          signal = given.signal;
          return new Promise(() => undefined);
        },
      });
      await call(setup, end);
      await until(setup, () => signal !== undefined);
      if (end === 'answered') await setState(setup, end, 'answered');
      else setup.controller.close();
      expect(signal?.aborted, end).to.equal(true);
      expect(answersOf(setup)).to.deep.equal([]);
    }
  });

  it('neither runs nor asks any more when the run was stopped', async () => {
    let runs = 0;
    const setup = await setUp({ run: () => (runs += 1) });
    await call(setup, 'stopped');
    expect(setup.query('.host .primary')).to.be.instanceOf(HTMLElement);
    void setup.chat.stop();
    await setup.settle();
    setup.backend.stream.push({ type: 'thread', set: { run: { state: 'stopped' } } });
    await setup.settle();
    setup.chat.requestUpdate();
    await setup.settle();
    expect(setup.root.querySelector('.host button')).to.equal(null);
    expect(runs).to.equal(0);
  });

  it('releases its lock when it ignores that it was aborted', async () => {
    const setup = await setUp({ confirm: 'never', run: () => new Promise(() => undefined) });
    const names = async (): Promise<(string | undefined)[]> =>
      ((await navigator.locks.query()).held ?? []).map(({ name }) => name);
    const waitForLock = async (isHeld: boolean): Promise<void> => {
      for (let rounds = 0; rounds < 200; rounds += 1) {
        if ((await names()).includes('ubik-page-tool ignoring') === isHeld) return;
        await setup.settle();
      }
      throw new Error(`The lock is ${isHeld ? 'not held' : 'held'}.`);
    };
    await call(setup, 'ignoring');
    await waitForLock(true);
    setup.controller.switchToNewThread();
    await waitForLock(false);
  });

  it('waits for the same call in another tab, and does not run when it was answered there', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isWaiting = true;
    void navigator.locks.request('ubik-page-tool elsewhere', () => {
      isWaiting = false;
      return held;
    });
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    await until(setup, () => !isWaiting);
    await call(setup, 'elsewhere');
    expect(setup.text('.host [role=status]')).to.equal('The page is working…');
    await setState(setup, 'elsewhere', 'answered');
    release();
    for (let rounds = 0; rounds < 5; rounds += 1) await setup.settle();
    expect([runs, answersOf(setup)]).to.deep.equal([0, []]);
    expect(setup.root.querySelector('.error-text, .host')).to.equal(null);
  });

  it('shows why it could not be started, and is started again on request', async () => {
    let runs = 0;
    let reads = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { storage } = setup.controller;
    const { get } = storage;
    Object.assign(storage, {
      get: (name: string) => {
        if (name === 'page-tools') reads += 1;
        return name === 'page-tools' && reads === 1
          ? Promise.reject(new UbikError('storage'))
          : get.call(storage, name);
      },
    });
    await call(setup);
    await until(setup, () => setup.root.querySelector('.host [role=alert]') !== null);
    expect([runs, reads]).to.deep.equal([0, 1]);
    expect(setup.text('.host button')).to.equal('Retry');
    setup.query('.host button').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
  });

  it('offers to send its answer again when the host page cancels that, without running again', async () => {
    let runs = 0;
    const setup = await setUp({ confirm: 'never', run: () => (runs += 1) });
    const { query, root, chat } = setup;
    let isCancelled = true;
    chat.addEventListener('ubik-input-provide', (event) => {
      if (isCancelled) event.preventDefault();
    });
    await call(setup);
    await until(setup, () => root.querySelector('.host .request .quiet') !== null);
    expect(answersOf(setup)).to.deep.equal([]);
    expect(root.querySelector('.host [role=alert]')).to.equal(null);
    isCancelled = false;
    query('.host .request .quiet').click();
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
    expect(runs).to.equal(1);
  });

  it('shows no error when its answer was cancelled', async () => {
    const setup = await setUp({ confirm: 'never', run: () => 1 });
    await call(setup);
    await until(setup, () => answersOf(setup).length > 0);
    setup.backend.stream.fail(new UbikError('aborted'));
    await setup.settle();
    await setup.settle();
    expect(setup.root.querySelector('.host [role=alert]')).to.equal(null);
  });

  it('asks when the function that decides about it throws, and sends what is thrown by the tool', async () => {
    const thrown = 'No seat is free.' as unknown as Error;
    const setup = await setUp({
      confirm: () => {
        throw new Error('A mistake of the page');
      },
      run: () => Promise.reject(thrown),
    });
    await call(setup);
    await until(setup, () => setup.root.querySelector('.host .primary') !== null);
    setup.query('.host .primary').click();
    await until(setup, () => answersOf(setup).length > 0);
    const error = { code: 'tool-failed', message: 'No seat is free.' };
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: { error } }]);
  });

  it('remembers the last 200 calls, those without an id of the service by their thread and request', async () => {
    const setup = await setUp({ confirm: 'never', run: () => 1 });
    const before = Array.from({ length: 200 }, (_, index) => `earlier-${String(index)}`);
    setup.controller.storage.set('page-tools', before);
    await call(setup, 'unnamed', { toolInput: {}, executionId: null });
    await until(setup, () => answersOf(setup).length > 0);
    const id = JSON.stringify(['thread-id-1', '@request:tool:unnamed']);
    expect(await setup.controller.storage.get('page-tools')).to.deep.equal([
      ...before.slice(1),
      id,
    ]);
  });

  it('moves the focus from an answered question to the next one', async () => {
    const setup = await setUp({ run: () => 'done' });
    const { backend, query, root, settle } = setup;
    await call(setup, 'focus-1');
    await call(setup, 'focus-2');
    const [first] = root.querySelectorAll<HTMLElement>('.host .primary');
    first?.focus();
    first?.click();
    expect(root.activeElement).to.equal(query('.host section'));
    await until(setup, () => answersOf(setup).length > 0);
    backend.stream.begin();
    for (let rounds = 0; rounds < 3; rounds += 1) await settle();
    expect(root.querySelectorAll('.host .primary').length).to.equal(1);
    expect(root.activeElement).to.equal(query('.host .primary'));
  });

  it('is asked about in the language of the chat, also when that changes', async () => {
    const setup = await setUp({ run: () => 1 });
    await call(setup);
    const english = setup.text('.host .primary');
    setup.chat.lang = 'de';
    await until(setup, () => setup.text('.host .primary') !== english);
    expect(setup.text('.host .primary')).to.equal('Erlauben');
  });

  it('shows no progress that is reported after it was aborted', async () => {
    let report: (text: string) => void = () => undefined;
    const setup = await setUp({
      confirm: 'never',
      run: (_input, { progress }) => {
        report = progress;
        progress('First');
        return new Promise(() => undefined);
      },
    });
    const { backend, chat, settle, text } = setup;
    await call(setup);
    await until(
      setup,
      () => setup.root.querySelector('.host')?.textContent.includes('First') ?? false,
    );
    report(7 as never);
    expect(text('.host [role=status]')).to.equal('7');
    backend.responses.set('stop', () => Promise.reject(new UbikError('server', 'no')));
    const stopped = chat.stop();
    await settle();
    report('Late');
    await stopped;
    await until(setup, () => answersOf(setup).length > 0);
    expect(text('.host [role=status]')).to.equal('7');
  });

  const step = { kind: 'step', name: 'plan', state: 'running' };
  const tool = { kind: 'tool', name: 'book_seat', toolId: null, state: 'waiting', result: null };
  for (const [name, parts, expected] of [
    [
      'of its own call inside a step',
      [step, { ...tool, toolId: 'ID', input: '{"row":1}' }],
      { row: 1 },
    ],
    [
      'of the last call of the tool when none has its id',
      [
        { ...tool, input: '{"row":1}' },
        { ...tool, input: '{"row":2}' },
        { ...tool, name: 'other', input: '{"row":3}' },
      ],
      { row: 2 },
    ],
    [
      'of a call that has no result yet',
      [
        { ...tool, toolId: 'ID', input: '{"row":1}', result: '{}' },
        { ...tool, input: '{"row":2}' },
        { ...tool, input: '{"row":3}', result: '{}' },
      ],
      { row: 2 },
    ],
    ['as a text when it is not JSON', [{ ...tool, input: 'row 12' }], 'row 12'],
    ['as null while it is unknown', [{ ...tool, input: null }], null],
    ['as null without a call', [], null],
  ] as const) {
    it(`gets the input ${name}`, async () => {
      const inputs: unknown[] = [];
      const setup = await setUp({ confirm: 'never', run: (input) => inputs.push(input) });
      const id = `input-${(callCount += 1)}`;
      const hasStep = (parts as readonly object[]).includes(step);
      for (const [index, part] of parts.entries()) {
        const isInside = hasStep && index === 1;
        const value = 'toolId' in part && part.toolId === 'ID' ? { ...part, toolId: id } : part;
        await pushPart(setup, `part:${index}`, value, isInside ? 'part:0' : null);
      }
      await call(setup, id, {});
      await until(setup, () => inputs.length > 0);
      expect(inputs).to.deep.equal([expected]);
    });
  }

  for (const [name, fields] of [
    ['of the agent', { level: 'agent', toolName: 'book_seat' }],
    ['without the name of a tool', { toolName: null }],
    ['of a tool with the name of a method of all objects', { toolName: 'toString' }],
  ] as const) {
    it(`leaves a question ${name} to its form`, async () => {
      const run = (): number => 1;
      // The tool `null` would be found if a missing name was converted to a string.
      const setup = await setUp({ run }, { tools: { book_seat: { run }, null: { run } } });
      await call(setup, undefined, { inputTypes: ['text'], ...fields });
      expect(setup.root.querySelector('.host')).to.equal(null);
      expect(setup.query('.request form')).to.be.instanceOf(HTMLElement);
    });
  }

  it('answers a question that was asked before the page set the tool', async () => {
    const setup = await setupChat();
    await setup.start();
    await call(setup);
    expect(setup.query('.request form')).to.be.instanceOf(HTMLElement);
    setup.chat.tools = { book_seat: { confirm: 'never', run: () => 1 } };
    await until(setup, () => answersOf(setup).length > 0);
    expect(answersOf(setup)).to.deep.equal([{ type: 'json', value: 1 }]);
  });

  it('has code that is loaded with the first message', async () => {
    const { lazyPageTools } = await lazyViews.load();
    const setup = await setupChat((element) => {
      element.tools = { book_seat: { confirm: 'never', run: () => 1 } };
    });
    await setup.settle();
    const { load } = lazyPageTools;
    let loads = 0;
    lazyPageTools.load = () => {
      loads += 1;
      return load.call(lazyPageTools);
    };
    try {
      setup.chat.requestUpdate();
      await setup.settle();
      expect(loads).to.equal(0);
      await setup.start();
      expect(loads).to.be.above(0);
    } finally {
      lazyPageTools.load = load;
    }
  });
});
