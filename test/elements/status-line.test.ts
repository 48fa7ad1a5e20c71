import { expect } from '@open-wc/testing';
import { render } from 'lit';
import {
  renderStatusLine,
  RunTimer,
  type ConnectionStatus,
} from '../../src/elements/transcript/status-line.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import { UbikError } from '../../src/errors.js';
import { findLocale } from '../../src/locales/locale.js';
import { ScriptedClock } from './scripted-clock.js';

const LOCALE = findLocale('en');
const { text } = LOCALE;

/** Renders a status. Returns its text, whether it is in progress, and what its button does. */
function show(status: Partial<ConnectionStatus> | { run: object }): {
  readonly words: string | null;
  readonly isBusy: boolean;
  readonly pressed: readonly string[];
  readonly label: string | null;
} {
  const box = document.createElement('div');
  const pressed: string[] = [];
  const actions = {
    rejoin: () => void pressed.push('rejoin'),
    reload: () => void pressed.push('reload'),
    detach: () => void pressed.push('detach'),
  };
  const normal: ConnectionStatus = {
    run: undefined,
    isRunning: false,
    canRejoin: true,
    needsSignIn: false,
    loadState: '',
    isStopOverdue: false,
    now: 0,
  };
  render(renderStatusLine({ ...normal, ...(status as object) }, actions, LOCALE), box);
  box.querySelector('button')?.click();
  const isBusy = box.querySelector('.busy') !== null;
  expect(box.querySelector('.icon-dot') !== null, 'icon').to.equal(isBusy);
  return {
    words: box.querySelector('.words')?.textContent ?? null,
    isBusy,
    pressed,
    label: box.querySelector('button')?.textContent.trim() ?? null,
  };
}

describe('status line', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'onLine'));

  it('is empty in the normal state', () => {
    for (const state of ['idle', 'streaming', 'waiting', 'complete', 'stopped', 'failed'])
      expect(show({ run: { state } }).words, state).to.equal(null);
    expect(show({}).words).to.equal(null);
  });

  it('shows that something is in progress', () => {
    for (const state of ['sending', 'stalled', 'rejoining', 'stopping'] as const) {
      const { words, isBusy, label } = show({ run: { state, retryAt: null } });
      expect([words, isBusy, label]).to.deep.equal([text(state), true, null]);
    }
    const { words, isBusy, label } = show({ loadState: 'loading' });
    expect([words, isBusy, label]).to.deep.equal([text('loading'), true, null]);
  });

  it('offers to leave a run whose stop has taken too long', () => {
    const { words, isBusy, pressed, label } = show({
      run: { state: 'stopping' },
      isStopOverdue: true,
    });
    expect([words, isBusy, label]).to.deep.equal([text('stopping'), true, text('stopWaiting')]);
    expect(pressed).to.deep.equal(['detach']);
    expect(show({ run: { state: 'streaming' }, isStopOverdue: true }).label).to.equal(null);
  });

  it('counts the seconds until the next attempt to reconnect, which a button starts now', () => {
    const words = (retryAt: number | null, now = 1000): string | null =>
      show({ run: { state: retryAt === null ? 'broken' : 'rejoining', retryAt }, now }).words;
    expect(words(4000)).to.equal(text('rejoiningIn', { count: 3 }));
    expect(words(1001)).to.equal(text('rejoiningIn', { count: 1 }));
    expect(words(1000)).to.equal(text('rejoining'));
    expect(words(0)).to.equal(text('rejoining'));
    expect(words(null)).to.equal(text('rejoining'));
    const run = { state: 'rejoining', retryAt: 4000 };
    const { isBusy, label, pressed } = show({ run, now: 1000 });
    expect([isBusy, label, pressed]).to.deep.equal([false, text('retryNow'), ['rejoin']]);
    const attempt = show({ run: { state: 'broken', retryAt: null } });
    expect([attempt.words, attempt.isBusy]).to.deep.equal([text('rejoining'), true]);
    const interrupted = show({ run: { state: 'interrupted' } });
    expect([interrupted.label, interrupted.pressed]).to.deep.equal([text('retry'), ['rejoin']]);
    expect(interrupted.words).to.match(/\S/);
  });

  it('shows why a thread could not be loaded, and loads it again', () => {
    for (const loadState of ['not-found', new UbikError('not-found')]) {
      const { words, isBusy, label, pressed } = show({ loadState });
      expect(words).to.match(/\S\.$/);
      expect([isBusy, label, pressed]).to.deep.equal([false, text('retry'), ['reload']]);
    }
    const serviceError = { description: 'Gone for good.', advice: '', code: '' };
    const error = new UbikError('not-found', 'no', { serviceError });
    expect(show({ loadState: error }).words).to.contain('Gone for good.');
  });

  it('offers a user who must sign in to repeat what has failed', () => {
    const failed = show({ loadState: 'unauthorized', needsSignIn: true });
    expect([failed.words, failed.label]).to.deep.equal([text('signIn'), text('retry')]);
    expect(failed.pressed).to.deep.equal(['reload']);
    const interrupted = show({ run: { state: 'interrupted' }, needsSignIn: true });
    expect([interrupted.words, interrupted.label]).to.deep.equal([text('signIn'), text('retry')]);
    expect(interrupted.pressed).to.deep.equal(['rejoin']);
  });

  it('does not offer to rejoin an interrupted run when the service cannot', () => {
    for (const needsSignIn of [false, true]) {
      const state = { run: { state: 'interrupted' }, needsSignIn };
      expect(show({ ...state, canRejoin: false }).label, `${needsSignIn}`).to.equal(null);
      expect(show(state).label, `${needsSignIn}`).to.equal(text('retry'));
    }
  });

  it('shows first that the user must sign in, then the thread, then the network, then the run', () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    expect(show({}).words).to.equal(text('offline'));
    const run = { state: 'stalled' };
    expect(show({ run, isRunning: true }).words).to.equal(text('offlineRun'));
    expect(show({ loadState: 'loading' }).words).to.equal(text('loading'));
    const all = show({ loadState: 'loading', needsSignIn: true });
    expect([all.words, all.isBusy]).to.deep.equal([text('signIn'), false]);
  });
});

