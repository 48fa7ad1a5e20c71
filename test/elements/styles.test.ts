import { expect, fixture, html } from '@open-wc/testing';
import { nextFrame, setupChat } from './chat-fixture.js';
import { setupCheckpointChat } from './checkpoints-fixture.js';

/** A stored message in a box of this width, in px. Returns a function that finds a node in it. */
async function setupMessage(content: string, width = 600) {
  const box = await fixture(html`<div style="width: ${width}px"></div>`);
  const message = document.createElement('ubik-message');
  message.content = content;
  box.append(message);
  await message.updateComplete;
  return (selector: string): HTMLElement => {
    const found = message.shadowRoot?.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`Nothing matches ${selector}.`);
    return found;
  };
}

const CITED =
  'Quoted <citation uuid="u-1" id="1" file_name="how-answers-recover.md">[1]</citation>.';

describe('style of a message', () => {
  it('keeps the height of a line with a citation', async () => {
    const query = await setupMessage(CITED);
    const [cite, text] = [query('.cite'), query('.text p')];
    expect(parseFloat(getComputedStyle(cite).fontSize)).to.be.below(
      parseFloat(getComputedStyle(text).fontSize),
    );
    expect(getComputedStyle(cite).backgroundColor).not.to.equal('rgba(0, 0, 0, 0)');
    expect(getComputedStyle(cite).paddingBlock).to.equal('0px');
    const plain = await setupMessage('Plain.');
    expect(text.offsetHeight).to.be.at.most(plain('.text p').offsetHeight + 1);
  });

  it('shows the whole name of a tool, however long its line is', async () => {
    for (const width of [300, 347, 600, 731]) {
      const query = await setupMessage(
        `<<TOOL_STEP_START/sql_query:call_1>>
<<TOOL_STEP_INPUT_START>>
{"query": "${'SELECT a, b FROM c '.repeat(8)}"}
<<TOOL_STEP_INPUT_END>>
<<TOOL_STEP_END/sql_query:call_1>>`,
        width,
      );
      const title = query('.tool .title');
      expect(getComputedStyle(title).flexBasis).to.equal('auto');
      const whole = document.createRange();
      whole.selectNodeContents(title);
      // Compares boxes, which are laid out in the same units. Computed styles are rounded.
      expect(title.getBoundingClientRect().width).to.be.at.least(
        whole.getBoundingClientRect().width,
      );
    }
  });

  it('is mirrored where the text runs from right to left: the flag of a step and the buttons of a question', async () => {
    const { chat, query, settle, backend } = await setupCheckpointChat();
    backend.capabilities.add('edit');
    const places = async (dir: string, isOpen: boolean): Promise<number[]> => {
      chat.dir = dir;
      query<HTMLDetailsElement>('.step').open = isOpen;
      await settle();
      const flag = query('.step + .checkpoint .quiet').getBoundingClientRect();
      const step = query('.step').getBoundingClientRect();
      const footer = query('.user > .message-footer').getBoundingClientRect();
      const question = query('.user').getBoundingClientRect();
      return dir === 'ltr'
        ? [step.right - flag.right, flag.width, question.right - footer.right]
        : [flag.left - step.left, flag.width, footer.left - question.left];
    };
    for (const isOpen of [false, true]) {
      const [leftToRight, rightToLeft] = [await places('ltr', isOpen), await places('rtl', isOpen)];
      for (const [at, place] of leftToRight.entries())
        expect(rightToLeft[at], `${at}, ${isOpen}`).to.be.closeTo(place, 0.5);
    }
  });
});

