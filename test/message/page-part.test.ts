import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import type { PartFields } from '../../src/model/part.js';
import { loadDataView, part, set, setupMessageView } from './message-fixture.js';

const page = (url: string, title = 'Report'): PartFields => ({ kind: 'page', title, url });

function setupPage(fields: PartFields) {
  const fixture = setupMessageView({ fields: { status: 'complete' } });
  fixture.run(part('p', fields));
  return { ...fixture, frame: () => fixture.root.querySelector('iframe') };
}

const createViolation = (
  blockedURI: string,
  effectiveDirective: string,
  disposition: SecurityPolicyViolationEventDisposition = 'enforce',
) =>
  new SecurityPolicyViolationEvent('securitypolicyviolation', {
    ...{ blockedURI, effectiveDirective, documentURI: '', violatedDirective: '' },
    ...{ originalPolicy: '', disposition, statusCode: 0 },
  });

before(() => loadDataView('page'));

describe('page part', () => {
  it('shows title and URL, and loads nothing automatically', async () => {
    const { text, frame, query } = setupPage(page('https://reports.example/1'));
    expect(text('.embed .title')).to.equal('Report');
    expect(text('.embed .meta')).to.equal('https://reports.example/1');
    expect(text('.embed .note')).to.contain('reports.example');
    expect(query<HTMLAnchorElement>('.embed a').rel).to.equal('noopener noreferrer nofollow ugc');
    expect(frame()).to.equal(null);
  });

  it('loads the page in a sandbox without its origin on request, and removes it again', async () => {
    const address = new URL('/nothing-here.html', location.href).href;
    const { query, frame, frames, remove } = setupPage(page(address));
    query('.embed button').click();
    const sandbox = [...(frame()?.sandbox ?? [])];
    expect(sandbox).to.include('allow-scripts').and.not.include('allow-same-origin');
    expect(sandbox.filter((flag) => /top-navigation|popups|modals/.test(flag))).to.deep.equal([]);
    expect(frame()?.referrerPolicy).to.equal('no-referrer');
    expect(frame()?.title).to.equal('Report');
    const button = query('.embed button');
    expect([button.ariaExpanded, button.ariaLabel]).to.deep.equal(['true', 'Hide page Report']);
    expect(query('.embed').querySelector('.note')).to.equal(null);
    query('.embed button').click();
    expect(frame()).to.equal(null);
    expect([button.ariaExpanded, button.ariaLabel]).to.deep.equal(['false', 'Show page Report']);
    // Nothing is shown that could be blocked.
    document.dispatchEvent(createViolation(location.origin, 'frame-src'));
    expect(frames.scheduledCount).to.equal(0);
    query('.embed button').click();
    expect(frame()).not.to.equal(null);
    remove();
    document.dispatchEvent(createViolation(location.origin, 'frame-src'));
    expect(frames.scheduledCount).to.equal(0);
  });

  it('is named by its host without a title, and has the language of its title otherwise', () => {
    const address = new URL('/one', location.href).href;
    const { query, frame, context, view, frames, run, text, remove } = setupPage(page(address, ''));
    expect(text('.embed .title')).to.equal('Web page');
    expect(query('.embed a').ariaLabel).to.equal(`Open in new tab ${location.host}`);
    query('.embed button').click();
    expect([frame()?.title, frame()?.lang]).to.deep.equal([location.host, '']);
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    expect(frame()?.hasAttribute('lang')).to.equal(false);
    run(set('p', 'title', 'Rapporto'));
    expect([frame()?.title, frame()?.lang]).to.deep.equal(['Rapporto', 'it']);
    remove();
  });

  it('gives the page an opaque origin', async () => {
    const { query, frame } = setupPage(page(new URL('/', location.href).href));
    query('.embed button').click();
    const loaded = frame();
    await new Promise((resolve) => {
      loaded?.addEventListener('load', resolve, { once: true });
    });
    expect(() => loaded?.contentWindow?.document).to.throw();
  });

  for (const address of [
    'http://other.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'https://user:secret@a.example/',
    '/relative',
    '',
  ]) {
    it(`offers no frame and no link for ${address || 'an empty address'}`, async () => {
      const { root, text } = setupPage(page(address));
      expect(root.querySelector('.embed :is(button, a, iframe)')).to.equal(null);
      expect(text('.embed .note')).to.equal('This address can’t be shown here.');
    });
  }

  it('removes the frame when its URL changes', async () => {
    const { query, frame, run } = setupPage(page(new URL('/one', location.href).href));
    query('.embed button').click();
    expect(frame()).not.to.equal(null);
    run(set('p', 'url', new URL('/two', location.href).href));
    expect(frame()).to.equal(null);
  });

  it('shows that the policy of the host page forbids the frame', async () => {
    const address = new URL('/one', location.href).href;
    const { query, text, run } = setupPage(page(address));
    query('.embed button').click();
    document.dispatchEvent(createViolation('https://else.example', 'frame-src'));
    document.dispatchEvent(createViolation(location.origin, 'img-src'));
    run();
    expect(query('.embed').querySelector('.note')).to.equal(null);
    document.dispatchEvent(createViolation(location.origin, 'frame-src'));
    run();
    expect(text('.embed .note')).to.contain('security policy');
  });

  it('ignores the violations of other frames', async () => {
    const address = new URL('/one#part', location.href).href;
    const { query, run, root, frame } = setupPage(page(address));
    query('.embed button').click();
    // An origin and a page whose addresses are prefixes of that of the frame, a page whose address continues it, and no address.
    const others = [location.origin.slice(0, -1), `${location.origin}/on`, `${address}/two`, ''];
    for (const blockedURI of [...others, 'data']) {
      document.dispatchEvent(createViolation(blockedURI, 'frame-src'));
      run();
      expect(root.querySelector('.embed .note'), blockedURI).to.equal(null);
    }
    const blocked = new URL('/one', location.href).href;
    document.dispatchEvent(createViolation(blocked, 'frame-src', 'report'));
    run();
    expect(root.querySelector('.embed .note'), 'only reported').to.equal(null);
    document.dispatchEvent(createViolation(blocked, 'frame-src'));
    run();
    expect(root.querySelector('.embed .note')).not.to.equal(null);
    expect(frame()).not.to.equal(null);
  });
});
