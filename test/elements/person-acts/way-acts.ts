import { contentOf } from '../../controller/scripted-backend.js';
import { setupCheckpointChat, THREAD } from '../checkpoints-stage.js';
import { setupMap } from '../map-stage.js';
import { version } from '../branch-stage.js';
import { pressButton, restoreFirstCheckpoint } from '../compare-stage.js';
import { begin, TEXT, type ActStage, type PersonAct } from './person-act.js';

/** The question whether to go back to a checkpoint. */
async function setupRestore(): Promise<ActStage> {
  const stage = await setupCheckpointChat();
  const { openDialog, chat: target, submitHint, root } = stage;
  await openDialog(0);
  const hint = (): HTMLTextAreaElement | null => root.querySelector('.restore textarea');
  const kept = () => [root.querySelectorAll('.message').length, hint()?.value];
  const act = async (): Promise<void> => {
    await submitHint(TEXT);
    // It has made room for the page's own question; what was written stands there when it is asked again.
    if (!root.querySelector('dialog') && stage.backend.count('restoreCheckpoint') === 0)
      await openDialog(0);
  };
  return { ...stage, target, act, kept };
}

/** A way that was left, and a button that leads to it. */
async function setupWay(words: string, compares = false): Promise<ActStage> {
  const stage = await restoreFirstCheckpoint();
  const { backend, chat: target, root } = stage;
  backend.answers.set('switchBranch', () => THREAD);
  if (compares) await pressButton(stage, 'Compare both branches…');
  // Those of the ways that are compared stand in a dialog.
  const kept = () => root.querySelectorAll('.message:not(dialog *)').length;
  return { ...stage, target, act: () => pressButton(stage, words), kept };
}

/** The map of versions. */
async function setupChoice(): Promise<ActStage> {
  const stage = await setupMap();
  const { backend, chat: target, points, settle, shown } = stage;
  const third = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
  backend.answers.set('switchBranch', () => contentOf('t', [third]));
  const act = async (): Promise<void> => {
    points()[0]?.focus();
    stage.press('Enter');
    await settle();
    await settle();
  };
  return { ...stage, target, act, kept: () => [shown(), points().length] };
}

const navigates = { before: 'ubik-branch-navigate', past: 'ubik-branch-navigated' };

/** What a person does with other ways of a conversation. */
export const WAY_ACTS: readonly PersonAct[] = [
  {
    ...{ name: 'going back with a hint', method: 'restoreCheckpoint', setUp: setupRestore },
    ...{ before: 'ubik-checkpoint-navigate', past: 'ubik-checkpoint-navigated' },
    ...{ streams: true, succeed: begin, written: [4, TEXT] },
  },
  {
    ...{ name: 'what was left behind', ...navigates, method: 'switchBranch' },
    setUp: () => setupWay('Show the earlier branch'),
  },
  {
    ...{ name: 'choosing one of two ways', ...navigates, method: 'switchBranch' },
    setUp: () => setupWay('Continue on this branch', true),
  },
  {
    ...{ name: 'a choice on the map', ...navigates, method: 'switchBranch', setUp: setupChoice },
  },
];
