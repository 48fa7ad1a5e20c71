import '../../src/elements/passage/passage-details.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';

export const PASSAGE = {
  id: 'p',
  documentId: 'd',
  documentName: 'rivers.pdf',
  text: 'It is long.',
  page: 3,
};

/**
 * A chat with an answer that cites a passage after a sentence, with that passage open. `read` returns the passage or document with an id,
 * `title` is that of the citation.
 */
export async function setupCitation(
  read: (id: string) => typeof PASSAGE,
  sentence = 'It is long.',
  prepare?: (chat: UbikChat) => void,
  title = 'rivers.pdf',
) {
  const fixture = await setupChat(prepare);
  const { backend, controller, settle, query } = fixture;
  backend.capabilities.add('citations');
  backend.responses.set('loadPassage', (id) => read(id as string));
  const answer = stored('a', 'assistant', `${sentence} \uE000c\uE001`);
  const mark = { kind: 'citation', label: '[1]', id: 'p', title, url: null } as const;
  const parts = answer.parts.map((part) => ({ ...part, marks: { c: mark } }));
  backend.threads.set('t', contentOf('t', [{ ...answer, parts: parts as never }]));
  await controller.openThread('t');
  for (let turn = 0; turn < 3; turn += 1) await settle();
  const press = async (button: HTMLElement): Promise<void> => {
    button.focus();
    button.click();
    for (let turn = 0; turn < 3; turn += 1) await settle();
  };
  await press(query('.cite'));
  return {
    ...fixture,
    press,
    panel: () => query('.passage'),
    switchButton: () => query('.passage .switch'),
    retryButton: () => query('.passage button.quiet:not([title])'),
  };
}
