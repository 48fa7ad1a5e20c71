import { flag, say, step } from '../controller/ways/tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { answer, openTalk, until } from './checkpoints-stage.js';

/** The stage of a talk. */
export type Talk = Awaited<ReturnType<typeof openTalk>>;

const AGAIN = contentOf('t', [
  stored('q1', 'user', 'How long is the Rhine?'),
  answer('b1', 'task-3', [step(1, 1), flag('c1'), say('1,233 km.\n\n- a\n- b', 'end')], {
    siblingIds: ['a1', 'b1'],
  }),
]);

/** The talk, taken back to its first checkpoint with a hint; the run is on, or over. */
export async function takeBack(isOver = true): Promise<Talk> {
  const stage = await openTalk();
  const { backend, settle } = stage;
  backend.capabilities.add('branches' as never);
  await stage.ask(0);
  await stage.go('measure again');
  backend.stream.begin('task-3');
  await settle();
  if (!isOver) return stage;
  backend.threads.set('t', AGAIN);
  backend.stream.finish('complete');
  await settle();
  return stage;
}

/** Presses the button with these words. */
export const press = async ({ root, settle }: Talk, words: string): Promise<void> => {
  const button = await until(() =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === words),
  );
  button.focus();
  button.click();
  await settle();
  await settle();
};
