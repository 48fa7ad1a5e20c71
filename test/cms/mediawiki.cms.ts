/** The MediaWiki extension: the zip that an administrator unpacks, in a real MediaWiki with SQLite, with the demo as the service. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { findFreePort, startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { ask, launchBrowser, openHost, waitForContent } from '../hosts/host-site.js';
import { ADMIN, startMediaWiki, type MediaWikiSite } from './mediawiki-site.js';

const ZIP = fileURLToPath(new URL('../../dist-cms/ubik-chat-mediawiki.zip', import.meta.url));
const KEY = 'a-key-of-the-account';
/** A page without a chat: a chat would request a session itself, which would give a guest another id at the same time. */
const PLAIN_PATH = '/index.php/Main_Page';
const QUESTION = 'What is 12.5 * (3 + 4)^2?';
const ANSWER = '612.5';

let demo: DemoProcess;
let site: MediaWikiSite;
let browser: Browser;
let path: string;
let contexts: BrowserContext[] = [];

async function openAsGuest(target: string): Promise<Page> {
  const context = await browser.createBrowserContext();
  contexts.push(context);
  return (await openHost(context, `${site.url}${target}`)).page;
}

/** Logs in and opens a page. */
async function openAs(name: string, password: string, target: string): Promise<Page> {
  const page = await openAsGuest('/index.php/Special:UserLogin');
  await page.type('#wpName1', name);
  await page.type('#wpPassword1', password);
  await Promise.all([page.waitForNavigation(), page.click('#wpLoginAttempt')]);
  await page.goto(`${site.url}${target}`);
  return page;
}

const openAsAdmin = (target: string): Promise<Page> => openAs(ADMIN.name, ADMIN.password, target);

