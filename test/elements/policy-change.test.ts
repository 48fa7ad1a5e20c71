import { expect, fixture, html } from '@open-wc/testing';
import type { UbikMarkdown } from '../../src/elements/ubik-markdown.js';
import type { UbikMessage } from '../../src/elements/ubik-message.js';
import { find } from '../markdown/stage.js';
import { nextFrame } from './chat-stage.js';

const TEXT = 'See [it](/here), ![a dot](data:image/png;base64,AAAA).\n\n```js\n1\n```\n\nEnd.';
const THOUGHT = `<<thinking>>\n${TEXT}\n<</thinking>>\n${TEXT}`;

/** What of the page's rules can be seen: links that lead somewhere, pictures that are loaded. */
const read = (element: HTMLElement): string[] =>
  [...(element.shadowRoot?.querySelectorAll('a.ubik-link, img.ubik-image') ?? [])].map(
    (node) => `${node.localName} ${node.getAttribute('href') ?? ''}`,
  );

/** A new rule, a frame later. */
async function rule(element: UbikMarkdown, name: string, value: string): Promise<void> {
  element.setAttribute(name, value);
  await element.updateComplete;
  await nextFrame();
}

describe('A page that changes its mind', () => {
  it('sees it in what is shown already, with other links, pictures and words', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${TEXT}></ubik-markdown>`,
    );
    await nextFrame();
    expect(read(markdown)).to.deep.equal([]);
    await rule(markdown, 'link-base', 'https://a.test/');
    expect(read(markdown)).to.deep.equal(['a https://a.test/here']);
    await rule(markdown, 'image-policy', 'data');
    expect(read(markdown)).to.deep.equal(['a https://a.test/here', 'img ']);
    await rule(markdown, 'link-base', '');
    await rule(markdown, 'image-policy', 'link');
    expect(read(markdown)).to.deep.equal([]);
    expect(find(markdown.renderRoot, '.text').textContent).to.contain('End.');
  });

  it('sees it in messages, in their thoughts too', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message .content=${THOUGHT}></ubik-message>`,
    );
    await nextFrame();
    expect(read(message)).to.deep.equal([]);
    message.linkBase = 'https://a.test/';
    await message.updateComplete;
    await nextFrame();
    expect(read(message)).to.deep.equal(['a https://a.test/here', 'a https://a.test/here']);
  });

  it('loses nothing of what comes while it does', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown streaming content="One [it](/x)"></ubik-markdown>`,
    );
    markdown.linkBase = 'https://a.test/';
    markdown.content += ' **two';
    await markdown.updateComplete;
    markdown.appendText('** three');
    await nextFrame();
    expect(find(markdown.renderRoot, '.text').textContent).to.equal('One it two three');
    expect(read(markdown)).to.deep.equal(['a https://a.test/x']);
  });
});
