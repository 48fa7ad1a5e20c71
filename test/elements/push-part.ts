import type { PartFields } from '../../src/model/part.js';
import type { setupChat } from './chat-fixture.js';

/** A chat whose service the test scripts. */
type Setup = Pick<Awaited<ReturnType<typeof setupChat>>, 'backend' | 'settle'>;

/** Adds a part to the answer, or sets its fields. */
export async function pushPart(
  { backend, settle }: Setup,
  part: string,
  value: object,
  parent: string | null = null,
): Promise<void> {
  const { stream } = backend;
  const message = stream.keys.answer;
  const fields = value as PartFields;
  stream.push({ type: 'part', message, part, parent, before: null, value: fields });
  await settle();
}

/** The question of a tool that waits for the page. */
export const questionOf = (executionId: string, toolName: string): object => ({
  kind: 'request-activity',
  level: 'tool',
  prompt: 'Seat?',
  inputTypes: ['json'],
  checkpointName: null,
  executionId,
  toolName,
  options: null,
  schema: null,
  deadline: null,
  part: null,
  state: 'pending',
});