/** A response of a route, requested by a page. */
interface RouteResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests a route of the extension from a page, with the cookies of its visitor. */
function requestRoute(
  page: Page,
  route: string,
  fields?: Readonly<Record<string, string>>,
): Promise<RouteResponse> {
  return page.evaluate(
    async (name, form) => {
      const response = await fetch(`/rest.php/ubik-chat/v1/${name}`, {
        method: form ? 'POST' : 'GET',
        ...(form && { body: new URLSearchParams(form) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    route,
    fields ?? null,
  );
}

const requestSession = (page: Page): Promise<RouteResponse> => requestRoute(page, 'session');

const requestToken = (page: Page, nonce: unknown): Promise<RouteResponse> =>
  requestRoute(page, 'token', { nonce: String(nonce) });

/** Configures the extension with the settings that most tests use, and with those that are given. */
const configure = (settings: Readonly<Record<string, unknown>> = {}, php?: string): Promise<void> =>
  site.configure(
    { ServiceUrl: `${demo.url}/api/v1`, ApiKey: KEY, Guests: false, ...settings },
    php,
  );

before(async () => {
  const port = await findFreePort();
  demo = await startDemo({
    DEMO_API_KEY: KEY,
    ALLOWED_ORIGINS: `http://127.0.0.1:${String(port)}`,
  });
  site = await startMediaWiki(port, ZIP);
  await configure();
  path = await site.addPage(
    'Ask',
    '<ubikchat greeting="Ask about rivers." starters="One?|Two?" height="30rem" accent="#0a7d55" base-url="https://evil.example" />',
  );
  browser = await launchBrowser();
});

afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
  await configure();
});

after(async () => {
  await browser.close();
  await site.close();
  await demo.close();
});

describe('a page with the tag', () => {
  test('answers a user who is logged in', async () => {
    const page = await openAsAdmin(path);
    await waitForContent(page, '*', 'Ask about rivers.');
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const chat = await page.$eval('ubik-chat', (element) => ({
      userKey: Reflect.get(element, 'userKey') as unknown,
      accent: (element as HTMLElement).style.getPropertyValue('--ubik-accent'),
      baseUrl: element.getAttribute('base-url'),
    }));
    assert.match(String(chat.userKey), /^mw-[0-9a-f]{16}-\d+$/);
    assert.equal(chat.accent, '#0a7d55');
    assert.equal(chat.baseUrl, `${demo.url}/api/v1`);
  });

  test('shows a guest a link to log in, which leads back', async () => {
    const page = await openAsGuest(path);
    const link = await page.waitForSelector('a.ubik-chat-notice');
    const href = await link?.evaluate((node) => node.href);
    assert.match(href ?? '', /UserLogin/);
    assert.equal(new URL(href ?? '').searchParams.get('returnto'), 'Ask');
    const { body } = await requestSession(page);
    assert.deepEqual(body, { userKey: null, nonce: null });
    assert.equal((await requestToken(page, '')).status, 401);
  });

  test('shows a guest the link on a public page of a private wiki, and issues a token if guests may chat', async () => {
    const privateWiki = `$wgGroupPermissions['*']['read'] = false; $wgWhitelistRead = [ 'Ask' ];`;
    await configure({}, privateWiki);
    const page = await openAsGuest(path);
    const notice = await page.waitForSelector('.ubik-chat-notice');
    assert.equal(await notice?.evaluate((node) => node.localName), 'a');
    await configure({ Guests: true }, privateWiki);
    const { nonce } = (await requestSession(page)).body;
    assert.equal((await requestToken(page, nonce)).status, 200);
  });

  test('contains nothing about the visitor, so that it can be cached', async () => {
    const find = (html: string): string[] =>
      [
        ...html.matchAll(
          /<div[^>]*ubik-chat-place[^>]*>|<script[^>]*ubik-chat-config.*?<\/script>/gs,
        ),
      ].map(([text]) => text);
    const guest = find(await (await fetch(`${site.url}${path}`)).text());
    const page = await openAsAdmin(path);
    const user = find((await (await page.goto(`${site.url}${path}`))?.text()) ?? '');
    assert.equal(guest.length, 2);
    assert.deepEqual(user, guest);
    assert.doesNotMatch(guest.join(''), /nonce|mw-[0-9a-f]{16}|a-key-of-the-account|evil/);
  });

  test('loads its files by URLs with a hash, so that no cache returns the files of an earlier version', async () => {
    const html = await (await fetch(`${site.url}${path}`)).text();
    const urls = html.match(/[^"]*\/UbikChat\/resources\/[^"]*/g) ?? [];
    assert.equal(urls.length, 3);
    for (const url of urls) {
      const file = await (await fetch(new URL(url, site.url))).arrayBuffer();
      const hash = crc32(new Uint8Array(file)).toString(16).padStart(8, '0');
      assert.match(url, new RegExp(`\\.(?:js|css)\\?${hash}$`));
    }
  });
});

test('a page without the tag contains nothing of the extension', async () => {
  const html = await (await fetch(`${site.url}${PLAIN_PATH}`)).text();
  assert.doesNotMatch(html, /ubik-chat/);
});

describe('the routes', () => {
  test('answer a guest if guests may chat, and recognise the guest by a cookie that scripts cannot read', async () => {
    await configure({ Guests: true });
    const page = await openAsGuest(path);
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const cookie = (await page.cookies()).find(({ name }) => name.endsWith('UbikChatGuest'));
    assert.equal(cookie?.httpOnly, true);
    assert.equal(cookie?.sameSite, 'Lax');
    await page.reload();
    await waitForContent(page, '.message', ANSWER);
  });

  test('treat a visitor with a temporary account, which an edit creates, as a guest', async () => {
    const temporaryAccounts = `$wgAutoCreateTempUser['enabled'] = true;`;
    await configure({}, temporaryAccounts);
    const page = await openAsGuest('/index.php?title=Draft&action=edit');
    await page.type('#wpTextbox1', 'A draft.');
    await Promise.all([page.waitForNavigation(), page.click('#wpSave')]);
    const account = await page.evaluate(async () => {
      const response = await fetch('/api.php?action=query&meta=userinfo&format=json');
      return ((await response.json()) as { query: { userinfo: { id: number } } }).query.userinfo.id;
    });
    assert.notEqual(account, 0);
    assert.deepEqual((await requestSession(page)).body, { userKey: null, nonce: null });
    await configure({ Guests: true, RateLimit: 1 }, temporaryAccounts);
    const other = await openAsGuest(PLAIN_PATH);
    await requestToken(other, (await requestSession(other)).body['nonce']);
    const { userKey, nonce } = (await requestSession(page)).body;
    assert.match(String(userKey), /^mw-[0-9a-f]{16}-guest-/);
    // Counted with the other guest, who has the same address.
    assert.equal((await requestToken(page, nonce)).status, 429);
  });

  test('issue a token only for the nonce of the same visitor', async () => {
    await configure({ Guests: true });
    const page = await openAsGuest(PLAIN_PATH);
    const { nonce } = (await requestSession(page)).body;
    const other = await openAsGuest(PLAIN_PATH);
    await requestSession(other);
    assert.equal((await requestToken(page, nonce)).status, 200);
    assert.equal((await requestToken(other, nonce)).status, 403);
    assert.equal((await requestToken(page, 'forged')).status, 403);
  });

  test('limit the tokens of a visitor on all servers of the wiki together', async () => {
    await site.addUser('Ada', 'analytical-engine-1843');
    await configure({ RateLimit: 2 });
    const page = await openAs('Ada', 'analytical-engine-1843', PLAIN_PATH);
    const { nonce } = (await requestSession(page)).body;
    const cookies = (await page.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const requestFromReplica = (): Promise<Response> =>
      fetch(`${site.replicaUrl}/rest.php/ubik-chat/v1/token`, {
        method: 'POST',
        headers: { cookie: cookies },
        body: new URLSearchParams({ nonce: String(nonce) }),
      });
    assert.equal((await requestToken(page, nonce)).status, 200);
    assert.equal((await requestFromReplica()).status, 200);
    const refused = await requestFromReplica();
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(refused.headers.get('cache-control'), 'private, no-store');
    assert.equal((await requestToken(page, nonce)).status, 429);
  });

  test('count all addresses of an IPv6 network as one guest', async () => {
    // The address of a guest is in a header of the proxy in front of the wiki, which is this test.
    await configure({ Guests: true, RateLimit: 1 }, `$wgCdnServersNoPurge = [ '127.0.0.0/8' ];`);
    const requestFrom = async (address: string): Promise<number> => {
      const route = `${site.url}/rest.php/ubik-chat/v1`;
      const headers = { 'x-forwarded-for': address };
      const session = await fetch(`${route}/session`, { headers });
      const { nonce } = (await session.json()) as { nonce: string };
      const cookie = session.headers
        .getSetCookie()
        .map((each) => each.split(';', 1)[0])
        .join('; ');
      const body = new URLSearchParams({ nonce });
      const options = { method: 'POST', headers: { ...headers, cookie }, body };
      return (await fetch(`${route}/token`, options)).status;
    };
    const addresses = ['2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8:0:1::1', '192.0.2.1'];
    const statuses: number[] = [];
    for (const address of addresses) statuses.push(await requestFrom(address));
    assert.deepEqual(statuses, [200, 429, 200, 200]);
  });

  test('respond with 502 and no reason when the service rejects the key', async () => {
    await configure({ Guests: true, ApiKey: 'a-wrong-key' });
    const page = await openAsGuest(PLAIN_PATH);
    const { nonce } = (await requestSession(page)).body;
    const { status, body } = await requestToken(page, nonce);
    assert.equal(status, 502);
    assert.deepEqual(body, { detail: 'The chat is not available at the moment.' });
  });
});

test('users with the same number have different ids in two wikis with one secret key', async () => {
  const ids = await site.evaluate(
    `array_map( static fn ( $name ) => ( new UbikChat\\Visitor( new HashConfig( [ 'SecretKey' => 'one', 'DBname' => $name, 'DBmwschema' => null, 'DBprefix' => '' ] ), new FauxRequest(), new MediaWiki\\Permissions\\UltimateAuthority( new MediaWiki\\User\\UserIdentityValue( 57, 'Ada' ) ) ) )->getExternalId(), [ 'en', 'fr', 'en' ] )`,
  );
  const [english, french, again] = ids as readonly string[];
  assert.match(english ?? '', /^mw-[0-9a-f]{16}-57$/);
  assert.notEqual(french, english);
  assert.equal(again, english);
});

test('the extension has logged nothing', async () => {
  const lines = (await site.readLog()).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.includes('UbikChat')),
    [],
  );
});
