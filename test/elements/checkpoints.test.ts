import { expect, oneEvent } from '@open-wc/testing';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import type { PartTree } from '../../src/model/part.js';
import {
  checkpoint,
  checkpointPart,
  step,
  textPart,
} from '../controller/checkpoints/build-tree.js';
import { contentOf, documentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { pressIgnoredEnter, pressKey, setupChat, setupController } from './chat-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import {
  answer,
  CHECKPOINTS,
  setupCheckpointChat,
  setupCheckpointPanel,
} from './checkpoints-fixture.js';
import { NOON, ScriptedClock } from './scripted-clock.js';

const textOf = (node: Element): string => node.textContent?.replace(/\s+/g, ' ').trim() ?? '';
/** Codes of the errors of a request, each with the HTTP status of its response, if there is one. */
const ERRORS: readonly (readonly [UbikErrorCode, number | undefined])[] = [
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['busy', 409],
  ['bad-request', 422],
  ['rate-limited', 429],
  ['server', 503],
  ['network', undefined],
  ['not-an-api', undefined],
];

/** Errors after which it is unknown whether the service has received the request. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['network', 'server', 'not-an-api']);

describe('restore dialog', () => {
  it('lists what is left out and what stays before it restores', async () => {
    const { openDialog, dialog, backend } = await setupCheckpointChat();
    await openDialog(0);
    const text = textOf(dialog());
    expect(text).to.contain('Restore this checkpoint?');
    expect(text).to.contain('Look it up');
    for (const thing of ['2 messages', '2 steps', '3 tool calls']) expect(text).to.contain(thing);
    expect(text).to.contain('won’t be undone');
    expect(text).to.contain('kept as another branch');
    expect(backend.count('restoreCheckpoint')).to.equal(0);
  });

  it('shows the generated name of the checkpoint with errorDetails only', async () => {
    const { chat, openDialog, dialog, settle } = await setupCheckpointChat();
    await openDialog(0);
    expect(dialog().querySelector('code')).to.equal(null);
    dialog().close();
    await settle();
    chat.errorDetails = true;
    await openDialog(0);
    expect(dialog().querySelector('code')?.textContent).to.equal('c1');
  });

  it('shows that nothing follows the checkpoint', async () => {
    const { openDialog, dialog } = await setupCheckpointChat();
    await openDialog(2);
    expect(textOf(dialog())).to.contain('No message, step or tool call comes after it.');
  });

  it('takes the focus and restores it when closed', async () => {
    const { openDialog, dialog, root, query } = await setupCheckpointChat();
    const button = await openDialog(1);
    expect(root.activeElement === query('.restore textarea')).to.equal(true);
    const closed = oneEvent(dialog(), 'close');
    dialog().querySelector<HTMLButtonElement>('.quiet')?.click();
    await closed;
    expect(root.querySelector('dialog')).to.equal(null);
    expect(root.activeElement === button).to.equal(true);
  });

  for (const [name, change] of [
    ['another thread is shown', ({ controller }) => controller.openThread('other')],
    [
      'another controller is connected',
      ({ chat }) => (chat.controller = setupController().controller),
    ],
    [
      'the chat is moved in the page',
      ({ chat, box }) => {
        box.append(chat);
      },
    ],
  ] as readonly (readonly [
    string,
    (setup: Awaited<ReturnType<typeof setupCheckpointChat>>) => unknown,
  ])[]) {
    it(`closes when ${name}`, async () => {
      const setup = await setupCheckpointChat();
      setup.backend.threads.set('other', contentOf('other', [stored('q', 'user', 'Other?')]));
      await setup.openDialog(0);
      await change(setup);
      await setup.settle();
      expect(setup.root.querySelector('dialog')).to.equal(null);
    });
  }

  it('stays open when the chat is updated', async () => {
    const { chat, openDialog, settle, dialog } = await setupCheckpointChat();
    await openDialog(0);
    chat.requestUpdate();
    await settle();
    expect(dialog().open).to.equal(true);
  });

  it('does not open for a thread that is no longer shown when its code has loaded', async () => {
    const { backend, controller, root, query, settle } = await setupCheckpointChat();
    backend.threads.set('other', contentOf('other', [stored('q', 'user', 'Other?')]));
    await waitFor(() => root.querySelector('.divider button'));
    query('.divider button').click();
    controller.switchToNewThread();
    await controller.openThread('other');
    await settle();
    expect(root.querySelector('dialog')).to.equal(null);
  });

  it('unsubscribes from the controller when closed', async () => {
    const { openDialog, dialog, controller } = await setupCheckpointChat();
    let listeners = 0;
    const subscribe = controller.subscribe.bind(controller);
    controller.subscribe = (...args: Parameters<typeof subscribe>) => {
      listeners += 1;
      const stop = subscribe(...args);
      return () => {
        listeners -= 1;
        stop();
      };
    };
    await openDialog(1);
    expect(listeners).to.equal(1);
    const closed = oneEvent(dialog(), 'close');
    dialog().querySelector<HTMLButtonElement>('.quiet')?.click();
    await closed;
    expect(listeners).to.equal(0);
  });

  it('restores with a hint, which is shown where the answer restarts', async () => {
    const { openDialog, submitHint, backend, settle, names, root, text } =
      await setupCheckpointChat();
    await openDialog(0);
    await submitHint('  only the second document ');
    expect(backend.stream.args[2]).to.equal('only the second document');
    expect(backend.stream.args[1]).to.deep.equal(CHECKPOINTS[0]);
    backend.stream.begin('task-3');
    await settle();
    expect(root.querySelector('dialog')).to.equal(null);
    expect(text('.message:last-child .note')).to.contain('with the hint: only the second document');
    expect(names().filter((name) => name.includes('checkpoint'))).to.deep.equal([
      'ubik-checkpoint-restore',
      'ubik-checkpoint-restored',
    ]);
  });

  it('restores on Enter in the hint, except on the Enter after compositionend (the order of Safari)', async () => {
    const { backend, query, settle, openDialog } = await setupCheckpointChat();
    await openDialog(0);
    const hint = query('.restore textarea');
    const end = new CompositionEvent('compositionend', { bubbles: true });
    Object.defineProperty(end, 'timeStamp', { value: performance.now() });
    const enter = (timeStamp: number, init: KeyboardEventInit = {}): void => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', cancelable: true, ...init });
      Object.defineProperty(event, 'timeStamp', { value: timeStamp });
      hint.dispatchEvent(event);
    };
    hint.dispatchEvent(end);
    enter(end.timeStamp + 10);
    enter(end.timeStamp + 500, { shiftKey: true });
    await settle();
    expect(backend.count('restoreCheckpoint')).to.equal(0);
    enter(end.timeStamp + 500);
    await settle();
    expect(backend.count('restoreCheckpoint')).to.equal(1);
  });

  it('lets the host page change the hint or cancel the restore', async () => {
    const changed = await setupCheckpointChat();
    changed.chat.addEventListener('ubik-checkpoint-restore', (event) => {
      const restore = event;
      restore.hint = `${restore.hint ?? ''}, in French`;
    });
    await changed.openDialog(0);
    await changed.submitHint('faster');
    expect(changed.backend.stream.args[2]).to.equal('faster, in French');
    const kept = await setupCheckpointChat();
    kept.chat.addEventListener('ubik-checkpoint-restore', (event) => {
      event.preventDefault();
    });
    await kept.openDialog(0);
    await kept.submitHint();
    expect(kept.backend.count('restoreCheckpoint')).to.equal(0);
    expect(kept.root.querySelector('dialog')).to.equal(null);
  });

  for (const [code, status] of ERRORS) {
    it(`stays open with its hint and shows an error when the restore fails (${code})`, async () => {
      const fixture = await setupCheckpointChat();
      const { openDialog, submitHint, backend, environment, settle, query, root, names } = fixture;
      await openDialog(0);
      await submitHint('faster');
      backend.stream.fail(new UbikError(code, 'no', { ...(status && { status }) }));
      await settle();
      if (AMBIGUOUS.has(code)) {
        // The controller looks for a run that may have started, and does not find it.
        await environment.advance(60_000);
        backend.stream.fail(new UbikError('not-found', 'no', { status: 404 }));
        await settle();
      }
      expect(textOf(query('dialog [role=alert]'))).not.to.equal('');
      expect(query<HTMLTextAreaElement>('.restore textarea').value).to.equal('faster');
      expect(names()).to.include('ubik-error');
      expect(names()).not.to.include('ubik-checkpoint-restored');
      expect(root.querySelectorAll('.message').length).to.equal(4);
    });
  }

  it('that was closed while restoring does not show the error, which the chat shows instead', async () => {
    const { openDialog, submitHint, dialog, backend, settle, text } = await setupCheckpointChat();
    await openDialog(0);
    await submitHint('faster');
    const closed = oneEvent(dialog(), 'close');
    dialog().close();
    await closed;
    backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
    await settle();
    expect(text('.below [role=alert]')).not.to.equal('');
  });

  it('shows an error when the checkpoints cannot be loaded, and retries', async () => {
    const { openDialog, backend, dialog, settle } = await setupCheckpointChat();
    backend.responses.set('listCheckpoints', () => Promise.reject(new UbikError('server', 'no')));
    await openDialog(0);
    expect(dialog().querySelector('textarea')).to.equal(null);
    backend.responses.delete('listCheckpoints');
    dialog().querySelector<HTMLButtonElement>('.primary')?.click();
    await settle();
    expect(textOf(dialog())).to.contain('2 messages');
  });

  it('is closed without an error when restoring is aborted', async () => {
    const { openDialog, submitHint, backend, controller, dialog, settle } =
      await setupCheckpointChat();
    await openDialog(0);
    await submitHint();
    expect(backend.count('restoreCheckpoint')).to.equal(1);
    const opened = dialog();
    controller.close();
    await settle();
    expect(opened.textContent).not.to.contain('cancelled');
    expect(opened.isConnected).to.equal(false);
  });

  it('is closed without an error when loading the checkpoints is aborted', async () => {
    const { backend, root } = await setupCheckpointChat();
    let abort: (() => void) | undefined;
    backend.responses.set('listCheckpoints', async () => {
      await new Promise<void>((resolve) => (abort = resolve));
      throw new UbikError('aborted');
    });
    const button = await waitFor(() => root.querySelector<HTMLElement>('.divider button'));
    button.click();
    const dialog = await waitFor(() => root.querySelector('dialog'));
    (await waitFor(() => abort))();
    await waitFor(() => !dialog.isConnected || dialog.querySelector('[role=alert]'));
    expect(dialog.isConnected).to.equal(false);
  });

  it('does not restore a checkpoint when a newer one has the same name', async () => {
    const older = checkpoint('c1', { runId: 'task-1', createdAt: 1, restorable: false });
    const newer = checkpoint('c1', { runId: 'task-2', createdAt: 2 });
    const { openDialog, dialog } = await setupCheckpointChat([older, newer]);
    await openDialog(0);
    expect(textOf(dialog())).to.contain('A newer checkpoint has the same name');
    expect(dialog().querySelector('.primary')).to.equal(null);
  });

  it('shows that the service no longer has the checkpoint', async () => {
    for (const points of [[], CHECKPOINTS.slice(1)]) {
      const { openDialog, dialog } = await setupCheckpointChat(points);
      await openDialog(0);
      expect(textOf(dialog())).to.contain('no longer has this checkpoint');
      expect(dialog().querySelector('.primary')).to.equal(null);
    }
  });

  it('restores the checkpoint of the clicked message when another message has one of the same name', async () => {
    const points = [1, 2].map((number) => checkpoint('c1', { runId: `task-${number}` }));
    const { backend, controller, dialog, openDialog, settle, submitHint } =
      await setupCheckpointChat(points);
    backend.threads.set(
      'u',
      contentOf('u', [
        stored('q1', 'user', 'How long is the Rhine?'),
        answer('a1', 'task-1', [checkpointPart('c1'), textPart('1,230 km.', 'end')]),
        stored('q2', 'user', 'And the Elbe?'),
        answer('a2', 'task-2', [checkpointPart('c1'), textPart('1,094 km.', 'end')]),
      ]),
    );
    await controller.openThread('u');
    await settle();
    for (const at of [1, 0]) {
      await openDialog(at);
      await submitHint();
      expect(backend.stream.args[1]).to.deep.equal(points[at]);
      backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
      await settle();
      const closed = oneEvent(dialog(), 'close');
      dialog().close();
      await closed;
    }
  });

  it('says what is known of a checkpoint of a message that is not loaded', async () => {
    const { root, settle } = await setupCheckpointPanel([checkpoint('z', { runId: 'elsewhere' })]);
    root.querySelector<HTMLElement>('.point button')?.click();
    await settle();
    const text = textOf(await waitFor(() => root.querySelector('dialog section')));
    expect(text).to.contain('What will be left out').and.to.contain('this page hasn’t loaded');
    expect(text).not.to.contain('kept as another branch');
  });

  it('says during a run only why a checkpoint can never be restored, and does not restore it', async () => {
    const older = checkpoint('c1', { runId: 'task-1', createdAt: 1, restorable: false });
    const { openDialog, dialog, start, backend, settle, query } = await setupCheckpointChat([
      older,
      checkpoint('c1', { runId: 'task-2', createdAt: 2 }),
    ]);
    await start('More');
    await openDialog(0);
    expect(textOf(dialog())).to.contain('A newer checkpoint has the same name');
    expect(dialog().querySelector('.error-text')).to.equal(null);
    backend.stream.finish('complete');
    await settle();
    query<HTMLFormElement>('.restore form').requestSubmit();
    await settle();
    expect(backend.count('restoreCheckpoint')).to.equal(0);
  });

  it('disables the button with a reason while a run is in progress', async () => {
    const { openDialog, submitHint, start, backend, settle, query, dialog } =
      await setupCheckpointChat();
    await start('More');
    await openDialog(0);
    expect(query('.restore .primary').ariaDisabled).to.equal('true');
    expect(textOf(dialog())).to.contain('still working');
    expect(dialog().querySelector('[role=alert]'), 'no error').to.equal(null);
    const reason = query('.restore .primary').getAttribute('aria-describedby') ?? '';
    expect(query(`#${CSS.escape(reason)}`).textContent).to.contain('still working');
    const streams = backend.streams.length;
    await submitHint('now');
    expect(backend.streams.length).to.equal(streams);
    backend.stream.finish('complete');
    await settle();
    expect(query('.restore .primary').ariaDisabled).to.equal('false');
    expect(query('.restore .primary').hasAttribute('aria-describedby')).to.equal(false);
    expect(query<HTMLTextAreaElement>('.restore textarea').value).to.equal('now');
  });

  it('names the documents that stay, the first ones if there are many', async () => {
    for (const [count, names] of [
      [1, 'd0.pdf'],
      [3, 'd0.pdf, d1.pdf, d2.pdf'],
      [8, /^d0\.pdf, d1\.pdf, .*…$/],
    ] as const) {
      const { openDialog, dialog, backend, settle } = await setupCheckpointChat();
      backend.capabilities.add('documents');
      backend.documents = Array.from({ length: count }, (_, at) => documentOf(`d${at}`));
      await openDialog(0);
      await settle();
      await settle();
      const list = [...dialog().querySelectorAll('section p')]
        .map((node) => textOf(node))
        .find((text) => text.includes('d0.pdf'));
      if (typeof names === 'string') expect(list).to.contain(names);
      else expect(list?.slice(list.indexOf('d0.pdf')).trim()).to.match(names);
      expect(list?.includes('…')).to.equal(count === 8);
    }
  });

  it('submits on Enter in the hint, but not with Shift or in an IME composition', async () => {
    const { openDialog, query, backend, settle } = await setupCheckpointChat();
    await openDialog(0);
    const field = query('.restore textarea');
    const streams = backend.streams.length;
    for (const init of [{ shiftKey: true }, { isComposing: true }, { keyCode: 229 }])
      expect(pressKey(field, 'Enter', init).defaultPrevented).to.equal(false);
    expect(pressKey(field, 'a').defaultPrevented).to.equal(false);
    await settle();
    expect(backend.streams.length).to.equal(streams);
    expect(pressIgnoredEnter(field).defaultPrevented).to.equal(true);
    await settle();
    expect(backend.stream.method).to.equal('restoreCheckpoint');
    expect(query('.restore form').ariaBusy).to.equal('true');
    expect(query('.restore .primary').ariaDisabled).to.equal('true');
    pressKey(field, 'Enter');
    await settle();
    expect(backend.count('restoreCheckpoint'), 'once').to.equal(1);
  });

  it('keeps an unsent hint for the same checkpoint', async () => {
    const { backend, openDialog, query, dialog } = await setupCheckpointChat();
    const field = (): HTMLTextAreaElement => query<HTMLTextAreaElement>('.restore textarea');
    const close = async (): Promise<void> => {
      const closed = oneEvent(dialog(), 'close');
      dialog().querySelector<HTMLButtonElement>('.quiet')?.click();
      await closed;
    };
    await openDialog(0);
    field().value = 'only the second';
    await close();
    await openDialog(1);
    expect(field().value, 'another checkpoint').to.equal('');
    await close();
    await openDialog(1);
    expect(field().value).to.equal('');
    field().value = 'shorter';
    await close();
    backend.responses.set('listCheckpoints', () => Promise.reject(new UbikError('server', 'no')));
    await openDialog(1);
    expect(query('.restore').querySelector('textarea')).to.equal(null);
    await close();
    backend.responses.clear();
    await openDialog(1);
    expect(field().value, 'the checkpoints could not be loaded meanwhile').to.equal('shorter');
    expect(dialog().getAttribute('aria-labelledby')).to.equal(dialog().querySelector('h2')?.id);
  });

  it('is accessible', async () => {
    const { openDialog, chat } = await setupCheckpointChat();
    await openDialog(0);
    await expect(chat).to.be.accessible();
  });
});

describe('<ubik-checkpoints>', () => {
  it('shows the question, step, age and following parts of each checkpoint', async () => {
    const { texts, root } = await setupCheckpointPanel();
    expect(texts('h3')).to.deep.equal(['How long is the Rhine?', 'And the Elbe?']);
    expect(texts('.point .title')).to.deep.equal([
      'After step 1: Look it up',
      'After step 2: Step 2',
      'After step 1: Step 1',
    ]);
    const [first = '', , last = ''] = texts('.point > .meta');
    expect(first).to.match(/^\d+ \w+ ago · followed by: 2 messages, 2 steps, 3 tool calls$/);
    expect(last).to.contain('the newest checkpoint');
    expect(root.querySelector('time')?.dateTime).to.equal('2026-01-01T12:00:00.000Z');
  });

  it('names a checkpoint with a generated name by the step before it, also by one without a title', async () => {
    const { texts, root, settle, backend, controller } = await setupCheckpointPanel([
      checkpoint('run-1-step-2', { runId: 'task-1' }),
    ]);
    const untitled = { ...step(2, 2), title: '' } as PartTree;
    const parts = [untitled, checkpointPart('run-1-step-2'), textPart('1,230 km.', 'end')];
    const question = stored('q1', 'user', 'How long is the Rhine?');
    backend.threads.set('u', contentOf('u', [question, answer('a1', 'task-1', parts)]));
    await controller.openThread('u');
    await settle();
    await settle();
    expect(texts('.point .title')).to.deep.equal(['After step 2']);
    const [button] = root.querySelectorAll<HTMLButtonElement>('.point button');
    expect(button?.ariaLabel).to.equal('Restore… After step 2');
    button?.click();
    await settle();
    await waitFor(() => !root.querySelector('dialog [role=status]'));
    expect([...root.querySelectorAll('dialog div > .meta')].map(textOf)).to.deep.equal([
      'After step 2',
    ]);
  });

  it('leaves no timer when its controller is set to null while the list is loading', async () => {
    const clock = new ScriptedClock();
    const { backend, controller, panel, settle } = await setupCheckpointPanel(CHECKPOINTS, clock);
    expect(clock.waiting).to.equal(1);
    const loading = new Deferred<typeof CHECKPOINTS>();
    backend.responses.set('listCheckpoints', () => loading.promise);
    const listed = backend.count('listCheckpoints');
    for (const value of [null, controller, null]) {
      panel.controller = value;
      await settle();
    }
    expect(backend.count('listCheckpoints')).to.equal(listed + 1);
    loading.resolve(CHECKPOINTS);
    await settle();
    expect(clock.waiting).to.equal(0);
  });

  it('restores a selected checkpoint with its events', async () => {
    const { root, settle, backend, events } = await setupCheckpointPanel();
    const [button] = root.querySelectorAll<HTMLButtonElement>('.point button');
    button?.focus();
    button?.click();
    await settle();
    expect(textOf(root.querySelector('dialog') ?? root.host)).to.contain('2 messages');
    const listed = backend.count('listCheckpoints');
    root.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();
    await settle();
    expect(backend.stream.method).to.equal('restoreCheckpoint');
    expect(backend.count('listCheckpoints')).to.equal(listed);
    expect(backend.stream.args.slice(1)).to.deep.equal([CHECKPOINTS[0], null]);
    backend.stream.begin('task-3');
    await settle();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'ubik-checkpoint-restore',
      'ubik-checkpoint-restored',
    ]);
    expect(root.activeElement === button).to.equal(true);
  });

  it('shows why an older checkpoint of the same name cannot be restored', async () => {
    const older = checkpoint('c1', { runId: 'task-1', createdAt: 1, restorable: false });
    const { root, texts } = await setupCheckpointPanel([
      older,
      checkpoint('c1', { runId: 'task-2' }),
    ]);
    expect(root.querySelectorAll('.point button').length).to.equal(1);
    expect(texts('.point')[0]).to.contain('A newer checkpoint has the same name');
  });

  it('marks checkpoints of another branch and of messages that are not loaded', async () => {
    const { texts } = await setupCheckpointPanel([checkpoint('z', { runId: 'elsewhere' })]);
    expect(texts('.point')[0]).to.contain('on another branch');
    expect(texts('.point')[0]).to.contain('this page hasn’t loaded');
    expect(texts('.point.shown')).to.deep.equal([]);
  });

  it('counts the messages, steps and tool calls after a checkpoint, and omits those of which there are none', async () => {
    const { texts, backend, controller, settle } = await setupCheckpointPanel(
      ['c1', 'c2', 'c3', 'c4'].map((name, at) =>
        checkpoint(name, { runId: at < 2 ? 'task-1' : 'task-2' }),
      ),
    );
    const parts = [checkpointPart('c1'), step(1), checkpointPart('c2'), textPart('1 km.', 'end')];
    const more = [checkpointPart('c3'), step(1, 1), checkpointPart('c4'), textPart('2 km.', 'end')];
    backend.threads.set(
      'u',
      contentOf('u', [
        stored('q1', 'user', 'How long is the Rhine?'),
        answer('a1', 'task-1', parts),
        stored('q2', 'user', 'And the Elbe?'),
        answer('a2', 'task-2', more),
      ]),
    );
    await controller.openThread('u');
    await settle();
    await settle();
    expect(texts('.point > .meta')).to.deep.equal([
      'followed by: 2 messages, 2 steps, 1 tool call',
      'followed by: 2 messages, 1 step, 1 tool call',
      'followed by: 1 step, 1 tool call',
      'the newest checkpoint',
    ]);
  });

  it('requests nothing for a conversation that does not exist yet', async () => {
    const { backend, controller, settle, texts } = await setupCheckpointPanel();
    const before = backend.count('listCheckpoints');
    controller.switchToNewThread();
    await settle();
    await settle();
    expect(backend.count('listCheckpoints')).to.equal(before);
    expect(texts('[role=status]')).to.deep.equal(['The assistant sets checkpoints as it works.']);
    const other = setupController();
    other.controller.listCheckpoints = () => expect.fail('Requested.');
    const { panel } = await setupCheckpointPanel();
    panel.controller = other.controller;
    await settle();
    await settle();
    expect(panel.shadowRoot?.querySelectorAll('.point, [role=alert]').length).to.equal(0);
  });

  it('offers to ask a question when there are none, but not while they are loading', async () => {
    const setup = await setupChat();
    const { backend, chat, controller, field, settle } = setup;
    backend.threads.set('t', contentOf('t', [stored('q1', 'user', 'How long is the Rhine?')]));
    const list = new Deferred<unknown>();
    backend.responses.set('listCheckpoints', () => list.promise);
    const panel = document.createElement('ubik-checkpoints');
    panel.slot = 'end';
    chat.append(panel);
    await controller.openThread('t');
    const find = (selector: string): HTMLElement | null | undefined =>
      panel.shadowRoot?.querySelector<HTMLElement>(selector);
    await waitFor(() => find('[role=status]')?.textContent.includes('Loading'));
    expect(find('.ask')).to.equal(null);
    list.resolve([]);
    await settle();
    (await waitFor(() => find('.ask'))).click();
    expect(chat.shadowRoot?.activeElement).to.equal(field);
  });

  it('does not render its ages again when only text is added', async () => {
    const clock = new ScriptedClock();
    const createdAt = NOON - 50_000;
    const { backend, controller, settle, texts } = await setupCheckpointPanel(
      [checkpoint('c1', { runId: 'task-1', createdAt })],
      clock,
    );
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin('task-3');
    await sent;
    await settle();
    // Renders the changes so far.
    clock.pass(1);
    for (let at = 0; at < 20; at += 1) {
      backend.stream.append(at, 'x');
      await settle();
      clock.pass(1);
    }
    expect(texts('time')).to.deep.equal(['now']);
    clock.pass(10);
    expect(texts('time')).to.deep.equal(['1 minute ago']);
  });

  it('adds checkpoints during a run and disables restoring meanwhile', async () => {
    const { controller, backend, settle, texts, root } = await setupCheckpointPanel();
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin('task-3');
    await sent;
    backend.checkpoints = [...CHECKPOINTS, checkpoint('c4', { runId: 'task-3' })];
    const message = backend.stream.keys.answer;
    const value = { kind: 'checkpoint', name: 'c4' } as const;
    backend.stream.push({
      type: 'part',
      message,
      part: 'checkpoint:c4',
      parent: null,
      before: null,
      value,
    });
    await settle();
    await settle();
    expect(texts('.point .title').at(-1)).to.equal('c4');
    const [button] = root.querySelectorAll<HTMLButtonElement>('.point button');
    expect([button?.ariaDisabled, button?.title]).to.deep.equal([
      'true',
      'The assistant is still working. Wait for it or stop it first.',
    ]);
    button?.click();
    await settle();
    expect(root.querySelector('dialog')).to.equal(null);
  });

  for (const [code] of ERRORS) {
    it(`shows an error when the checkpoints cannot be loaded, and retries (${code})`, async () => {
      const { root, texts, settle, backend, controller, panel } = await setupCheckpointPanel([]);
      expect(texts('.meta')).to.deep.equal(['The assistant sets checkpoints as it works.']);
      backend.responses.set('listCheckpoints', () => Promise.reject(new UbikError(code, 'no')));
      backend.threads.set('u', {
        thread: { id: 'u', title: '' },
        messages: [],
        headId: null,
        unfinishedRun: null,
      });
      await controller.openThread('u');
      await settle();
      await settle();
      expect(texts('[role=alert] .words').filter(Boolean)).to.have.length(1);
      backend.responses.delete('listCheckpoints');
      backend.checkpoints = [checkpoint('c9')];
      root.querySelector<HTMLButtonElement>('[role=alert] button')?.click();
      await settle();
      expect(texts('.point .title')).to.deep.equal(['c9']);
      await expect(panel).to.be.accessible();
    });
  }

  it('updates ages twice a minute, and what follows a checkpoint once a second', async () => {
    const clock = new ScriptedClock();
    const setup = await setupCheckpointPanel(
      [30, 90, 3600, 90_000, 3_000_000, 40_000_000].map((seconds, at) =>
        checkpoint(`c${at}`, { runId: 'task-1', createdAt: NOON - seconds * 1000 }),
      ),
      clock,
    );
    const { texts, backend, controller, settle } = setup;
    const ages = (): string[] => texts('time').sort();
    expect(ages()).to.deep.equal(
      ['1 hour ago', '1 minute ago', 'last month', 'last year', 'now', 'yesterday'].sort(),
    );
    // The first second renders the changes of loading.
    clock.pass(1 + 29);
    expect(ages()).to.include('now').and.to.include('1 minute ago');
    clock.pass(1);
    expect(ages()).to.include('2 minutes ago').and.not.to.include('now');
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin('task-3');
    await sent;
    clock.pass(1);
    const before = texts('.point > .meta');
    const listed = backend.count('listCheckpoints');
    const message = backend.stream.keys.answer;
    const value = { kind: 'step', number: 1, title: 'New', single: false } as const;
    const change = { type: 'part', message, part: 'step:1', parent: null, before: null } as const;
    backend.stream.push({ ...change, value: { ...value, state: 'running' } });
    await settle();
    expect(texts('.point > .meta'), 'before the second has passed').to.deep.equal(before);
    clock.pass(1);
    expect(texts('.point > .meta')).not.to.deep.equal(before);
    expect(clock.waiting).to.equal(1);
    expect(backend.count('listCheckpoints'), 'a step is no checkpoint').to.equal(listed);
  });

  it('shows the list that another element has loaded, and none of another controller', async () => {
    const { texts, backend, controller, settle, panel } = await setupCheckpointPanel(
      CHECKPOINTS,
      new ScriptedClock(),
    );
    backend.checkpoints = [...CHECKPOINTS, checkpoint('c9', { runId: 'task-2' })];
    await controller.listCheckpoints();
    await settle();
    expect(texts('.point').length).to.equal(4);
    panel.controller = setupController().controller;
    await settle();
    await settle();
    expect(texts('.point')).to.deep.equal([]);
  });

  it('shows no age when the time of a checkpoint is unknown', async () => {
    const { root, texts } = await setupCheckpointPanel([checkpoint('c1', { runId: 'task-1' })]);
    expect(root.querySelector('time')).to.equal(null);
    expect(texts('.point.shown').length).to.equal(1);
  });

  it('says that the checkpoints are loading, and loads them again for one that arrives meanwhile', async () => {
    const setup = await setupCheckpointPanel([]);
    const { backend, controller, settle, texts } = setup;
    const waiting: (() => void)[] = [];
    backend.responses.set('listCheckpoints', () => {
      const items = backend.checkpoints;
      return new Promise((resolve) => waiting.push(() => resolve(items)));
    });
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin('task-3');
    await sent;
    const message = backend.stream.keys.answer;
    const listed = backend.count('listCheckpoints');
    for (const name of ['c1', 'c2']) {
      const value = { kind: 'checkpoint', name } as const;
      const part = `checkpoint:${name}`;
      backend.stream.push({ type: 'part', message, part, parent: null, before: null, value });
      await settle();
    }
    expect(texts('[role=status]')).to.deep.equal(['Loading checkpoints…']);
    expect(backend.count('listCheckpoints') - listed, 'one at a time').to.equal(1);
    backend.checkpoints = [checkpoint('c1'), checkpoint('c2')];
    waiting[0]?.();
    await settle();
    await settle();
    expect(backend.count('listCheckpoints') - listed).to.equal(2);
    waiting[1]?.();
    await settle();
    await settle();
    expect(texts('.point').length).to.equal(2);
    expect(texts('[role=status]')).to.deep.equal([]);
    expect(backend.count('listCheckpoints') - listed).to.equal(2);
  });

  it('shows names as plain text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202Ereversed';
    const { root, texts } = await setupCheckpointPanel([checkpoint(name)]);
    expect(texts('.point .title bdi')).to.deep.equal([name]);
    expect(root.querySelector('img')).to.equal(null);
  });

  it('is hidden when the service has no checkpoints', async () => {
    const { backend, panel, root, settle } = await setupCheckpointPanel();
    backend.capabilities.delete('checkpoints');
    panel.requestUpdate();
    await settle();
    expect(root.querySelector<HTMLElement>('.checkpoints')?.hidden).to.equal(true);
  });

  it('is accessible, and has a name', async () => {
    const { panel, root } = await setupCheckpointPanel();
    expect(root.querySelector('section')?.ariaLabel).to.equal('Checkpoints');
    await expect(panel).to.be.accessible();
  });
});

describe('details of the restore dialog', () => {
  it('say that the checkpoints are loading, and can be cancelled meanwhile', async () => {
    const { backend, root, settle, dialog } = await setupCheckpointChat();
    let answer: (items: unknown) => void = () => undefined;
    backend.responses.set('listCheckpoints', () => new Promise((resolve) => (answer = resolve)));
    (await waitFor(() => root.querySelector<HTMLElement>('.divider button'))).click();
    const form = await waitFor(() => root.querySelector('dialog form'));
    expect(form.ariaBusy).to.equal('true');
    expect(dialog().querySelector('[role=status]')?.textContent).to.equal('Loading checkpoints…');
    const names = (): string[] => [...form.querySelectorAll('button')].map(textOf);
    expect(names()).to.deep.equal(['Cancel']);
    expect(form.querySelector('textarea, .error-text')).to.equal(null);
    answer(CHECKPOINTS);
    await settle();
    expect(form.ariaBusy).to.equal('false');
    expect(names()).to.deep.equal(['Restore', 'Cancel']);
    expect(dialog().querySelector('[role=status], [role=alert]')).to.equal(null);
    expect(form.querySelectorAll('code').length, 'no generated name').to.equal(0);
    const submit = new SubmitEvent('submit', { cancelable: true });
    form.dispatchEvent(submit);
    expect(submit.defaultPrevented, 'the page stays').to.equal(true);
    await settle();
    expect(backend.count('restoreCheckpoint')).to.equal(1);
  });

  it('omit documents that cannot be loaded, and name those of the messages and of the thread', async () => {
    const { openDialog, dialog, backend, controller, names } = await setupCheckpointChat();
    backend.capabilities.add('documents');
    backend.responses.set('listDocuments', () => Promise.reject(new UbikError('server')));
    const question = stored('q1', 'user', 'How long?');
    const attachments = ['a', 'b'].map((id) => ({ id, name: `${id}.pdf` }));
    const first = { ...question, fields: { ...question.fields, attachments } };
    backend.threads.set(
      'u',
      contentOf('u', [first, answer('a1', 'task-1', [checkpointPart('c1'), textPart('1', 'end')])]),
    );
    await controller.openThread('u');
    controller.setListItem('documents', 'b', { id: 'b', name: 'renamed.pdf' });
    controller.setListItem('documents', 'c', { id: 'c', name: 'c.pdf' });
    await openDialog(0);
    expect(textOf(dialog())).to.contain(
      'all 3 documents of this conversation: a.pdf, renamed.pdf, c.pdf',
    );
    expect(dialog().querySelector('[role=alert]')).to.equal(null);
    expect(names()).not.to.include('ubik-error');
    const [request] = backend.calls.filter(({ method }) => method === 'listDocuments');
    expect(request?.args).to.deep.equal(['u', { page: 1, limit: 100 }]);
  });

  it('mention no documents when there are none', async () => {
    const { openDialog, dialog, backend } = await setupCheckpointChat();
    await openDialog(0);
    const sections = [...dialog().querySelectorAll('section')].map((each) =>
      [...each.querySelectorAll('h3, p')].map(textOf),
    );
    expect(sections).to.deep.equal([
      ['What will be left out', 'All of it is kept as another branch and can be opened again.'],
      [
        'What stays',
        'Everything before this point.',
        'Actions already taken by tools (messages sent, data changed) won’t be undone.',
      ],
    ]);
    expect(backend.count('listDocuments'), 'the service has none').to.equal(0);
    expect(dialog().querySelector('.error-text')).to.equal(null);
  });

  it('let the user try again after the restore has failed, with one error at a time', async () => {
    const { openDialog, submitHint, backend, settle, dialog, query, root } =
      await setupCheckpointChat();
    await openDialog(0);
    for (const code of ['forbidden', 'rate-limited'] as const) {
      await submitHint('faster');
      expect(dialog().querySelectorAll('.error-text').length, 'while it is tried').to.equal(0);
      backend.stream.fail(new UbikError(code, 'no', { status: 400 }));
      await settle();
      expect(dialog().querySelectorAll('[role=alert]').length).to.equal(1);
      expect(query('.restore .primary').ariaDisabled).to.equal('false');
      expect(query('.restore form').ariaBusy).to.equal('false');
    }
    await submitHint('faster');
    backend.stream.begin('task-3');
    await settle();
    expect(root.querySelector('dialog')).to.equal(null);
    expect(backend.count('restoreCheckpoint')).to.equal(3);
  });

  it('are those of the clicked checkpoint when others have the same name', async () => {
    const points = [0, 5].map((minute) =>
      checkpoint('c1', { runId: 'task-1', createdAt: Date.UTC(2026, 0, 1, 12, minute) }),
    );
    const { root, settle, backend } = await setupCheckpointPanel(points);
    root.querySelectorAll<HTMLElement>('.point button')[1]?.click();
    await settle();
    (
      await waitFor(() => root.querySelector<HTMLTextAreaElement>('dialog textarea'))
    ).form?.requestSubmit();
    await settle();
    expect(backend.stream.args[1]).to.deep.equal(points[1]);
  });

  it('have no hint any more after the hint was sent', async () => {
    const { root, settle, backend } = await setupCheckpointPanel();
    const open = async (): Promise<HTMLTextAreaElement> => {
      root.querySelector<HTMLElement>('.point button')?.click();
      await settle();
      return waitFor(() => root.querySelector<HTMLTextAreaElement>('dialog textarea'));
    };
    const field = await open();
    field.value = 'faster';
    field.form?.requestSubmit();
    await settle();
    backend.stream.begin('task-3');
    await settle();
    expect(backend.stream.args[2]).to.equal('faster');
    backend.stream.finish('complete');
    await settle();
    expect((await open()).value).to.equal('');
  });

  it('have no hint that was sent when the user has closed the dialog meanwhile', async () => {
    const { root, settle, backend } = await setupCheckpointPanel();
    const open = async (): Promise<HTMLTextAreaElement> => {
      root.querySelector<HTMLElement>('.point button')?.click();
      await settle();
      return waitFor(() => root.querySelector<HTMLTextAreaElement>('dialog textarea'));
    };
    const field = await open();
    field.value = 'faster';
    field.form?.requestSubmit();
    await settle();
    const dialog = root.querySelector('dialog') as HTMLDialogElement;
    const closed = oneEvent(dialog, 'close');
    dialog.close();
    await closed;
    backend.stream.begin('task-3');
    backend.stream.finish('complete');
    await settle();
    expect((await open()).value).to.equal('');
  });

  it('list up to five documents by name', async () => {
    for (const count of [5, 6]) {
      const { openDialog, dialog, backend, settle } = await setupCheckpointChat();
      backend.capabilities.add('documents');
      backend.documents = Array.from({ length: count }, (_, at) => documentOf(`d${at}`));
      await openDialog(0);
      await settle();
      await settle();
      const text = textOf(dialog());
      expect(text).to.contain(`all ${count} documents`).and.to.contain('d4.pdf');
      expect([text.includes('…'), text.includes('d5.pdf')]).to.deep.equal([count > 5, false]);
    }
  });
});

describe('details of <ubik-checkpoints>', () => {
  it('include the hint of a restored answer, at its own checkpoints only', async () => {
    const { texts, root, backend, controller, settle } = await setupCheckpointPanel([
      checkpoint('c1', { runId: 'task-1' }),
      checkpoint('c4', { runId: 'task-3' }),
    ]);
    const parts = [checkpointPart('c1'), checkpointPart('c4'), textPart('1,230 km.', 'end')];
    const restoredFrom = { checkpoint: 'c1', hint: 'measure again' };
    backend.threads.set(
      'u',
      contentOf('u', [
        stored('q1', 'user', 'How long is the Rhine?'),
        answer('b1', 'task-3', parts, { restoredFrom }),
      ]),
    );
    await controller.openThread('u');
    await settle();
    await settle();
    const runs = [...root.querySelectorAll('.tasks > li')].map((run) =>
      [...run.querySelectorAll(':scope > h3, :scope > .note, .title')].map(textOf),
    );
    expect(runs).to.deep.equal([
      ['How long is the Rhine?', 'c1'],
      ['How long is the Rhine?', 'with the hint: measure again', 'c4'],
    ]);
    expect(texts('.point.shown').length).to.equal(2);
    const buttons = [...root.querySelectorAll<HTMLElement>('.point button')];
    expect(
      buttons.map(({ ariaLabel, ariaHasPopup, ariaDisabled, title }) => [
        ariaLabel,
        ariaHasPopup,
        ariaDisabled,
        title,
      ]),
    ).to.deep.equal([
      ['Restore… c1', 'dialog', 'false', ''],
      ['Restore… c4', 'dialog', 'false', ''],
    ]);
  });

  it('are grouped by adjacent runs, without a question where none is known', async () => {
    const { root } = await setupCheckpointPanel([
      checkpoint('c1', { runId: 'task-1' }),
      checkpoint('c2', { runId: 'task-1' }),
      checkpoint('z', { runId: 'elsewhere' }),
      checkpoint('y'),
      checkpoint('x'),
    ]);
    const groups = [...root.querySelectorAll('.tasks > li')];
    const sizes = groups.map((group) => group.querySelectorAll('.point').length);
    expect(sizes).to.deep.equal([2, 1, 2]);
    expect(groups.map((group) => group.querySelectorAll('h3').length)).to.deep.equal([1, 0, 0]);
    expect(root.querySelectorAll('[role=status]').length, 'there are checkpoints').to.equal(0);
  });

  it('are in the language of the element', async () => {
    await loadLanguage('de');
    const createdAt = NOON - 86_400_000;
    const clock = new ScriptedClock();
    const { root, panel, settle } = await setupCheckpointPanel(
      [checkpoint('c1', { runId: 'task-1', createdAt })],
      clock,
    );
    const read = () => {
      const time = root.querySelector('time');
      return [time?.textContent, time?.title];
    };
    const format = (lang: string): string =>
      new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' }).format(createdAt);
    expect(read()).to.deep.equal(['yesterday', format('en')]);
    const parent = panel.parentElement;
    panel.lang = 'de';
    panel.remove();
    parent?.append(panel);
    await settle();
    await settle();
    expect(read()).to.deep.equal(['gestern', format('de')]);
  });

  it('replace the error by the progress when the list is loaded again', async () => {
    const { root, backend, controller, settle, texts } = await setupCheckpointPanel([]);
    backend.responses.set('listCheckpoints', () => Promise.reject(new UbikError('server')));
    backend.threads.set('u', contentOf('u', [stored('q1', 'user', 'Q')]));
    await controller.openThread('u');
    await settle();
    await settle();
    expect(root.querySelectorAll('[role=alert]').length).to.equal(1);
    expect(root.querySelector('[role=status]')).to.equal(null);
    backend.responses.set('listCheckpoints', () => new Promise(() => undefined));
    root.querySelector<HTMLElement>('[role=alert] button')?.click();
    expect(root.querySelector('[role=alert]')).to.equal(null);
    expect(texts('[role=status]')).to.deep.equal(['Loading checkpoints…']);
  });

  it('show the error of loading them in their thread only', async () => {
    const { root, backend, controller, settle, texts } = await setupCheckpointPanel([]);
    const alerts = (): number => root.querySelectorAll('[role=alert]').length;
    const list = new Deferred<unknown>();
    backend.threads.set('u', contentOf('u', [stored('q1', 'user', 'Q')]));
    backend.responses.set('listCheckpoints', () => list.promise);
    await controller.openThread('u');
    await settle();
    controller.switchToNewThread();
    await settle();
    list.reject(new UbikError('server'));
    await settle();
    expect(alerts(), 'an error of the thread that was shown').to.equal(0);
    expect(texts('[role=status]')).to.deep.equal(['The assistant sets checkpoints as it works.']);
    await controller.openThread('u');
    await settle();
    await settle();
    expect(alerts()).to.equal(1);
    controller.switchToNewThread();
    await settle();
    expect(alerts(), 'a new conversation').to.equal(0);
  });

  it('show no error when loading was aborted', async () => {
    const { root, backend, controller, settle, texts } = await setupCheckpointPanel([]);
    backend.responses.set('listCheckpoints', () => Promise.reject(new UbikError('aborted')));
    backend.threads.set('u', contentOf('u', [stored('q1', 'user', 'Q')]));
    const before = backend.count('listCheckpoints');
    await controller.openThread('u');
    await settle();
    await settle();
    expect(backend.count('listCheckpoints') - before).to.equal(1);
    expect(root.querySelector('[role=alert]')).to.equal(null);
    expect(texts('[role=status]')).to.deep.equal(['The assistant sets checkpoints as it works.']);
  });

  it('are not requested from a service without checkpoints', async () => {
    const { panel, settle, root } = await setupCheckpointPanel();
    const other = setupController();
    other.backend.capabilities.delete('checkpoints');
    other.backend.threads.set('t', contentOf('t', [stored('q1', 'user', 'Q')]));
    await other.controller.openThread('t');
    panel.controller = other.controller;
    await settle();
    await settle();
    expect(other.backend.count('listCheckpoints')).to.equal(0);
    expect(root.querySelectorAll('.point').length).to.equal(0);
  });
});
