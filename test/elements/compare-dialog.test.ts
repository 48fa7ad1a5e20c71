import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import type { PartTree } from '../../src/model/part.js';
import { textPart } from '../controller/checkpoints/build-tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { answer, setupCheckpointChat, THREAD, waitFor } from './checkpoints-fixture.js';
import { pressButton, restoreFirstCheckpoint, type CompareFixture } from './compare-fixture.js';

const marked = ({ root }: CompareFixture, side: number): string[] => {
  const branch = root.querySelectorAll('.branch')[side];
  return [...(branch?.querySelectorAll('[data-only]') ?? [])].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
};

describe('the previous branch after a restore', () => {
  it('can be shown from the start of the new branch', async () => {
    const stage = await restoreFirstCheckpoint();
    expect(stage.text('.message:last-child .message-header')).to.contain(
      'Restored from “After step 1: Step 1” with the hint: measure again',
    );
    stage.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(stage, 'Show the earlier branch');
    // Switches to the last message of the branch instead of the answer with the checkpoint.
    const call = stage.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(call?.args).to.deep.equal(['t', 'a2']);
    expect(stage.root.querySelectorAll('.message').length).to.equal(4);
    expect(stage.root.activeElement === stage.query('.scroller')).to.equal(true);
  });

  it('shows an error when it cannot be shown', async () => {
    const stage = await restoreFirstCheckpoint();
    stage.backend.responses.set('switchBranch', () =>
      Promise.reject(new UbikError('forbidden', 'no')),
    );
    await pressButton(stage, 'Show the earlier branch');
    expect(stage.text('.message-header [role=alert]')).not.to.equal('');
    expect(stage.root.querySelectorAll('.message').length).to.equal(2);
  });

  it('can only be compared while a run is in progress', async () => {
    const stage = await restoreFirstCheckpoint(false);
    const [show] = stage.root.querySelectorAll('.message-header button');
    expect(show?.ariaDisabled).to.equal('true');
    stage.backend.stream.append(0, 'It is ');
    await pressButton(stage, 'Compare both branches…');
    expect(stage.root.querySelectorAll('.branch').length).to.equal(2);
    expect(stage.query('.branch .primary').ariaDisabled).to.equal('true');
    stage.backend.stream.append(6, 'longer.');
    await stage.settle();
    expect(stage.root.querySelector('.branch')?.textContent).to.contain('It is longer.');
  });

  it('is not offered when the service has no branches', async () => {
    const stage = await setupCheckpointChat();
    await stage.openDialog(0);
    await stage.submitHint();
    stage.backend.stream.begin('task-3');
    await stage.settle();
    expect(stage.query('.message:last-child .message-header').querySelector('button')).to.equal(
      null,
    );
  });
});

