import type { ReactiveController } from 'lit';
import { expect, fixture, html } from '@open-wc/testing';
import { lazyMessageOptions } from '../../src/elements/composer/lazy-message-options.js';
import { lazyTools } from '../../src/elements/composer/lazy-composer-tools.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { MessageField } from '../../src/elements/composer/message-field.js';
import type { Backend, Draft } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { createFieldChange } from '../../src/model/change.js';
import {
  contentOf,
  ScriptedBackend,
  type ScriptedStream,
  stored,
} from '../controller/scripted-backend.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';
import {
  dispatchLineBreak,
  pressIgnoredEnter,
  pressKey,
  setupChat,
  setupController,
} from './chat-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupChat>>;

/** Answers the agent's request from the message field, after requests of tools. Returns the arguments of the backend call. */
async function answerAgent(...ofTools: readonly string[]): Promise<readonly unknown[]> {
  const { start, settle, backend, write, press, text, field } = await setupChat();
  await start();
  for (const key of ofTools) backend.stream.request(key, 'tool');
  backend.stream.request('@request:c');
  backend.stream.finish('waiting');
  await settle();
  expect(field.placeholder).to.equal('Your answer…');
  expect(text('.below > .meta'), 'the question is not repeated').to.equal('');
  write('2025');
  press('Enter');
  await settle();
  expect(backend.count('provideInput')).to.equal(1);
  return backend.stream.args;
}

/** Sets whether the browser reports that it is online. */
function setOnline(value: boolean): void {
  Object.defineProperty(navigator, 'onLine', { value, configurable: true });
  window.dispatchEvent(new Event(value ? 'online' : 'offline'));
}

/** The error of {@link sendRejected}. */
const TOO_LARGE = 'Not sent. This is too large to send.';

/** Sends a message that the service rejects. */
async function sendRejected({ write, press, settle, backend, text }: Fixture): Promise<void> {
  write('One');
  press('Enter');
  await settle();
  backend.stream.fail(new UbikError('too-large', 'no', { status: 413 }));
  await settle();
  expect(text('.below [role=alert]')).to.equal(TOO_LARGE);
}

/** Starts a run and tries to stop it, which the service rejects. */
async function stopRejected(
  { start, settle, backend, query, text }: Fixture,
  code: 'forbidden' | 'busy' = 'forbidden',
): Promise<void> {
  await start();
  backend.responses.set('stop', () => {
    throw new UbikError(code, 'no');
  });
  query('.send').click();
  await settle();
  const reasons = {
    forbidden: 'The service does not allow this.',
    busy: 'The assistant is still working. Wait for it or stop it first.',
  };
  expect(text('.below [role=alert]')).to.equal(reasons[code]);
}

describe('hint below the field', () => {
  const hint = 'Enter to send, Shift+Enter for a new line';

  it('is shown while the composer has the focus, until the first message was sent', async () => {
    const { write, press, settle, backend, field, query, text } = await setupChat();
    expect(text('.keys')).to.equal(hint);
    field.blur();
    expect(getComputedStyle(query('.keys')).visibility).to.equal('hidden');
    field.focus();
    expect(getComputedStyle(query('.keys')).visibility).to.equal('visible');
    write('One');
    press('Enter');
    await settle();
    backend.stream.begin();
    backend.stream.finish('complete');
    await settle();
    expect(text('.keys')).to.equal('');
  });

  it('stays hidden in the next thread', async () => {
    const { start, settle, backend, chat, text } = await setupChat();
    await start();
    backend.stream.finish('complete');
    await settle();
    chat.startThread();
    await settle();
    expect(text('.keys')).to.equal('');
  });
});

describe('error of a message that was sent while offline', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'onLine'));

  it('says that the browser is offline, and disappears when the network is back', async () => {
    const { write, press, settle, backend, text, field, chat, root } = await setupChat();
    setOnline(false);
    write('One');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('not-sent'));
    await settle();
    expect(text('.below [role=alert]')).to.equal('Not sent. You’re offline. Your draft is saved.');
    setOnline(true);
    await chat.updateComplete;
    expect(root.querySelector('.below [role=alert]')).to.equal(null);
    expect(field.value).to.equal('One');
  });

  it('stays when the network is back if the service has rejected the message', async () => {
    const fixture = await setupChat();
    setOnline(false);
    await sendRejected(fixture);
    setOnline(true);
    await fixture.settle();
    expect(fixture.text('.below [role=alert]')).to.equal(TOO_LARGE);
  });
});

