import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import type { PartTree } from '../../src/model/part.js';
import { say } from '../controller/ways/tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { answer, openTalk, TALK } from './checkpoints-stage.js';
import { press, takeBack, type Talk } from './compare-stage.js';

const marked = ({ root }: Talk, side: number): string[] => {
  const way = root.querySelectorAll('.branch')[side];
  return [...(way?.querySelectorAll('[data-only]') ?? [])].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
};

describe('the way that was left', () => {
  it('stays within reach where the new one begins', async () => {
    const stage = await takeBack();
    expect(stage.text('.message:last-child .origin')).to.contain(
      'Restarted from “c1” with the hint: measure again',
    );
    stage.backend.answers.set('switchBranch', () => TALK);
    await press(stage, 'Show the earlier branch');
    // To its end, not only to the answer that was left.
    const navigate = stage.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(navigate?.args).to.deep.equal(['t', 'a2']);
    expect(stage.root.querySelectorAll('.message').length).to.equal(4);
    expect(stage.root.activeElement === stage.query('.scroller')).to.equal(true);
  });

  it('tells why it cannot be shown, and stays', async () => {
    const stage = await takeBack();
    stage.backend.answers.set('switchBranch', () =>
      Promise.reject(new UbikError('forbidden', 'no')),
    );
    await press(stage, 'Show the earlier branch');
    expect(stage.text('.origin [role=alert]')).not.to.equal('');
    expect(stage.root.querySelectorAll('.message').length).to.equal(2);
  });

  it('cannot be shown while a run is on, but compared with what comes', async () => {
    const stage = await takeBack(false);
    const [show] = stage.root.querySelectorAll('.origin button');
    expect(show?.ariaDisabled).to.equal('true');
    stage.backend.stream.say(0, 'It is ');
    await press(stage, 'Compare both branches…');
    expect(stage.root.querySelectorAll('.branch').length).to.equal(2);
    expect(stage.query('.branch .primary').ariaDisabled).to.equal('true');
    stage.backend.stream.say(6, 'longer.');
    await stage.settle();
    expect(stage.root.querySelector('.branch')?.textContent).to.contain('It is longer.');
  });

  it('is not there where the service has no branches', async () => {
    const stage = await openTalk();
    await stage.ask(0);
    await stage.go();
    stage.backend.stream.begin('task-3');
    await stage.settle();
    expect(stage.query('.message:last-child .origin').querySelector('button')).to.equal(null);
  });
});

describe('two ways side by side', () => {
  it('mark what stands on one side alone, by a word too', async () => {
    const stage = await takeBack();
    await press(stage, 'Compare both branches…');
    expect(marked(stage, 0)).to.deep.equal(['1,233 km.', 'a', 'b']);
    const other = marked(stage, 1);
    expect(other.at(0)).to.contain('Step 2');
    expect(other.at(-1)).to.equal('1,094 km.');
    // What stands before the checkpoint is the same.
    expect(other.some((text) => text.includes('Step 1') && text.includes('c1'))).to.equal(false);
    const words = [...stage.root.querySelectorAll('[data-only]')].map((node) =>
      node.getAttribute('data-only'),
    );
    expect(words.filter(Boolean)).to.deep.equal(['Only in this branch', 'Only in this branch']);
    expect(stage.text('.compare [role=status]')).to.equal('2 differences');
    expect(stage.text('.branch h3')).to.contain('shown now');
    await expect(stage.chat).to.be.accessible();
  });

  it('take no citation with another number for a difference', async () => {
    const stage = await openTalk();
    stage.backend.capabilities.add('branches' as never);
    const cited = (id: string, label: string): StoredMessage => {
      const mark = { kind: 'citation', label, title: 'Policy', source: '' } as const;
      const text: PartTree = {
        kind: 'text',
        key: '/0:text',
        text: 'Same words\uE000a\uE001.',
        marks: { a: mark },
      };
      return answer(id, `task-${id}`, [text], { restoredFrom: { checkpoint: 'c1', hint: null } });
    };
    const question = stored('q1', 'user', 'How long is the Rhine?');
    for (const [id, label] of [
      ['x', '[1]'],
      ['y', '[7]'],
    ] as const) {
      const way = contentOf('t', [question, cited(id, label)]);
      stage.backend.answers.set('switchBranch', () => way);
      await stage.controller.navigate(id);
      await stage.settle();
    }
    await press(stage, 'Compare both branches…');
    const select = stage.query<HTMLSelectElement>('.compare select');
    select.value = [...select.options].at(-1)?.value ?? '';
    select.dispatchEvent(new Event('change'));
    await stage.settle();
    expect(stage.text('.compare [role=status]')).to.equal('Identical');
  });

  it('lead nowhere by themselves: nothing in them can be acted on', async () => {
    const stage = await takeBack();
    const calls = stage.backend.calls.length;
    await press(stage, 'Compare both branches…');
    expect(stage.root.querySelectorAll('.branch .divider button').length).to.equal(0);
    expect(stage.root.querySelectorAll('.branch .origin button').length).to.equal(0);
    expect(stage.backend.calls.length).to.equal(calls);
  });

  it('let one be chosen, with the events of a branch', async () => {
    const stage = await takeBack();
    const told: string[] = [];
    for (const name of ['ubik-branch-navigate', 'ubik-branch-navigated']) {
      stage.chat.addEventListener(name, ({ type }) => told.push(type));
    }
    stage.backend.answers.set('switchBranch', () => TALK);
    await press(stage, 'Compare both branches…');
    await press(stage, 'Continue on this branch');
    await stage.settle();
    // To its end, not only to the answer that was left.
    const navigate = stage.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(navigate?.args).to.deep.equal(['t', 'a2']);
    expect(told).to.deep.equal(['ubik-branch-navigate', 'ubik-branch-navigated']);
    expect(stage.root.querySelector('dialog')).to.equal(null);
    expect(stage.root.querySelectorAll('.message').length).to.equal(4);
  });

  it('stay when the one that was chosen cannot be shown', async () => {
    const stage = await takeBack();
    stage.backend.answers.set('switchBranch', () => Promise.reject(new UbikError('server', 'no')));
    await press(stage, 'Compare both branches…');
    await press(stage, 'Continue on this branch');
    expect(stage.text('.compare [role=alert]')).not.to.equal('');
    expect(stage.root.querySelectorAll('.branch').length).to.equal(2);
  });

  it('say of a third that was not read that opening it switches the conversation', async () => {
    const stage = await openTalk();
    stage.backend.capabilities.add('branches' as never);
    // Those that can be read one by one are read.
    Object.assign(stage.backend, { loadMessage: undefined });
    const three = contentOf('t', [
      stored('q1', 'user', 'How long is the Rhine?'),
      answer('b1', 'task-3', [say('1,233 km.')], {
        siblingIds: ['a1', 'b1', 'c1'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      }),
    ]);
    stage.backend.answers.set('switchBranch', () => three);
    await stage.controller.navigate('b1');
    await stage.settle();
    await press(stage, 'Compare both branches…');
    expect(stage.text('.not-loaded')).to.contain('Opening it switches the conversation');
    stage.backend.answers.set('switchBranch', () => TALK);
    await press(stage, 'Open it');
    expect(stage.backend.calls.at(-1)?.args).to.deep.equal(['t', 'c1']);
  });

  it('give back what they hold', async () => {
    const stage = await takeBack();
    await press(stage, 'Compare both branches…');
    const dialog = stage.dialog();
    await press(stage, 'Keep current');
    await stage.settle();
    expect(dialog.isConnected).to.equal(false);
  });
});
