import { expect } from '@open-wc/testing';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';

const ANSWER = `<<thinking>>Where is it?<</thinking>>
<<STEP_START>>
Step 1: Look it up ✓
<<TOOL_STEP_START/rag_search:call_1>>
<<TOOL_STEP_INPUT_START>>
{"query": "refunds"}
<<TOOL_STEP_INPUT_END>>
<<TOOL_STEP_RESULT_START>>
{"response": "14 days"}
<<TOOL_STEP_RESULT_END>>
<<TOOL_STEP_END/rag_search:call_1>>
<<STEP_END>>
# The answer

It is **14 days** <citation uuid="u-1" id="1" file_name="terms.md">[1]</citation>, see \`terms\`.

| country | days |
|---|---|
| France | 14 |

\`\`\`js
const days = 14;
\`\`\`
`;

/** Font sizes, in px, of all elements that contain text directly, by their path in the tree, including shadow trees. */
function listTextSizes(root: ParentNode, path = ''): Map<string, number> {
  const sizes = new Map<string, number>();
  let index = 0;
  for (const element of root.children) {
    const place = `${path}/${element.localName}.${element.className}${String(index++)}`;
    // The number of a citation is superscript, in proportion to the text.
    if (element.matches('style, script, svg, .cite')) continue;
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (hasText || element.matches('textarea, input')) {
      sizes.set(place, parseFloat(getComputedStyle(element).fontSize));
    }
    for (const inner of [element.shadowRoot, element]) {
      if (inner) for (const [key, size] of listTextSizes(inner, place)) sizes.set(key, size);
    }
  }
  return sizes;
}

/**
 * Measures a page with this style sheet that contains a chat with an answer and a slotted thread list, and a standalone message, both with this
 * inline style. All results are in px.
 */
async function measurePage(css: string, style = '') {
  const sheet = document.createElement('style');
  sheet.textContent = css;
  document.head.append(sheet);
  try {
    const { chat, backend, controller, settle } = await setupChat((element) => {
      element.style.cssText += style;
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      element.append(list);
    });
    backend.threads.set(
      'a',
      contentOf('a', [stored('m1', 'user', 'How long?'), stored('m2', 'assistant', ANSWER)]),
    );
    await controller.openThread('a');
    await settle();
    const message = document.createElement('ubik-message');
    message.content = ANSWER;
    message.style.cssText = style;
    chat.after(message);
    await message.updateComplete;
    for (const details of message.shadowRoot?.querySelectorAll('details') ?? [])
      details.open = true;
    for (const details of chat.shadowRoot?.querySelectorAll('details') ?? []) details.open = true;
    await settle();
    const sizes = listTextSizes(chat.shadowRoot as ParentNode);
    for (const [key, size] of listTextSizes(chat)) sizes.set(`slotted${key}`, size);
    for (const [key, size] of listTextSizes(message.shadowRoot as ParentNode))
      sizes.set(`alone${key}`, size);
    const text = chat.shadowRoot?.querySelector('.text p') as Element;
    const box = chat.shadowRoot?.querySelector('.ubik') as Element;
    const button = chat.shadowRoot?.querySelector('.composer button') as Element;
    const list = chat.querySelector('ubik-thread-list')?.shadowRoot?.querySelector('.ubik');
    const sizeOf = (element: Element): number => parseFloat(getComputedStyle(element).fontSize);
    return {
      sizes,
      text: sizeOf(text),
      list: sizeOf(list as Element),
      box: sizeOf(box),
      button: button.getBoundingClientRect().height,
    };
  } finally {
    sheet.remove();
  }
}

describe('text size', () => {
  it('is the same as on a plain page when the root has 62.5 % and the body 16 px', async () => {
    const plain = await measurePage('');
    const page = await measurePage('html { font-size: 62.5% } body { font-size: 1.6rem }');
    expect(plain.sizes.size).to.be.above(30);
    expect(plain.text).to.equal(15);
    expect(plain.list).to.equal(14);
    expect(page).to.deep.equal(plain);
  });

  it('follows the font size around the chat', async () => {
    const { text, list } = await measurePage('body { font-size: 20px }');
    expect(text).to.equal(18.75);
    expect(list).to.equal(17.5);
  });

  it('is set by --ubik-font-size, in slotted elements too', async () => {
    const { text, list, sizes } = await measurePage('', '--ubik-font-size: 30px');
    expect([text, list]).to.deep.equal([30, 28]);
    expect(Math.min(...sizes.values())).to.be.at.least(18);
  });

  it('is at least 12 px for small text where the text around the chat is small', async () => {
    const { text, sizes } = await measurePage('body { font-size: 13px }');
    expect(text).to.be.closeTo(12.1875, 0.001);
    expect(Math.min(...sizes.values())).to.be.at.least(12);
  });

  for (const css of [
    'html { font-size: 8px }',
    'body { font-size: 0 }',
    'body { font-size: 10.9px }',
    'body { font-size: 33px }',
  ]) {
    it(`is that of a plain page on a page with ${css}`, async () => {
      const { text, list } = await measurePage(css);
      expect([text, list]).to.deep.equal([15, 14]);
    });
  }

  it('follows the font size around the chat from 11 px to 32 px, with at least 12 px', async () => {
    expect((await measurePage('body { font-size: 32px }')).text).to.equal(30);
    expect((await measurePage('body { font-size: 11px }')).text).to.equal(12);
  });

  for (const css of [
    'html { font-size: 62.5% }',
    'html { font-size: 8px } * { font-size: 8px !important }',
    'html { font-size: 0 }',
    'body { font-size: 0 }',
  ]) {
    it(`is at least 12 px on a page with ${css}`, async () => {
      const { sizes } = await measurePage(css);
      const small = [...sizes].filter(([, size]) => size < 12);
      expect(small).to.deep.equal([]);
    });
  }
});