describe('error below the field', () => {
  it('is removed when the message is sent again', async () => {
    const fixture = await setupChat();
    await sendRejected(fixture);
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('is removed when another controller is connected', async () => {
    const fixture = await setupChat();
    await sendRejected(fixture);
    const { chat, settle, root, write, press, backend } = fixture;
    write('Two');
    press('Enter');
    await settle();
    chat.controller = setupController().controller;
    await settle();
    expect(root.querySelector('.below [role=alert]')).to.equal(null);
    backend.stream.fail(new UbikError('too-large', 'no', { status: 413 }));
    await settle();
    expect(root.querySelector('.below [role=alert]'), 'fails later').to.equal(null);
  });

  it('is removed when another thread is shown', async () => {
    const fixture = await setupChat();
    await fixture.start();
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    await sendRejected(fixture);
    fixture.chat.startThread();
    await fixture.settle();
    expect(fixture.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('is removed when a message is queued', async () => {
    const fixture = await setupChat();
    await stopRejected(fixture);
    fixture.write('Second');
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.controller.thread?.list('queue').size).to.equal(1);
    expect(fixture.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('stays at the end of a run unless it reports that the service is busy', async () => {
    const fixture = await setupChat();
    await stopRejected(fixture);
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(fixture.text('.below [role=alert]')).to.equal('The service does not allow this.');
    const busy = await setupChat();
    await stopRejected(busy, 'busy');
    busy.backend.stream.finish('complete');
    await busy.settle();
    expect(busy.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('is covered by the reason why a text is invalid, and shown again when it is valid', async () => {
    const fixture = await setupChat((chat) => (chat.maxLength = 20));
    await sendRejected(fixture);
    fixture.write('1'.repeat(21));
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.text('.below [role=alert]')).to.contain('up to 20 characters');
    fixture.write('1'.repeat(20));
    await fixture.settle();
    expect(fixture.text('.below [role=alert]')).to.equal(TOO_LARGE);
  });

  it('does not show the reason of a text that is invalid again before the next attempt', async () => {
    const fixture = await setupChat((chat) => (chat.maxLength = 20));
    await fixture.settle();
    fixture.write('1'.repeat(21));
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.text('.below [role=alert]')).to.contain('up to 20 characters');
    fixture.write('1');
    await fixture.settle();
    fixture.write('1'.repeat(21));
    await fixture.settle();
    expect(fixture.root.querySelector('.below [role=alert]')).to.equal(null);
  });
});

describe('placeholder of the field', () => {
  it('names the agent when the service does', async () => {
    const { field, settle } = await setupChat((chat) => {
      const loadOnboarding = () =>
        Promise.resolve({ greeting: null, starters: [], agentName: 'River analyst' });
      const backend = chat.controller?.backend as ScriptedBackend;
      backend.capabilities.add('onboarding');
      Object.assign(backend, { loadOnboarding });
    });
    await settle();
    expect(field.placeholder).to.equal('Message River analyst…');
    const other = await setupChat();
    expect(other.field.placeholder).to.equal('Write a message…');
  });
});

describe('the composer', () => {
  it('sends on Enter and clears the field', async () => {
    const { write, press, settle, backend, field } = await setupChat();
    write('How many?');
    expect(press('Enter').defaultPrevented).to.equal(true);
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'How many?', attachments: [] });
    expect(field.value).to.equal('');
  });

  it('inserts a line break on Shift+Enter', async () => {
    const { write, press, settle, backend } = await setupChat();
    write('one');
    expect(press('Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    await settle();
    expect(backend.streams.length).to.equal(0);
  });

  it('does not send an empty text', async () => {
    const { write, press, settle, backend, names } = await setupChat();
    write('  \n ');
    press('Enter');
    await settle();
    expect(backend.streams.length).to.equal(0);
    expect(names()).to.deep.equal([]);
  });

  for (const [name, init] of [
    ['in an IME composition', { isComposing: true }],
    ['with the key code 229', { keyCode: 229 }],
  ] as const) {
    it(`does not send on Enter ${name}`, async () => {
      const { write, press, settle, backend } = await setupChat();
      write('かな');
      expect(press('Enter', init).defaultPrevented).to.equal(false);
      await settle();
      expect(backend.streams.length).to.equal(0);
    });
  }

  it('does not send on the Enter after compositionend (the order of Safari), but on the next', async () => {
    const { write, press, settle, backend, field } = await setupChat();
    write('漢字');
    const end = new CompositionEvent('compositionend', { bubbles: true });
    Object.defineProperty(end, 'timeStamp', { value: performance.now() });
    field.dispatchEvent(end);
    press('Enter');
    await settle();
    expect(backend.streams.length).to.equal(0);
    const later = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    Object.defineProperty(later, 'timeStamp', { value: performance.now() + 500 });
    field.dispatchEvent(later);
    await settle();
    expect(backend.streams.length).to.equal(1);
  });

  it('sends on an Enter that the input method ignores, so that the browser would insert a line break', async () => {
    const { write, press, settle, backend, field } = await setupChat();
    write('Last word');
    press('Enter', { shiftKey: true, isComposing: true });
    expect(dispatchLineBreak(field).defaultPrevented, 'Shift+Enter').to.equal(false);
    press('Enter', { isComposing: true });
    press('a');
    expect(dispatchLineBreak(field).defaultPrevented, 'of another key').to.equal(false);
    press('Enter', { isComposing: true });
    expect(dispatchLineBreak(field, 5000).defaultPrevented, 'long after it').to.equal(false);
    await settle();
    expect(backend.streams.length).to.equal(0);
    expect(pressIgnoredEnter(field).defaultPrevented).to.equal(true);
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Last word', attachments: [] });
    expect(field.value).to.equal('');
  });

  it('sends once on a repeated Enter or a double click', async () => {
    const { write, press, settle, query, backend } = await setupChat();
    write('once');
    press('Enter');
    press('Enter');
    query('.send').click();
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('shows Send and Stop in the same position', async () => {
    const { start, query, settle, backend, names } = await setupChat();
    const button = query('.send');
    expect(button.getAttribute('title')).to.equal('Send');
    expect(button.getAttribute('aria-disabled')).to.equal('true');
    await start();
    expect(query('.send')).to.equal(button);
    expect(button.getAttribute('title')).to.equal('Stop');
    button.click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
    expect(button.getAttribute('title')).to.equal('Stopping…');
    backend.stream.finish('stopped');
    await settle();
    expect(button.getAttribute('title')).to.equal('Send');
    expect(names()).to.include('ubik-run-stop').and.to.include('ubik-run-stopped');
  });

  it('stops the run after the chat was moved in the document', async () => {
    const { start, query, settle, backend, chat, box } = await setupChat();
    await start();
    const other = document.createElement('div');
    box.append(other);
    other.append(chat);
    await settle();
    expect(query('.send').getAttribute('title')).to.equal('Stop');
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
  });

  it('does not stop the run on the second click of a double click', async () => {
    const { start, query, settle, backend } = await setupChat();
    await start();
    query('.send').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await settle();
    expect(backend.count('stop')).to.equal(0);
    query('.send').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    await settle();
    expect(backend.count('stop'), 'a later click').to.equal(1);
  });

  it('restores the text with the reason when the service rejects the message', async () => {
    const { write, press, settle, field, text, backend, root } = await setupChat();
    write('precious');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no', { status: 413 }));
    await settle();
    expect(field.value).to.equal('precious');
    expect(text('.composer [role=alert]')).to.equal('Not sent. This is too large to send.');
    expect(root.querySelectorAll('.message').length).to.equal(0);
  });

  it('sends the next message after an unexpected error', async () => {
    const { backend, chat, controller, settle } = await setupChat();
    const failure = new TypeError('A mistake of the page');
    const { send } = controller;
    Object.assign(controller, { send: () => Promise.reject(failure) });
    const thrown: unknown = await chat.send('One').catch((error: unknown) => error);
    expect(thrown).to.equal(failure);
    Object.assign(controller, { send });
    void chat.send('Two');
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('shows the description of the service for a rejected message, and its code in a disclosure', async () => {
    const { write, press, settle, field, text, backend, root } = await setupChat();
    const serviceError = { description: 'No quota left.', advice: 'Ask the owner.', code: 'E7' };
    field.focus();
    await settle();
    write('precious');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('forbidden', 'no', { status: 403, serviceError }));
    await settle();
    await settle();
    expect(text('.composer [role=alert]')).to.equal('Not sent. No quota left. Ask the owner.');
    expect(text('.composer .error-details')).to.equal('Details Code: E7 Copy details');
    expect(field.value).to.equal('precious');
    press('Enter');
    await settle();
    expect(root.querySelector('.composer .error-details'), 'while it is sent again').to.equal(null);
  });

  it('shows the details of an error once, and none for an error without a code', async () => {
    // The limit loads the tools of the composer, which show the details.
    const fixture = await setupChat((chat) => (chat.maxLength = 99));
    const { start, settle, backend, chat, root, text } = fixture;
    await start();
    const fail = async (serviceError?: UbikError['serviceError']): Promise<number> => {
      backend.responses.set('stop', () =>
        Promise.reject(new UbikError('forbidden', 'no', { ...(serviceError && { serviceError }) })),
      );
      await chat.stop();
      await settle();
      await settle();
      return root.querySelectorAll('.composer .error-details').length;
    };
    expect(await fail()).to.equal(0);
    const serviceError = { description: 'Not now.', advice: '', code: 'E7' };
    expect(await fail(serviceError)).to.equal(1);
    expect(await fail(serviceError)).to.equal(1);
    expect(text('.below [role=alert]')).to.equal('Not now.');
    expect(await fail()).to.equal(0);
  });

  it('shows why a message was rejected also when the code for its details cannot be loaded', async () => {
    const { lazyErrorDetails } = await lazyViews.load();
    const { load } = lazyErrorDetails;
    lazyErrorDetails.load = () => Promise.reject(new UbikError('load-failed'));
    try {
      const { write, press, settle, field, text, backend, root } = await setupChat();
      field.focus();
      await settle();
      write('One');
      press('Enter');
      await settle();
      const serviceError = { description: 'No quota left.', advice: '', code: 'E7' };
      backend.stream.fail(new UbikError('forbidden', { serviceError }));
      await settle();
      await settle();
      expect(text('.composer [role=alert]')).to.equal('Not sent. No quota left.');
      expect(root.querySelector('.composer .error-details')).to.equal(null);
    } finally {
      lazyErrorDetails.load = load;
    }
  });

  it('keeps the text in the field during a run when while-running is draft', async () => {
    const { start, write, press, settle, backend, field } = await setupChat((chat) => {
      chat.setAttribute('while-running', 'draft');
    });
    await start();
    write('the next question');
    press('Enter');
    await settle();
    expect(field.value).to.equal('the next question');
    expect(backend.count('send')).to.equal(1);
  });

  it('stores the draft in the controller, so that another element shows it', async () => {
    const { write, controller, chat, box, root } = await setupChat();
    write('half a tho');
    expect(controller.getDraft().text).to.equal('half a tho');
    chat.remove();
    const other = document.createElement('ubik-chat');
    other.controller = controller;
    box.append(other);
    await other.updateComplete;
    expect(other.shadowRoot?.querySelector('textarea')?.value).to.equal('half a tho');
    expect(root.querySelector('textarea')?.value).to.equal('half a tho');
  });

  it('grows with its text up to six lines, then scrolls', async () => {
    const { write, field } = await setupChat();
    const one = field.clientHeight;
    write('1\n2\n3');
    const three = field.clientHeight;
    write(Array.from({ length: 30 }, (_, line) => line).join('\n'));
    const many = field.clientHeight;
    expect(three).to.be.greaterThan(one + 30);
    expect(many).to.be.lessThan(three * 2.2);
    expect(field.scrollHeight).to.be.greaterThan(many);
  });

  it('answers the pending request of the agent, whose question it does not repeat', async () => {
    const [, , answer] = await answerAgent();
    expect(answer).to.deep.equal({ type: 'text', text: '2025' });
  });

  it('keeps what the user writes, here or in another thread, while an answer is sent', async () => {
    for (const isOtherThread of [false, true]) {
      const { start, settle, backend, write, press, controller, field } = await setupChat();
      await start();
      backend.stream.request('@request:c');
      backend.stream.finish('waiting');
      await settle();
      const thread = controller.thread?.key;
      write('2025');
      press('Enter');
      await settle();
      if (isOtherThread) controller.switchToNewThread();
      write('2025 or later');
      backend.stream.begin();
      await settle();
      expect(field.value).to.equal('2025 or later');
      if (isOtherThread) expect(controller.getDraft(thread).text).to.equal('');
    }
  });

  it('sends a text in another thread while one is being sent, and each only once', async () => {
    const { settle, backend, write, press, controller } = await setupChat();
    backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
    await controller.openThread('a');
    write('In the first');
    press('Enter');
    await settle();
    controller.switchToNewThread();
    await settle();
    for (const text of ['In a new one', 'In a new one']) {
      write(text);
      press('Enter');
    }
    await settle();
    const sent = backend.streams.map(({ args: [, draft] }) => (draft as Draft).text);
    expect(sent).to.deep.equal(['In the first', 'In a new one']);
    expect(controller.getDraft().text).to.equal('');
  });

  for (const isNew of [false, true]) {
    it(`keeps a message for ${isNew ? 'a new' : 'a stored'} thread as its draft when another thread is shown while the code of the options is loading`, async () => {
      const { load } = lazyMessageOptions;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      lazyMessageOptions.load = () => held.then(() => load.call(lazyMessageOptions));
      try {
        const { settle, backend, write, press, controller, chat, field } = await setupChat();
        backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
        const showThread = (isNewOne: boolean) =>
          isNewOne ? controller.switchToNewThread() : controller.openThread('a');
        await showThread(isNew);
        chat.context = { title: 'Danube', data: {} };
        await settle();
        write('For this thread');
        press('Enter');
        await settle();
        await showThread(!isNew);
        release();
        await settle();
        await settle();
        expect([field.value, backend.count('send')]).to.deep.equal(['', 0]);
        await showThread(isNew);
        expect(controller.getDraft().text).to.equal('For this thread');
      } finally {
        lazyMessageOptions.load = load;
      }
    });
  }

  it('sends a message that is entered while a thread is loading in that thread', async () => {
    const { settle, backend, write, press, controller, chat } = await setupChat();
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = chat.openThread('t');
    await settle();
    write('And then?');
    press('Enter');
    await settle();
    expect([backend.count('createThread'), backend.count('send')]).to.deep.equal([0, 0]);
    loading.resolve(contentOf('t', [stored('m1', 'user', 'Hello')]));
    await opened;
    await settle();
    await settle();
    expect(backend.stream.args[0]).to.equal('t');
    expect(controller.thread?.id).to.equal('t');
    expect(controller.getDraft().text).to.equal('');
  });

  for (const isLoaded of [false, true]) {
    it(`keeps a message that is entered while a thread is loading if that thread ${isLoaded ? 'is not shown in the end' : 'cannot be loaded'}`, async () => {
      const { settle, backend, write, press, controller, chat, field } = await setupChat();
      const content = (id: string) => contentOf(id, [stored('m1', 'user', 'Hello')]);
      const loading = new Deferred<ReturnType<typeof contentOf>>();
      backend.responses.set('loadThread', (id) => (id === 't' ? loading.promise : content('o')));
      const opened = chat.openThread('t');
      await settle();
      write('And then?');
      press('Enter');
      await settle();
      if (isLoaded) await chat.openThread('o');
      if (isLoaded) loading.resolve(content('t'));
      else loading.reject(new UbikError('server'));
      await opened;
      await settle();
      expect(backend.count('send')).to.equal(0);
      controller.switchToNewThread();
      await settle();
      expect(field.value).to.equal('And then?');
    });
  }

  it('does not answer the request of a tool', async () => {
    const { start, settle, backend, write, press } = await setupChat();
    await start();
    backend.stream.request('@request:e', 'tool');
    backend.stream.finish('waiting');
    await settle();
    write('something else');
    press('Enter');
    await settle();
    expect(backend.count('provideInput')).to.equal(0);
    expect(backend.count('send')).to.equal(2);
  });

  it('answers the request of the agent when a tool has requested input before', async () => {
    const [, request] = await answerAgent('@request:e');
    expect(request).to.have.property('key', '@request:c');
  });

  it('keeps an answer that the host page cancels in the field', async () => {
    const { chat, controller, start, settle, backend, write, field } = await setupChat();
    await start();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await settle();
    chat.addEventListener('ubik-input-provide', (event) => {
      event.preventDefault();
    });
    write('2025');
    expect(await chat.send('2025')).to.equal(false);
    await settle();
    expect([field.value, controller.getDraft().text]).to.deep.equal(['2025', '2025']);
    expect(backend.count('provideInput')).to.equal(0);
  });

  it('stops a run that waits for an answer to a tool also after a reload of the page', async () => {
    const { controller, settle, backend, query } = await setupChat();
    const request = { ...AGENT_REQUEST, level: 'tool' } as const;
    const answer = stored('m2', 'assistant', 'Hm', { runId: 't1' });
    const messages = [stored('m1', 'user', 'Hello'), { ...answer, requests: [request] }];
    backend.threads.set('a', contentOf('a', messages));
    await controller.openThread('a');
    await settle();
    expect(query('.send').title).to.equal('Stop');
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
  });

  it('stops a run of another client that waits for an answer to a tool', async () => {
    const { controller, settle, backend, query, start } = await setupChat();
    await start();
    const { keys } = backend.stream;
    backend.stream.push(createFieldChange(keys.user ?? '', null, 'id', 'm1'));
    backend.stream.push(createFieldChange(keys.answer, null, 'id', 'm2'));
    backend.stream.finish('complete');
    await settle();
    const request = { ...AGENT_REQUEST, level: 'tool' } as const;
    const own = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', '')];
    const answer = { ...stored('m4', 'assistant', 'Hm', { runId: 't1' }), requests: [request] };
    const id = controller.thread?.id ?? '';
    const messages = [...own, stored('m3', 'user', 'And then?'), answer];
    backend.threads.set(id, contentOf(id, messages));
    (backend as Backend).onExternalChange?.(id);
    await waitFor(() => query('.send').title === 'Stop');
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
  });

  it('stops a run that waits for an answer to a tool', async () => {
    const { start, settle, backend, query, names } = await setupChat();
    await start();
    backend.stream.request('@request:e', 'tool');
    backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
    await settle();
    expect(query('.send').title).to.equal('Stop');
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
    backend.stream.finish('stopped');
    await settle();
    expect(names().at(-1)).to.equal('ubik-run-stopped');
    expect(query('.send').title).to.equal('Send');
  });

  it('shows Send while the agent waits for an answer', async () => {
    const { start, settle, backend, query } = await setupChat();
    await start();
    backend.stream.request('@request:c');
    backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
    await settle();
    expect(query('.send').title).to.equal('Send');
  });

  for (const schema of [{ format: 'password' }, { type: 'string', writeOnly: true }]) {
    it(`masks and does not store the answer to ${JSON.stringify(schema)}`, async () => {
      const { start, settle, backend, write, press, controller, field } = await setupChat();
      await start();
      backend.stream.request('@request:c');
      const message = backend.stream.keys.answer;
      const path = ['schema'];
      backend.stream.push({ type: 'set', message, part: '@request:c', path, value: schema });
      backend.stream.finish('waiting');
      await settle();
      expect(getComputedStyle(field).getPropertyValue('-webkit-text-security')).to.equal('disc');
      write('hunter2');
      await settle();
      expect(controller.getDraft().text).to.equal('');
      expect(field.value).to.equal('hunter2');
      press('Enter');
      await settle();
      expect(backend.stream.args[2]).to.deep.equal({ type: 'text', text: 'hunter2' });
      backend.stream.begin();
      await settle();
      expect(field.value).to.equal('');
      expect(getComputedStyle(field).getPropertyValue('-webkit-text-security')).to.equal('none');
      write('open');
      expect(controller.getDraft().text).to.equal('open');
    });
  }
});

describe('the secret answer in a composer', () => {
  /** Emits a question for a password. */
  function askForSecret(stream: ScriptedStream, part = '@request:c') {
    stream.request(part);
    const request = { message: stream.keys.answer, part };
    const value = { format: 'password' };
    stream.push({ type: 'set', ...request, path: ['schema'], value });
    return request;
  }

  /** A chat in which the user has typed the answer to a question for a password; with `draft`, only a draft before it. */
  async function setupSecret(draft = '') {
    const fixture = await setupChat();
    const { start, settle, backend, write } = fixture;
    await start();
    if (draft) write(draft);
    const request = askForSecret(backend.stream);
    await settle();
    if (!draft) write('hunter2');
    await settle();
    return { ...fixture, request };
  }

  /** Sends the answer with Enter; the service has not accepted it. */
  async function sendAnswer({ backend, press, settle }: Fixture): Promise<void> {
    backend.stream.finish('waiting');
    await settle();
    press('Enter');
    await settle();
    expect(backend.stream.args[2]).to.deep.equal({ type: 'text', text: 'hunter2' });
  }

  it('is not shown, stored or sent as a message when the question is closed meanwhile', async () => {
    const { backend, settle, field, press, controller, request } = await setupSecret();
    backend.stream.push({ type: 'set', ...request, path: ['state'], value: 'expired' });
    backend.stream.finish('complete');
    await settle();
    expect(field.value).to.equal('');
    expect(controller.getDraft().text).to.equal('');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('stays in the field when only the attachments of the draft change', async () => {
    const { settle, field, controller } = await setupSecret();
    controller.setDraft({ text: '', attachments: [{ id: 'd', name: 'a.txt' }] });
    await settle();
    expect(field.value).to.equal('hunter2');
    controller.setDraft({ text: 'Written by the page', attachments: [] });
    await settle();
    expect(field.value).to.equal('Written by the page');
  });

  it('is neither queued nor stored when it is changed while it is being sent, or during the run', async () => {
    const fixture = await setupSecret();
    const { press, settle, write, backend, field, controller, names } = fixture;
    press('Enter');
    await settle();
    expect(names()).not.to.include('ubik-message-queue');
    await sendAnswer(fixture);
    write('hunter23');
    press('Enter');
    await settle();
    expect(names()).not.to.include('ubik-message-queue');
    expect([field.value, backend.streams.length]).to.deep.equal(['hunter23', 2]);
    backend.stream.begin();
    await settle();
    expect([field.value, controller.getDraft().text]).to.deep.equal(['', '']);
  });

  it('is not sent as a message when its question was closed since the last update of the field', async () => {
    const { backend, field, press, settle, request, controller, names } = await setupSecret();
    controller.subscribe({ thread: true }, () => press('Enter'));
    backend.stream.push(
      { type: 'set', ...request, path: ['state'], value: 'expired' },
      { type: 'thread', set: { run: { state: 'complete' } } },
    );
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['', 1]);
    expect(names().filter((name) => name === 'ubik-message-send')).to.have.length(1);
  });

  it('begins with an empty field, in which the draft is shown again after the answer was sent', async () => {
    const fixture = await setupSecret('A note');
    const { controller, field, settle, write, backend } = fixture;
    expect([field.value, controller.getDraft().text]).to.deep.equal(['', 'A note']);
    write('hunter2');
    controller.setDraft({ text: 'A note', attachments: [{ id: 'd', name: 'a.txt' }] });
    await settle();
    expect(field.value, 'after an attachment was added').to.equal('hunter2');
    await sendAnswer(fixture);
    backend.stream.begin();
    await settle();
    expect([field.value, field.hasAttribute('data-secret')]).to.deep.equal(['A note', false]);
    expect(controller.getDraft().text).to.equal('A note');
  });

  it('is not the answer to the next question for a secret', async () => {
    const fixture = await setupSecret();
    const { backend, field, settle } = fixture;
    await sendAnswer(fixture);
    backend.stream.begin();
    askForSecret(backend.stream, '@request:d');
    await settle();
    expect([field.value, field.hasAttribute('data-secret')]).to.deep.equal(['', true]);
  });

  it('stays in the field, masked, while it is being sent, and when the service rejects it', async () => {
    const fixture = await setupSecret();
    const { settle, field, backend } = fixture;
    await sendAnswer(fixture);
    expect([field.value, field.hasAttribute('data-secret')]).to.deep.equal(['hunter2', true]);
    backend.stream.fail(new UbikError('rate-limited', 'Later.', { status: 429 }));
    await settle();
    expect([field.value, field.hasAttribute('data-secret')]).to.deep.equal(['hunter2', true]);
  });
});

describe('the button of the composer', () => {
  /** What the button does, whether it is disabled, and its name. */
  const stateOf = ({ query }: Fixture): readonly (string | null | undefined)[] => {
    const { dataset, ariaDisabled, title } = query('.send');
    return [dataset['act'], ariaDisabled, title];
  };

  it('says in each state of the run what it does', async () => {
    const fixture = await setupChat();
    const { write, press, settle, backend, query } = fixture;
    expect(stateOf(fixture)).to.deep.equal(['send', 'true', 'Send']);
    write('  ');
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'true', 'Send']);
    write('One');
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'false', 'Send']);
    press('Enter');
    await settle();
    expect(stateOf(fixture), 'sending').to.deep.equal(['send', 'true', 'Send']);
    backend.stream.begin();
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['stop', 'false', 'Stop']);
    expect(query('.send').getAttribute('part')).to.equal('send');
    query('.send').click();
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['stop', 'true', 'Stopping…']);
    query('.send').click();
    await settle();
    expect(backend.count('stop')).to.equal(1);
    backend.stream.finish('stopped');
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'true', 'Send']);
  });

  it('sends the text once when it is clicked', async () => {
    const { write, settle, query, backend, field } = await setupChat();
    write('One');
    await settle();
    query('.send').click();
    query('.send').click();
    await settle();
    expect(backend.count('send')).to.equal(1);
    expect(backend.stream.args[1]).to.include({ text: 'One' });
    expect(field.value).to.equal('');
  });

  it('is Send during a run that the service cannot stop: queues the text, or is disabled while texts stay drafts', async () => {
    const fixture = await setupChat();
    const { backend, chat, controller, query, settle } = fixture;
    const countQueued = (): number | undefined => controller.thread?.list('queue').size;
    backend.capabilities.delete('stop');
    chat.whileRunning = 'draft';
    await fixture.start();
    fixture.write('Second');
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'true', 'Send']);
    query('.send').click();
    await settle();
    expect(countQueued()).to.equal(0);
    chat.whileRunning = 'queue';
    await settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'false', 'Send']);
    query('.send').click();
    await settle();
    expect(countQueued()).to.equal(1);
    expect(fixture.field.value).to.equal('');
    expect(stateOf(fixture), 'an empty field').to.deep.equal(['send', 'true', 'Send']);
    expect([backend.count('stop'), backend.count('send')]).to.deep.equal([0, 1]);
  });

  it('sends nothing without a controller', async () => {
    const fixture = await setupChat();
    fixture.write('One');
    await fixture.settle();
    fixture.chat.controller = null;
    await fixture.settle();
    expect(stateOf(fixture)).to.deep.equal(['send', 'true', 'Send']);
    expect(await fixture.chat.send('One')).to.equal(false);
    await fixture.settle();
    expect(fixture.backend.count('send')).to.equal(0);
  });
});

