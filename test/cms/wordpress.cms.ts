/** The WordPress plug-in: the zip that an administrator uploads, in a real WordPress with MariaDB, with the demo as the service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { findFreePort, startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { startLocalServer } from '../helpers/local-server.js';
import { ask, launchBrowser, openHost, waitForContent } from '../hosts/host-site.js';
import { ADMIN, startWordPress, type WordPressSite } from './wordpress-site.js';

const ZIP = fileURLToPath(new URL('../../dist-cms/ubik-chat-wordpress.zip', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../integrations/wordpress/', import.meta.url));
const KEY = 'a-key-of-the-account';
const QUESTION = 'What is 12.5 * (3 + 4)^2?';
const ANSWER = '612.5';

let demo: DemoProcess;
let site: WordPressSite;
let browser: Browser;
let contexts: BrowserContext[] = [];

/** Creates a browser context with the cookies of one visitor. */
async function openVisitor(): Promise<BrowserContext> {
  const context = await browser.createBrowserContext();
  contexts.push(context);
  return context;
}

async function openAsGuest(path: string): Promise<Page> {
  return (await openHost(await openVisitor(), `${site.url}${path}`)).page;
}

/** Signs in and opens a page. */
async function openAs(name: string, password: string, path: string): Promise<Page> {
  const page = await openAsGuest('/wp-login.php');
  // Values are set, because a script of the page moves the focus while a user would type.
  for (const [field, value] of [
    ['#user_login', name],
    ['#user_pass', password],
  ] as const) {
    await page.$eval(field, (input, text) => ((input as HTMLInputElement).value = text), value);
  }
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  await page.goto(`${site.url}${path}`);
  return page;
}

const openAsAdmin = (path: string): Promise<Page> => openAs(ADMIN.name, ADMIN.password, path);

/** A response of a route, requested by a page. */
interface RouteResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests a route of the plug-in from a page, with the cookies of its visitor. */
function requestRoute(
  page: Page,
  action: string,
  fields?: Readonly<Record<string, string>>,
): Promise<RouteResponse> {
  return page.evaluate(
    async (name, form) => {
      const response = await fetch(`/wp-admin/admin-ajax.php?action=${name}`, {
        method: form ? 'POST' : 'GET',
        ...(form && { body: new URLSearchParams(form) }),
      });
      const retryAfter = response.headers.get('retry-after');
      return {
        status: response.status,
        retryAfter,
        body: (await response.json()) as Record<string, unknown>,
      };
    },
    action,
    fields ?? null,
  );
}

const requestSession = (page: Page): Promise<RouteResponse> =>
  requestRoute(page, 'ubik_chat_session');

const requestToken = (page: Page, nonce: unknown): Promise<RouteResponse> =>
  requestRoute(page, 'ubik_chat_token', { nonce: String(nonce) });

const clearRateLimit = (): Promise<unknown> =>
  site.evaluate(
    `global $wpdb; $wpdb->query( "DELETE FROM $wpdb->options WHERE option_name LIKE '%ubik_chat_rate_%'" )`,
  );

/** What a page contains of the plug-in. */
const findPluginHtml = (html: string): string[] =>
  [
    ...html.matchAll(/<div[^>]*ubik-chat-place[^>]*>|<script[^>]*ubik-chat-config.*?<\/script>/gs),
  ].map(([text]) => text);

before(async () => {
  const port = await findFreePort();
  demo = await startDemo({
    DEMO_API_KEY: KEY,
    ALLOWED_ORIGINS: `http://127.0.0.1:${String(port)}`,
  });
  site = await startWordPress(port);
  browser = await launchBrowser();
});

afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
});

after(async () => {
  await browser.close();
  await site.close();
  await demo.close();
});

test('every PHP file of the plug-in has valid syntax', async () => {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `find "${SOURCES}" -name '*.php' -print0 | xargs -0 -n1 php -l`,
  ]);
  assert.doesNotMatch(stdout, /^(?!No syntax errors).+/m);
});

