import { expect } from '@open-wc/testing';
import type { Draft, ThreadContent } from '../../src/backends/backend.js';
import { createStreamController } from '../../src/controller/controller.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { UbikError } from '../../src/errors.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { Json } from '../../src/model/json.js';
import { contentOf, ScriptedBackend, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { MESSAGES, setupBranches } from './branch-fixture.js';
import { setupChat, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';

const DANUBE = { title: 'Danube', data: { river: 'Danube', length_km: 2850 } };
const RHINE = { title: 'Rhine', data: { river: 'Rhine' } };

const MODEL = { type: 'string', enum: ['small', 'large'] };
const RIVER = { type: 'object', properties: { river: { type: 'string' } } };

before(async () => {
  const { lazyAnswerForm } = await lazyViews.load();
  await lazyAnswerForm.load();
});

/** A chat with a service that accepts a context and offers options with these schemas; none for null. */
async function setupOptions(
  properties: { readonly [name: string]: Json } | null = null,
  prepare: (chat: UbikChat) => void = () => undefined,
) {
  const fixture = await setupChat((chat) => {
    const backend = chat.controller?.backend as ScriptedBackend;
    backend.capabilities.add('context');
    const messageOptions = properties && { type: 'object', properties };
    const loadOnboarding = () =>
      Promise.resolve({ greeting: null, starters: [], ...(messageOptions && { messageOptions }) });
    Object.assign(backend, { loadOnboarding });
    prepare(chat);
  });
  const { backend, chat, query, root, settle, start } = fixture;
  await settle();
  await settle();
  const removed: unknown[] = [];
  chat.addEventListener('ubik-context-removed', ({ detail }) => removed.push(detail));
  const setContext = async (context: unknown): Promise<void> => {
    chat.context = context as UbikChat['context'];
    await chat.updateComplete;
    await settle();
  };
  return {
    ...fixture,
    removed,
    setContext,
    removeContext: async (): Promise<void> => {
      query('.context button').click();
      await settle();
    },
    /** The text of the chip; null if there is none. */
    chip: () => root.querySelector('.context .chip > span')?.textContent ?? null,
    /** Clicks the toggle of an option. */
    toggle: async (name: string): Promise<void> => {
      const buttons = [...root.querySelectorAll<HTMLElement>('button.option')];
      buttons.find((button) => accessibleName(button) === name)?.click();
      await settle();
    },
    /** Chooses a value of the menu by its text. */
    choose: async (text: string): Promise<void> => {
      const menu = query<HTMLSelectElement>('.option select');
      menu.selectedIndex = [...menu.options].findIndex((each) => each.text.trim() === text);
      menu.dispatchEvent(new Event('change', { bubbles: true }));
      await settle();
    },
    /** Types into the first field of the form. */
    fillIn: async (text: string): Promise<void> => {
      const field = query<HTMLTextAreaElement>('.inputs textarea');
      field.value = text;
      field.dispatchEvent(new Event('change', { bubbles: true }));
      await settle();
    },
    /** Sends a message, completes its run, and returns what was sent in addition to the text. */
    ask: async (text = 'Question'): Promise<Omit<Draft, 'text' | 'attachments'>> => {
      await start(text);
      const {
        text: _text,
        attachments: _attachments,
        ...settings
      } = backend.stream.args[1] as Draft;
      backend.stream.finish('complete');
      await settle();
      return settings;
    },
    /** The shown options: pressed toggles and the chosen value of the menu. */
    shownOptions: () => [
      ...[...root.querySelectorAll('button.option')].map(({ ariaPressed }) => ariaPressed),
      ...[...root.querySelectorAll<HTMLSelectElement>('.option select')].map(
        ({ selectedOptions }) => selectedOptions[0]?.text.trim(),
      ),
    ],
  };
}

/** Opens a thread with an unfinished run, as after a reload. */
async function joinRun({
  backend,
  controller,
  settle,
}: Awaited<ReturnType<typeof setupOptions>>): Promise<void> {
  const unfinishedRun = {
    id: 'task-1',
    keys: { thread: '', user: null, answer: '' },
    otherRunIds: [],
  };
  const content = contentOf('t', [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')]);
  backend.threads.set('t', { ...content, unfinishedRun });
  await controller.openThread('t');
  backend.stream.begin();
  await settle();
}

describe('the context of a chat', () => {
  it('is shown in the composer and sent with each message, as a copy', async () => {
    const { ask, chip, setContext, query, names } = await setupOptions();
    const context = { title: 'Danube', data: { river: 'Danube' } };
    await setContext(context);
    expect(chip()).to.equal('Context: Danube');
    expect(accessibleName(query('.context button'))).to.equal('Remove context: Danube');
    expect(names()).not.to.include('ubik-diagnostic');
    expect(await ask()).to.deep.equal({ context });
    context.data.river = 'changed by the page';
    expect(await ask()).to.deep.equal({ context: { title: 'Danube', data: { river: 'Danube' } } });
    expect(Object.isFrozen(context.data), 'the object of the page').to.equal(false);
  });

  it('is sent with a message that follows in the same task', async () => {
    const { chat, backend, settle } = await setupOptions();
    chat.context = DANUBE;
    void chat.send('Which countries?');
    await settle();
    expect((backend.stream.args[1] as Draft).context).to.deep.equal(DANUBE);
  });

  it('is no longer sent when the user has removed it, until the host page sets another one', async () => {
    const fixture = await setupOptions();
    const { ask, chip, field, names, removed, removeContext, root, setContext, text } = fixture;
    await setContext(DANUBE);
    await removeContext();
    expect(chip()).to.equal(null);
    expect(root.activeElement).to.equal(field);
    expect(removed).to.deep.equal([{ threadId: null, context: DANUBE }]);
    expect(names()).to.deep.equal([]);
    expect(text('.composer .hidden[role=status]')).to.equal('Context removed');
    expect(await ask()).to.deep.equal({ context: null });
    await setContext({ ...DANUBE });
    expect(chip(), 'an equal one').to.equal(null);
    await setContext(RHINE);
    expect(chip(), 'another one').to.equal('Context: Rhine');
    await setContext(null);
    expect(await ask()).to.deep.equal({});
    await setContext(DANUBE);
    expect(chip(), 'set again').to.equal('Context: Danube');
  });

  it('is announced when it changes', async () => {
    const { setContext, text } = await setupOptions();
    const announced: string[] = [];
    for (const context of [DANUBE, RHINE, null]) {
      await setContext(context);
      announced.push(text('.composer .hidden[role=status]'));
    }
    expect(announced).to.deep.equal(['Context: Danube', 'Context: Rhine', 'Context removed']);
  });

  it('is reported once and not sent when the service accepts none', async () => {
    const { ask, backend, chip, events, setContext } = await setupOptions();
    backend.capabilities.delete('context');
    Object.assign(backend, { name: 'without context' });
    const { warn } = console;
    const warnings: unknown[] = [];
    console.warn = (text: unknown) => void warnings.push(text);
    try {
      await setContext(DANUBE);
      await setContext(RHINE);
      expect(chip()).to.equal(null);
      expect(await ask()).to.deep.equal({});
    } finally {
      console.warn = warn;
    }
    expect(warnings).to.deep.equal([
      'ubik-elements: The service "without context" accepts no context; "context" is not sent.',
    ]);
    const reported = events.filter(({ type }) => type === 'ubik-diagnostic');
    expect(reported.map(({ detail }) => detail as object)).to.deep.equal([
      {
        code: 'unsupported',
        message: 'The service "without context" accepts no context; "context" is not sent.',
        offender: 'context',
      },
    ]);
  });

  it('may have no data, and is not reported as unsupported when the page sets none', async () => {
    const { ask, setContext } = await setupOptions();
    await setContext({ title: 'Danube' });
    expect(await ask()).to.deep.equal({ context: { title: 'Danube', data: null } });
    const other = await setupOptions({ deepThinking: { type: 'boolean' } }, (chat) => {
      const backend = chat.controller?.backend as ScriptedBackend;
      backend.capabilities.delete('context');
    });
    expect(await other.ask()).to.deep.equal({ options: {} });
    expect(other.names()).not.to.include('ubik-diagnostic');
  });

  it('is ignored when the value has no title or is not JSON', async () => {
    const { ask, chip, setContext } = await setupOptions();
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const throwing = Object.defineProperty({}, 'title', {
      get: () => {
        throw new TypeError('A mistake of the page');
      },
    });
    const values = [7, 'Danube', {}, { title: ' ' }, { title: 'A', data: cyclic }, throwing];
    const { warn } = console;
    const warnings: unknown[] = [];
    console.warn = (text: unknown) => void warnings.push(text);
    try {
      for (const value of values) {
        await setContext(value);
        expect(chip()).to.equal(null);
      }
    } finally {
      console.warn = warn;
    }
    expect(warnings).to.deep.equal([
      'ubik-elements: "context" needs a "title", and "data" that can be written as JSON.',
    ]);
    expect(await ask()).to.deep.equal({});
  });

  it('is sent with the request for another version of an answer', async () => {
    const { backend, button, chat, settle } = await setupBranches(MESSAGES);
    backend.capabilities.add('context');
    chat.context = DANUBE;
    await settle();
    await settle();
    button('Regenerate').click();
    await settle();
    expect(backend.stream.args).to.deep.equal(['t', 'a2', { context: DANUBE }]);
  });
});

describe('the options of a service', () => {
  const PROPERTIES = { deepThinking: { type: 'boolean' }, model: MODEL };

  for (const method of ['edit', 'regenerate'] as const) {
    it(`are loaded before a message is sent again with ${method} directly after a reload`, async () => {
      const onboarding = new Deferred<object>();
      const { backend, controller, query, root, settle } = await setupChat((chat) => {
        const service = chat.controller?.backend as ScriptedBackend;
        for (const name of ['context', 'edit', 'regenerate'] as const)
          service.capabilities.add(name);
        Object.assign(service, { loadOnboarding: () => onboarding.promise });
      });
      controller.storage.set(JSON.stringify(['message-options', '', 't']), { deepThinking: true });
      backend.threads.set('t', contentOf('t', MESSAGES));
      await controller.openThread('t');
      await settle();
      const press = (name: string): void =>
        [...root.querySelectorAll('button')].find((each) => accessibleName(each) === name)?.click();
      if (method === 'edit') {
        press('Edit');
        await settle();
        const field = query<HTMLTextAreaElement>('form.edit textarea');
        field.value = 'Another question';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        const enter = { key: 'Enter', bubbles: true, composed: true, cancelable: true };
        field.dispatchEvent(new KeyboardEvent('keydown', enter));
      } else press('Regenerate');
      await settle();
      expect(backend.count(method)).to.equal(0);
      onboarding.resolve({
        greeting: null,
        starters: [],
        messageOptions: { type: 'object', properties: PROPERTIES },
      });
      await settle();
      await settle();
      expect(backend.count(method)).to.equal(1);
      const sent = backend.stream.args[2] as Draft;
      expect(sent.options).to.deep.equal({ deepThinking: true });
    });
  }

  it('are sent with each message when they differ from the defaults', async () => {
    const { ask, choose, shownOptions, toggle, query } = await setupOptions(PROPERTIES);
    expect(accessibleName(query('.options'))).to.equal('Message options');
    expect(getComputedStyle(query('.options')).flexBasis, 'a separate row').to.equal('100%');
    expect(shownOptions()).to.deep.equal(['false', 'Default']);
    expect(await ask()).to.deep.equal({ options: {} });
    await toggle('Deep thinking');
    await choose('large');
    expect(shownOptions()).to.deep.equal(['true', 'large']);
    expect(await ask()).to.deep.equal({ options: { deepThinking: true, model: 'large' } });
    await toggle('Deep thinking');
    await choose('Default');
    expect(await ask()).to.deep.equal({ options: {} });
  });

  it('show the defaults of the service', async () => {
    const { ask, choose, shownOptions, toggle, query } = await setupOptions({
      deepThinking: { type: 'boolean', default: true },
      model: { ...MODEL, default: 'large' },
    });
    expect(shownOptions()).to.deep.equal(['true', 'large']);
    const texts = [...query<HTMLSelectElement>('.option select').options].map((one) => one.text);
    expect(texts, 'the default is one of them').to.deep.equal(['small', 'large']);
    expect(await ask()).to.deep.equal({ options: {} });
    await toggle('Deep thinking');
    await choose('small');
    expect(await ask()).to.deep.equal({ options: { deepThinking: false, model: 'small' } });
  });

  it('are labelled by the locale, else by the title in the schema, else by the name', async () => {
    const { root } = await setupOptions({
      deepThinking: { type: 'boolean', title: 'Not this' },
      search: { type: 'boolean', title: 'Search the web' },
      brief: { type: 'boolean' },
      numbered: { type: 'boolean', title: 7 },
    });
    const labels = [...root.querySelectorAll('.option')].map((node) => node.textContent.trim());
    expect(labels).to.deep.equal(['Deep thinking', 'Search the web', 'brief', 'numbered']);
  });

  it('are omitted when there is no control for their schema', async () => {
    const { ask, root } = await setupOptions({
      text: { type: 'string' },
      one: { enum: ['only'] },
      broken: null,
      list: [],
      letters: { enum: 'ab' },
      object: { type: 'object' },
      nothing: { type: 'object', properties: null },
      properties: { type: 'string', properties: {} },
    });
    expect(root.querySelector('.option, .inputs')).to.equal(null);
    expect(await ask()).to.deep.equal({});
  });

  it('are remembered for the thread, and for new threads', async () => {
    const { ask, backend, controller, environment, page, toggle, shownOptions, settle } =
      await setupOptions(PROPERTIES);
    await toggle('Deep thinking');
    await ask();
    controller.switchToNewThread();
    await settle();
    expect(shownOptions(), 'a new thread').to.deep.equal(['true', 'Default']);
    await toggle('Deep thinking');
    await controller.openThread('thread-id-1');
    await settle();
    expect(shownOptions(), 'the first thread').to.deep.equal(['true', 'Default']);
    const again = document.createElement('ubik-chat');
    again.controller = createStreamController({ backend, environment, page });
    await again.controller.openThread('thread-id-1');
    document.body.append(again);
    for (let frames = 0; frames < 4; frames += 1) await settle();
    const pressed = again.shadowRoot?.querySelector('button.option')?.ariaPressed;
    again.remove();
    expect(pressed, 'after a reload').to.equal('true');
  });

  it('are the same in all composers of a controller', async () => {
    const { ask, controller, fillIn, settle, toggle } = await setupOptions({
      ...PROPERTIES,
      inputs: RIVER,
    });
    const other = document.createElement('ubik-composer');
    other.controller = controller;
    document.body.append(other);
    while (!other.shadowRoot?.querySelector('.inputs textarea')) await settle();
    await toggle('Deep thinking');
    await fillIn('Rhine');
    await settle();
    const button = other.shadowRoot?.querySelector<HTMLElement>('button.option');
    expect(button?.ariaPressed).to.equal('true');
    const area = (): HTMLTextAreaElement | null | undefined =>
      other.shadowRoot?.querySelector('.inputs textarea');
    const shown = area();
    expect(shown?.value).to.equal('Rhine');
    await fillIn('Rhine');
    expect(area(), 'an equal value').to.equal(shown);
    button?.click();
    await settle();
    other.remove();
    expect(await ask()).to.deep.equal({ options: { inputs: { river: 'Rhine' } } });
  });

  it('of a composer that is added again are those that were chosen in another one meanwhile', async () => {
    const { ask, controller, fillIn, settle, toggle } = await setupOptions({
      ...PROPERTIES,
      inputs: RIVER,
    });
    const other = document.createElement('ubik-composer');
    other.controller = controller;
    document.body.append(other);
    while (!other.shadowRoot?.querySelector('.inputs textarea')) await settle();
    other.remove();
    await toggle('Deep thinking');
    await fillIn('Rhine');
    document.body.append(other);
    await settle();
    await settle();
    const button = other.shadowRoot?.querySelector<HTMLElement>('button.option');
    expect(button?.ariaPressed).to.equal('true');
    expect(
      other.shadowRoot?.querySelector<HTMLTextAreaElement>('.inputs textarea')?.value,
    ).to.equal('Rhine');
    other.remove();
    expect(await ask()).to.deep.equal({
      options: { deepThinking: true, inputs: { river: 'Rhine' } },
    });
  });

  it('that are stored are sent with a message for which the onboarding has to be awaited', async () => {
    const held = new Deferred<object>();
    const name = JSON.stringify(['message-options', '', '']);
    const { backend, chat, settle } = await setupOptions(null, (element) => {
      element.controller?.storage.set(name, { deepThinking: true });
      Object.assign(element.controller?.backend ?? {}, { loadOnboarding: () => held.promise });
    });
    void chat.send('Question');
    await settle();
    expect(backend.count('send')).to.equal(0);
    const messageOptions = { type: 'object', properties: { deepThinking: { type: 'boolean' } } };
    held.resolve({ greeting: null, starters: [], messageOptions });
    for (let frames = 0; frames < 4; frames += 1) await settle();
    const { options } = backend.stream.args[1] as Draft;
    expect(options).to.deep.equal({ deepThinking: true });
  });

  it('that are stored are sent with a message that is queued before the onboarding has arrived', async () => {
    const held = new Deferred<object>();
    const name = JSON.stringify(['message-options', '', 't']);
    const fixture = await setupOptions(null, (element) => {
      element.controller?.storage.set(name, { deepThinking: true });
      Object.assign(element.controller?.backend ?? {}, { loadOnboarding: () => held.promise });
    });
    const { controller, press, settle, write } = fixture;
    await joinRun(fixture);
    write('Second');
    press('Enter');
    await settle();
    write('Second. Third');
    const messageOptions = { type: 'object', properties: { deepThinking: { type: 'boolean' } } };
    held.resolve({ greeting: null, starters: [], messageOptions });
    for (let frames = 0; frames < 4; frames += 1) await settle();
    const [queued] = [...(controller.thread?.list('queue').values() ?? [])];
    expect(queued).to.deep.include({ text: 'Second', options: { deepThinking: true } });
    expect(controller.getDraft().text).to.equal('. Third');
  });

  for (const isOver of [false, true]) {
    it(`delay a message until they are loaded; it is sent or queued once, although Enter is pressed again ${isOver ? 'after' : 'before'} the end of the run, and text that is typed meanwhile stays in the field`, async () => {
      const held = new Deferred<object>();
      const fixture = await setupOptions(null, (element) => {
        Object.assign(element.controller?.backend ?? {}, { loadOnboarding: () => held.promise });
      });
      const { backend, controller, press, settle, write } = fixture;
      await joinRun(fixture);
      write('Second');
      press('Enter');
      await settle();
      if (isOver) backend.stream.finish('complete');
      await settle();
      write('Second. Third');
      press('Enter');
      held.resolve({ greeting: null, starters: [] });
      for (let frames = 0; frames < 4; frames += 1) await settle();
      const sent = backend.streams.filter(({ method }) => method === 'send');
      const queued = [...(controller.thread?.list('queue').values() ?? [])];
      const texts = [...sent.map(({ args }) => args[1]), ...queued].map(
        (one) => (one as Draft).text,
      );
      expect(texts).to.deep.equal(['Second']);
      expect(controller.getDraft().text).to.equal('. Third');
    });
  }

  it('delay a message until they are loaded; it is sent once, although the run ends and Enter is pressed again meanwhile', async () => {
    const held = new Deferred<object>();
    const fixture = await setupOptions(null, (element) => {
      Object.assign(element.controller?.backend ?? {}, { loadOnboarding: () => held.promise });
    });
    const { backend, chat, controller, press, settle, write } = fixture;
    const errors: string[] = [];
    chat.addEventListener('ubik-error', ({ detail }) => errors.push(detail.code));
    await joinRun(fixture);
    write('Second');
    press('Enter');
    await settle();
    backend.stream.finish('complete');
    await settle();
    press('Enter');
    held.resolve({ greeting: null, starters: [] });
    for (let frames = 0; frames < 4; frames += 1) await settle();
    expect([backend.count('send'), controller.thread?.list('queue').size]).to.deep.equal([1, 0]);
    expect(errors).to.deep.equal([]);
  });

  it('of a queued message are those of the time when it was queued', async () => {
    const { backend, press, settle, start, toggle, write } = await setupOptions(PROPERTIES);
    await start('First');
    await toggle('Deep thinking');
    write('Second');
    press('Enter');
    await settle();
    await toggle('Deep thinking');
    backend.stream.finish('complete');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({
      text: 'Second',
      attachments: [],
      options: { deepThinking: true },
    });
  });
});

describe('the inputs of an agent', () => {
  it('are a form that is open until the first message, and are sent with each message', async () => {
    const { ask, fillIn, query, settle } = await setupOptions({ inputs: RIVER });
    const form = query<HTMLDetailsElement>('.inputs');
    expect(form.open).to.equal(true);
    await fillIn('Rhine');
    expect(await ask()).to.deep.equal({ options: { inputs: { river: 'Rhine' } } });
    await settle();
    expect(form.open).to.equal(false);
    expect(query('.inputs summary').textContent.replace(/\s+/gu, ' ').trim()).to.equal(
      'Conversation details Rhine',
    );
    expect(await ask()).to.deep.equal({ options: { inputs: { river: 'Rhine' } } });
  });

  it('have no form while the last thread is being loaded', async () => {
    const { chat, root, settle, environment } = await setupOptions({ inputs: RIVER });
    const pending = new Deferred<ThreadContent>();
    const loaded = new ScriptedBackend(() => environment.monotonic());
    const loadOnboarding = () =>
      Promise.resolve({
        greeting: null,
        starters: [],
        messageOptions: { properties: { inputs: RIVER } },
      });
    Object.assign(loaded, { loadOnboarding });
    loaded.responses.set('loadThread', () => pending.promise);
    Object.assign(chat, { controller: null, backend: loaded, threadId: 't' });
    for (let frames = 0; frames < 4; frames += 1) await settle();
    expect(root.querySelector('.inputs')).to.equal(null);
    pending.resolve(contentOf('t', [stored('m1', 'user', 'Hi')]));
    for (let frames = 0; frames < 4; frames += 1) await settle();
    expect(root.querySelector<HTMLDetailsElement>('.inputs')?.open).to.equal(false);
  });

  it('that are required prevent sending a message, with an error at the field', async () => {
    const inputs = { ...RIVER, required: ['river'] };
    const fixture = await setupOptions({ inputs });
    const { backend, chat, field, fillIn, press, query, root, settle, text, write } = fixture;
    write('How long is it?');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(await chat.send('How long is it?')).to.equal(false);
    expect(field.value).to.equal('How long is it?');
    expect(root.activeElement).to.equal(query('.inputs textarea'));
    expect(text('.inputs .entry .error-text')).to.equal('Fill in this field.');
    expect(text('.inputs [role=alert]')).to.equal('Check the highlighted fields.');
    await fillIn('Rhine');
    field.focus();
    press('Enter');
    await settle();
    expect((backend.stream.args[1] as Draft).options).to.deep.equal({ inputs: { river: 'Rhine' } });
    expect(root.querySelector('.inputs .error-text:not(:empty)')).to.equal(null);
    expect(root.activeElement).to.equal(field);
  });

  it('are offered from the second message on when the onboarding could not be loaded at first', async () => {
    let attempts = 0;
    const { ask, root, settle } = await setupOptions(null, (chat) => {
      const messageOptions = { type: 'object', properties: { inputs: RIVER } };
      const loadOnboarding = () => {
        attempts += 1;
        const onboarding = { greeting: null, starters: [], messageOptions };
        return attempts === 1
          ? Promise.reject(new UbikError('server'))
          : Promise.resolve(onboarding);
      };
      Object.assign(chat.controller?.backend ?? {}, { loadOnboarding });
    });
    expect(root.querySelector('.inputs')).to.equal(null);
    expect(await ask()).to.deep.equal({});
    await settle();
    await settle();
    expect(root.querySelector('.inputs')).not.to.equal(null);
    expect(attempts).to.equal(2);
  });

  it('start with the defaults of the service, and are omitted while they equal these', async () => {
    const inputs = { ...RIVER, default: { river: 'Elbe' } };
    const { ask, fillIn, query } = await setupOptions({ inputs });
    expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('Elbe');
    expect(await ask()).to.deep.equal({ options: {} });
    await fillIn('');
    expect(await ask()).to.deep.equal({ options: { inputs: {} } });
  });

  it('are stored per thread', async () => {
    const fixture = await setupOptions({ inputs: RIVER });
    const { ask, backend, controller, fillIn, query, settle } = fixture;
    backend.threads.set('other', contentOf('other', [stored('m1', 'user', 'Hi')]));
    await fillIn('Rhine');
    await ask();
    await controller.openThread('other');
    await settle();
    expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('');
    expect(await ask()).to.deep.equal({ options: {} });
    controller.switchToNewThread();
    await settle();
    expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('');
    expect(query<HTMLDetailsElement>('.inputs').open).to.equal(true);
    backend.threads.set('thread-id-1', contentOf('thread-id-1', [stored('m1', 'user', 'Hi')]));
    await controller.openThread('thread-id-1');
    await settle();
    expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('Rhine');
    expect(await ask()).to.deep.equal({ options: { inputs: { river: 'Rhine' } } });
  });

  const withoutDrafts: readonly (readonly [name: string, prepare: (chat: UbikChat) => void])[] = [
    ['with drafts="off"', (chat) => void (chat.drafts = 'off')],
    [
      'by a controller that stores no drafts',
      (chat) => {
        const { backend, environment } = chat.controller as StreamController;
        chat.controller = createStreamController({ backend, environment, persistDrafts: false });
      },
    ],
  ];
  for (const [name, prepare] of withoutDrafts) {
    it(`are not stored ${name}`, async () => {
      const fixture = await setupOptions(
        { inputs: RIVER, deepThinking: { type: 'boolean' } },
        prepare,
      );
      const { ask, chat, fillIn, shownOptions, settle, toggle, query } = fixture;
      await fillIn('Rhine');
      await toggle('Deep thinking');
      expect(await ask()).to.deep.equal({
        options: { deepThinking: true, inputs: { river: 'Rhine' } },
      });
      chat.controller?.switchToNewThread();
      await settle();
      await chat.controller?.openThread('thread-id-1');
      await settle();
      expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('');
      expect(shownOptions()).to.deep.equal(['true']);
    });

    it(`stay with their message ${name} when its thread cannot be created`, async () => {
      const fixture = await setupOptions({ inputs: RIVER }, prepare);
      const { backend, field, fillIn, press, settle, query, write } = fixture;
      await fillIn('Rhine');
      backend.responses.set('createThread', () => Promise.reject(new UbikError('server')));
      write('How long is it?');
      press('Enter');
      await settle();
      await settle();
      expect(field.value).to.equal('How long is it?');
      expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('Rhine');
    });
  }
});

describe('inputs whose form cannot be loaded', () => {
  /** Makes the form fail to load until it is restored. */
  const breakForm = async (): Promise<() => void> => {
    const { lazyAnswerForm } = await lazyViews.load();
    const { load } = lazyAnswerForm;
    restore = () => Object.assign(lazyAnswerForm, { load });
    lazyAnswerForm.load = () => Promise.reject(new UbikError('load-failed'));
    return restore;
  };
  let restore: () => unknown = () => undefined;
  afterEach(() => restore());

  it('prevent sending a message only when a required one has no value', async () => {
    await breakForm();
    const inputs = { ...RIVER, required: ['river'] };
    const fixture = await setupOptions({ inputs });
    const { backend, events, field, press, settle, text, write } = fixture;
    expect(events.map(({ type }) => type)).to.deep.equal(['ubik-error']);
    write('How long is it?');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(field.value).to.equal('How long is it?');
    expect(text('.below [role=alert]')).to.contain('Not sent.');
    const partial = { ...inputs, required: ['river', 'country'], default: { river: 'Elbe' } };
    const other = await setupOptions({ inputs: partial });
    expect(await other.chat.send('How long is it?')).to.equal(false);
    for (const complete of [RIVER, { ...inputs, default: { river: 'Elbe' } }]) {
      const { ask } = await setupOptions({ inputs: complete });
      expect(await ask()).to.deep.equal({ options: {} });
    }
  });

  it('are asked for with the next message, when the form can be loaded', async () => {
    const restoreForm = await breakForm();
    const fixture = await setupOptions({ inputs: { ...RIVER, required: ['river'] } });
    const { backend, field, fillIn, press, query, root, settle, write } = fixture;
    expect(root.querySelector('.inputs')).to.equal(null);
    restoreForm();
    write('How long is it?');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(root.activeElement).to.equal(query('.inputs textarea'));
    await fillIn('Rhine');
    field.focus();
    press('Enter');
    await settle();
    expect((backend.stream.args[1] as Draft).options).to.deep.equal({
      inputs: { river: 'Rhine' },
    });
  });
});

describe('the values of options', () => {
  it('are texts, numbers or booleans; others are not offered', async () => {
    const values = [1, 'two', true, null, { three: 3 }];
    const { ask, choose, query, root } = await setupOptions({ many: { enum: values } });
    const texts = [...query<HTMLSelectElement>('.option select').options].map((one) => one.text);
    expect(texts.map((text) => text.trim())).to.deep.equal(['Default', '1', 'two', 'true']);
    const option = query('.option');
    expect([option.localName, option.getAttribute('part')]).to.deep.equal(['label', 'option']);
    expect(root.querySelector('.options')?.role).to.equal('group');
    for (const [text, value] of [
      ['1', 1],
      ['true', true],
      ['two', 'two'],
    ] as const) {
      await choose(text);
      expect(await ask()).to.deep.equal({ options: { many: value } });
    }
  });

  it('of a thread in which none was chosen are those that were chosen last', async () => {
    const { ask, backend, controller, shownOptions, settle, toggle } = await setupOptions({
      deepThinking: { type: 'boolean' },
    });
    expect(await ask()).to.deep.equal({ options: {} });
    controller.switchToNewThread();
    await settle();
    await toggle('Deep thinking');
    expect(await ask()).to.deep.equal({ options: { deepThinking: true } });
    backend.threads.set('thread-id-1', contentOf('thread-id-1', [stored('m1', 'user', 'Hi')]));
    await controller.openThread('thread-id-1');
    await settle();
    expect(shownOptions()).to.deep.equal(['true']);
  });

  it('are no longer shown or observed when a controller is connected whose service offers none', async () => {
    const { chat, controller, settle, shownOptions, toggle, root } = await setupOptions({
      deepThinking: { type: 'boolean' },
    });
    const observations = recordObservations({}, [controller]);
    await toggle('Deep thinking');
    chat.remove();
    document.body.append(chat);
    await settle();
    expect(observations.list()).to.include('notices');
    const other = setupController();
    chat.controller = other.controller;
    await settle();
    await settle();
    expect(observations.list()).to.deep.equal([]);
    expect(root.querySelector('.option')).to.equal(null);
    expect(shownOptions()).to.deep.equal([]);
    observations.restore();
    chat.remove();
  });

  it('are stored for their agent, except those that equal the default', async () => {
    const { choose, controller, toggle } = await setupOptions(
      { deepThinking: { type: 'boolean' }, model: { ...MODEL, default: 'large' } },
      (element) => (element.agentId = 'rivers'),
    );
    const name = JSON.stringify(['message-options', 'rivers', '']);
    await toggle('Deep thinking');
    await choose('small');
    const all = { deepThinking: true, model: 'small' };
    expect(await controller.storage.get(name)).to.deep.equal(all);
    await toggle('Deep thinking');
    await choose('large');
    expect(await controller.storage.get(name)).to.deep.equal({});
  });

  it('are removed from the storage with their thread', async () => {
    const { ask, controller, toggle } = await setupOptions({
      deepThinking: { type: 'boolean' },
    });
    await toggle('Deep thinking');
    await ask();
    const name = JSON.stringify(['message-options', '', 'thread-id-1']);
    expect(await controller.storage.get(name)).to.deep.equal({ deepThinking: true });
    await controller.deleteThread('thread-id-1');
    expect(await controller.storage.get(name)).to.equal(null);
  });

  it('that are chosen while those of the thread are being read from the storage are kept', async () => {
    const { backend, controller, settle, shownOptions, toggle } = await setupOptions({
      deepThinking: { type: 'boolean' },
    });
    backend.threads.set('other', contentOf('other', [stored('m1', 'user', 'Hi')]));
    const { storage } = controller;
    const { get } = storage;
    const held = new Deferred<Json>();
    Object.assign(storage, { get: () => held.promise });
    await controller.openThread('other');
    await settle();
    Object.assign(storage, { get });
    await toggle('Deep thinking');
    held.resolve({ deepThinking: false });
    await settle();
    expect(shownOptions()).to.deep.equal(['true']);
  });

  it('of an earlier service are not shown when its onboarding arrives or fails late', async () => {
    for (const isLoaded of [true, false]) {
      const held = new Deferred<object>();
      const { chat, root, settle } = await setupOptions(null, (element) => {
        Object.assign(element.controller?.backend ?? {}, { loadOnboarding: () => held.promise });
      });
      const other = setupController();
      let loads = 0;
      Object.assign(other.backend, {
        loadOnboarding: () => {
          loads += 1;
          return Promise.resolve({ greeting: null, starters: [] });
        },
      });
      chat.controller = other.controller;
      await settle();
      const messageOptions = { type: 'object', properties: { deepThinking: { type: 'boolean' } } };
      if (isLoaded) held.resolve({ greeting: null, starters: [], messageOptions });
      else held.reject(new UbikError('server'));
      await settle();
      await settle();
      expect(root.querySelector('.option')).to.equal(null);
      void chat.send('Question');
      await settle();
      expect([other.backend.count('send'), loads]).to.deep.equal([1, 1]);
    }
  });

  it('that the service no longer offers are replaced by the default', async () => {
    const { controller, ask, shownOptions, settle } = await setupOptions({
      deepThinking: { type: 'boolean' },
      model: MODEL,
      inputs: RIVER,
    });
    controller.storage.set(JSON.stringify(['message-options', '', 'thread-id-1']), {
      deepThinking: 'yes',
      model: 'huge',
      inputs: null,
    });
    await ask();
    controller.switchToNewThread();
    await settle();
    await controller.openThread('thread-id-1');
    await settle();
    expect(shownOptions()).to.deep.equal(['false', 'Default']);
    expect(await ask()).to.deep.equal({ options: {} });
  });
});

describe('the form for inputs', () => {
  it('is loaded only for a service with inputs', async () => {
    const { lazyAnswerForm } = await lazyViews.load();
    const { load } = lazyAnswerForm;
    let requests = 0;
    lazyAnswerForm.load = () => {
      requests += 1;
      return load.call(lazyAnswerForm);
    };
    try {
      const { ask } = await setupOptions({ deepThinking: { type: 'boolean' } });
      expect(await ask()).to.deep.equal({ options: {} });
      expect(requests).to.equal(0);
      await setupOptions({ inputs: RIVER });
      expect(requests).to.be.greaterThan(0);
    } finally {
      Object.assign(lazyAnswerForm, { load });
    }
  });

  it('stays as the user has opened it, and shows the values only while it is closed', async () => {
    const { ask, fillIn, query, settle, text } = await setupOptions({ inputs: RIVER });
    const form = query<HTMLDetailsElement>('.inputs');
    expect(form.getAttribute('part')).to.equal('inputs');
    await fillIn('Rhine');
    expect(text('.inputs summary')).to.equal('Conversation details');
    await ask();
    await settle();
    expect(text('.inputs summary')).to.equal('Conversation details Rhine');
    const toggle = async (open: boolean): Promise<void> => {
      const toggled = new Promise((resolve) => {
        form.addEventListener('toggle', resolve, { once: true });
      });
      form.open = open;
      await toggled;
      await settle();
    };
    await toggle(true);
    expect(text('.inputs summary')).to.equal('Conversation details');
    await ask();
    await settle();
    expect(form.open, 'the next message does not close it').to.equal(true);
    await toggle(false);
    expect(text('.inputs summary')).to.equal('Conversation details Rhine');
  });

  it('opens when a value is missing, and keeps the focus while it is filled in', async () => {
    const inputs = { ...RIVER, required: ['river'] };
    const { backend, controller, fillIn, press, query, root, settle, write } = await setupOptions({
      inputs,
    });
    backend.threads.set('other', contentOf('other', [stored('m1', 'user', 'Hi')]));
    await controller.openThread('other');
    await settle();
    expect(query<HTMLDetailsElement>('.inputs').open).to.equal(false);
    write('Question');
    press('Enter');
    await settle();
    expect(query<HTMLDetailsElement>('.inputs').open).to.equal(true);
    const area = query('.inputs textarea');
    expect(root.activeElement).to.equal(area);
    await fillIn('Rhine');
    expect(root.activeElement, 'the form is not rendered again').to.equal(area);
  });

  it('keeps values that were entered before the first message after a reload, and lists only simple values when it is closed', async () => {
    const { backend, controller, environment, fillIn, page } = await setupOptions({
      inputs: RIVER,
    });
    await fillIn('Rhine');
    const name = (thread: string): string => JSON.stringify(['message-options', '', thread]);
    expect(await controller.storage.get(name(''))).to.deep.equal({ inputs: { river: 'Rhine' } });
    const again = createStreamController({ backend, environment, page });
    again.storage.set(name('t'), { inputs: { river: 'Elbe', list: ['Oder'], none: null } });
    backend.threads.set('t', contentOf('t', [stored('m1', 'user', 'Hi')]));
    const { text, query, settle } = await setupChat((chat) => (chat.controller = again));
    for (let frames = 0; frames < 4; frames += 1) await settle();
    expect(query<HTMLTextAreaElement>('.inputs textarea').value).to.equal('Rhine');
    await again.openThread('t');
    for (let frames = 0; frames < 4; frames += 1) await settle();
    expect(text('.inputs summary')).to.equal('Conversation details Elbe');
  });

  it('does not submit, and stores no invalid value', async () => {
    const { ask, controller, fillIn, query, settle } = await setupOptions({
      inputs: { ...RIVER, properties: { river: { type: 'string', minLength: 3 } } },
    });
    const name = JSON.stringify(['message-options', '', '']);
    const submit = new SubmitEvent('submit', { cancelable: true, bubbles: true });
    query('.inputs form').dispatchEvent(submit);
    expect(submit.defaultPrevented).to.equal(true);
    await fillIn('Po');
    await settle();
    expect(
      query('.inputs form > .error-text').textContent,
      'no error before a message is sent',
    ).to.equal('');
    expect(await controller.storage.get(name)).to.equal(null);
    await fillIn('Elbe');
    expect(await controller.storage.get(name)).to.deep.equal({ inputs: { river: 'Elbe' } });
    expect(await ask()).to.deep.equal({ options: { inputs: { river: 'Elbe' } } });
  });
});