describe('the message field', () => {
  it('is named, described and in the direction of its text', async () => {
    const { field, query } = await setupChat();
    const { rows, dir, ariaLabel, part } = field;
    expect([rows, dir, ariaLabel, part.value]).to.deep.equal([1, 'auto', 'Message', 'input']);
    expect(field.getAttribute('aria-describedby')).to.equal(query('.below').id);
    expect(field.hasAttribute('data-secret')).to.equal(false);
  });

  it('sends nothing while Enter is held', async () => {
    const { write, press, settle, backend } = await setupChat();
    write('One');
    expect(press('Enter', { repeat: true }).defaultPrevented).to.equal(true);
    await settle();
    expect(backend.count('send')).to.equal(0);
  });

  it('grows with a text that is written or restored, also in browsers that do not do so themselves', async () => {
    const { supports } = CSS;
    CSS.supports = () => false;
    try {
      const { write, field, controller, settle } = await setupChat();
      write('1\n2\n3');
      const { height } = field.style;
      expect(parseFloat(height)).to.be.closeTo(field.scrollHeight, 1);
      write('1');
      expect(parseFloat(field.style.height)).to.be.below(parseFloat(height));
      controller.setDraft({ text: '1\n2\n3', attachments: [] });
      await settle();
      expect(field.value).to.equal('1\n2\n3');
      expect(field.style.height).to.equal(height);
    } finally {
      CSS.supports = supports;
    }
    if (!CSS.supports('field-sizing', 'content')) return;
    const { write, field } = await setupChat();
    write('1\n2');
    expect(field.style.height).to.equal('');
  });
});