test('an administrator uploads the zip and activates the plug-in', async () => {
  const page = await openAsAdmin('/wp-admin/plugin-install.php?tab=upload');
  const field = await page.waitForSelector('input[name=pluginzip]');
  await field?.uploadFile(ZIP);
  await Promise.all([page.waitForNavigation(), page.click('#install-plugin-submit')]);
  const activate = await page.waitForSelector('a[href*="action=activate"]');
  await Promise.all([page.waitForNavigation(), activate?.click()]);
  assert.deepEqual(await site.evaluate(`get_option( 'active_plugins' )`), [
    'ubik-chat/ubik-chat.php',
  ]);
});

describe('the settings page', () => {
  async function save(fields: Readonly<Record<string, string>>): Promise<Page> {
    const page = await openAsAdmin('/wp-admin/options-general.php?page=ubik-chat');
    for (const [name, value] of Object.entries(fields)) {
      await page.$eval(
        `#ubik-chat-${name}`,
        // A forged form can contain a field that is disabled.
        (field, text) => {
          Object.assign(field, { value: text, disabled: false });
        },
        value,
      );
    }
    await Promise.all([page.waitForNavigation(), page.click('#submit')]);
    return page;
  }

  test('says that the service rejects a wrong key, and does not contain the stored key', async () => {
    const page = await save({ 'service-url': `${demo.url}/api/v1/`, 'api-key': 'a-wrong-key' });
    const notice = await page.waitForSelector('#ubik-chat-connection.notice-error');
    assert.match((await notice?.evaluate((node) => node.textContent)) ?? '', /rejects the API key/);
    assert.doesNotMatch(await page.content(), /a-wrong-key/);
  });

  test('says that the service accepts the right key, and keeps the stored key when the field is empty', async () => {
    let page = await save({ 'api-key': KEY });
    await page.waitForSelector('#ubik-chat-connection.notice-success');
    page = await save({ greeting: 'Ask about **rivers**.', accent: '#0a7d55' });
    await page.waitForSelector('#ubik-chat-connection.notice-success');
    assert.equal(await site.evaluate(`get_option( 'ubik_chat_api_key' )`), KEY);
    assert.equal(
      await site.evaluate(`UbikChat\\Settings::get( 'service_url' )`),
      `${demo.url}/api/v1`,
    );
  });

  test('stores the longest text that a field accepts, although the form sends each line end as two characters', async () => {
    const longest = 'Ask\n'.repeat(499) + 'Why?';
    const page = await save({ starters: longest });
    const stored = await site.evaluate<string>(`UbikChat\\Settings::get( 'starters' )`);
    await save({ starters: '' });
    assert.equal(stored, longest);
    const field = await page.$eval('#ubik-chat-starters', (node) => [
      (node as HTMLTextAreaElement).maxLength,
      (node as HTMLTextAreaElement).value.length,
    ]);
    assert.deepEqual(field, [longest.length, longest.length]);
  });

  test('sends the key of wp-config.php to no address that is entered in the settings', async () => {
    const forged = await startLocalServer((_request, response) => response.end());
    // WordPress loads the files of this folder before the plug-ins, like wp-config.php.
    const setConstants = (constants: Readonly<Record<string, string>>): Promise<unknown> =>
      site.evaluate(
        `file_put_contents( WPMU_PLUGIN_DIR . '/constants.php', $data )`,
        `<?php ${Object.entries(constants)
          .map(([name, value]) => `define( '${name}', '${value}' );`)
          .join(' ')}`,
      );
    try {
      await setConstants({ UBIK_CHAT_API_KEY: KEY });
      assert.equal(
        await site.evaluate(`UbikChat\\Settings::get( 'service_url' )`),
        'https://app.ubik-agent.com/api/v1',
      );
      // The key may be that of the address in the settings, so it is not sent to the default one.
      const storedAddress = `get_option( 'ubik_chat_settings' )['service_url']`;
      for (const fields of [
        { greeting: 'Ask about **rivers**.' },
        { 'service-url': forged.origin },
      ]) {
        const refused = await save(fields);
        const notice = await refused.waitForSelector('#ubik-chat-connection.notice-error');
        assert.match((await notice?.evaluate((node) => node.textContent)) ?? '', /Empty the field/);
        assert.equal(await site.evaluate(storedAddress), `${demo.url}/api/v1`);
        await refused.waitForSelector('#ubik-chat-service-url:enabled');
      }
      // Not by the form: after saving, the settings page would send the key to the default address.
      for (const address of ['', 'https://app.ubik-agent.com/api/v1/'])
        assert.equal(
          await site.evaluate(
            `UbikChat\\Settings_Page::sanitize_settings( array( 'service_url' => $data ) )['service_url']`,
            address,
          ),
          'https://app.ubik-agent.com/api/v1',
        );
      await setConstants({
        UBIK_CHAT_API_KEY: KEY,
        UBIK_CHAT_SERVICE_URL: `${demo.url}/api/v1/`,
      });
      const page = await save({ 'service-url': forged.origin });
      await page.waitForSelector('#ubik-chat-connection.notice-success');
      const field = await page.$('#ubik-chat-service-url:disabled');
      const address = await field?.evaluate((node) => (node as HTMLInputElement).value);
      assert.equal(address, `${demo.url}/api/v1`);
      const help = await page.$eval(
        '#ubik-chat-service-url + .description',
        (node) => node.textContent,
      );
      assert.match(help, /UBIK_CHAT_SERVICE_URL/);
      assert.equal(forged.requests.length, 0);
    } finally {
      await site.evaluate(`unlink( WPMU_PLUGIN_DIR . '/constants.php' )`);
      await site.configure({ service_url: `${demo.url}/api/v1` });
      await forged.close();
    }
  });

  test('replaces invalid values by valid ones', async () => {
    await site.configure({ accent: 'red; position: fixed', site_layout: 'popup', rate_limit: -5 });
    const settings = await site.evaluate<Record<string, unknown>>(`UbikChat\\Settings::all()`);
    assert.deepEqual(
      [settings['accent'], settings['site_layout'], settings['rate_limit']],
      ['', 'bubble', 5],
    );
    await site.configure({ accent: '#0a7d55', site_layout: 'bubble', rate_limit: 120 });
  });

  test('keeps percent-encoded URLs, Markdown and angle brackets in texts, but no control characters', async () => {
    const text = '[Docs](https://x.test/caf%C3%A9%20menu) <https://x.test/> 1 < 2';
    const settings = await site.evaluate<Record<string, unknown>>(
      `UbikChat\\Settings::sanitize( $data )`,
      { greeting: `${text}\u0007`, starters: text, pages: '/%E6%94%AF/*' },
    );
    assert.deepEqual(
      [settings['greeting'], settings['starters'], settings['pages']],
      [text, text, '/%E6%94%AF/*'],
    );
    const chat = await site.evaluate<Record<string, unknown>>(`UbikChat\\Place::chat( $data )`, {
      greeting: text,
      starters: text,
    });
    assert.deepEqual([chat['greeting'], chat['starters']], [text, [text]]);
  });
});

