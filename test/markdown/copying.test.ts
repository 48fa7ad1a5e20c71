import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { find, setupViewInPage, mockClipboard } from './setup-page-view.js';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('');
const TEXT = `Hello **you**, see [good.test](https://evil.test/).

![alt](https://i.test/a.png)

\`\`\`js
${LINES}\`\`\`

| a | b |
|---|--:|
| c | *d* |
| e | f |

End.

`;

/** Presses a key together with Control. */
async function sendCommand(key: string): Promise<void> {
  await sendKeys({ down: 'Control' });
  await sendKeys({ press: key });
  await sendKeys({ up: 'Control' });
}

/** Copies the contents of an element by keyboard and returns the clipboard data. */
async function copyAll(element: Element): Promise<{ text: string; page: Document }> {
  const target = document.createElement('textarea');
  document.body.append(target);
  document.getSelection()?.setBaseAndExtent(element, 0, element, element.childNodes.length);
  await sendCommand('c');
  const pasted = new Promise<{ text: string; html: string }>((resolve) => {
    // Clipboard data is readable only during the paste event.
    target.addEventListener('paste', ({ clipboardData: data }) =>
      resolve({ text: data?.getData('text/plain') ?? '', html: data?.getData('text/html') ?? '' }),
    );
  });
  target.focus();
  await sendCommand('v');
  const { text, html } = await pasted;
  target.remove();
  return { text, page: new DOMParser().parseFromString(html, 'text/html') };
}

describe('copying Markdown', () => {
  it('copies the selected text without buttons, link hosts and code headers', async () => {
    const { box, remove } = setupViewInPage(TEXT);
    const { text, page } = await copyAll(box);
    expect(text.replaceAll(/\r?\n+/g, '\n')).to.equal(
      `Hello you, see good.test.\n${LINES}a\tb\nc\td\ne\tf\nEnd.`,
    );
    expect(page.querySelectorAll('button, .ubik-code-head').length).to.equal(0);
    expect(page.querySelector('a')?.getAttribute('href')).to.equal('https://evil.test/');
    expect(page.querySelector('pre')?.textContent).to.equal(LINES);
    const cells = [...page.querySelectorAll('th, td')].map(({ textContent }) => textContent);
    expect(cells).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f']);
    remove();
  });

  it('copies the source of a code block, open or closed', async () => {
    const clipboard = mockClipboard();
    const { box, add, remove } = setupViewInPage(`~~~~ts\n${LINES}`);
    const button = find(box, '.ubik-code-copy');
    button.click();
    add('\t<b>&amp;</b> ```\n~~~~\n');
    button.click();
    expect(clipboard.written).to.deep.equal([LINES, `${LINES}\t<b>&amp;</b> \`\`\`\n`]);
    await Promise.resolve();
    expect(button.textContent).to.equal('Copied');
    clipboard.restore();
    remove();
  });

  it('shows an alert beside the button when the browser does not permit it, until the focus leaves the button', async () => {
    const { box, remove } = setupViewInPage(`~~~~ts\n${LINES}`);
    const button = find(box, '.ubik-code-copy');
    const notes = (): (string | null)[] =>
      [...box.querySelectorAll('.ubik-code-copy + [role=alert]')].map((note) => note.textContent);
    const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));
    const clipboard = mockClipboard(false);
    for (let count = 0; count < 2; count += 1) {
      button.click();
      await settle();
      expect(notes()).to.deep.equal(['The browser didn’t allow copying.']);
    }
    expect(button.textContent).to.equal('Copy');
    button.dispatchEvent(new FocusEvent('blur'));
    expect(notes()).to.deep.equal([]);
    clipboard.restore();
    // A page that is not secure has no clipboard.
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
    button.click();
    expect(notes()).to.have.length(1);
    clipboard.restore();
    const permitted = mockClipboard();
    button.click();
    await settle();
    expect([notes(), button.textContent]).to.deep.equal([[], 'Copied']);
    permitted.restore();
    remove();
  });
});

describe('source of a Markdown view', () => {
  it('is the whole text that was appended', () => {
    const { view, add, remove } = setupViewInPage();
    for (let from = 0; from < TEXT.length; from += 7) add(TEXT.slice(from, from + 7));
    expect(view.source).to.equal(TEXT);
    remove();
  });
});

describe('header of a code block', () => {
  it('has named buttons that are reachable by keyboard before the code', async () => {
    const { box, root, remove } = setupViewInPage('[a](https://a.test/)\n\n```js\nlet a;\n```\n\n');
    find(box, 'a').focus();
    const names: (string | null | undefined)[] = [];
    for (let step = 0; step < 3; step += 1) {
      await sendKeys({ press: 'Tab' });
      const { activeElement } = root;
      names.push(activeElement?.getAttribute('aria-label') ?? activeElement?.textContent);
    }
    expect(names).to.deep.equal(['Wrap', 'Copy', 'Code, js']);
    remove();
  });

  it('toggles the wrapping of long lines', async () => {
    const { box, remove } = setupViewInPage(`\`\`\`\n${'wide '.repeat(100)}\n`);
    const [pre, wrap] = [find(box, 'pre'), find(box, '[data-ubik-action="wrap-code"]')];
    expect(pre.scrollWidth).to.be.greaterThan(1000);
    wrap.focus();
    await sendKeys({ press: 'Enter' });
    expect(wrap.getAttribute('aria-pressed')).to.equal('true');
    expect(pre.scrollWidth).to.equal(pre.clientWidth);
    await sendKeys({ press: ' ' });
    expect(wrap.getAttribute('aria-pressed')).to.equal('false');
    expect(pre.scrollWidth).to.be.greaterThan(1000);
    remove();
  });
});