describe('a message field that was not rendered yet', () => {
  it('has no text, and takes none', () => {
    const element = { renderRoot: document.createElement('div') };
    const field = new MessageField(
      { element, controller: null } as never,
      () => undefined,
      () => undefined,
    );
    field.write('One');
    field.showDraft();
    field.focus();
    expect([field.node, field.text]).to.deep.equal([null, '']);
  });
});

describe('a text that is typed before there is a controller', () => {
  /** A composer with a typed text, to which a controller with a stored draft was connected since. */
  async function setupTyping(stored: string, isSent = false) {
    const before = setupController({ userKey: 'ada' });
    before.controller.setDraft({ text: stored, attachments: [] });
    before.controller.close();
    await before.environment.settle();
    const { environment } = before;
    const composer = document.createElement('ubik-composer');
    (await fixture(html`<div></div>`)).append(composer);
    await composer.updateComplete;
    const field = composer.shadowRoot?.querySelector('textarea') as HTMLTextAreaElement;
    field.value = 'Typed';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const { backend, controller } = setupController({ userKey: 'ada', environment });
    composer.controller = controller;
    await composer.updateComplete;
    if (isSent) void composer.send('Typed');
    await environment.settle();
    await composer.updateComplete;
    return { backend, controller, field };
  }

  it('is stored and stays, after the stored draft', async () => {
    const { controller, field } = await setupTyping('');
    expect([controller.getDraft().text, field.value]).to.deep.equal(['Typed', 'Typed']);
    const { field: other } = await setupTyping('Stored');
    expect(other.value).to.equal('Stored\n\nTyped');
  });

  it('is removed from the field when it is sent meanwhile', async () => {
    const { backend, field } = await setupTyping('', true);
    expect([backend.count('send'), field.value]).to.deep.equal([1, '']);
  });
});