describe('a page with the shortcode', () => {
  let path: string;

  before(async () => {
    path = await site.addPage('ask', '[ubik_chat starters="One?|Two?" height="30rem"]');
    await site.evaluate(`wp_create_user( 'ada', 'analytical-engine', 'ada@example.test' )`);
  });

  test('answers a signed-in user', async () => {
    const page = await openAs('ada', 'analytical-engine', path);
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const chat = await page.$eval('ubik-chat', (element) => ({
      userKey: Reflect.get(element, 'userKey') as unknown,
      accent: (element as HTMLElement).style.getPropertyValue('--ubik-accent'),
      height: element.getBoundingClientRect().height,
      rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    }));
    assert.match(String(chat.userKey), /^wp-[a-z0-9]{16}-\d+$/);
    assert.equal(chat.accent, '#0a7d55');
    assert.equal(chat.height, 30 * chat.rem);
  });

  test('shows a guest a link to sign in, which leads back', async () => {
    const page = await openAsGuest(path);
    const link = await page.waitForSelector('a.ubik-chat-notice');
    const href = await link?.evaluate((node) => node.href);
    const target = new URL(href ?? '');
    assert.equal(target.pathname, '/wp-login.php');
    assert.equal(target.searchParams.get('redirect_to'), `${site.url}${path}`);
    assert.equal(await page.$('ubik-chat'), null);
    const { body } = await requestSession(page);
    assert.deepEqual(body, { userKey: null, nonce: null });
    assert.equal((await requestToken(page, '')).status, 401);
  });

  test('is the same for every visitor, so that it can be cached', async () => {
    await site.configure({ guests: true });
    const guest = await (await fetch(`${site.url}${path}`)).text();
    const page = await openAs('ada', 'analytical-engine', path);
    const response = await page.goto(`${site.url}${path}`);
    const user = (await response?.text()) ?? '';
    await site.configure({ guests: false });
    const places = findPluginHtml(guest);
    assert.equal(places.length, 2);
    assert.deepEqual(findPluginHtml(user), places);
    assert.doesNotMatch(places.join(''), /nonce|wp-[a-z0-9]{16}|a-key-of-the-account/);
  });

  test('keeps HTML entities in the greeting', async () => {
    const before = await site.evaluate(`UbikChat\\Settings::get( 'greeting' )`);
    const greeting = 'Say &quot;hello&quot; to A&amp;B, a&b';
    await site.configure({ greeting });
    const [place = ''] = findPluginHtml(await (await fetch(`${site.url}${path}`)).text());
    await site.configure({ greeting: before });
    const [, data = ''] = /data-chat="([^"]*)"/.exec(place) ?? [];
    const chat = JSON.parse(data.replaceAll('&quot;', '"')) as Record<string, unknown>;
    assert.equal(chat['greeting'], greeting);
  });

  test('shows no entities that WordPress has written into the content of an author', async () => {
    const content =
      '[ubik_chat greeting="A & B" starters="Q&A?|1 &lt; 2?"]<!-- wp:ubik-chat/chat {"greeting":"A & B","starters":"Q&A?\\n1 \\u003c 2?"} /-->';
    const stored = await site.evaluate<string>(
      `$author = wp_insert_user( array( 'user_login' => 'grace', 'user_pass' => 'nanosecond', 'role' => 'author' ) ); wp_set_current_user( $author ); $id = wp_insert_post( wp_slash( array( 'post_status' => 'publish', 'post_name' => 'entities', 'post_title' => 'Entities', 'post_content' => $data ) ) ); get_post( $id )->post_content`,
      content,
    );
    assert.equal(stored.match(/Q&amp;A|Q\\u0026amp;A/g)?.length, 2);
    const html = await (await fetch(`${site.url}/entities/`)).text();
    const chats = [...html.matchAll(/data-chat="([^"]*)"/g)].map(
      ([, data = '']) =>
        JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&lt;', '<')) as Record<
          string,
          unknown
        >,
    );
    assert.deepEqual(
      chats.map(({ greeting, starters }) => [greeting, starters]),
      Array.from({ length: 2 }, () => ['A & B', ['Q&A?', '1 < 2?']]),
    );
  });

  test('ignores addresses that an author writes into the content', async () => {
    const forged = await site.addPage(
      'forged',
      `[ubik_chat]<div class="ubik-chat-place" data-chat='{"layout":"inline","baseUrl":"https://evil.example/","base-url":"https://evil.example/","session":"https://evil.example/"}'></div>`,
    );
    const page = await openAs('ada', 'analytical-engine', forged);
    await page.waitForFunction(() => document.querySelectorAll('ubik-chat').length === 2);
    const urls = await page.$$eval('ubik-chat', (chats) =>
      chats.map((chat) => chat.getAttribute('base-url')),
    );
    assert.deepEqual(urls, [`${demo.url}/api/v1`, `${demo.url}/api/v1`]);
  });

  test('works under a strict content security policy', async () => {
    const page = await openAs('ada', 'analytical-engine', '/wp-login.php');
    await page.evaluateOnNewDocument(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', (event) => {
        violations.push(`${event.sourceFile} ${event.blockedURI} ${event.effectiveDirective}`);
      });
    });
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${demo.url}; img-src 'self' data: blob:; font-src 'self'; require-trusted-types-for 'script'; trusted-types ubik-elements`;
    await page.goto(`${site.url}${path}?${String(new URLSearchParams({ policy }))}`);
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const violations = await page.evaluate(() => Reflect.get(window, 'violations') as string[]);
    // WordPress itself has inline scripts and styles.
    assert.deepEqual(
      violations.filter((text) => text.includes('plugins/ubik-chat') || text.includes(demo.url)),
      [],
    );
  });
});

describe('the routes', () => {
  // A page without a chat: a chat would request a session itself, which would give the guest another id at the same time.
  const path = '/';

  before(() => site.configure({ guests: true }));

  after(async () => {
    await site.configure({ guests: false, rate_limit: 120 });
    await clearRateLimit();
  });

  test('answer a guest, who is recognised by a cookie that scripts cannot read', async () => {
    const page = await openAsGuest('/ask/');
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const cookie = (await page.cookies()).find(({ name }) => name === 'ubik_chat_guest');
    assert.equal(cookie?.httpOnly, true);
    assert.equal(cookie?.sameSite, 'Lax');
    const { body } = await requestSession(page);
    assert.match(String(body['userKey']), /^wp-[a-z0-9]{16}-guest-[0-9a-f]{32}$/);
    await page.reload();
    await waitForContent(page, '.message', ANSWER);
    const other = await requestSession(await openAsGuest(path));
    assert.notEqual(other.body['userKey'], body['userKey']);
  });

  test('recognise a guest of a site whose home is in a folder', async () => {
    await site.evaluate(`update_option( 'home', '${site.url}/blog' )`);
    const response = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=ubik_chat_session`);
    await site.evaluate(`update_option( 'home', '${site.url}' )`);
    assert.match(response.headers.get('set-cookie') ?? '', /; path=\/;/);
  });

  test('issue a token only for the nonce of the same visitor, and only for POST', async () => {
    const page = await openAsGuest(path);
    const { nonce } = (await requestSession(page)).body;
    const other = await openAsGuest(path);
    await requestSession(other);
    assert.equal((await requestToken(page, nonce)).status, 200);
    assert.equal((await requestToken(other, nonce)).status, 403);
    assert.equal((await requestToken(page, 'forged')).status, 403);
    assert.equal((await requestRoute(page, 'ubik_chat_token')).status, 405);
    const admin = await openAsAdmin(path);
    assert.equal((await requestToken(admin, nonce)).status, 403);
  });

  test('cannot be read by a page of another origin, and are not cached', async () => {
    // The replica sends the headers with the first output.
    for (const url of [site.url, site.replicaUrl]) {
      const response = await fetch(`${url}/wp-admin/admin-ajax.php?action=ubik_chat_session`, {
        headers: { origin: 'https://evil.example' },
      });
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      assert.equal(response.headers.get('cache-control'), 'private, no-store');
    }
  });

  test('give no guest id to a form of another site, which is sent without the cookie', async () => {
    const response = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=ubik_chat_session`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET');
    assert.equal(response.headers.get('set-cookie'), null);
  });

  test('limit the tokens of a visitor on all servers of the site together', async () => {
    await clearRateLimit();
    await site.configure({ rate_limit: 2 });
    const page = await openAsGuest(path);
    const { nonce } = (await requestSession(page)).body;
    assert.equal((await requestToken(page, nonce)).status, 200);
    const cookies = (await page.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const requestFromReplica = (): Promise<Response> =>
      fetch(`${site.replicaUrl}/wp-admin/admin-ajax.php?action=ubik_chat_token`, {
        method: 'POST',
        headers: { cookie: cookies },
        body: new URLSearchParams({ nonce: String(nonce) }),
      });
    assert.equal((await requestFromReplica()).status, 200);
    const refused = await requestFromReplica();
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await requestToken(page, nonce)).status, 429);
    // A guest who drops the cookie is still counted by address.
    const fresh = await openAsGuest(path);
    const session = await requestSession(fresh);
    assert.equal((await requestToken(fresh, session.body['nonce'])).status, 429);
  });

  test('count each of many simultaneous requests', async () => {
    await clearRateLimit();
    await site.configure({ rate_limit: 5 });
    const page = await openAsGuest(path);
    const { nonce } = (await requestSession(page)).body;
    const cookie = (await page.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const requests = Array.from({ length: 24 }, async (_, at) => {
      const server = at % 2 === 0 ? site.url : site.replicaUrl;
      const body = new URLSearchParams({ nonce: String(nonce) });
      const address = `${server}/wp-admin/admin-ajax.php?action=ubik_chat_token`;
      return (await fetch(address, { method: 'POST', headers: { cookie }, body })).status;
    });
    const statuses = (await Promise.all(requests)).sort();
    assert.deepEqual(statuses, [...Array<number>(5).fill(200), ...Array<number>(19).fill(429)]);
  });

  test('count all addresses of an IPv6 network as one guest', async () => {
    const addresses = [
      ['2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8:0:1::1'],
      ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ].flat();
    const keys = await site.evaluate<string[]>(
      `$keys = array_map( static function ( $address ) { $_SERVER['REMOTE_ADDR'] = $address; return UbikChat\\Visitor::rate_key(); }, $data ); $keys`,
      addresses,
    );
    assert.equal(keys[0], keys[1]);
    assert.equal(new Set(keys).size, 5);
  });

  test('respond with 502 and no reason when the service rejects the key', async () => {
    await site.configure({ rate_limit: 120 });
    await clearRateLimit();
    await site.evaluate(`update_option( 'ubik_chat_api_key', 'another-wrong-key' )`);
    const page = await openAsGuest(path);
    const { nonce } = (await requestSession(page)).body;
    const { status, body } = await requestToken(page, nonce);
    const asking = await openAsGuest('/ask/');
    await ask(asking, QUESTION);
    // Not the notice that the guest has to sign in.
    await waitForContent(asking, '*', 'The chat is not available at the moment.');
    await site.evaluate(`update_option( 'ubik_chat_api_key', '${KEY}' )`);
    assert.equal(status, 502);
    assert.deepEqual(body, { detail: 'The chat is not available at the moment.' });
  });
});

describe('the block', () => {
  let id: number;

  before(async () => {
    const block = '<!-- wp:ubik-chat/chat {"greeting":"Ahoy","layout":"inline"} /-->';
    id = await site.evaluate(
      `wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_name' => 'block', 'post_title' => 'Block', 'post_content' => '${block}' ) )`,
    );
  });

  /** Waits until the preview shows a text. Each change of the settings loads the frame again. */
  const waitForPreview = (page: Page, text: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) => {
        const frame = document.querySelector<HTMLIFrameElement>('iframe[title=Preview]');
        const chat = frame?.contentDocument?.querySelector('ubik-chat');
        return chat?.shadowRoot?.textContent.includes(wanted) ?? false;
      },
      {},
      text,
    );

  test('shows a preview in the editor, which follows the settings of the block', async () => {
    const page = await openAsAdmin(`/wp-admin/post.php?post=${String(id)}&action=edit`);
    await waitForPreview(page, 'Ahoy');
    await page.evaluate(() => {
      const { data } = Reflect.get(window, 'wp') as {
        data: {
          select(store: string): { getBlocks(): { clientId: string }[] };
          dispatch(store: string): {
            selectBlock(id: string): void;
            openGeneralSidebar(name: string): void;
          };
        };
      };
      const [block] = data.select('core/block-editor').getBlocks();
      data.dispatch('core/edit-post').openGeneralSidebar('edit-post/block');
      data.dispatch('core/block-editor').selectBlock(block?.clientId ?? '');
    });
    const field = await page.waitForSelector('.block-editor-block-inspector textarea');
    const limit = await field?.evaluate((node) => node.maxLength);
    assert.equal(limit, 2000);
    await field?.click({ count: 3 });
    await page.keyboard.type('Howdy');
    await waitForPreview(page, 'Howdy');
    await page.evaluate(async () => {
      const { data } = Reflect.get(window, 'wp') as {
        data: { dispatch(store: string): { savePost(): Promise<void> } };
      };
      await data.dispatch('core/editor').savePost();
    });
    const content = await site.evaluate<string>(`get_post( ${String(id)} )->post_content`);
    assert.match(content, /^<!-- wp:ubik-chat\/chat \{"greeting":"Howdy"\} \/-->/);
  });

  test('shows the chat in the page', async () => {
    const page = await openAsAdmin('/block/');
    await waitForContent(page, '*', 'Howdy');
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
  });

  test('has a preview for authors only', async () => {
    const preview = '/wp-admin/admin-post.php?action=ubik_chat_preview&greeting=Ahoy';
    const page = await openAs('ada', 'analytical-engine', '/');
    assert.equal((await page.goto(`${site.url}${preview}`))?.status(), 403);
    assert.doesNotMatch(await (await fetch(`${site.url}${preview}`)).text(), /Ahoy/);
  });
});

