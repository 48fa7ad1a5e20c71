import { contentOf } from '../../controller/scripted-backend.js';
import { setupCheckpointChat, THREAD } from '../checkpoints-fixture.js';
import { setupMap } from '../map-fixture.js';
import { version } from '../branch-fixture.js';
import { pressButton, restoreFirstCheckpoint } from '../compare-fixture.js';
import { beginRun, TEXT, type ActionFixture, type UserAction } from './user-action.js';

/** An open dialog for restoring a checkpoint. */
async function setupRestore(): Promise<ActionFixture> {
  const fixture = await setupCheckpointChat();
  const { openDialog, chat: target, submitHint, root } = fixture;
  await openDialog(0);
  const hint = (): HTMLTextAreaElement | null => root.querySelector('.restore textarea');
  const snapshot = () => [root.querySelectorAll('.message').length, hint()?.value];
  const perform = async (): Promise<void> => {
    await submitHint(TEXT);
    // The dialog closes when the host page cancels the action, and shows the hint again when it is opened again.
    if (!root.querySelector('dialog') && fixture.backend.count('restoreCheckpoint') === 0)
      await openDialog(0);
  };
  return { ...fixture, target, perform, snapshot };
}

/** A chat with a branch that was left by restoring a checkpoint; `label` is the button that switches back. */
async function setupEarlierBranch(label: string, isCompared = false): Promise<ActionFixture> {
  const fixture = await restoreFirstCheckpoint();
  const { backend, chat: target, root } = fixture;
  backend.responses.set('switchBranch', () => THREAD);
  if (isCompared) await pressButton(fixture, 'Compare both branches…');
  // The compared branches render their messages in the dialog.
  const snapshot = () => root.querySelectorAll('.message:not(dialog *)').length;
  return { ...fixture, target, perform: () => pressButton(fixture, label), snapshot };
}

/** A branch map. */
async function setupBranchMap(): Promise<ActionFixture> {
  const fixture = await setupMap();
  const { backend, chat: target, points, settle, shown } = fixture;
  const third = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
  backend.responses.set('switchBranch', () => contentOf('t', [third]));
  const perform = async (): Promise<void> => {
    points()[0]?.focus();
    fixture.press('Enter');
    await settle();
    await settle();
  };
  return { ...fixture, target, perform, snapshot: () => [shown(), points().length] };
}

const switchesBranch = { before: 'ubik-branch-switch', after: 'ubik-branch-switched' };

/** Actions on branches and checkpoints. */
export const BRANCH_ACTIONS: readonly UserAction[] = [
  {
    ...{
      name: 'restore a checkpoint with a hint',
      method: 'restoreCheckpoint',
      setUp: setupRestore,
    },
    ...{ before: 'ubik-checkpoint-restore', after: 'ubik-checkpoint-restored' },
    ...{ isStreamed: true, succeed: beginRun, snapshotWhenCancelled: [4, TEXT] },
  },
  {
    ...{ name: 'show the earlier branch', ...switchesBranch, method: 'switchBranch' },
    setUp: () => setupEarlierBranch('Show the earlier branch'),
  },
  {
    ...{ name: 'choose one of two branches', ...switchesBranch, method: 'switchBranch' },
    setUp: () => setupEarlierBranch('Continue on this branch', true),
  },
  {
    ...{
      name: 'select a version in the branch map',
      ...switchesBranch,
      method: 'switchBranch',
      setUp: setupBranchMap,
    },
  },
];