describe('the message field while the user is typing', () => {
  it('is not written by the composer, because writing would end a composition', async () => {
    const { field, write, controller, settle } = await setupChat();
    const { get, set } =
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
    const written: unknown[] = [];
    write('One');
    Object.defineProperty(field, 'value', {
      get: () => get?.call(field) as unknown,
      set(value: unknown) {
        written.push(value);
        set?.call(field, value);
      },
    });
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await settle();
    expect(written).to.deep.equal([]);
    controller.setDraft({ text: 'Two', attachments: [] });
    expect([written, field.value]).to.deep.equal([['Two'], 'Two']);
  });
});

describe('the tools of the composer', () => {
  const isLoaded = ({ root }: Fixture): boolean => root.querySelector('.composer .count') !== null;

  it('are loaded when an option needs them, or with the focus in a thread or with suggestions', async () => {
    const without = await setupChat();
    without.field.focus();
    await without.settle();
    expect(isLoaded(without), 'not before the first message').to.equal(false);
    await without.start();
    without.backend.stream.finish('complete');
    await without.settle();
    without.field.blur();
    without.field.focus();
    await without.settle();
    expect(isLoaded(without), 'in a thread').to.equal(true);
    for (const options of [{ commands: [] }, { mentions: [] }]) {
      const fixture = await setupChat((chat) => Object.assign(chat, options));
      await fixture.settle();
      expect(isLoaded(fixture)).to.equal(false);
      fixture.field.focus();
      await fixture.settle();
      expect(isLoaded(fixture), Object.keys(options).join()).to.equal(true);
    }
    for (const options of [
      { maxLength: 5 },
      { longPaste: 5 },
      { speech: true },
      { followUps: ['Why?'] },
    ]) {
      const fixture = await setupChat((chat) => Object.assign(chat, options));
      await fixture.settle();
      expect(isLoaded(fixture), Object.keys(options).join()).to.equal(true);
    }
  });

  it('are loaded again with the next focus after they could not be loaded, once', async () => {
    const { load } = lazyTools;
    let requests = 0;
    try {
      lazyTools.load = () => {
        requests += 1;
        return Promise.reject(new UbikError('load-failed'));
      };
      const fixture = await setupChat((chat) => (chat.commands = []));
      fixture.field.focus();
      await fixture.settle();
      expect(isLoaded(fixture)).to.equal(false);
      expect(fixture.names()).to.deep.equal(['ubik-error']);
      lazyTools.load = () => {
        requests += 1;
        return load.call(lazyTools);
      };
      for (let time = 0; time < 3; time += 1) {
        fixture.field.blur();
        fixture.field.focus();
        await fixture.settle();
      }
      expect(isLoaded(fixture)).to.equal(true);
      expect(requests).to.equal(2);
      expect(fixture.root.querySelectorAll('.composer .count').length).to.equal(1);
    } finally {
      lazyTools.load = load;
    }
  });
});

