import { expect } from '@open-wc/testing';
import { translatePage, TRANSLATORS } from '../markdown/page-translators.js';
import { part, step, text, tool } from '../message/message-fixture.js';
import { setupChat } from './chat-fixture.js';

const ANSWER = 'The first paragraph of the answer, which is **long** enough.\n\nThe second one.\n';

describe('chat in a translated page', () => {
  for (const [name, translate] of Object.entries(TRANSLATORS)) {
    it(`shows the whole answer, and is ready for the next question (translator ${name})`, async () => {
      const { root, start, backend, settle, field, query, names } = await setupChat();
      const push = async (...changes: readonly object[]): Promise<void> => {
        const message = backend.stream.keys.answer;
        backend.stream.push(...changes.map((change) => ({ ...change, message }) as never));
        await settle();
        translatePage(root, translate);
      };
      translatePage(root, translate);
      await start();
      await push(part('step:1', step(1)), part('tool:1', tool('1', { input: '{}' }), 'step:1'));
      await push(part('tool:1', tool('1', { state: 'done', result: '{"a":"words"}' }), 'step:1'));
      await push(part('x', { kind: 'text' }));
      for (let at = 0; at < ANSWER.length; at += 9) {
        await push(text('x', ANSWER.slice(at, at + 9), at));
      }
      backend.stream.finish('complete');
      await settle();
      translatePage(root, translate);
      const shown = [...root.querySelectorAll('.message.assistant [part~=text]')].at(-1);
      expect(shown?.textContent.replaceAll(/[^a-z]/gi, '')).to.equal(
        ANSWER.replaceAll(/[^a-z]/gi, ''),
      );
      expect(names()).to.include('ubik-run-completed');
      expect(query('.send').title).to.equal('Send');
      expect(field.disabled).to.equal(false);
      await start('Another question');
      expect(root.querySelectorAll('.message.user').length).to.equal(2);
    });
  }
});