describe('the chat of the site', () => {
  before(async () => {
    await site.addPage('support', 'Help');
    await site.addPage('支持', 'Help');
    await site.addPage('about', 'About us');
    await site.configure({ placement: 'selected', pages: '/support/*', guests: true });
  });

  after(() => site.configure({ placement: 'none', guests: false }));

  test('is a button on the selected pages only, and loading such a page requests nothing from the CMS', async () => {
    const page = await openAsGuest('/about/');
    assert.equal(await page.$('ubik-chat'), null);
    const routes: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('admin-ajax')) routes.push(request.url());
    });
    await page.goto(`${site.url}/support/`, { waitUntil: 'networkidle0' });
    assert.ok(await page.$('ubik-chat[layout=bubble]'));
    assert.deepEqual(routes, []);
  });

  for (const pages of ['/支持/*', '/%E6%94%AF%E6%8C%81/*', '/%e6%94%af%e6%8c%81/']) {
    test(`is on a page with a non-ASCII path that the settings contain as ${pages}`, async () => {
      await site.configure({ pages });
      const read = async (path: string) =>
        findPluginHtml(await (await fetch(`${site.url}${path}`)).text()).length > 0;
      const shown = [await read('/支持/'), await read('/about/'), await read('/')];
      await site.configure({ pages: '/support/*' });
      assert.deepEqual(shown, [true, false, false]);
    });
  }

  test('is on the posts page when the settings contain its id', async () => {
    const id = await site.evaluate<number>(
      `$id = get_page_by_path( 'about' )->ID; update_option( 'show_on_front', 'page' ); update_option( 'page_on_front', get_page_by_path( 'support' )->ID ); update_option( 'page_for_posts', $id ); $id`,
    );
    await site.configure({ pages: String(id) });
    const html = await (await fetch(`${site.url}/about/`)).text();
    await site.evaluate(
      `update_option( 'page_for_posts', 0 ); update_option( 'show_on_front', 'posts' )`,
    );
    await site.configure({ pages: '/support/*' });
    assert.notDeepEqual(findPluginHtml(html), []);
  });

  test('opens with the first press, after the session is known', async () => {
    const page = await openAsGuest('/support/');
    const launcher = await page.waitForSelector('ubik-chat >>> button', { visible: true });
    await launcher?.click();
    await ask(page, QUESTION);
    await waitForContent(page, '.message', ANSWER);
    const userKey = await page.$eval('ubik-chat', (chat) => Reflect.get(chat, 'userKey') as string);
    assert.match(userKey, /guest-/);
  });

  test('shows a guest who may not chat a link to sign in', async () => {
    await site.configure({ guests: false });
    const page = await openAsGuest('/support/');
    const launcher = await page.waitForSelector('ubik-chat >>> button', { visible: true });
    await launcher?.click();
    await page.waitForSelector('a.ubik-chat-notice');
    await site.configure({ guests: true });
  });
});