describe('the tools of the composer that cannot be loaded', () => {
  it('are requested once for the details of an error', async () => {
    const { load } = lazyTools;
    let requests = 0;
    lazyTools.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const fixture = await setupChat();
      await sendRejected(fixture);
      expect(requests, 'without details').to.equal(0);
      fixture.press('Enter');
      await fixture.settle();
      const serviceError = { description: 'No quota left.', advice: '', code: 'E7' };
      fixture.backend.stream.fail(new UbikError('forbidden', { serviceError }));
      await fixture.settle();
      await fixture.settle();
      expect(requests).to.equal(1);
      expect(fixture.text('.below [role=alert]')).to.equal('Not sent. No quota left.');
    } finally {
      lazyTools.load = load;
    }
  });
});

describe('the composer of a chat', () => {
  it('sends and stops nothing while it has no controller or is not in the document', async () => {
    const { chat, controller, backend, settle } = await setupChat();
    chat.controller = null;
    await settle();
    await chat.stop();
    chat.controller = controller;
    await settle();
    chat.remove();
    await settle();
    expect(await chat.send('One')).to.equal(false);
    expect([backend.count('send'), backend.count('stop')]).to.deep.equal([0, 0]);
  });

  it('sends a message instead of the answer to a question that the page answers', async () => {
    const { start, settle, backend, write, press, chat, field, query } = await setupChat();
    chat.addEventListener('ubik-input-required', (event) => {
      event.preventDefault();
    });
    await start();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await settle();
    expect(field.placeholder).to.equal('Write a message…');
    expect(query('.send').title).to.equal('Send');
    write('2025');
    press('Enter');
    await settle();
    expect([backend.count('provideInput'), backend.count('send')]).to.deep.equal([0, 2]);
  });

  it('enables the button for a secret answer, which is not stored', async () => {
    const { controller, start, settle, backend, write, query } = await setupChat();
    await start();
    backend.stream.request('@request:c');
    const message = backend.stream.keys.answer;
    const value = { format: 'password' };
    backend.stream.push({ type: 'set', message, part: '@request:c', path: ['schema'], value });
    backend.stream.finish('waiting');
    await settle();
    expect(query('.send').ariaDisabled).to.equal('true');
    write('hunter2');
    await settle();
    expect([query('.send').ariaDisabled, controller.getDraft().text]).to.deep.equal(['false', '']);
  });

  it('recalls nothing with a key that is modified, handled or not in the empty field', async () => {
    const { start, settle, backend, field, press, query, root, write } = await setupChat();
    field.focus();
    await start('First');
    backend.stream.finish('complete');
    await settle();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey', 'isComposing']) {
      expect(press('ArrowUp', { [modifier]: true }).defaultPrevented, modifier).to.equal(false);
    }
    expect(press('ArrowDown').defaultPrevented).to.equal(false);
    expect(pressKey(query('.send'), 'ArrowUp').defaultPrevented, 'a button').to.equal(false);
    write('Typed');
    expect(press('ArrowUp').defaultPrevented, 'a text').to.equal(false);
    write('');
    field.addEventListener(
      'keydown',
      (event) => {
        event.preventDefault();
      },
      { once: true },
    );
    press('ArrowUp');
    await settle();
    expect(field.value).to.equal('');
    expect(root.querySelector('.composer .count'), 'the tools are not loaded').to.equal(null);
    press('ArrowUp');
    await settle();
    expect(field.value).to.equal('First');
  });

  it('loads its tools with the focus on a device that may have a virtual keyboard', async () => {
    const { matchMedia } = window;
    window.matchMedia = (media) => matchMedia(media === '(any-pointer: coarse)' ? 'all' : media);
    try {
      const { field, settle, root } = await setupChat();
      field.focus();
      await settle();
      expect(root.querySelector('.composer .count')).to.be.instanceOf(HTMLElement);
    } finally {
      window.matchMedia = matchMedia;
    }
  });
});

