import { expect } from '@open-wc/testing';
import { CHUNK_LENGTH, setupDataAgentChat } from './data-agent-fixture.js';

describe('chat with a Data Agent', () => {
  it('renders none of 100 earlier messages again while an answer of 400 chunks streams', async () => {
    const { root, controller, sendChunks } = await setupDataAgentChat(100);
    await sendChunks(1);
    const messages = [...root.querySelectorAll('.message')];
    const answer = messages.at(-1);
    const earlier = messages.slice(0, -1);
    // The 100 messages, and the question that is being answered.
    expect(earlier.length).to.equal(101);
    const changed: Node[] = [];
    const observer = new MutationObserver((records) => {
      changed.push(...records.map(({ target }) => target));
    });
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    await sendChunks(399, 4);
    observer.disconnect();
    expect(changed.some((node) => answer?.contains(node))).to.equal(true);
    expect(changed.filter((node) => earlier.some((each) => each.contains(node)))).to.deep.equal([]);
    expect(answer?.textContent.length).to.be.greaterThan(390 * CHUNK_LENGTH);
    controller.close();
  });
});