test('the widget shows a chat in a widget area of a classic theme', async () => {
  const theme = await site.evaluate<string>(`get_option( 'stylesheet' )`);
  await site.evaluate(
    `switch_theme( 'twentytwentyone' ); update_option( 'widget_ubik_chat', array( 2 => array( 'title' => 'Ask us', 'height' => '20rem', 'greeting' => 'Hello from the widget' ), '_multiwidget' => 1 ) ); update_option( 'sidebars_widgets', array( 'sidebar-1' => array( 'ubik_chat-2' ), 'array_version' => 3 ) )`,
  );
  const page = await openAsAdmin('/about/');
  await waitForContent(page, '*', 'Hello from the widget');
  assert.match(await page.content(), /Ask us/);
  await site.evaluate(`switch_theme( '${theme}' )`);
});

test('the widget has a translated description', async () => {
  await site.evaluate(
    `file_put_contents( WPMU_PLUGIN_DIR . '/locale.php', $data )`,
    `<?php add_filter( 'locale', static function () { return 'zh_CN'; } );`,
  );
  const description = await site.evaluate<string>(
    `$GLOBALS['wp_widget_factory']->widgets['UbikChat\\Widget']->widget_options['description']`,
  );
  await site.evaluate(`unlink( WPMU_PLUGIN_DIR . '/locale.php' )`);
  assert.equal(description, '与 AI 智能体聊天。');
});

