import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import { UbikError } from '../../src/errors.js';
import { lazyQueueView } from '../../src/elements/queue/queue-controller.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { requestController } from '../../src/elements/base/context-protocol.js';
import type { FollowUps } from '../../src/index.js';
import { contentOf, documentOf, ScriptedBackend, stored } from '../controller/scripted-backend.js';
import { nextFrame, setupChat, swapController } from './chat-fixture.js';

/** A chat with a focused message field and a thread of three user messages, two of them equal. */
async function setupWriting(options: Partial<UbikChat> = {}) {
  const fixture = await setupChat((chat) => Object.assign(chat, options));
  const { backend, controller, field, settle } = fixture;
  backend.threads.set(
    'a',
    contentOf('a', [
      stored('m1', 'user', 'First'),
      stored('m2', 'assistant', 'Yes'),
      stored('m3', 'user', 'Second'),
      stored('m4', 'assistant', 'No'),
      stored('m5', 'user', 'Second'),
      stored('m6', 'assistant', 'No again'),
    ]),
  );
  await controller.openThread('a');
  field.focus();
  await settle();
  return fixture;
}

describe('the input history', () => {
  it('recalls messages with ArrowUp in an empty field, and returns with ArrowDown', async () => {
    const { press, field, controller } = await setupWriting();
    const texts: string[] = [];
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      press(key);
      texts.push(field.value);
    }
    expect(texts).to.deep.equal(['Second', 'First', 'First', 'Second', '', '']);
    press('ArrowUp');
    expect(controller.getDraft().text, 'kept as a draft').to.equal('Second');
    expect(field.selectionStart).to.equal(6);
  });

  it('recalls the first question of a thread, although the field has had the focus since before it was sent', async () => {
    const { field, write, press, settle, backend } = await setupChat();
    field.focus();
    await settle();
    expect(press('ArrowUp').defaultPrevented).to.equal(false);
    write('First');
    press('Enter');
    await settle();
    backend.stream.begin();
    backend.stream.finish('complete');
    await settle();
    expect(field.value).to.equal('');
    expect(press('ArrowUp').defaultPrevented).to.equal(true);
    await settle();
    expect(field.value).to.equal('First');
  });

  it('ignores the arrow keys when the text was typed or edited', async () => {
    const { press, field, write } = await setupWriting();
    write('mine');
    expect(press('ArrowUp').defaultPrevented).to.equal(false);
    expect(field.value).to.equal('mine');
    write('');
    press('ArrowUp');
    field.setSelectionRange(2, 2);
    expect(press('ArrowUp').defaultPrevented).to.equal(false);
    write('Second!');
    expect(press('ArrowDown').defaultPrevented).to.equal(false);
    expect(field.value).to.equal('Second!');
  });

  it('ignores the arrow keys in an IME composition or with a modifier', async () => {
    const { press, field } = await setupWriting();
    const modifiers = ['isComposing', 'shiftKey', 'altKey', 'ctrlKey', 'metaKey'];
    for (const init of modifiers.map((name) => ({ [name]: true }))) {
      expect(press('ArrowUp', init).defaultPrevented).to.equal(false);
    }
    expect(field.value).to.equal('');
  });
});