describe('compose', () => {
  it('adds a text to the draft, or replaces it', async () => {
    const { chat, write, field, backend } = await setupChat();
    write('Typed');
    expect(await chat.compose({ text: 'From a button' })).to.equal(true);
    expect(field.value).to.equal('Typed\n\nFrom a button');
    await chat.compose({ text: 'Only this', replace: true, focus: true });
    expect(field.value).to.equal('Only this');
    expect(chat.shadowRoot?.activeElement).to.equal(field);
    expect(backend.count('send')).to.equal(0);
  });

  it('attaches a document once that is attached already', async () => {
    const { chat, controller, root, settle } = await setupChat();
    const attachments = [{ id: 'd1', name: 'a.pdf' }];
    await chat.compose({ text: 'One', attachments: [...attachments, ...attachments] });
    await chat.compose({ text: 'Two', attachments });
    await settle();
    expect(controller.getDraft()).to.deep.equal({ text: 'One\n\nTwo', attachments });
    expect(root.querySelectorAll('.attached li')).to.have.length(1);
  });

  it('opens the window of a bubble to focus the field, but not to write a text', async () => {
    const { chat, field } = await setupChat((element) => {
      element.layout = 'bubble';
      element.open = true;
    });
    chat.toggle(false);
    expect(await chat.compose({ text: 'For later' })).to.equal(true);
    expect([chat.open, field.value]).to.deep.equal([false, 'For later']);
    await chat.compose({ focus: true });
    expect([chat.open, field.value]).to.deep.equal([true, 'For later']);
  });

  it('does without a text what focusComposer does, which opens the window and moves the focus to the field', async () => {
    const { chat, field, write, names } = await setupChat((element) => {
      element.layout = 'bubble';
      element.open = true;
    });
    write('Typed');
    for (const act of [() => chat.focusComposer(), () => chat.compose({ focus: true })]) {
      chat.toggle(false);
      expect(chat.open).to.equal(false);
      await act();
      expect([chat.open, field.checkVisibility()]).to.deep.equal([true, true]);
      expect(chat.shadowRoot?.activeElement).to.equal(field);
      expect([field.value, names()]).to.deep.equal(['Typed', []]);
    }
  });

  it('sends the message with its documents, unless the page cancels it', async () => {
    const { chat, field, backend, settle, events } = await setupChat();
    const attachments = [{ id: 'd1', name: 'a.pdf' }];
    chat.addEventListener('ubik-message-send', (event) => event.preventDefault(), { once: true });
    expect(await chat.compose({ text: 'One', attachments, send: true })).to.equal(false);
    expect([field.value, backend.count('send')]).to.deep.equal(['One', 0]);
    const sent = chat.compose({ text: 'One', attachments, replace: true, send: true });
    await settle();
    backend.stream.begin();
    await settle();
    expect(await sent).to.equal(true);
    const [last] = events.filter(({ type }) => type === 'ubik-message-sent');
    expect(last?.detail).to.deep.include({ text: 'One', attachments });
    expect(field.value).to.equal('');
  });

  it('sends a text with line ends of Windows together with its documents, and empties the field', async () => {
    const { chat, field, backend, settle } = await setupChat();
    const attachments = [{ id: 'd1', name: 'a.pdf' }];
    const sent = chat.compose({ text: 'One\r\nTwo', attachments, send: true });
    await settle();
    backend.stream.begin();
    await settle();
    expect(await sent).to.equal(true);
    expect(backend.stream.args[1]).to.deep.equal({ text: 'One\nTwo', attachments });
    expect(field.value).to.equal('');
  });

  it('sends nothing when the page cancels the first opening of the window, also when the user opens it later', async () => {
    const { chat, backend, settle } = await setupChat((element) => {
      element.layout = 'bubble';
      element.addEventListener(
        'ubik-chat-open',
        (event) => {
          event.preventDefault();
        },
        { once: true },
      );
    });
    const sent = chat.compose({ text: 'One', send: true });
    await settle();
    chat.toggle(true);
    await chat.ready;
    await settle();
    expect([chat.open, backend.count('send')]).to.deep.equal([true, 0]);
    expect(await sent).to.equal(false);
  });

  it('separates a text from what was typed by one empty line, and enables the button', async () => {
    const { chat, write, field, query, settle } = await setupChat();
    await chat.compose({ text: 'From a button' });
    await settle();
    expect([field.value, query('.send').ariaDisabled]).to.deep.equal(['From a button', 'false']);
    write('Typed \n');
    await chat.compose({ text: 'From a button' });
    expect(field.value).to.equal('Typed\n\nFrom a button');
    await chat.compose({});
    expect(field.value).to.equal('Typed\n\nFrom a button');
  });

  it('needs no code for uploads without files', async () => {
    const { chat, controller, backend, settle } = await setupChat();
    const { loadUploads } = controller;
    let loads = 0;
    const countLoads: typeof loadUploads = () => {
      loads += 1;
      return loadUploads.call(controller);
    };
    Object.assign(controller, { loadUploads: countLoads });
    void chat.compose({ text: 'One', send: true });
    await settle();
    expect([backend.count('send'), loads]).to.deep.equal([1, 0]);
  });

  it('opens a closed window to send, and sends also when the page keeps the window of a connected chat closed', async () => {
    for (const layout of ['bubble', 'panel'] as const) {
      const { chat, backend, settle } = await setupChat((element) => (element.layout = layout));
      expect(chat.open).to.equal(false);
      void chat.compose({ text: 'One', send: true });
      await waitFor(() => backend.count('send') === 1);
      expect(chat.open, layout).to.equal(true);
      backend.stream.begin();
      backend.stream.finish('complete');
      await settle();
      chat.toggle(false);
      chat.addEventListener('ubik-chat-open', (event) => event.preventDefault());
      void chat.compose({ text: 'Two', send: true });
      await waitFor(() => backend.count('send') === 2);
      expect(chat.open, layout).to.equal(false);
    }
  });

  it('waits for the gate without moving the focus, and observes the chat only until then', async () => {
    const { chat, root } = await setupChat();
    chat.gate = { title: 'About', text: 'Answers can be wrong.', accept: 'I agree' };
    const button = await waitFor(() => root.querySelector<HTMLElement>('.gate .primary'));
    const observers: ReactiveController[] = [];
    const removed: ReactiveController[] = [];
    const { addController, removeController } = chat;
    Object.assign(chat, {
      addController: (controller: ReactiveController) => {
        observers.push(controller);
        addController.call(chat, controller);
      },
      removeController: (controller: ReactiveController) => {
        removed.push(controller);
        removeController.call(chat, controller);
      },
    });
    const composed = chat.compose({ text: 'From a button', send: true });
    await waitFor(() => observers.length > 0);
    expect(root.activeElement).to.equal(null);
    button.click();
    expect(await composed).to.equal(false);
    expect(removed).to.deep.equal(observers.slice(0, 1));
  });

  it('keeps an invalid message in the field', async () => {
    const { chat, field, backend } = await setupChat((element) => (element.maxLength = 3));
    expect(await chat.compose({ text: 'Too long', send: true })).to.equal(false);
    expect([field.value, backend.count('send')]).to.deep.equal(['Too long', 0]);
  });

  it('waits for the thread of a thread-id that was just set', async () => {
    const { backend, chat, settle, start } = await setupChat();
    await start();
    const loading = new Deferred<unknown>();
    backend.responses.set('loadThread', () => loading.promise);
    chat.threadId = 'x';
    const composing = chat.compose({ text: 'For x', send: true });
    await settle();
    expect(backend.count('send')).to.equal(1);
    loading.resolve(contentOf('x', [stored('m', 'user', 'Question')]));
    await waitFor(() => backend.count('send') === 2);
    expect(backend.stream.args[0]).to.equal('x');
    backend.stream.begin();
    expect(await composing).to.equal(true);
  });

  it('queues the message during a run, like Enter', async () => {
    const { chat, start, controller, settle } = await setupChat();
    await start();
    expect(await chat.compose({ text: 'Next', send: true })).to.equal(true);
    await settle();
    expect(controller.thread?.list('queue').size).to.equal(1);
  });
});

