import { expect } from '@open-wc/testing';
import { loadExtra } from '../../src/dom/load-extra.js';

/** Returns why loading failed; the message contains the address. */
async function refusalOf(loading: Promise<unknown>): Promise<string> {
  return loading.then(
    () => 'It was loaded.',
    (error: unknown) => String(error),
  );
}

describe('loadExtra', () => {
  it('imports from the folder beside the script by default', async () => {
    expect(await refusalOf(loadExtra('nothing'))).to.contain('/src/dom/extras/nothing.js');
  });

  it('imports from assetsUrl, with or without a trailing slash', async () => {
    for (const address of ['/node_modules/lit', '/node_modules/lit/']) {
      expect(await loadExtra('html', address)).to.have.property('html');
    }
  });

  it('rejects when the file is missing', async () => {
    const refusal = await refusalOf(loadExtra('nothing', '/node_modules/lit/'));
    expect(refusal).to.contain('/node_modules/lit/nothing.js');
  });
});