describe('colours of an element', () => {
  it('follow the accent colour of the page when the element is removed before the frame that copies it, and added again', async () => {
    const box = await fixture(html`<div style="accent-color: rgb(255, 20, 147)"></div>`);
    const chat = document.createElement('ubik-chat');
    box.append(chat);
    await chat.updateComplete;
    chat.remove();
    await nextFrame();
    box.append(chat);
    await nextFrame();
    const base = chat.shadowRoot?.querySelector<HTMLElement>('.ubik');
    expect(base?.style.getPropertyValue('--_page-accent')).to.equal('rgb(255, 20, 147)');
  });

  it('follow the accent colour of a page that removes it again', async () => {
    const box = await fixture(html`<div style="accent-color: rgb(255, 20, 147)"></div>`);
    const chat = document.createElement('ubik-chat');
    box.append(chat);
    await chat.updateComplete;
    await nextFrame();
    const base = chat.shadowRoot?.querySelector<HTMLElement>('.ubik');
    expect(base?.style.getPropertyValue('--_page-accent')).to.equal('rgb(255, 20, 147)');
    box.removeAttribute('style');
    chat.theme = 'dark';
    await chat.updateComplete;
    await nextFrame();
    expect(base?.style.getPropertyValue('--_page-accent')).to.equal('');
  });

  it('follow the accent colour of the page in a slot of a chat, too', async () => {
    const box = await fixture(html`<div style="accent-color: rgb(255, 20, 147)"></div>`);
    const chat = document.createElement('ubik-chat');
    chat.style.colorScheme = 'light';
    const documents = document.createElement('ubik-documents');
    documents.slot = 'end';
    chat.append(documents);
    box.append(chat);
    await documents.updateComplete;
    await nextFrame();
    await nextFrame();
    const bases = [chat, documents].map((each) => each.shadowRoot?.querySelector('.ubik'));
    const accents = bases.map((base) => base && getComputedStyle(base).accentColor);
    expect(accents).to.deep.equal(['rgb(255, 20, 147)', 'rgb(255, 20, 147)']);
  });

  for (const name of ['ubik-chat', 'ubik-message'] as const) {
    it(`derive from the page's accent colour: ${name}`, async () => {
      const box = await fixture(html`<div style="accent-color: rgb(255, 20, 147)"></div>`);
      const shown = document.createElement(name);
      shown.style.colorScheme = 'light';
      box.append(shown);
      await shown.updateComplete;
      await nextFrame();
      const base = shown.shadowRoot?.querySelector('.ubik');
      expect(base && getComputedStyle(base).accentColor).to.equal('rgb(255, 20, 147)');
    });
  }

  it('keep an accent colour that is light enough for a dark page', async () => {
    const box = await fixture(html`<div style="accent-color: rgb(134, 190, 240)"></div>`);
    const shown = document.createElement('ubik-message');
    shown.style.colorScheme = 'dark';
    box.append(shown);
    await shown.updateComplete;
    await nextFrame();
    const base = shown.shadowRoot?.querySelector('.ubik') ?? shown;
    const [lightness = 0, chroma = 0] = (
      getComputedStyle(base).accentColor.match(/[\d.]+/g) ?? []
    ).map(Number);
    expect(lightness).to.be.within(0.75, 0.8);
    expect(chroma).to.be.within(0.08, 0.1);
  });
});

describe('style of an input request', () => {
  it('keeps space between the field and the buttons', async () => {
    const { start, backend, settle, query } = await setupChat();
    await start();
    backend.stream.request('@request:c');
    await settle();
    const field = query('.request textarea').getBoundingClientRect();
    const buttons = query('.request .buttons').getBoundingClientRect();
    expect(buttons.top - field.bottom).to.be.at.least(10);
  });
});

describe('list of messages', () => {
  it('shows the focus by a bar at its start, not by a frame around all messages', async () => {
    const { query, chat } = await setupChat();
    for (const [dir, x] of [
      ['ltr', '3px'],
      ['rtl', '-3px'],
    ] as const) {
      chat.dir = dir;
      await chat.updateComplete;
      const scroller = query('.scroller');
      scroller.focus({ focusVisible: true });
      expect(scroller.matches(':focus-visible')).to.equal(true);
      const { outlineWidth, outlineStyle, boxShadow } = getComputedStyle(scroller);
      expect(outlineStyle === 'none' || outlineWidth === '0px').to.equal(true);
      expect(boxShadow).to.contain(`${x} 0px 0px 0px inset`);
      scroller.blur();
    }
  });
});
