import { expect } from '@open-wc/testing';
import { setupChat } from './chat-fixture.js';
import { ScriptedClock } from './scripted-clock.js';

describe('a run that does not stop', () => {
  it('can be left by the user after stopTimeout', async () => {
    const { chat, start, query, settle, text, root, names, backend } = await setupChat();
    await start();
    expect(root.querySelector('.working')).not.to.equal(null);
    query('.send').click();
    await settle();
    await settle();
    expect(text('.status-bar')).to.equal('Stopping…');
    expect(root.querySelector('.working'), 'the state is shown once').to.equal(null);
    expect(root.querySelector('.status-bar button')).to.equal(null);
    chat.stopTimeout = 0;
    await chat.updateComplete;
    expect(text('.status-bar')).to.equal('Stopping… Stop waiting');
    query('.status-bar button').click();
    await settle();
    expect(text('.status-bar')).to.equal(
      'The connection was lost and the answer is incomplete. Retry',
    );
    expect(backend.count('stop')).to.equal(1);
    expect(names()).not.to.include('ubik-run-stopped');
  });

  it('is interrupted, without an error, when the run was paused and the user stops waiting', async () => {
    const { chat, start, query, settle, names, events, backend } = await setupChat();
    await start();
    backend.stream.request('@request:1', 'tool');
    backend.stream.finish('waiting');
    await settle();
    await settle();
    events.length = 0;
    backend.responses.set('stop', () => new Promise(() => undefined));
    void chat.stop();
    await settle();
    await settle();
    expect(chat.run.state).to.equal('stopping');
    chat.stopTimeout = 0;
    await chat.updateComplete;
    query('.status-bar button').click();
    await settle();
    expect(names()).to.include('ubik-run-interrupted');
    expect(names()).not.to.include('ubik-error');
  });

  it('is awaited for 30 s by default, also when the framework of the host page sets no value', async () => {
    for (const values of [{}, { stopTimeout: null }]) {
      const clock = new ScriptedClock();
      const { start, query, settle, text } = await setupChat((chat) => {
        Object.assign((chat as unknown as { viewContext: object }).viewContext, { clock });
        Object.assign(chat, values);
      });
      await start();
      query('.send').click();
      await settle();
      await settle();
      clock.pass(29);
      await settle();
      expect(text('.status-bar')).to.equal('Stopping…');
      clock.pass(1);
      await settle();
      expect(text('.status-bar')).to.equal('Stopping… Stop waiting');
    }
  });
});