describe('maxLength', () => {
  it('shows the characters left near the limit, announces once, and truncates nothing', async () => {
    const { write, query, settle, field } = await setupWriting({ maxLength: 20 });
    const readAnnouncement = (): string => query('.composer .hidden[role=status]').textContent;
    const count = async (text: string): Promise<string> => {
      write(text);
      await settle();
      return query('.count').textContent;
    };
    expect(await count('12345')).to.equal('');
    expect(await count('1234567890123456')).to.equal('4 characters left');
    expect(readAnnouncement()).to.equal('4 characters left');
    expect(await count('12345678901234567')).to.equal('3 characters left');
    expect(readAnnouncement(), 'only once').to.equal('4 characters left');
    expect(await count('👍'.repeat(19))).to.equal('1 character left');
    expect(await count('1'.repeat(20))).to.equal('0 characters left');
    expect(field.getAttribute('aria-invalid')).to.equal('false');
    expect(query('.count').dataset['state']).to.equal('near');
    expect(await count('1'.repeat(23))).to.equal('3 characters too many');
    expect(readAnnouncement()).to.equal('3 characters too many');
    expect(field.value.length).to.equal(23);
    expect(field.getAttribute('aria-invalid')).to.equal('true');
  });

  it('rejects a longer message with an error, until it fits', async () => {
    const { write, press, settle, query, root, backend, text, field } = await setupWriting({
      maxLength: 20,
    });
    write('1'.repeat(21));
    await settle();
    press('Enter');
    query('.send').click();
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(field.value.length).to.equal(21);
    expect(text('.composer [role=alert]')).to.contain('up to 20 characters');
    write('1'.repeat(20));
    await settle();
    expect(root.querySelector('.composer [role=alert]') === null).to.equal(true);
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('applies to a message that is queued', async () => {
    const { start, write, press, settle, controller, root } = await setupWriting({ maxLength: 20 });
    await start();
    write('1'.repeat(21));
    await settle();
    press('Enter');
    root.querySelector<HTMLElement>('[data-act=queueAfter]')?.click();
    await settle();
    expect(controller.thread?.list('queue').size).to.equal(0);
    write('1'.repeat(20));
    press('Enter');
    await settle();
    expect(controller.thread?.list('queue').size).to.equal(1);
  });

  it('applies to an edited queued message', async () => {
    const fixture = await setupWriting({ maxLength: 20 });
    const { start, write, press, settle, query, root } = fixture;
    await lazyQueueView.load();
    const texts = (): string[] =>
      [...root.querySelectorAll('.queue .queued')].map((node) => node.textContent ?? '');
    const save = async (text: string): Promise<void> => {
      const area = query<HTMLTextAreaElement>('.queue textarea');
      area.value = text;
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      query('.queue button.primary').click();
      await settle();
    };
    await start();
    write('Second');
    press('Enter');
    await settle();
    query('[data-act=queueEdit]').click();
    const typeInto = async (text: string): Promise<void> => {
      const area = query<HTMLTextAreaElement>('.queue textarea');
      area.value = text;
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await settle();
    };
    await typeInto('1'.repeat(21));
    expect(root.querySelector('.queue [role=alert]'), 'not before it is saved').to.equal(null);
    await save('1'.repeat(21));
    expect(root.querySelectorAll('.queue form').length).to.equal(1);
    expect(query('.queue [role=alert]').textContent).to.contain('up to 20 characters');
    await typeInto('1'.repeat(20));
    expect(root.querySelector('.queue [role=alert]'), 'until it fits').to.equal(null);
    await typeInto('1'.repeat(21));
    expect(root.querySelector('.queue [role=alert]')).to.equal(null);
    await save('1'.repeat(20));
    expect(texts()).to.deep.equal(['1'.repeat(20)]);
    expect(root.querySelector('.queue [role=alert]') === null).to.equal(true);
  });

  for (const maxLength of [0, NaN, -5]) {
    it(`sets no limit for ${maxLength}`, async () => {
      const { write, press, settle, backend } = await setupWriting({ maxLength });
      write('1'.repeat(9000));
      press('Enter');
      await settle();
      expect(backend.count('send')).to.equal(1);
    });
  }
});

describe('a long paste', () => {
  async function setupPaste(longPaste = 100) {
    await lazyDocuments.load();
    const fixture = await setupWriting({ longPaste });
    fixture.backend.capabilities.add('upload');
    const files: File[] = [];
    fixture.backend.responses.set('uploadDocument', (_thread, file) => {
      files.push(file as File);
      return documentOf(`id-${files.length}`, { name: (file as File).name });
    });
    const paste = async (text: string): Promise<boolean> => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const init = { bubbles: true, cancelable: true, composed: true, clipboardData: data };
      const event = new ClipboardEvent('paste', init);
      fixture.field.dispatchEvent(event);
      await fixture.settle();
      return event.defaultPrevented;
    };
    return { ...fixture, files, paste };
  }

  it('is attached to the message as a document', async () => {
    const { paste, files, controller, query } = await setupPaste();
    expect(await paste('x'.repeat(101))).to.equal(true);
    expect(await paste('y'.repeat(300))).to.equal(true);
    expect(files.map(({ name, size, type }) => [name, size, type])).to.deep.equal([
      ['Pasted text.txt', 101, 'text/plain'],
      ['Pasted text 2.txt', 300, 'text/plain'],
    ]);
    expect(controller.getDraft().attachments.length).to.equal(2);
    expect(query('.composer .hidden[role=status]').textContent).to.contain('attached');
  });

  it('stays text up to the limit, with Shift, or when the service has no uploads', async () => {
    const { paste, press, backend } = await setupPaste();
    expect(await paste('x'.repeat(100))).to.equal(false);
    press('V', { ctrlKey: true, shiftKey: true });
    expect(await paste('x'.repeat(101))).to.equal(false);
    press('v', { ctrlKey: true });
    expect(await paste('x'.repeat(101))).to.equal(true);
    backend.capabilities.delete('upload');
    expect(await paste('x'.repeat(101))).to.equal(false);
  });

  it('is inserted as text when the page accepts no such file, or the code for it cannot be loaded', async () => {
    const { chat, paste, files, field, query, root, write } = await setupPaste();
    const isAnnounced = (): boolean =>
      query('.composer .hidden[role=status]').textContent.includes('attached');
    const { load } = lazyDocuments;
    lazyDocuments.load = () => Promise.reject(new UbikError('load-failed'));
    try {
      expect(await paste('y'.repeat(101))).to.equal(true);
    } finally {
      Object.assign(lazyDocuments, { load });
    }
    expect([field.value, isAnnounced()]).to.deep.equal(['y'.repeat(101), false]);
    write('Summarize: now');
    field.setSelectionRange(11, 11);
    chat.uploadLimits = { types: ['.pdf'] };
    expect(await paste('x'.repeat(101))).to.equal(true);
    expect(field.value).to.equal(`Summarize: ${'x'.repeat(101)}now`);
    expect(field.selectionStart).to.equal(112);
    expect([files.length, isAnnounced()]).to.deep.equal([0, false]);
    expect(root.querySelector('.attached li')).to.equal(null);
  });

  it('is inserted as text when the page prevents its upload', async () => {
    const { chat, paste, files, field, query } = await setupPaste();
    chat.addEventListener('ubik-document-add', (event) => {
      event.preventDefault();
    });
    expect(await paste('x'.repeat(101))).to.equal(true);
    expect([field.value, files.length]).to.deep.equal(['x'.repeat(101), 0]);
    expect(query('.composer .hidden[role=status]').textContent).to.not.contain('attached');
  });

  for (const [what, isNew, isLoading] of [
    ['after another thread was opened is kept in the draft of its thread', false, false],
    ['after another thread was opened is kept for the new conversation', true, false],
    ['while another thread is loading is kept for the new conversation', true, true],
  ] as const) {
    it(`that is refused ${what}`, async () => {
      const { backend, chat, controller, paste, field, root, settle, write } = await setupPaste();
      const onboarding = new Deferred<object>();
      Object.assign(backend, { loadOnboarding: () => onboarding.promise });
      backend.threads.set('b', contentOf('b', [stored('n1', 'user', 'Other')]));
      if (isNew) controller.switchToNewThread();
      await settle();
      write('Summarize:');
      expect(await paste('x'.repeat(101))).to.equal(true);
      const loaded = new Deferred<undefined>();
      backend.responses.set('loadThread', async (id) => {
        await loaded.promise;
        return backend.threads.get(id as string);
      });
      const opened = chat.openThread('b');
      if (!isLoading) {
        loaded.resolve(undefined);
        await opened;
      }
      await settle();
      onboarding.resolve({ greeting: null, starters: [], uploadLimits: { types: ['.pdf'] } });
      await settle();
      await settle();
      loaded.resolve(undefined);
      await opened;
      await settle();
      expect([controller.thread?.id, field.value]).to.deep.equal(['b', '']);
      if (isNew) controller.switchToNewThread();
      else await chat.openThread('a');
      await settle();
      await settle();
      const text = `Summarize:\n\n${'x'.repeat(101)}`;
      expect(controller.getDraft()).to.deep.equal({ text, attachments: [] });
      expect([field.value, root.querySelector('.attached li')]).to.deep.equal([text, null]);
    });
  }

  it('stays text when longPaste is not set', async () => {
    const { paste } = await setupPaste(0);
    expect(await paste('x'.repeat(100_000))).to.equal(false);
  });
});

describe('follow-up questions', () => {
  const shown = (root: ShadowRoot): string[] =>
    [...root.querySelectorAll('.follow-ups button')].map(({ textContent }) => textContent.trim());

  it('scroll in a low window, with room for focus rings, and leave room for messages and field', async () => {
    try {
      await setViewport({ width: 320, height: 256 });
      const question = 'Where does a question end that is as long as this one? ';
      const followUps = ['1', '2', '3', '4'].map((end) => question + end);
      const { chat, query } = await setupWriting({ followUps });
      const { clientHeight, scrollHeight } = query('.follow-ups');
      expect(scrollHeight).to.be.above(clientHeight);
      const [list, first, send, frame] = [
        ...['.follow-ups', '.follow-ups button', '.send'].map(query),
        chat,
      ].map((node) => node.getBoundingClientRect());
      expect(query('.scroller').clientHeight).to.be.above(40);
      expect(send?.bottom).to.be.at.most(frame?.bottom ?? 0);
      expect((first?.left ?? 0) - (list?.left ?? 0)).to.be.at.least(4);
      expect((first?.top ?? 0) - (list?.top ?? 0)).to.be.at.least(4);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it('are shown after a complete answer, hidden during a run, and sent by a click', async () => {
    const followUps = ['Why?', 'How?', 'When?', 'Where?', 'Who?'];
    const { root, query, settle, backend, write } = await setupWriting({ followUps });
    expect(shown(root)).to.deep.equal(followUps.slice(0, 4));
    write('I');
    await settle();
    expect(shown(root), 'while the user types').to.deep.equal([]);
    write('');
    await settle();
    query('.follow-ups button').click();
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Why?', attachments: [] });
    expect(shown(root)).to.deep.equal([]);
    expect(root.activeElement?.classList.contains('send')).to.equal(true);
    backend.stream.begin();
    await settle();
    expect(shown(root)).to.deep.equal([]);
    backend.stream.finish('complete');
    await settle();
    expect(shown(root).length).to.equal(4);
  });

  it('are written into the field with `prefill`, instead of being sent', async () => {
    const { root, query, settle, backend, chat, field } = await setupWriting({
      followUps: ['Why?'],
    });
    chat.prefill = true;
    query('.follow-ups button').click();
    await settle();
    expect(field.value).to.equal('Why?');
    expect(root.activeElement).to.equal(field);
    expect(shown(root)).to.deep.equal([]);
    expect(backend.count('send')).to.equal(0);
  });

  it('are those of the service when the host page has no source, even before the field has the focus', async () => {
    const { root, backend, controller, settle, chat } = await setupChat();
    const answer = stored('m2', 'assistant', 'Yes');
    const fields = { ...answer.fields, followUps: ['Who holds the key?'] };
    backend.threads.set(
      'b',
      contentOf('b', [stored('m1', 'user', 'First'), { ...answer, fields }]),
    );
    await controller.openThread('b');
    await settle();
    await waitFor(() => shown(root).length > 0);
    expect(shown(root)).to.deep.equal(['Who holds the key?']);
    chat.followUps = ['Why?'];
    await settle();
    expect(shown(root)).to.deep.equal(['Why?']);
  });

  it('are requested once for each answer; a late result is dropped', async () => {
    const requests: { id: string | null; answer: (found: string[]) => void }[] = [];
    const followUps: FollowUps = ({ messageId }) =>
      new Promise((answer) => requests.push({ id: messageId, answer }));
    const { root, settle, chat, backend, start } = await setupWriting({ followUps });
    chat.requestUpdate();
    await settle();
    expect(requests.map(({ id }) => id)).to.deep.equal(['m6']);
    await start();
    requests[0]?.answer(['too late']);
    await settle();
    expect(shown(root)).to.deep.equal([]);
    backend.stream.finish('complete');
    await settle();
    expect(requests.length).to.equal(2);
    requests[1]?.answer(['Next?', 4 as never]);
    await settle();
    expect(shown(root)).to.deep.equal(['Next?']);
  });

  it('are requested for the answer of another controller that has the same key', async () => {
    const requested: (string | null)[] = [];
    const fixture = await setupChat((chat) => {
      chat.followUps = ({ messageId }) => {
        requested.push(messageId);
        return Promise.resolve([`After ${messageId ?? ''}`]);
      };
    });
    const { backend, controller, field, root, settle } = fixture;
    backend.threads.set(
      'b',
      contentOf('b', [stored('m1', 'user', 'First'), stored('m2', 'assistant', 'Yes')]),
    );
    await controller.openThread('b');
    field.focus();
    await settle();
    await waitFor(() => shown(root).length > 0);
    await swapController(fixture);
    expect(requested).to.deep.equal(['m2', 'a8']);
    expect(shown(root)).to.deep.equal(['After a8']);
  });

  it('are not shown after an answer that was loaded and is not complete, or asks a question', async () => {
    const { root, backend, controller, settle, start } = await setupWriting({
      followUps: ['Why?'],
    });
    const answer = stored('m2', 'assistant', 'Yes');
    const stopped = { ...answer, fields: { ...answer.fields, status: 'stopped' as const } };
    backend.threads.set('s', contentOf('s', [stored('m1', 'user', 'First'), stopped]));
    await controller.openThread('s');
    await settle();
    expect(shown(root)).to.deep.equal([]);
    await controller.openThread('a');
    await settle();
    expect(shown(root)).to.deep.equal(['Why?']);
    await start();
    backend.stream.request('@request:c');
    backend.stream.finish('complete');
    await settle();
    expect(shown(root)).to.deep.equal([]);
  });

  it('are not shown with a pending request, or after a stopped or failed answer', async () => {
    for (const end of ['waiting', 'stopped', 'failed'] as const) {
      const { root, start, backend, settle } = await setupWriting({ followUps: ['Why?'] });
      await start();
      if (end === 'waiting') backend.stream.request('@request:c');
      backend.stream.finish(end);
      await settle();
      expect(shown(root), end).to.deep.equal([]);
    }
  });

  for (const end of ['stopped', 'failed', 'waiting'] as const) {
    it(`are shown with a complete version when the last run, of another one, is ${end}`, async () => {
      const { root, controller, backend, settle } = await setupWriting({ followUps: ['Why?'] });
      for (const name of ['regenerate', 'branches'] as const) backend.capabilities.add(name);
      const complete = contentOf('a', [
        stored('m5', 'user', 'Second'),
        stored('m6', 'assistant', 'No'),
      ]);
      void controller.regenerate(controller.thread?.head ?? '', {});
      await settle();
      backend.stream.begin();
      backend.stream.finish(end);
      await settle();
      expect(shown(root)).to.deep.equal([]);
      backend.responses.set('switchBranch', () => complete);
      await controller.switchBranch('m6');
      await settle();
      expect(controller.thread?.run.state).to.equal(end);
      expect(shown(root)).to.deep.equal(['Why?']);
    });
  }
});

describe('a source of follow-up questions', () => {
  const shown = (root: ShadowRoot): number => root.querySelectorAll('.follow-ups button').length;

  it('that fails is reported, unless its request was aborted', async () => {
    const { reportError } = globalThis;
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    try {
      const requests: ((error: Error) => void)[] = [];
      const followUps: FollowUps = () => new Promise((_resolve, reject) => requests.push(reject));
      const { start, settle, events, names, root, backend } = await setupWriting({ followUps });
      await start();
      requests[0]?.(new Error('outdated'));
      await settle();
      expect(reported).to.deep.equal([]);
      expect(names()).not.to.include('ubik-diagnostic');
      backend.stream.finish('complete');
      await settle();
      requests[1]?.(new Error('down'));
      await settle();
      expect(reported.map(String)).to.deep.equal(['Error: down']);
      expect(events.at(-1)?.detail).to.include({ code: 'misuse', offender: 'followUps' });
      expect(shown(root)).to.equal(0);
    } finally {
      globalThis.reportError = reportError;
    }
  });

  it('is aborted when the chat is removed, and called again when it is added', async () => {
    const signals: AbortSignal[] = [];
    const followUps: FollowUps = (_message, signal) => {
      signals.push(signal);
      return Promise.resolve(['Why?']);
    };
    const { chat, box, settle, root } = await setupWriting({ followUps });
    expect(shown(root)).to.equal(1);
    chat.remove();
    chat.requestUpdate();
    await chat.updateComplete;
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    box.append(chat);
    await settle();
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
    expect(shown(root)).to.equal(1);
  });

  it('is replaced when the host page sets another one, or none; an invalid one has no questions', async () => {
    const { chat, settle, root, query } = await setupWriting({ followUps: ['Why?'] });
    expect(query('.follow-ups').getAttribute('aria-label')).to.equal('Suggested follow-ups');
    expect(getComputedStyle(query('.follow-ups')).display).to.equal('flex');
    expect(query('.follow-ups button').getAttribute('part')).to.equal('follow-up');
    chat.followUps = ['Who?', 'How?'];
    await settle();
    expect(shown(root)).to.equal(2);
    chat.followUps = 'Why?' as never;
    await settle();
    expect(shown(root), 'not a list').to.equal(0);
    chat.followUps = null;
    await settle();
    expect(shown(root)).to.equal(0);
  });

  it('is not called while the last message is a question', async () => {
    let calls = 0;
    const followUps: FollowUps = () => {
      calls += 1;
      return Promise.resolve(['Why?']);
    };
    const { controller, backend, settle, root } = await setupWriting({ followUps });
    expect([calls, shown(root)]).to.deep.equal([1, 1]);
    backend.threads.set('q', contentOf('q', [stored('m1', 'user', 'First')]));
    await controller.openThread('q');
    await settle();
    expect([calls, shown(root)]).to.deep.equal([1, 0]);
  });
});

describe('the inset for the virtual keyboard', () => {
  /** Replaces the visual viewport. `cover` lets a keyboard cover its lower part, and returns the space below the composer in px. */
  async function setupViewport() {
    const { innerHeight } = window;
    const viewport = Object.assign(new EventTarget(), {
      height: innerHeight,
      offsetTop: 0,
      scale: 1,
    });
    const original = Object.getOwnPropertyDescriptor(window, 'visualViewport');
    Object.defineProperty(window, 'visualViewport', { value: viewport, configurable: true });
    const fixture = await setupWriting();
    fixture.chat.style.cssText = `position: fixed; inset: 0; height: ${innerHeight}px`;
    const cover = async (height: number, offsetTop = 0, scale = 1): Promise<number> => {
      Object.assign(viewport, { height: innerHeight - height, offsetTop, scale });
      viewport.dispatchEvent(new Event('resize'));
      await fixture.settle();
      const { bottom } = fixture.query('.composer').getBoundingClientRect();
      return innerHeight - bottom;
    };
    const restore = (): void => {
      if (original) Object.defineProperty(window, 'visualViewport', original);
    };
    return { ...fixture, cover, restore };
  }

  it('hides the hint below the field, to leave space for the messages', async () => {
    const { cover, restore, query, field } = await setupViewport();
    try {
      field.focus();
      const { offsetHeight } = query('.below');
      await cover(300);
      expect(query('.below').offsetHeight).to.be.below(offsetHeight);
      expect(query('.keys').checkVisibility()).to.equal(false);
      await cover(0);
      expect(query('.below').offsetHeight).to.equal(offsetHeight);
    } finally {
      restore();
    }
  });

  it('keeps the field of a bubble above the keyboard', async () => {
    const { cover, restore, chat, root, query } = await setupViewport();
    try {
      // The position of the element is irrelevant to its window, which is in the corner of the viewport.
      chat.style.cssText = 'margin-block-start: 3000px';
      chat.layout = 'bubble';
      chat.open = true;
      await waitFor(() => root.querySelector('.window .composer')?.checkVisibility());
      query('.composer textarea').focus();
      expect(await cover(0)).to.be.below(150);
      expect(await cover(300)).to.be.within(300, 330);
    } finally {
      restore();
    }
  });

  it('starts at 100 px, and tolerates one pixel below the viewport', async () => {
    const { cover, restore, chat, field, query, box } = await setupViewport();
    try {
      field.focus();
      expect(await cover(99)).to.equal(0);
      expect(await cover(100)).to.equal(100);
      const { style } = query('.ubik');
      expect(style.getPropertyValue('--_keyboard')).to.equal('100px');
      await cover(0);
      expect(style.getPropertyValue('--_keyboard')).to.equal('');
      chat.style.maxHeight = 'none';
      chat.style.height = `${window.innerHeight + 1}px`;
      await cover(300);
      expect(style.getPropertyValue('--_keyboard')).to.equal('301px');
      chat.style.height = `${window.innerHeight + 2}px`;
      await cover(300);
      expect(style.getPropertyValue('--_keyboard')).to.equal('');
      chat.style.height = `${window.innerHeight}px`;
      await cover(300);
      query('.send').focus();
      expect(style.getPropertyValue('--_keyboard'), 'another control').to.equal('300px');
      await cover(300, 0, 1.01);
      expect(style.getPropertyValue('--_keyboard'), 'rounding of the scale').to.equal('300px');
      chat.remove();
      expect(style.getPropertyValue('--_keyboard')).to.equal('');
      expect(query('.ubik').hasAttribute('data-keyboard')).to.equal(false);
      box.append(chat);
      query('textarea').focus();
      expect(style.getPropertyValue('--_keyboard')).to.equal('300px');
    } finally {
      restore();
    }
  });

  it('keeps the field above the keyboard, and leaves no gap when it closes', async () => {
    const { cover, restore, chat, field, query } = await setupViewport();
    try {
      expect(await cover(300)).to.equal(300);
      // The browser has scrolled the visual viewport itself.
      expect(await cover(300, 120)).to.equal(180);
      expect(await cover(60), 'a toolbar of the browser').to.equal(0);
      expect(await cover(300, 0, 2), 'pinch zoom').to.equal(0);
      await cover(300);
      const hasInset = (): boolean => query('.ubik').hasAttribute('data-keyboard');
      expect(hasInset()).to.equal(true);
      field.blur();
      expect(hasInset(), 'at once').to.equal(false);
      field.focus();
      expect(hasInset()).to.equal(true);
      field.blur();
      expect(await cover(300), 'without focus').to.equal(0);
      field.focus();
      expect(await cover(300)).to.equal(300);
      chat.style.cssText += '; height: 3000px; max-height: none';
      expect(await cover(300), 'a page that can be scrolled').to.be.lessThan(0);
      expect(field.matches(':focus')).to.equal(true);
    } finally {
      restore();
    }
  });
});

describe('the message field', () => {
  it('opts out of autofill and password managers, and is spell-checked', async () => {
    const { field } = await setupWriting();
    const attributes = Object.fromEntries(
      [...field.attributes].map(({ name, value }) => [name, value]),
    );
    expect(attributes).to.include({
      autocomplete: 'off',
      autocapitalize: 'sentences',
      spellcheck: 'true',
      enterkeyhint: 'send',
      'data-1p-ignore': '',
      'data-lpignore': 'true',
      'data-bwignore': '',
      'data-form-type': 'other',
    });
    expect(parseFloat(getComputedStyle(field).fontSize), 'no zoom').to.be.at.least(16);
  });
});

describe('a draft', () => {
  for (const [drafts, isStored] of [
    ['', true],
    ['off', false],
  ] as const) {
    it(`is ${isStored ? '' : 'not '}stored when drafts is "${drafts}"`, async () => {
      sessionStorage.clear();
      const chat = document.createElement('ubik-chat');
      chat.setAttribute('drafts', drafts);
      chat.backend = new ScriptedBackend(() => 0);
      document.body.append(chat);
      await chat.updateComplete;
      const field = chat.shadowRoot?.querySelector('textarea');
      if (!field) throw new Error('There is no field.');
      await chat.updateComplete;
      field.value = 'My number is 4711';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const closed = new Promise<void>((resolve) => {
        requestController(field, (controller) => {
          controller.onNotice(({ type }) => {
            if (type === 'closed') resolve();
          });
        });
      });
      // The controller closes with its last element, and stores the draft then.
      chat.remove();
      await closed;
      await nextFrame();
      const stored = Object.values(sessionStorage).join();
      expect(stored.includes('4711')).to.equal(isStored);
      sessionStorage.clear();
    });
  }
});
