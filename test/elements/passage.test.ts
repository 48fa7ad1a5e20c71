import { expect } from '@open-wc/testing';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { PASSAGE, setupCited } from './passage-stage.js';

describe('the passage of a citation', () => {
  const codes: readonly UbikErrorCode[] = [
    ...(['unauthorized', 'forbidden', 'not-found', 'rate-limited'] as const),
    ...(['server', 'network', 'not-an-api'] as const),
  ];
  for (const code of codes) {
    it(`that cannot be read (${code}) says why, and is read again on request`, async () => {
      let works = false;
      const { panel, again, press, events, root } = await setupCited(() => {
        if (works) return PASSAGE;
        throw new UbikError(code);
      });
      expect(panel().querySelector('[role=alert]')?.textContent.trim()).not.to.equal('');
      expect(panel().textContent).to.contain('rivers.pdf');
      expect(events.map(({ type }) => type)).to.deep.equal(['ubik-thread-opened', 'ubik-error']);
      works = true;
      await press(again());
      expect(panel().querySelector('[role=alert]')).to.equal(null);
      expect(panel().textContent).to.contain('It is long.');
      expect(panel().contains(root.activeElement)).to.equal(true);
    });
  }
});