describe('compare dialog', () => {
  it('marks the differences, with a label beside the color', async () => {
    const stage = await restoreFirstCheckpoint();
    await pressButton(stage, 'Compare both branches…');
    expect(marked(stage, 0)).to.deep.equal(['1,233 km.', 'a', 'b']);
    const other = marked(stage, 1);
    expect(other.at(0)).to.contain('Step 2');
    expect(other.at(-1)).to.equal('1,094 km.');
    // Parts before the checkpoint are the same in both branches.
    expect(other.some((text) => text.includes('Step 1') && text.includes('c1'))).to.equal(false);
    const labels = [...stage.root.querySelectorAll('[data-only]')].map((node) =>
      node.getAttribute('data-only'),
    );
    expect(labels.filter(Boolean)).to.deep.equal(['Only in this branch', 'Only in this branch']);
    expect(stage.text('.compare [role=status]')).to.equal('2 differences');
    expect(stage.text('.branch h3')).to.contain('shown now');
    await expect(stage.chat).to.be.accessible();
  });

  it('lists the steps of finished runs, which may contain the differences', async () => {
    const stage = await restoreFirstCheckpoint();
    stage.chat.steps = 'summary';
    await pressButton(stage, 'Compare both branches…');
    await waitFor(() => stage.root.querySelector('.compare .step'));
    await stage.settle();
    expect(stage.root.querySelector('.compare .run')).to.equal(null);
  });

  it('ignores the numbers of citations', async () => {
    const stage = await setupCheckpointChat();
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
      const branch = contentOf('t', [question, cited(id, label)]);
      stage.backend.responses.set('switchBranch', () => branch);
      await stage.controller.switchBranch(id);
      await stage.settle();
    }
    await pressButton(stage, 'Compare both branches…');
    const select = stage.query<HTMLSelectElement>('.compare select');
    select.value = [...select.options].at(-1)?.value ?? '';
    select.dispatchEvent(new Event('change'));
    await stage.settle();
    expect(stage.text('.compare [role=status]')).to.equal('Identical');
  });

  it('shows read-only branches', async () => {
    const stage = await restoreFirstCheckpoint();
    const calls = stage.backend.calls.length;
    await pressButton(stage, 'Compare both branches…');
    expect(stage.root.querySelectorAll('.branch .divider button').length).to.equal(0);
    expect(stage.root.querySelectorAll('.branch .message-header button').length).to.equal(0);
    expect(stage.backend.calls.length).to.equal(calls);
  });

  it('switches to a selected branch with its events', async () => {
    const stage = await restoreFirstCheckpoint();
    const events: string[] = [];
    for (const name of ['ubik-branch-switch', 'ubik-branch-switched']) {
      stage.chat.addEventListener(name, ({ type }) => events.push(type));
    }
    stage.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(stage, 'Compare both branches…');
    await pressButton(stage, 'Continue on this branch');
    await stage.settle();
    // Switches to the last message of the branch, not to the answer with the checkpoint.
    const call = stage.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(call?.args).to.deep.equal(['t', 'a2']);
    expect(events).to.deep.equal(['ubik-branch-switch', 'ubik-branch-switched']);
    expect(stage.root.querySelector('dialog')).to.equal(null);
    expect(stage.root.querySelectorAll('.message').length).to.equal(4);
  });

  it('stays open with an error when the selected branch cannot be shown', async () => {
    const stage = await restoreFirstCheckpoint();
    stage.backend.responses.set('switchBranch', () =>
      Promise.reject(new UbikError('server', 'no')),
    );
    await pressButton(stage, 'Compare both branches…');
    await pressButton(stage, 'Continue on this branch');
    expect(stage.text('.compare [role=alert]')).not.to.equal('');
    expect(stage.root.querySelectorAll('.branch').length).to.equal(2);
  });

  it('shows that opening a branch that is not loaded switches the thread', async () => {
    const stage = await setupCheckpointChat();
    stage.backend.capabilities.add('branches' as never);
    // Without loading of single messages, the third branch stays unloaded.
    Object.assign(stage.backend, { loadMessage: undefined });
    const three = contentOf('t', [
      stored('q1', 'user', 'How long is the Rhine?'),
      answer('b1', 'task-3', [textPart('1,233 km.')], {
        siblingIds: ['a1', 'b1', 'c1'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      }),
    ]);
    stage.backend.responses.set('switchBranch', () => three);
    await stage.controller.switchBranch('b1');
    await stage.settle();
    await pressButton(stage, 'Compare both branches…');
    expect(stage.text('.not-loaded')).to.contain('Opening it switches the conversation');
    stage.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(stage, 'Open branch');
    expect(stage.backend.calls.at(-1)?.args).to.deep.equal(['t', 'c1']);
  });

  it('is removed when closed', async () => {
    const stage = await restoreFirstCheckpoint();
    await pressButton(stage, 'Compare both branches…');
    const dialog = stage.dialog();
    await pressButton(stage, 'Keep current');
    await stage.settle();
    expect(dialog.isConnected).to.equal(false);
  });
});
