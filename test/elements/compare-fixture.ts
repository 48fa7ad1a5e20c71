import { checkpointPart, textPart, step } from '../controller/checkpoints/build-tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { waitFor } from '../helpers/wait-for.js';
import { answer, setupCheckpointChat } from './checkpoints-fixture.js';

/** The chat of `setupCheckpointChat`. */
export type CompareFixture = Awaited<ReturnType<typeof setupCheckpointChat>>;

const RESTORED = contentOf('t', [
  stored('q1', 'user', 'How long is the Rhine?'),
  answer(
    'b1',
    'task-3',
    [step(1, 1), checkpointPart('c1'), textPart('1,233 km.\n\n- a\n- b', 'end')],
    {
      siblingIds: ['a1', 'b1'],
    },
  ),
]);

/** A chat whose thread was restored from its first checkpoint with a hint. The run is complete unless `isOver` is false. */
export async function restoreFirstCheckpoint(isOver = true): Promise<CompareFixture> {
  const fixture = await setupCheckpointChat();
  const { backend, settle } = fixture;
  backend.capabilities.add('branches');
  await fixture.openDialog(0);
  await fixture.submitHint('measure again');
  backend.stream.begin('task-3');
  await settle();
  if (!isOver) return fixture;
  backend.threads.set('t', RESTORED);
  backend.stream.finish('complete');
  await settle();
  return fixture;
}

/** Clicks the button with this label. */
export const pressButton = async (
  { root, settle }: CompareFixture,
  label: string,
): Promise<void> => {
  const button = await waitFor(() =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === label),
  );
  button.focus();
  button.click();
  await settle();
  await settle();
};
