import { expect } from '@open-wc/testing';
import '../../src/elements/window/chat-window.js';
import { UbikError } from '../../src/errors.js';
import * as events from '../../src/events/index.js';
import { deepActiveElement } from '../helpers/deep-focus.js';
import { nextFrame } from './chat-fixture.js';
import { DOCUMENT_ACTIONS } from './user-actions/document-actions.js';
import { THREAD_AND_WINDOW_ACTIONS } from './user-actions/thread-and-window-actions.js';
import { MESSAGE_ACTIONS } from './user-actions/message-actions.js';
import type { UserAction } from './user-actions/user-action.js';
import { RUN_ACTIONS } from './user-actions/run-actions.js';
import { BRANCH_ACTIONS } from './user-actions/branch-actions.js';

const ACTIONS = [
  ...MESSAGE_ACTIONS,
  ...RUN_ACTIONS,
  ...BRANCH_ACTIONS,
  ...THREAD_AND_WINDOW_ACTIONS,
  ...DOCUMENT_ACTIONS,
];

/** Cancelable events that no user action dispatches. */
const AGENT_EVENTS = ['ubik-input-required'];

/** Makes `click()` focus the element, as a click of the user does. Returns the function that undoes it. */
function clickWithFocus(): () => void {
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function (): void {
    this.focus();
    click.call(this);
  };
  return () => {
    HTMLElement.prototype.click = click;
  };
}

/** Whether the focus stays in the page after an action, instead of falling back to the body. */
async function keepsFocus(): Promise<boolean> {
  for (let frames = 0; frames < 30 && deepActiveElement() === document.body; frames += 1)
    await nextFrame();
  return deepActiveElement() !== document.body;
}

/** Sets up an action and records its events. `calls` returns how often the backend method of the action was called since then. */
async function prepare({ before, after: past, method, setUp }: UserAction) {
  const fixture = await setUp();
  const fired: string[] = [];
  for (const name of [before ?? [], past ?? [], 'ubik-error'].flat()) {
    fixture.target.addEventListener(name, ({ type }) => fired.push(type));
  }
  const count = (): number => (method === null ? 0 : fixture.backend.count(method));
  const initial = count();
  if (deepActiveElement() === document.body) fixture.target.focus();
  return { fixture, fired, calls: () => count() - initial };
}

/** Returns the events in `custom-elements.json` with their descriptions. */
async function readManifest(): Promise<Map<string, string[]>> {
  const response = await fetch('/custom-elements.json');
  const manifest = (await response.json()) as {
    modules: { declarations?: { events?: { name: string; description: string }[] }[] }[];
  };
  const all = manifest.modules
    .flatMap(({ declarations = [] }) => declarations)
    .flatMap((declaration) => declaration.events ?? []);
  const found = new Map<string, string[]>();
  for (const { name, description } of all) {
    found.set(name, [...(found.get(name) ?? []), description]);
  }
  return found;
}

/** Returns the names of the cancelable events, according to their classes. */
function listCancelable(): string[] {
  const classes = Object.values(events) as unknown as (new (detail: object) => Event)[];
  const instances = classes.map((EventClass) => new EventClass({}));
  return instances.filter(({ cancelable }) => cancelable).map(({ type }) => type);
}

describe('the table of user actions', () => {
  it('has every cancelable event, and the manifest describes it as cancelable', async () => {
    const manifest = await readManifest();
    const cancelable = listCancelable();
    const documented = [...manifest].filter(([, descriptions]) =>
      descriptions.every((description) => /\bcancelable\b/u.test(description)),
    );
    expect(documented.map(([name]) => name)).to.have.members(cancelable);
    const covered = new Set([...ACTIONS.flatMap(({ before }) => before ?? []), ...AGENT_EVENTS]);
    expect([...covered]).to.have.members(cancelable);
    for (const { after: past } of ACTIONS)
      if (past !== null) expect(manifest.has(past), past).to.equal(true);
  });
});

describe('a user action', () => {
  let undo: () => void;
  before(() => (undo = clickWithFocus()));
  after(() => {
    undo();
  });

  for (const action of ACTIONS) {
    const {
      name,
      before,
      after: past,
      method,
      isStreamed,
      succeed,
      snapshotWhenCancelled,
    } = action;
    const first = before === null ? [] : [before];

    if (before !== null) {
      it(`is not performed when ${before} is cancelled, and nothing is lost (${name})`, async () => {
        const { fixture, fired, calls } = await prepare(action);
        fixture.target.addEventListener(before, (event) => event.preventDefault());
        const snapshot = fixture.snapshot();
        await fixture.perform();
        expect(calls()).to.equal(0);
        expect(fired).to.deep.equal([before]);
        expect(fixture.snapshot()).to.deep.equal(snapshotWhenCancelled ?? snapshot);
        expect(await keepsFocus(), 'the focus').to.equal(true);
      });
    }

    it(`dispatches ${past ?? 'no further event'} once, when it is performed (${name})`, async () => {
      const { fixture, fired, calls } = await prepare(action);
      const snapshot = fixture.snapshot();
      await fixture.perform();
      if (succeed) expect(fired, 'not before').to.deep.equal(first);
      await succeed?.(fixture);
      await fixture.settle();
      expect(calls()).to.equal(method === null ? 0 : 1);
      expect(fired).to.deep.equal(past === null ? first : [...first, past]);
      if (past === null) expect(fixture.snapshot()).not.to.deep.equal(snapshot);
      expect(await keepsFocus(), 'the focus').to.equal(true);
    });

    if (method === null) continue;

    it(`dispatches ubik-error and shows the error when the service rejects it (${name})`, async () => {
      const { fixture, fired, calls } = await prepare(action);
      const error = new UbikError('forbidden', 'no', { status: 403 });
      if (!isStreamed) fixture.backend.responses.set(method, () => Promise.reject(error));
      await fixture.perform();
      if (isStreamed) fixture.backend.stream.fail(error);
      await fixture.settle();
      expect(calls()).to.equal(1);
      expect(fired).to.deep.equal([...first, 'ubik-error']);
      const alerts = [...fixture.root.querySelectorAll('[role=alert], .error-text')];
      expect(alerts.map((alert) => alert.textContent.trim()).join('')).to.match(/\w.*\./u);
      expect(await keepsFocus(), 'the focus').to.equal(true);
    });
  }
});
