import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { UbikError } from '../../src/errors.js';
import type { PartRenderer } from '../../src/message/parts/renderer-types.js';
import type { PartTree } from '../../src/model/part.js';
import { checkpointPart, step, textPart } from '../controller/checkpoints/build-tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { waitFor } from '../helpers/wait-for.js';
import { answer, setupCheckpointChat, THREAD } from './checkpoints-fixture.js';
import { ScriptedClock } from './scripted-clock.js';
import { recordObservations } from './observations.js';
import { pressButton, restoreFirstCheckpoint, type CompareFixture } from './compare-fixture.js';

/** The texts that are marked as different in one of the two compared branches: 0 for the first side, 1 for the second. */
const marked = ({ root }: CompareFixture, side: 0 | 1): string[] => {
  const branch = root.querySelectorAll('.branch')[side];
  return [...(branch?.querySelectorAll('[data-only]') ?? [])].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
};

/** The compare dialog with two versions of an answer, `x` and `y`, of which `shown` is shown, and the clock of the chat. */
async function compareVersions(
  x: readonly PartTree[],
  y: readonly PartTree[],
  shown: 'x' | 'y' = 'y',
  properties: Partial<UbikChat> = {},
): Promise<CompareFixture & { readonly clock: ScriptedClock }> {
  const fixture = await setupCheckpointChat(undefined, (chat) => {
    Object.assign(chat, properties);
  });
  const { backend, chat, controller, settle } = fixture;
  const clock = new ScriptedClock();
  Object.assign((chat as unknown as { viewContext: object }).viewContext, { clock });
  backend.capabilities.add('branches');
  const more = { siblingIds: ['x', 'y'], restoredFrom: { checkpoint: 'c1', hint: null } };
  const contents = new Map(
    Object.entries({ x, y }).map(([id, parts]) => {
      const question = stored('q1', 'user', 'How long is the Rhine?');
      return [id, contentOf('u', [question, answer(id, `task-${id}`, parts, more)])] as const;
    }),
  );
  backend.responses.set('loadThread', () => contents.get('x'));
  backend.responses.set('switchBranch', (_thread, id) => contents.get(String(id)));
  await controller.openThread('u');
  await settle();
  for (const id of shown === 'x' ? ['y', 'x'] : ['y']) {
    await controller.switchBranch(id);
    await settle();
  }
  await pressButton(fixture, 'Compare both branches…');
  await settle();
  return { ...fixture, clock };
}

describe('the previous branch after a restore', () => {
  it('can be shown from the start of the new branch', async () => {
    const fixture = await restoreFirstCheckpoint();
    expect(fixture.text('.message:last-child .message-header')).to.contain(
      'Restored from “After step 1: Step 1” with the hint: measure again',
    );
    fixture.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(fixture, 'Show the earlier branch');
    // Switches to the last message of the branch instead of the answer with the checkpoint.
    const call = fixture.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(call?.args).to.deep.equal(['t', 'a2']);
    expect(fixture.root.querySelectorAll('.message').length).to.equal(4);
    const newest = [...fixture.root.querySelectorAll('.message')].at(-1);
    expect(fixture.root.activeElement === newest).to.equal(true);
  });

  it('shows an error when it cannot be shown', async () => {
    const fixture = await restoreFirstCheckpoint();
    fixture.backend.responses.set('switchBranch', () =>
      Promise.reject(new UbikError('forbidden', 'no')),
    );
    await pressButton(fixture, 'Show the earlier branch');
    expect(fixture.text('.message-header [role=alert]')).not.to.equal('');
    expect(fixture.root.querySelectorAll('.message').length).to.equal(2);
  });

  it('can be compared, but not shown, while a run is in progress', async () => {
    const fixture = await restoreFirstCheckpoint(false);
    const [show] = fixture.root.querySelectorAll('.message-header button');
    expect(show?.ariaDisabled).to.equal('true');
    fixture.backend.stream.append(0, 'It is ');
    await pressButton(fixture, 'Compare both branches…');
    expect(fixture.root.querySelectorAll('.branch').length).to.equal(2);
    expect(fixture.query('.branch .primary').ariaDisabled).to.equal('true');
    fixture.backend.stream.append(6, 'longer.');
    await fixture.settle();
    expect(fixture.root.querySelector('.branch')?.textContent).to.contain('It is longer.');
  });

  it('is not offered when the service has no branches', async () => {
    const fixture = await setupCheckpointChat();
    await fixture.openDialog(0);
    await fixture.submitHint();
    fixture.backend.stream.begin('task-3');
    await fixture.settle();
    expect(fixture.query('.message:last-child .message-header').querySelector('button')).to.equal(
      null,
    );
  });
});