describe('run timer', () => {
  function setup() {
    const clock = new ScriptedClock();
    let updates = 0;
    const host = { context: { clock }, controller: {}, requestUpdate: () => (updates += 1) };
    const timer = new RunTimer(host as unknown as ConnectedHost);
    return { clock, host, timer, updates: () => updates };
  }

  it('measures how long a run has been stopping', () => {
    const { clock, timer } = setup();
    timer.update('streaming');
    clock.pass(5);
    expect(timer.stoppingFor).to.equal(0);
    timer.update('stopping');
    expect(timer.stoppingFor).to.equal(0);
    clock.pass(3);
    timer.update('stopping');
    clock.pass(4);
    expect(timer.stoppingFor).to.equal(7000);
    timer.update('stopped');
    expect(timer.stoppingFor).to.equal(0);
    timer.update('stopping');
    expect(timer.stoppingFor).to.equal(0);
  });

  it('starts again for another thread, whose run may be in the same state', () => {
    const { clock, host, timer } = setup();
    timer.update('stopping');
    clock.pass(5);
    host.controller = { thread: {} };
    timer.update('stopping');
    expect(timer.stoppingFor).to.equal(0);
    clock.pass(1);
    timer.update('stopping');
    expect(timer.stoppingFor).to.equal(1000);
  });

  it('updates once a second only while the status depends on the time', () => {
    const { clock, timer, updates } = setup();
    for (const [state, expected] of [
      ['idle', 0],
      ['streaming', 0],
      ['stopping', 2],
      ['stopping', 2],
      ['broken', 0],
      ['rejoining', 2],
      ['complete', 0],
    ] as const) {
      const before = updates();
      timer.update(state);
      clock.pass(2);
      expect(updates() - before, state).to.equal(expected);
      expect(clock.waiting).to.equal(expected / 2);
    }
  });
});