describe('the state of a chat', () => {
  it('is plain data: messages, run and when it is ready', async () => {
    const { chat, start, settle, backend } = await setupChat();
    await chat.ready;
    expect([chat.messages, chat.run.state, chat.run.id]).to.deep.equal([[], 'idle', null]);
    await start('Hello');
    backend.stream.append(0, 'An **answer**');
    await settle();
    const { messages, run } = chat;
    expect(messages.map(({ role, text }) => [role, text])).to.deep.equal([
      ['user', 'Hello'],
      ['assistant', 'An **answer**'],
    ]);
    expect([run.state, run.id, run.error]).to.deep.equal(['streaming', 'task-1', null]);
    backend.stream.fail(new UbikError('server', 'no'));
    await settle();
    expect(messages[1]?.status).to.equal('streaming');
    expect(chat.run.since).to.be.at.least(run.since);
  });

  it('has the error of a run that has failed or was interrupted', async () => {
    const error = { code: 'server', message: 'Out of order.' };
    const failed = await setupChat();
    await failed.start();
    failed.backend.stream.push({ type: 'thread', set: { run: { state: 'failed', error } } });
    failed.backend.stream.end();
    await failed.settle();
    expect([failed.chat.run.state, failed.chat.run.error]).to.deep.equal(['failed', error]);
    const interrupted = await setupChat();
    await interrupted.start();
    interrupted.backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
    await interrupted.settle();
    const { state, error: reason } = interrupted.chat.run;
    expect([state, reason?.code]).to.deep.equal(['interrupted', 'forbidden']);
  });

  for (const code of ['not-found', 'server'] as const) {
    it(`is ready when the thread cannot be loaded (${code})`, async () => {
      const backend = new ScriptedBackend(() => 0);
      backend.responses.set('loadThread', () => Promise.reject(new UbikError(code, 'no')));
      const chat = document.createElement('ubik-chat');
      Object.assign(chat, { backend, threadId: 't1', storageKey: `cannot-be-loaded-${code}` });
      const box = await fixture(html`<div></div>`);
      box.append(chat);
      await chat.ready;
      expect([backend.count('loadThread') > 0, chat.messages]).to.deep.equal([true, []]);
    });
  }
});