describe('compare dialog', () => {
  it('marks the differences, with a label beside the colour', async () => {
    const fixture = await restoreFirstCheckpoint();
    await pressButton(fixture, 'Compare both branches…');
    expect(marked(fixture, 0)).to.deep.equal(['1,233 km.', 'a', 'b']);
    const other = marked(fixture, 1);
    expect(other.at(0)).to.contain('Step 2');
    expect(other.at(-1)).to.equal('1,094 km.');
    // Parts before the checkpoint are the same in both branches.
    expect(other.some((text) => text.includes('Step 1') && text.includes('c1'))).to.equal(false);
    expect(other, 'the text of a user').to.include('And the Elbe?');
    const labels = [...fixture.root.querySelectorAll('.branch')].map((branch) =>
      [...branch.querySelectorAll('[data-only]')].map((node) => node.getAttribute('data-only')),
    );
    expect(labels, 'at the first of adjacent rows').to.deep.equal([
      ['Only in this branch', '', ''],
      ['Only in this branch', ...other.slice(1).map(() => '')],
    ]);
    expect(fixture.text('.compare [role=status]')).to.equal('2 differences');
    expect(fixture.text('.branch h3')).to.contain('shown now');
    await expect(fixture.chat).to.be.accessible();
  });

  it('opens once when its button is pressed twice while its code is loading', async () => {
    const fixture = await restoreFirstCheckpoint();
    const presses = [1, 2].map(() => pressButton(fixture, 'Compare both branches…'));
    await Promise.all(presses);
    expect(fixture.root.querySelectorAll('.compare').length).to.equal(1);
  });

  it('does not open in a chat that is removed while its code is loading', async () => {
    const fixture = await restoreFirstCheckpoint();
    fixture.root.addEventListener('click', () => {
      fixture.chat.remove();
    });
    await pressButton(fixture, 'Compare both branches…');
    expect(fixture.root.querySelectorAll('.compare').length).to.equal(0);
  });

  it('lists the steps of finished runs, which may contain the differences', async () => {
    const fixture = await restoreFirstCheckpoint();
    fixture.chat.steps = 'summary';
    await pressButton(fixture, 'Compare both branches…');
    await waitFor(() => fixture.root.querySelector('.compare .step'));
    await fixture.settle();
    expect(fixture.root.querySelector('.compare .run')).to.equal(null);
  });

  it('shows the avatars of the page, not its actions', async () => {
    const fixture = await restoreFirstCheckpoint();
    fixture.chat.messageAvatar = fixture.chat.messageActions = () => undefined;
    await pressButton(fixture, 'Compare both branches…');
    await waitFor(() => fixture.root.querySelector('.compare .avatar'));
    expect(fixture.root.querySelector('.compare .actions')).to.equal(null);
  });

  it('shows parts by the renderers of the page, without actions, also when one of them fails', async () => {
    const seen: string[] = [];
    const fixture = await setupCheckpointChat(undefined, (chat) => {
      chat.renderers = [
        {
          kind: 'checkpoint',
          renderer: {
            mount: (box, { part, message, send, answer, signal }) => {
              box.textContent = `Card ${part.name}`;
              seen.push(`${part.name} ${String(message.id)} ${send ? 'acts' : 'reads'}`);
              if (answer) seen.push('answers');
              signal.addEventListener('abort', () => seen.push(`end of ${part.name}`));
              if (part.name === 'c2') throw new Error('no');
            },
          },
        },
      ];
    });
    fixture.backend.capabilities.add('branches');
    const branch = contentOf('t', [
      stored('q1', 'user', 'How long is the Rhine?'),
      answer('b1', 'task-3', [step(1, 1), checkpointPart('c1'), textPart('1,233 km.', 'end')], {
        siblingIds: ['a1', 'b1'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      }),
    ]);
    fixture.backend.responses.set('switchBranch', () => branch);
    await fixture.controller.switchBranch('b1');
    await fixture.settle();
    seen.length = 0;
    await pressButton(fixture, 'Compare both branches…');
    const boxesOf = (): string[][] =>
      [...fixture.root.querySelectorAll('.branch')].map((side) =>
        [...side.querySelectorAll<HTMLSlotElement>('.host > slot')].map(
          (slot) => slot.assignedElements()[0]?.textContent ?? '',
        ),
      );
    await waitFor(() => boxesOf()[1]?.length);
    await fixture.settle();
    expect(boxesOf()).to.deep.equal([['Card c1'], ['Card c1', 'Card c3']]);
    // The renderer has failed for c2, which has its built-in view.
    expect(fixture.root.querySelectorAll('.branch .checkpoint').length).to.equal(1);
    expect(seen.filter((line) => line.endsWith(' acts') || line === 'answers')).to.deep.equal([]);
    const shown = fixture.chat.querySelectorAll('[slot]').length;
    fixture.query<HTMLDialogElement>('.compare').close();
    await waitFor(() => fixture.root.querySelector('.branch') === null);
    expect(seen.filter((line) => line.startsWith('end of ')).length).to.equal(4);
    expect(fixture.chat.querySelectorAll('[slot]').length).to.equal(shown - 3);
  });

  it('compares texts that a renderer of the page shows', async () => {
    const renderer: PartRenderer<'text'> = { mount: (box, { standard }) => box.append(standard()) };
    const fixture = await compareVersions(
      [textPart('It is $\\frac{1}{2}$.')],
      [textPart('It is $\\frac{1}{3}$.')],
      'y',
      { renderers: [{ kind: 'text', renderer }] },
    );
    expect(fixture.text('.compare [role=status]')).to.equal('2 differences');
    expect(fixture.root.querySelectorAll('.branch .host[data-only]').length).to.equal(2);
  });

  it('compares formulas by their TeX, because different ones may have the same characters', async () => {
    // Draws each formula as "12". The chat appends a file name to `assetsUrl`, which the trailing `//` makes a comment.
    const maths = `
      export const findFormulas = (text) =>
        [...text.matchAll(/[$].+?[$]/g)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
      export const renderFormula = () =>
        document.createElementNS('http://www.w3.org/1998/Math/MathML', 'math').appendChild(new Text('12')).parentNode;
      //`;
    const fixture = await compareVersions(
      [textPart('It is $\\frac{1}{2}$.')],
      [textPart('It is $12$.')],
      'y',
      { assetsUrl: `data:text/javascript,${encodeURIComponent(maths)}` },
    );
    const { clock, root, settle, text } = fixture;
    await waitFor(() => root.querySelectorAll('.branch math').length === 2);
    clock.pass(1);
    await settle();
    expect(text('.compare [role=status]')).to.equal('2 differences');
    expect(marked(fixture, 0)).to.deep.equal(['It is 12.']);
  });

  it('ignores the numbers of citations', async () => {
    const fixture = await setupCheckpointChat();
    fixture.backend.capabilities.add('branches');
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
      fixture.backend.responses.set('switchBranch', () => branch);
      await fixture.controller.switchBranch(id);
      await fixture.settle();
    }
    await pressButton(fixture, 'Compare both branches…');
    const select = fixture.query<HTMLSelectElement>('.compare select');
    select.value = [...select.options].at(-1)?.value ?? '';
    select.dispatchEvent(new Event('change'));
    await fixture.settle();
    expect(fixture.text('.compare [role=status]')).to.equal('Identical');
  });

  it('shows read-only branches', async () => {
    const fixture = await restoreFirstCheckpoint();
    const calls = fixture.backend.calls.length;
    await pressButton(fixture, 'Compare both branches…');
    expect(fixture.root.querySelectorAll('.branch .divider button').length).to.equal(0);
    expect(fixture.root.querySelectorAll('.branch .message-header button').length).to.equal(0);
    expect(fixture.backend.calls.length).to.equal(calls);
  });

  it('switches to a selected branch with its events', async () => {
    const fixture = await restoreFirstCheckpoint();
    const events: string[] = [];
    for (const name of ['ubik-branch-switch', 'ubik-branch-switched']) {
      fixture.chat.addEventListener(name, ({ type }) => events.push(type));
    }
    fixture.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(fixture, 'Compare both branches…');
    await pressButton(fixture, 'Continue on this branch');
    await fixture.settle();
    // Switches to the last message of the branch, not to the answer with the checkpoint.
    const call = fixture.backend.calls.find(({ method }) => method === 'switchBranch');
    expect(call?.args).to.deep.equal(['t', 'a2']);
    expect(events).to.deep.equal(['ubik-branch-switch', 'ubik-branch-switched']);
    expect(fixture.root.querySelector('dialog')).to.equal(null);
    expect(fixture.root.querySelectorAll('.message').length).to.equal(4);
  });

  it('stays open with an error when the selected branch cannot be shown', async () => {
    const fixture = await restoreFirstCheckpoint();
    fixture.backend.responses.set('switchBranch', () =>
      Promise.reject(new UbikError('server', 'no')),
    );
    await pressButton(fixture, 'Compare both branches…');
    await pressButton(fixture, 'Continue on this branch');
    expect(fixture.text('.compare [role=alert]')).not.to.equal('');
    expect(fixture.root.querySelectorAll('.branch').length).to.equal(2);
  });

  it('stays open without an error when the host page cancels the switch, or the switch is aborted', async () => {
    const fixture = await restoreFirstCheckpoint();
    const cancel = (event: Event): void => {
      event.preventDefault();
    };
    fixture.chat.addEventListener('ubik-branch-switch', cancel);
    await pressButton(fixture, 'Compare both branches…');
    await pressButton(fixture, 'Continue on this branch');
    expect(fixture.backend.count('switchBranch')).to.equal(0);
    expect(fixture.root.querySelectorAll('.branch').length).to.equal(2);
    fixture.chat.removeEventListener('ubik-branch-switch', cancel);
    fixture.backend.responses.set('switchBranch', () => Promise.reject(new UbikError('aborted')));
    await pressButton(fixture, 'Continue on this branch');
    expect(fixture.backend.count('switchBranch')).to.equal(1);
    expect(fixture.root.querySelectorAll('.branch').length).to.equal(2);
    expect(fixture.root.querySelector('.compare [role=alert]')).to.equal(null);
  });

  it('shows that opening a branch that is not loaded switches the thread', async () => {
    const fixture = await setupCheckpointChat();
    fixture.backend.capabilities.add('branches');
    // Without loading of single messages, the third branch stays unloaded.
    Object.assign(fixture.backend, { loadMessage: undefined });
    const three = contentOf('t', [
      stored('q1', 'user', 'How long is the Rhine?'),
      answer('b1', 'task-3', [textPart('1,233 km.')], {
        siblingIds: ['a1', 'b1', 'c1'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      }),
    ]);
    fixture.backend.responses.set('switchBranch', () => three);
    await fixture.controller.switchBranch('b1');
    await fixture.settle();
    await pressButton(fixture, 'Compare both branches…');
    expect(fixture.text('.not-loaded')).to.contain('Opening it switches the conversation');
    expect(fixture.query('.not-loaded button').className).to.equal('quiet');
    fixture.backend.responses.set('switchBranch', () => THREAD);
    await pressButton(fixture, 'Open branch');
    expect(fixture.backend.calls.at(-1)?.args).to.deep.equal(['t', 'c1']);
  });

  it('is removed when closed', async () => {
    const fixture = await restoreFirstCheckpoint();
    await pressButton(fixture, 'Compare both branches…');
    const dialog = fixture.dialog();
    await pressButton(fixture, 'Keep current');
    await fixture.settle();
    expect(dialog.isConnected).to.equal(false);
  });

  it('names its branches, and shows one of them in a narrow window, chosen by a button', async () => {
    const fixture = await restoreFirstCheckpoint();
    await pressButton(fixture, 'Compare both branches…');
    const { query, root, dialog } = fixture;
    const title = root.getElementById(dialog().getAttribute('aria-labelledby') ?? '');
    expect(title?.textContent).to.equal('Compare branches');
    expect(getComputedStyle(query('.branches')).display, 'side by side').to.equal('grid');
    const names = ['Branch 2 (shown now)', 'Branch 1'];
    const branches = [...root.querySelectorAll('.branch')];
    const labels = branches.map(
      (each) => root.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent,
    );
    expect(labels).to.deep.equal(names);
    expect(branches.map(({ role }) => role)).to.deep.equal(['group', 'group']);
    expect(branches.map((each) => each.querySelector('.scroller')?.ariaLabel)).to.deep.equal(names);
    expect(branches.map((each) => each.querySelectorAll('select').length)).to.deep.equal([0, 0]);
    expect(branches.map((each) => each.querySelectorAll('.message').length)).to.deep.equal([2, 4]);
    const hints = branches.map((each) => each.querySelector(':scope > .note')?.textContent);
    expect(hints).to.deep.equal(['with the hint: measure again', undefined]);
    const tabs = [...root.querySelectorAll<HTMLElement>('.sides button')];
    expect(tabs.map((each) => each.textContent.trim())).to.deep.equal(names);
    const state = () => [
      query('.branches').dataset['side'],
      ...tabs.map(({ ariaPressed }) => ariaPressed),
    ];
    expect(state()).to.deep.equal(['left', 'true', 'false']);
    tabs[1]?.click();
    expect(state()).to.deep.equal(['right', 'false', 'true']);
    expect(root.querySelector('.compare .not-loaded')).to.equal(null);
    expect(root.querySelector('.compare [role=alert]')).to.equal(null);
    const actions = branches.map((each) => each.querySelector(':scope > button'));
    expect(actions.map((each) => each?.className)).to.deep.equal(['quiet', 'primary']);
    expect(actions.map((each) => each?.getAttribute('aria-disabled'))).to.deep.equal([
      null,
      'false',
    ]);
    expect(actions[1]?.hasAttribute('title')).to.equal(false);
  });

  it('compares the rows of tables and the items of lists', async () => {
    const table = (cell: string): string => `| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | ${cell} |`;
    const fixture = await compareVersions(
      [textPart(`${table('4')}\n\n1. one\n2. two`)],
      [textPart(`${table('5')}\n\n1. one\n2. three`)],
    );
    expect(marked(fixture, 0)).to.deep.equal(['35', 'three']);
    expect(marked(fixture, 1)).to.deep.equal(['34', 'two']);
    expect(fixture.text('.compare [role=status]')).to.equal('4 differences');
  });

  it('compares long answers again until they are rendered, roughly when they have too many rows', async () => {
    const same = 'Same.\n\n'.repeat(600);
    for (const [count, suffix] of [
      [1000, ''],
      [1001, ' · There is too much text for an exact comparison.'],
    ] as const) {
      const fixture = await compareVersions(
        [textPart(`${same}${'- left\n'.repeat(1000)}`)],
        [textPart(`${same}${'- right\n'.repeat(count)}`)],
      );
      const { clock, root, text } = fixture;
      await waitFor(() => root.querySelectorAll('.compare li').length === 1000 + count);
      clock.pass(2);
      expect(text('.compare [role=status]')).to.equal(`2 differences${suffix}`);
      expect(root.querySelectorAll('.compare [data-only]').length).to.equal(1000 + count);
    }
  });

  it('compares the first branch, when that is shown, with the second one', async () => {
    const fixture = await compareVersions([textPart('Same.')], [textPart('Same.')], 'x');
    const names = [...fixture.root.querySelectorAll('.branch h3[id]')].map(
      ({ textContent }) => textContent,
    );
    expect(names).to.deep.equal(['Branch 1 (shown now)', 'Branch 2']);
    expect(fixture.text('.compare [role=status]')).to.equal('Identical');
  });

  it('closes when another conversation is shown', async () => {
    const fixture = await restoreFirstCheckpoint();
    await pressButton(fixture, 'Compare both branches…');
    fixture.controller.switchToNewThread();
    await fixture.settle();
    expect(fixture.root.querySelector('.compare')).to.equal(null);
  });

  it('compares with another branch, and scrolls both to their first difference', async () => {
    const fixture = await setupCheckpointChat();
    fixture.backend.capabilities.add('branches');
    const long = 'Same.\n\n'.repeat(60);
    const versions = {
      x: `${long}One.\n\n${long}`,
      y: `${long}Two.\n\n${long}`,
      z: `${long}One.\n\n${long}`,
    };
    const question = stored('q1', 'user', 'How long is the Rhine?');
    for (const [id, text] of Object.entries(versions)) {
      const made = answer(id, `task-${id}`, [textPart(text)], {
        siblingIds: ['x', 'y', 'z'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      });
      fixture.backend.responses.set('switchBranch', () => contentOf('t', [question, made]));
      await fixture.controller.switchBranch(id);
      await fixture.settle();
    }
    await pressButton(fixture, 'Compare both branches…');
    const { query, root, settle, text } = fixture;
    const select = query<HTMLSelectElement>('.compare select');
    expect(root.querySelectorAll('.branch select').length).to.equal(1);
    expect(root.querySelectorAll('.branch')[1]?.contains(select)).to.equal(true);
    const options = [...select.options].map((each) => each.text.trim());
    expect(options.length).to.be.above(1);
    const shown = (): string[] =>
      [...root.querySelectorAll('.branch h3[id]')].map(({ textContent }) => textContent);
    expect(shown()[1]).to.equal(options[select.selectedIndex]);
    const isVisible = (): boolean[] =>
      [...root.querySelectorAll('.branch')].map((branch) => {
        const row = branch.querySelector('[data-only]')?.getBoundingClientRect();
        const box = branch.querySelector('.scroller')?.getBoundingClientRect();
        return !!row && !!box && row.top >= box.top && row.bottom <= box.bottom;
      });
    const seen = new Map<string, string>();
    for (const [at, name] of options.entries()) {
      select.selectedIndex = at;
      select.dispatchEvent(new Event('change'));
      await settle();
      await settle();
      seen.set(name, text('.compare [role=status]'));
      expect(shown()[1]).to.equal(name);
      if (seen.get(name) === '2 differences') expect(isVisible()).to.deep.equal([true, true]);
      else expect(root.querySelectorAll('.compare [data-only]').length).to.equal(0);
    }
    expect([...seen.values()])
      .to.include('2 differences')
      .and.to.include('Identical');
  });

  it('has a button that switches the branch after a run, and explains during the run why it does not', async () => {
    const fixture = await restoreFirstCheckpoint(false);
    await pressButton(fixture, 'Compare both branches…');
    const { query, backend, settle } = fixture;
    const button = query('.branch .primary');
    expect(button.title).to.contain('still working');
    const before = backend.count('switchBranch');
    button.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(before);
    backend.stream.finish('complete');
    await settle();
    await settle();
    expect(query('.branch .primary').ariaDisabled).to.equal('false');
    query('.branch .primary').click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(before + 1);
  });

  it('observes nothing after it was closed, and shows no previous error', async () => {
    const fixture = await restoreFirstCheckpoint();
    const { controller, chat, backend, root } = fixture;
    const observations = recordObservations({ window, document, chat }, [controller]);
    const idle = observations.list();
    try {
      await pressButton(fixture, 'Compare both branches…');
      expect(observations.list()).not.to.deep.equal(idle);
      backend.responses.set('switchBranch', () => Promise.reject(new UbikError('server')));
      await pressButton(fixture, 'Continue on this branch');
      expect(root.querySelectorAll('.compare [role=alert]').length).to.equal(1);
      backend.responses.set('switchBranch', () => Promise.reject(new UbikError('aborted')));
      await pressButton(fixture, 'Continue on this branch');
      expect(root.querySelectorAll('.compare [role=alert]').length).to.equal(0);
      await pressButton(fixture, 'Keep current');
      await fixture.settle();
      expect(observations.list()).to.deep.equal(idle);
    } finally {
      observations.restore();
    }
  });

  it('compares a branch that is being written once a second', async () => {
    const fixture = await restoreFirstCheckpoint(false);
    const { backend, chat, settle, text } = fixture;
    const clock = new ScriptedClock();
    Object.assign((chat as unknown as { viewContext: object }).viewContext, { clock });
    await pressButton(fixture, 'Compare both branches…');
    backend.stream.append(0, 'It is longer.\n\nMuch longer.');
    await settle();
    expect(fixture.root.querySelector('.branch')?.textContent).to.contain('Much longer.');
    expect(marked(fixture, 0)).not.to.include('Much longer.');
    clock.pass(1);
    await settle();
    expect(marked(fixture, 0)).to.include('Much longer.');
    expect(text('.compare [role=status]')).to.match(/^\d+ differences?$/);
  });

  it('compares steps by their numbers and titles, and marks their lines', async () => {
    const fixture = await setupCheckpointChat();
    fixture.backend.capabilities.add('branches');
    const question = stored('q1', 'user', 'How long is the Rhine?');
    for (const [id, number] of [
      ['x', 1],
      ['y', 2],
    ] as const) {
      const made = answer(id, `task-${id}`, [step(number, 1), textPart('Same.', 'end')], {
        siblingIds: ['x', 'y'],
        restoredFrom: { checkpoint: 'c1', hint: null },
      });
      fixture.backend.responses.set('switchBranch', () => contentOf('t', [question, made]));
      await fixture.controller.switchBranch(id);
      await fixture.settle();
    }
    await pressButton(fixture, 'Compare both branches…');
    const { query, root, settle, text } = fixture;
    const select = query<HTMLSelectElement>('.compare select');
    for (const { value } of [...select.options]) {
      select.value = value;
      select.dispatchEvent(new Event('change'));
      await settle();
      await settle();
      // The third branch is the original answer.
      if (root.querySelectorAll('.branch')[1]?.textContent.includes('Same.')) break;
    }
    expect(text('.compare [role=status]')).to.equal('2 differences');
    const lines = [...root.querySelectorAll('summary[data-only]')].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(lines.some((line) => line.includes('Step 1'))).to.equal(true);
    expect(lines.some((line) => line.includes('Step 2'))).to.equal(true);
    expect(marked(fixture, 0)).not.to.include('Same.');
  });
});
