import { expect } from '@open-wc/testing';
import { loadExtra } from '../../src/dom/load-extra.js';

/** Why something was not loaded; it names the address. */
async function refusalOf(loading: Promise<unknown>): Promise<string> {
  return loading.then(
    () => 'It was loaded.',
    (error: unknown) => String(error),
  );
}

describe('an optional part', () => {
  it('is looked for beside the script', async () => {
    expect(await refusalOf(loadExtra('nothing'))).to.contain('/src/dom/extras/nothing.js');
  });

  it('is looked for below the address that the page gives, with or without a slash at its end', async () => {
    for (const address of ['/node_modules/lit', '/node_modules/lit/']) {
      expect(await loadExtra('html', address)).to.have.property('html');
    }
  });

  it('that is not there is refused', async () => {
    const refusal = await refusalOf(loadExtra('nothing', '/node_modules/lit/'));
    expect(refusal).to.contain('/node_modules/lit/nothing.js');
  });
});