test('the plug-in has translations of its texts, of its block and of its editor', async () => {
  const texts = await site.evaluate<string[]>(
    `unload_textdomain( 'ubik-chat' ); load_textdomain( 'ubik-chat', WP_PLUGIN_DIR . '/ubik-chat/languages/ubik-chat-zh_CN.mo' ); array( __( 'Guests may chat', 'ubik-chat' ), _x( 'A chat with an AI agent.', 'block description', 'ubik-chat' ), load_script_translations( WP_PLUGIN_DIR . '/ubik-chat/languages/ubik-chat-zh_CN-ubik-chat-block.json', 'ubik-chat-block', 'ubik-chat' ) )`,
  );
  assert.equal(texts[0], '允许访客聊天');
  assert.equal(texts[1], '与 AI 智能体聊天。');
  const script = JSON.parse(texts[2] ?? '') as {
    locale_data: { messages: Record<string, string[]> };
  };
  assert.deepEqual(script.locale_data.messages['Greeting'], ['问候语']);
});

test('the plug-in has logged nothing', async () => {
  const lines = (await site.readLog()).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.includes('plugins/ubik-chat')),
    [],
  );
});

test('deleting the plug-in leaves no option, transient, widget, table or file', async () => {
  const find = (): Promise<string[]> =>
    site.evaluate(
      `global $wpdb; array_merge( $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%ubik%' OR ( option_name = 'sidebars_widgets' AND option_value LIKE '%ubik%' )" ), $wpdb->get_col( "SHOW TABLES LIKE '%ubik%'" ), $wpdb->get_col( "SELECT meta_key FROM $wpdb->usermeta WHERE meta_key LIKE '%ubik%'" ) )`,
    );
  const stored = await find();
  assert.ok(stored.includes('ubik_chat_settings'));
  assert.ok(stored.includes('sidebars_widgets'));
  assert.ok(stored.some((name) => name.startsWith('_transient_ubik_chat_rate_')));
  await site.evaluate(
    `require_once ABSPATH . 'wp-admin/includes/plugin.php'; require_once ABSPATH . 'wp-admin/includes/file.php'; deactivate_plugins( 'ubik-chat/ubik-chat.php' ); delete_plugins( array( 'ubik-chat/ubik-chat.php' ) )`,
  );
  assert.deepEqual(await find(), []);
  assert.equal(await site.evaluate(`file_exists( WP_PLUGIN_DIR . '/ubik-chat' )`), false);
});
