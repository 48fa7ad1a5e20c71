import { expect, fixture, html } from '@open-wc/testing';
import { registerContentFormat } from '../../src/controller/registry.js';
import type { UbikMarkdown } from '../../src/elements/ubik-markdown.js';
import type { UbikMessage } from '../../src/elements/ubik-message.js';
import { find } from '../markdown/setup-page-view.js';
import { waitFor } from '../helpers/wait-for.js';
import { nextFrame } from './chat-fixture.js';

const TEXT = 'See [it](/here), ![a dot](data:image/png;base64,AAAA).\n\n```js\n1\n```\n\nEnd.';
const THOUGHT = `<<thinking>>\n${TEXT}\n<</thinking>>\n${TEXT}`;

/** Returns the links and loaded images, which depend on the content options. */
const read = (element: HTMLElement): string[] =>
  [...(element.shadowRoot?.querySelectorAll('a.ubik-link, img.ubik-image') ?? [])].map(
    (node) => `${node.localName} ${node.getAttribute('href') ?? ''}`,
  );

/** Sets an attribute, and waits for the next frame. */
async function setOption(element: UbikMarkdown, name: string, value: string): Promise<void> {
  element.setAttribute(name, value);
  await element.updateComplete;
  await nextFrame();
}

describe('a changed content option', () => {
  it('applies to rendered Markdown', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${TEXT}></ubik-markdown>`,
    );
    await nextFrame();
    expect(read(markdown)).to.deep.equal([]);
    await setOption(markdown, 'link-base', 'https://a.test/');
    expect(read(markdown)).to.deep.equal(['a https://a.test/here']);
    await setOption(markdown, 'image-policy', 'data');
    expect(read(markdown)).to.deep.equal(['a https://a.test/here', 'img ']);
    await setOption(markdown, 'link-base', '');
    await setOption(markdown, 'image-policy', 'link');
    expect(read(markdown)).to.deep.equal([]);
    expect(find(markdown.renderRoot, '.text').textContent).to.contain('End.');
  });

  it('applies to rendered messages, including thinking', async () => {
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

  it('applies to rendered fences, which are not drawn again by another function', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${TEXT}></ubik-markdown>`,
    );
    await nextFrame();
    const drawBy = async (name: string): Promise<string | undefined> => {
      markdown.renderFence = name
        ? (_info, source, { box }) => void (box.textContent = `${name} ${source}`)
        : undefined;
      await markdown.updateComplete;
      await nextFrame();
      return markdown.renderRoot.querySelector('.ubik-fence')?.textContent;
    };
    expect(await drawBy('first')).to.equal('first 1\n');
    expect(await drawBy('second')).to.equal('first 1\n');
    expect(await drawBy('')).to.equal(undefined);
    expect(find(markdown.renderRoot, '.text').textContent).to.contain('End.');
  });

  it('applies to rendered errors', async () => {
    registerContentFormat('failing', {
      parse: () => [{ kind: 'error', key: 'e', message: 'Failed.', details: 'File x' }],
    });
    const message = await fixture<UbikMessage>(
      html`<ubik-message format="failing" content="Error"></ubik-message>`,
    );
    const error = await waitFor(() => message.renderRoot.querySelector('.error'));
    message.errorDetails = true;
    await waitFor(() => error.textContent.includes('File x'));
    message.errorDetails = false;
    await message.updateComplete;
    await nextFrame();
    expect(error.textContent).not.to.contain('File x');
  });

  it('keeps content that is appended at the same time', async () => {
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
