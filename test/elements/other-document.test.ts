import { expect } from '@open-wc/testing';
import '../helpers/load-lazy-modules.js';
import { setupChat } from './chat-fixture.js';

/** Returns the document of another window, such as a frame or a picture-in-picture window. */
function openFrame(): Document {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const { contentDocument } = frame;
  if (!contentDocument) throw new Error('The frame has no document.');
  return contentDocument;
}

/** Returns computed styles of elements that different style sheets apply to. */
function readStyles(root: ShadowRoot): readonly string[] {
  return ['.ubik', '.composer .field', '.send', '.scroller'].map((selector) => {
    const node = root.querySelector(selector) as HTMLElement;
    const { display, borderRadius, backgroundColor, color } = getComputedStyle(node);
    return `${selector} ${display} ${borderRadius} ${backgroundColor} ${color}`;
  });
}

describe('element moved to another document', () => {
  it('keeps its style sheets in the other document and when it is moved back', async () => {
    const { chat, root } = await setupChat();
    const before = readStyles(root);
    const home = chat.parentElement as HTMLElement;
    const count = root.adoptedStyleSheets.length;
    const there = openFrame();
    there.body.append(chat);
    expect(chat.ownerDocument).to.equal(there);
    expect(root.adoptedStyleSheets.length).to.equal(count);
    expect(readStyles(root)).to.deep.equal(before);
    home.append(chat);
    expect(root.adoptedStyleSheets.length).to.equal(count);
    expect(readStyles(root)).to.deep.equal(before);
    there.defaultView?.frameElement?.remove();
  });

  it('throws nothing in a document without a window, and restores its style sheets afterwards', async () => {
    const { chat, root } = await setupChat();
    const before = readStyles(root);
    const home = chat.parentElement as HTMLElement;
    const errors: unknown[] = [];
    const recordError = (event: ErrorEvent): void => {
      errors.push(event.error);
      event.preventDefault();
    };
    const report = window.onerror;
    window.onerror = null;
    window.addEventListener('error', recordError);
    document.implementation.createHTMLDocument().body.append(chat);
    home.append(chat);
    // An element that was never connected.
    document.implementation.createHTMLDocument().adoptNode(document.createElement('ubik-markdown'));
    window.removeEventListener('error', recordError);
    window.onerror = report;
    expect(errors).to.deep.equal([]);
    expect(readStyles(root)).to.deep.equal(before);
  });

  it('keeps style sheets that it adopted in the other document when it is moved back', async () => {
    const markdown = document.createElement('ubik-markdown');
    const there = openFrame();
    document.body.append(markdown);
    await markdown.updateComplete;
    there.body.append(markdown);
    const sheet = new (there.defaultView as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync('.ubik { outline: 3px solid red }');
    const root = markdown.shadowRoot as ShadowRoot;
    root.adoptedStyleSheets.push(sheet);
    markdown.requestUpdate();
    await markdown.updateComplete;
    document.body.append(markdown);
    const { outlineWidth } = getComputedStyle(root.querySelector('.ubik') as Element);
    expect(outlineWidth).to.equal('3px');
    markdown.remove();
    there.defaultView?.frameElement?.remove();
  });
});
