import { expect, oneEvent } from '@open-wc/testing';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { checkpoint } from '../controller/ways/tree.js';
import { POINTS, openLine, openTalk } from './checkpoints-stage.js';

const words = (node: Element): string => node.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const REFUSALS: readonly (readonly [UbikErrorCode, number | undefined])[] = [
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

const UNSURE: ReadonlySet<string> = new Set(['network', 'server', 'not-an-api']);

describe('the way back', () => {
  it('says before anything happens what would be left behind, and what stays', async () => {
    const { ask, dialog, backend } = await openTalk();
    await ask(0);
    const told = words(dialog());
    expect(told).to.contain('Go back to this point?');
    expect(told).to.contain('Look it up');
    for (const thing of ['2 messages', '2 steps', '3 tool calls']) expect(told).to.contain(thing);
    expect(told).to.contain('won’t be undone');
    expect(told).to.contain('kept as another version');
    expect(backend.count('restoreCheckpoint')).to.equal(0);
  });

  it('says when nothing stands after it', async () => {
    const { ask, dialog } = await openTalk();
    await ask(2);
    expect(words(dialog())).to.contain('No message, step or tool call comes after it.');
  });

  it('takes the focus, and gives it back when it is left', async () => {
    const { ask, dialog, root, query } = await openTalk();
    const button = await ask(1);
    expect(root.activeElement === query('.restore textarea')).to.equal(true);
    const closed = oneEvent(dialog(), 'close');
    dialog().querySelector<HTMLButtonElement>('.quiet')?.click();
    await closed;
    expect(root.querySelector('dialog')).to.equal(null);
    expect(root.activeElement === button).to.equal(true);
  });

  it('follows the conversation no more once it is closed', async () => {
    const { ask, dialog, controller } = await openTalk();
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
    await ask(1);
    expect(listeners).to.equal(1);
    const closed = oneEvent(dialog(), 'close');
    dialog().querySelector<HTMLButtonElement>('.quiet')?.click();
    await closed;
    expect(listeners).to.equal(0);
  });

  it('goes with a hint, which stands where the answer begins again', async () => {
    const { ask, go, backend, settle, names, root, text } = await openTalk();
    await ask(0);
    await go('  only the second document ');
    expect(backend.stream.args[2]).to.equal('only the second document');
    expect(backend.stream.args[1]).to.equal(POINTS[0]);
    backend.stream.begin('task-3');
    await settle();
    expect(root.querySelector('dialog')).to.equal(null);
    expect(text('.message:last-child .note')).to.contain('with the hint: only the second document');
    expect(names().filter((name) => name.includes('checkpoint'))).to.deep.equal([
      'ubik-checkpoint-navigate',
      'ubik-checkpoint-navigated',
    ]);
  });

  it('lets the page change the hint, or do it in its own way', async () => {
    const changed = await openTalk();
    changed.chat.addEventListener('ubik-checkpoint-navigate', (event) => {
      const navigate = event;
      navigate.hint = `${navigate.hint ?? ''}, in French`;
    });
    await changed.ask(0);
    await changed.go('faster');
    expect(changed.backend.stream.args[2]).to.equal('faster, in French');
    const kept = await openTalk();
    kept.chat.addEventListener('ubik-checkpoint-navigate', (event) => {
      event.preventDefault();
    });
    await kept.ask(0);
    await kept.go();
    expect(kept.backend.count('restoreCheckpoint')).to.equal(0);
    expect(kept.root.querySelector('dialog')).to.equal(null);
  });

  for (const [code, status] of REFUSALS) {
    it(`stays with its hint and says why when it fails (${code})`, async () => {
      const stage = await openTalk();
      const { ask, go, backend, environment, settle, dialog, query, root, names } = stage;
      await ask(0);
      await go('faster');
      backend.stream.fail(new UbikError(code, 'no', { ...(status && { status }) }));
      await settle();
      if (UNSURE.has(code)) {
        // Whether it was taken is not known: it is looked for, and found not to be there.
        await environment.advance(60_000);
        backend.stream.fail(new UbikError('not-found', 'no', { status: 404 }));
        await settle();
      }
      expect(words(dialog().querySelector('[role=alert]') ?? dialog())).not.to.equal('');
      expect(query<HTMLTextAreaElement>('.restore textarea').value).to.equal('faster');
      expect(names()).to.include('ubik-error');
      expect(names()).not.to.include('ubik-checkpoint-navigated');
      expect(root.querySelectorAll('.message').length).to.equal(4);
    });
  }

  it('says when the checkpoints cannot be read, and reads them again', async () => {
    const { ask, backend, dialog, settle } = await openTalk();
    backend.answers.set('listCheckpoints', () => Promise.reject(new UbikError('server', 'no')));
    await ask(0);
    expect(dialog().querySelector('textarea')).to.equal(null);
    backend.answers.delete('listCheckpoints');
    dialog().querySelector<HTMLButtonElement>('.primary')?.click();
    await settle();
    expect(words(dialog())).to.contain('2 messages');
  });

  it('goes back only to the newest of equal names, and says so', async () => {
    const older = checkpoint('c1', { taskId: 'task-1', createdAt: 1, restorable: false });
    const newer = checkpoint('c1', { taskId: 'task-2', createdAt: 2 });
    const { ask, dialog } = await openTalk([older, newer]);
    await ask(0);
    expect(words(dialog())).to.contain('A newer checkpoint has the same name');
    expect(dialog().querySelector('.primary')).to.equal(null);
  });

  it('says when the service has it no more', async () => {
    const { ask, dialog } = await openTalk([]);
    await ask(0);
    expect(words(dialog())).to.contain('no longer has this checkpoint');
    expect(dialog().querySelector('.primary')).to.equal(null);
  });

  it('waits while a run is on, and says so', async () => {
    const { ask, go, start, backend, settle, query, dialog } = await openTalk();
    await start('More');
    await ask(0);
    expect(query('.restore .primary').ariaDisabled).to.equal('true');
    expect(words(dialog())).to.contain('still working');
    const reason = query('.restore .primary').getAttribute('aria-describedby') ?? '';
    expect(query(`#${CSS.escape(reason)}`).textContent).to.contain('still working');
    const streams = backend.streams.length;
    await go('now');
    expect(backend.streams.length).to.equal(streams);
    backend.stream.finish('complete');
    await settle();
    expect(query('.restore .primary').ariaDisabled).to.equal('false');
    expect(query('.restore .primary').hasAttribute('aria-describedby')).to.equal(false);
    expect(query<HTMLTextAreaElement>('.restore textarea').value).to.equal('now');
  });

  it('is accessible', async () => {
    const { ask, chat } = await openTalk();
    await ask(0);
    await expect(chat).to.be.accessible();
  });
});

describe('the line of time', () => {
  it('tells step, task, age and what stands after each checkpoint', async () => {
    const { texts, root } = await openLine();
    expect(texts('h3')).to.deep.equal(['How long is the Rhine?', 'And the Elbe?']);
    expect(texts('.point .title')).to.deep.equal([
      'Step 1 Look it up',
      'Step 2 Step 2',
      'Step 1 Step 1',
    ]);
    const [first = '', , last = ''] = texts('.point > .meta');
    expect(first).to.match(/^c1 · .* ago · after it: 2 messages, 2 steps, 3 tool calls$/);
    expect(last).to.contain('the newest point');
    expect(root.querySelector('time')?.dateTime).to.equal('2026-01-01T12:00:00.000Z');
  });

  it('goes back from a choice, and tells the page', async () => {
    const { root, settle, backend, events } = await openLine();
    const [button] = root.querySelectorAll<HTMLButtonElement>('.point button');
    button?.focus();
    button?.click();
    await settle();
    expect(words(root.querySelector('dialog') ?? root.host)).to.contain('2 messages');
    root.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();
    await settle();
    expect(backend.stream.method).to.equal('restoreCheckpoint');
    expect(backend.stream.args.slice(1)).to.deep.equal([POINTS[0], null]);
    backend.stream.begin('task-3');
    await settle();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'ubik-checkpoint-navigate',
      'ubik-checkpoint-navigated',
    ]);
    expect(root.activeElement === button).to.equal(true);
  });

  it('says why an older one of equal name cannot be restored', async () => {
    const older = checkpoint('c1', { taskId: 'task-1', createdAt: 1, restorable: false });
    const { root, texts } = await openLine([older, checkpoint('c1', { taskId: 'task-2' })]);
    expect(root.querySelectorAll('.point button').length).to.equal(1);
    expect(texts('.point')[0]).to.contain('A newer checkpoint has the same name');
  });

  it('marks what stands on another way, and what this page has not read', async () => {
    const { texts } = await openLine([checkpoint('z', { taskId: 'elsewhere' })]);
    expect(texts('.point')[0]).to.contain('on another branch');
    expect(texts('.point')[0]).to.contain('this page has not loaded');
  });

  it('grows while a run is on, and lets nobody go back meanwhile', async () => {
    const { controller, backend, settle, texts, root } = await openLine();
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin('task-3');
    await sent;
    backend.checkpoints = [...POINTS, checkpoint('c4', { taskId: 'task-3' })];
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

  for (const [code] of REFUSALS) {
    it(`says why the checkpoints cannot be read, and reads them again (${code})`, async () => {
      const { root, texts, settle, backend, controller, line } = await openLine([]);
      expect(texts('.meta')).to.deep.equal(['No checkpoints yet.']);
      backend.answers.set('listCheckpoints', () => Promise.reject(new UbikError(code, 'no')));
      backend.threads.set('u', {
        thread: { id: 'u', title: '' },
        messages: [],
        headId: null,
        unfinishedRun: null,
      });
      await controller.openThread('u');
      await settle();
      await settle();
      expect(texts('[role=alert] .words')[0]).not.to.equal('');
      backend.answers.delete('listCheckpoints');
      backend.checkpoints = [checkpoint('c9')];
      root.querySelector<HTMLButtonElement>('[role=alert] button')?.click();
      await settle();
      expect(texts('.point .title')).to.deep.equal(['c9']);
      await expect(line).to.be.accessible();
    });
  }

  it('shows names as text, whatever they are', async () => {
    const name = '<img src=x onerror=alert(1)>\u202Ereversed';
    const { root, texts } = await openLine([checkpoint(name)]);
    expect(texts('.point .title bdi')).to.deep.equal([name]);
    expect(root.querySelector('img')).to.equal(null);
  });

  it('is not there where the service has no checkpoints', async () => {
    const { backend, line, root, settle } = await openLine();
    backend.capabilities.delete('checkpoints' as never);
    line.requestUpdate();
    await settle();
    expect(root.querySelector<HTMLElement>('.checkpoints')?.hidden).to.equal(true);
  });

  it('is accessible', async () => {
    const { line } = await openLine();
    await expect(line).to.be.accessible();
  });
});
