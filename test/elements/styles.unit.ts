import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { css } from 'lit';
import { frameStyles } from '../../src/elements/styles/chat.js';
import { registerSizeUnit, sizeUnit } from '../../src/elements/styles/size-unit.js';
import {
  adoptSheets,
  listSheets,
  markdownSheet,
  styles,
} from '../../src/elements/styles/styles.js';

describe('style sheets of the elements', () => {
  it('are listed with those of views and of Markdown, each before the shared sheet that takes precedence over it', () => {
    const [view, text] = [
      css`
        a {
        }
      `,
      css`
        b {
        }
      `,
    ];
    const listed = listSheets({ views: [view], markdown: [text] });
    const own = listed.filter((sheet) => sheet !== view && sheet !== text);
    assert.deepEqual(own, styles);
    const at = listed.indexOf(view);
    assert.equal(listed[at + 1], frameStyles);
    assert.ok(at > 0 && at < listed.indexOf(text));
    assert.deepEqual(listed.indexOf(text), listed.length - 2);
    assert.deepEqual(listSheets({ views: [], markdown: [] }), styles);
  });

  it('of Markdown are created once', () => {
    const sheet = markdownSheet('p {}');
    assert.equal(sheet.cssText, 'p {}');
    assert.equal(markdownSheet('p {}'), sheet);
  });

  it('are added to shadow roots only', () => {
    const sheets: unknown[] = [];
    const root = { adoptedStyleSheets: sheets } as unknown as Node;
    assert.doesNotThrow(() => adoptSheets(root, styles));
    assert.deepEqual(sheets, []);
  });
});

describe('unit of all sizes', () => {
  it('is derived from --ubik-font-size, else from the inherited font size on a server, where the browser is not known', () => {
    assert.match(sizeUnit, /var\(--ubik-font-size,.*1em/);
  });

  it('is registered once in each window', () => {
    const registered: object[] = [];
    const open = (): Document =>
      ({
        defaultView: { CSS: { registerProperty: (rule: object) => void registered.push(rule) } },
      }) as unknown as Document;
    const page = open();
    registerSizeUnit(page);
    registerSizeUnit(page);
    assert.deepEqual(registered, [
      { name: '--_ubik-rem', syntax: '<length>', inherits: true, initialValue: '16px' },
    ]);
    registerSizeUnit(open());
    assert.equal(registered.length, 2);
  });

  it('is not registered without a window, and tried once where another copy has registered it', () => {
    let attempts = 0;
    const registerProperty = (): void => {
      attempts += 1;
      throw new DOMException('Registered', 'InvalidModificationError');
    };
    const page = { defaultView: { CSS: { registerProperty } } } as unknown as Document;
    registerSizeUnit(page);
    registerSizeUnit(page);
    registerSizeUnit({ defaultView: null } as Document);
    assert.equal(attempts, 1);
  });
});
