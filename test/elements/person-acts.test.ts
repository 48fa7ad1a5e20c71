import { expect } from '@open-wc/testing';
import '../../src/elements/window/chat-window.js';
import { UbikError } from '../../src/errors.js';
import * as events from '../../src/events/index.js';
import { deepFocus } from '../helpers/deep-focus.js';
import { nextFrame } from './chat-stage.js';
import { DOCUMENT_ACTS } from './person-acts/document-acts.js';
import { LIST_ACTS } from './person-acts/list-acts.js';
import { MESSAGE_ACTS } from './person-acts/message-acts.js';
import type { PersonAct } from './person-acts/person-act.js';
import { RUN_ACTS } from './person-acts/run-acts.js';
import { WAY_ACTS } from './person-acts/way-acts.js';

const ACTS = [...MESSAGE_ACTS, ...RUN_ACTS, ...WAY_ACTS, ...LIST_ACTS, ...DOCUMENT_ACTS];

/** Cancelable, though it is the agent that acts. */
const OF_THE_AGENT = ['ubik-input-required'];

/** A click gives the focus, as one of a person does. */
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

/** Somebody who has just done something goes on from where they are: the focus may not fall back to the top of the page. */
async function keepsFocus(): Promise<boolean> {
  for (let frames = 0; frames < 30 && deepFocus() === document.body; frames += 1) await nextFrame();
  return deepFocus() !== document.body;
}

/** Sets an act up and hears its events. `calls`: how often the service was asked since. */
async function prepare({ before, past, method, setUp }: PersonAct) {
  const stage = await setUp();
  const told: string[] = [];
  for (const name of [before, past ?? [], 'ubik-error'].flat()) {
    stage.target.addEventListener(name, ({ type }) => told.push(type));
  }
  const count = (): number => (method === null ? 0 : stage.backend.count(method));
  const earlier = count();
  if (deepFocus() === document.body) stage.target.focus();
  return { stage, told, calls: () => count() - earlier };
}

/** The names of all events in `custom-elements.json`, with what is said of each. */
async function readManifest(): Promise<Map<string, string[]>> {
  const answer = await fetch('/custom-elements.json');
  const manifest = (await answer.json()) as {
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

/** Names of the events that can be cancelled, as their classes have it. */
function listCancelable(): string[] {
  const classes = Object.values(events) as unknown as (new (detail: object) => Event)[];
  const made = classes.map((EventClass) => new EventClass({}));
  return made.filter(({ cancelable }) => cancelable).map(({ type }) => type);
}

describe('the table of acts', () => {
  it('holds every event that can be cancelled, which is what the manifest says of it', async () => {
    const manifest = await readManifest();
    const cancelable = listCancelable();
    const said = [...manifest].filter(([, words]) =>
      words.every((description) => /\bcancelable\b/u.test(description)),
    );
    expect(said.map(([name]) => name)).to.have.members(cancelable);
    const tried = new Set([...ACTS.map(({ before }) => before), ...OF_THE_AGENT]);
    expect([...tried]).to.have.members(cancelable);
    for (const { past } of ACTS) if (past !== null) expect(manifest.has(past), past).to.equal(true);
  });
});

describe('an act of a person', () => {
  let undo: () => void;
  before(() => (undo = clickWithFocus()));
  after(() => {
    undo();
  });

  for (const tried of ACTS) {
    const { name, before, past, method, streams, succeed, written } = tried;

    it(`is not done when the page cancels ${before} (${name}), and nothing is lost`, async () => {
      const { stage, told, calls } = await prepare(tried);
      stage.target.addEventListener(before, (event) => event.preventDefault());
      const kept = stage.kept();
      await stage.act();
      expect(calls()).to.equal(0);
      expect(told).to.deep.equal([before]);
      expect(stage.kept()).to.deep.equal(written ?? kept);
      expect(await keepsFocus(), 'the focus').to.equal(true);
    });

    it(`is told by ${past ?? 'nothing'} once, when it is done (${name})`, async () => {
      const { stage, told, calls } = await prepare(tried);
      const kept = stage.kept();
      await stage.act();
      if (succeed) expect(told, 'not before').to.deep.equal([before]);
      await succeed?.(stage);
      await stage.settle();
      expect(calls()).to.equal(method === null ? 0 : 1);
      expect(told).to.deep.equal(past === null ? [before] : [before, past]);
      if (past === null) expect(stage.kept()).not.to.deep.equal(kept);
      expect(await keepsFocus(), 'the focus').to.equal(true);
    });

    if (method === null) continue;

    it(`is told by an error and a sentence when the service refuses it (${name})`, async () => {
      const { stage, told, calls } = await prepare(tried);
      const refusal = new UbikError('forbidden', 'no', { status: 403 });
      if (!streams) stage.backend.answers.set(method, () => Promise.reject(refusal));
      await stage.act();
      if (streams) stage.backend.stream.fail(refusal);
      await stage.settle();
      expect(calls()).to.equal(1);
      expect(told).to.deep.equal([before, 'ubik-error']);
      const words = [...stage.root.querySelectorAll('[role=alert], .complaint')];
      expect(words.map((one) => one.textContent.trim()).join('')).to.match(/\w.*\./u);
      expect(await keepsFocus(), 'the focus').to.equal(true);
    });
  }
});
