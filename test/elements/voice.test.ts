import { expect } from '@open-wc/testing';
import { contentOf, stored } from '../conversation/scripted-backend.js';
import { setupChat } from './chat-stage.js';

describe('the voice', () => {
  it('says finished sentences, each once, and never pieces', async () => {
    const { start, backend, settle, root } = await setupChat();
    const said = (): string[] =>
      [...(root.querySelector('[aria-live]')?.children ?? [])].map(
        ({ textContent }) => textContent,
      );
    await start();
    backend.stream.say(0, 'The **first** sentence. And the sec');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.']);
    backend.stream.say(35, 'ond');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.']);
    backend.stream.say(38, ' one. ');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.', 'And the second one.']);
    backend.stream.say(44, 'No end');
    backend.stream.finish('complete');
    await settle();
    expect(said()).to.deep.equal([
      'The first sentence.',
      'And the second one.',
      'No end',
      'The answer is complete.',
    ]);
  });

  it('spells out no signs of a table', async () => {
    const { start, backend, settle, root } = await setupChat();
    await start();
    backend.stream.say(0, '| River | Length |\n|:---|---:|\n| Volga | 3530 |\n');
    await settle();
    const words = root.querySelector('[aria-live]')?.textContent.split(/\s+/);
    expect(words).to.deep.equal(['River', 'Length', 'Volga', '3530']);
  });

  it('says nothing of what was loaded', async () => {
    const { controller, backend, settle, root } = await setupChat();
    backend.threads.set(
      't',
      contentOf('t', [stored('a', 'user', 'Q'), stored('b', 'assistant', 'Old. News.')]),
    );
    await controller.openThread('t');
    await settle();
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('');
  });
});
