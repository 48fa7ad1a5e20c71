import { expect } from '@open-wc/testing';
import { plain, setupThreads, threadsOf } from './thread-stage.js';

describe('<ubik-thread-list>', () => {
  it('shows the conversations of the service under their dates, the last used first', async () => {
    const { titles, all } = await setupThreads(threadsOf(40));
    expect(titles().slice(0, 3)).to.deep.equal(['Talk 0', 'Talk 1', 'Talk 2']);
    expect(all('h3').map(plain)).to.deep.equal([
      'today',
      'yesterday',
      'Previous 7 days',
      'March 2026',
    ]);
  });

  it('opens a conversation, with the events around it, and marks it as the one that is shown', async () => {
    const { click, row, settle, controller, names, all, events } = await setupThreads();
    click(row('Talk 2').querySelector('.thread-open'));
    await settle();
    expect(controller.thread?.id).to.equal('t2');
    expect(names()).to.deep.equal(['ubik-thread-open', 'ubik-thread-opened']);
    expect(events.map(({ detail }) => detail as unknown)).to.deep.equal([
      { threadId: 't2' },
      { threadId: 't2' },
    ]);
    expect(all('[aria-current=true]').map(plain)).to.deep.equal(['Talk 2']);
  });
});
