import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../demo/agent/start-error.js';
import { startServer } from '../../demo/server.js';
import { DEMO_COMMAND, DEMO_FROM_SOURCES } from '../helpers/demo-command.js';
import { rebuild } from './rebuild.js';
import { DemoApiClient, startTestServer } from './test-server.js';
import { readWire } from './wire-reader.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

async function makeFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-agent-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs `demo/main.ts` as `npm start` does, as a separate process, and resolves with its URL. */
async function launch(
  context: TestContext,
  env: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const { child, firstOutput } = run(context, env, DEMO_FROM_SOURCES);
  const [line] = await Promise.race([
    firstOutput,
    once(child, 'exit').then(() =>
      Promise.reject(new Error('The process ended before it printed its URL.')),
    ),
  ]);
  const url = /^ubik-elements demo: (http:\/\/localhost:\d+)\/$/u.exec(line ?? '')?.[1];
  assert.ok(url, line);
  return { url: url.replace('localhost', '127.0.0.1'), child };
}

function run(
  context: TestContext,
  env: Record<string, string>,
  command = DEMO_COMMAND,
): { child: ChildProcess; firstOutput: Promise<string[]>; readErrors: () => string } {
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, OPENAI_BASE_URL: '', OPENAI_MODEL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const firstOutput = new Promise<string[]>((resolve) => {
    child.stdout.once('data', (data: Buffer) => {
      resolve(data.toString().trim().split('\n'));
    });
  });
  return { child, firstOutput, readErrors: () => errors };
}

test('demo server has the same threads, messages and documents after a restart', async (context) => {
  const dataDir = await makeFolder(context);
  const first = await startServer({ port: 0, dataDir, speed: 0 });
  await first.agent?.whenDocumentsIndexed();
  const client = await DemoApiClient.create(first.url);
  const session = await client.createSession();
  const events = await client.send(session, 'How does an answer survive a broken network?');
  const before = await client.request('GET', `/agent-sessions/${session}/messages`);
  await first.close();
  const second = await startTestServer(context, { dataDir });
  const same = new DemoApiClient(second.url, client.headers);
  const after = await same.request('GET', `/agent-sessions/${session}/messages`);
  assert.deepEqual(after.json, before.json);
  const replay = readWire((await same.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.equal(rebuild(replay), rebuild(events));
  const chunk = /<citation id="([0-9a-f-]{36})">/u.exec(String(events.at(-1)?.['content']))?.[1];
  assert.equal((await same.request('GET', `/chunks/${chunk ?? ''}`)).status, 200);
  assert.equal((await same.checkpoints(session)).length, 2);
});

test('demo server that was killed ends its unfinished runs at the next start, and loses no event that was sent', async (context) => {
  const dataDir = await makeFolder(context);
  const env = { PORT: '0', DATA_DIR: dataDir, DEMO_SPEED: '2', DEMO_CONTROLS: '1' };
  const { url, child } = await launch(context, env);
  const client = await DemoApiClient.create(url);
  const session = await client.createSession();
  const response = await client.open('POST', `/agent-sessions/${session}/messages`, {
    content: 'Analyse the rivers',
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('tool_partial_update')) text += (await reader?.read())?.value ?? '';
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (let read = await reader?.read().catch(() => null); read?.done === false;) {
    text += read.value;
    read = await reader?.read().catch(() => null);
  }
  const seen = readWire(text.slice(0, text.lastIndexOf('\n\n')));
  const again = await startTestServer(context, { dataDir });
  const same = new DemoApiClient(again.url, client.headers);
  const replay = readWire((await same.request('GET', `/agent-sessions/${session}/stream`)).text);
  const plain = (events: readonly unknown[]): unknown[] =>
    events.map((event) => ({ ...(event as object), connection_id: '' }));
  assert.deepEqual(plain(replay).slice(0, seen.length), plain(seen));
  assert.equal(replay.at(-1)?.type, 'agent_processing_error');
  assert.match(String(replay.at(-1)?.['error']), /restarted/u);
  assert.equal(await same.lastContent(session), rebuild(replay));
  const next = await same.send(session, 'What is 1 + 1?');
  assert.match(String(next.at(-1)?.['content']), /\*\*2\*\*/u);
});

test('demo server restores a request that waits for a message after a restart', async (context) => {
  const dataDir = await makeFolder(context);
  const first = await startServer({ port: 0, dataDir, speed: 0 });
  const client = await DemoApiClient.create(first.url);
  const session = await client.createSession();
  await client.send(session, 'Which is the biggest river?');
  await first.close();
  const second = await startTestServer(context, { dataDir });
  const same = new DemoApiClient(second.url, client.headers);
  const events = await same.send(session, 'length');
  assert.match(String(events.at(-1)?.['content']), /By length, \*\*Volga\*\*/u);
});

test('demo server restores a tool that waits for the user after a restart, and continues its run', async (context) => {
  const dataDir = await makeFolder(context);
  const first = await startServer({ port: 0, dataDir, speed: 0 });
  await first.agent?.whenDocumentsIndexed();
  const client = await DemoApiClient.create(first.url);
  const session = await client.createSession();
  const response = await client.open('POST', `/agent-sessions/${session}/messages`, {
    content: 'Remove the document how answers recover',
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('tool_input_required')) text += (await reader?.read())?.value ?? '';
  await first.close();
  const second = await startTestServer(context, { dataDir });
  const same = new DemoApiClient(second.url, client.headers);
  const joined = await same.open('GET', `/agent-sessions/${session}/stream`);
  const id = /"tool_input_required","tool_execution_id":"(\w+)"/u.exec(text)?.[1] ?? '';
  const form = new FormData();
  form.set('input_data_json', '{"input":"yes","type":"text"}');
  assert.equal(
    (await same.request('POST', `/tool-executions/${id}/provide-input`, form)).status,
    202,
  );
  const events = readWire(await joined.text());
  assert.match(String(events.at(-1)?.['content']), /Done: \*\*how-answers-recover\.md\*\*/u);
  assert.equal(rebuild(events), events.at(-1)?.['content']);
  assert.equal(await same.lastContent(session), events.at(-1)?.['content']);
});

test('demo server names the process that uses the same data', async (context) => {
  const server = await startTestServer(context);
  await assert.rejects(
    startServer({ port: 0, dataDir: server.dataDir }),
    (error) =>
      error instanceof StartError &&
      /Another server \(process \d+\) already uses/u.test(error.message),
  );
  const { child, readErrors } = run(context, { PORT: '0', DATA_DIR: server.dataDir });
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 1);
  assert.match(
    readErrors(),
    /^Another server \(process \d+\) already uses the data folder [^\n]+\.\n$/u,
  );
});

test('demo server names a port that is in use, and releases its data', async (context) => {
  const dataDir = await makeFolder(context);
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  context.after(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;
  await assert.rejects(startServer({ port, dataDir }), {
    name: 'StartError',
    message: `Port ${String(port)} is taken: stop the other server, or set PORT to a free port.`,
  });
  await startTestServer(context, { dataDir });
});

test('demo server rejects a file that is no database with one sentence', async (context) => {
  const dataDir = await makeFolder(context);
  await writeFile(join(dataDir, 'agent.sqlite'), 'this is not a database, but a letter to my aunt');
  await assert.rejects(startServer({ port: 0, dataDir }), {
    name: 'StartError',
    message: /^The database .*agent\.sqlite cannot be read \(.*\): move it away/u,
  });
});

test('demo server rejects a folder in place of the database with one sentence', async (context) => {
  const dataDir = await makeFolder(context);
  await mkdir(join(dataDir, 'agent.sqlite'));
  await assert.rejects(startServer({ port: 0, dataDir }), {
    name: 'StartError',
    message: /^The database .* cannot be (?:read|written)/u,
  });
});

test('demo server rejects a data folder that cannot be created with one sentence', async (context) => {
  const folder = await makeFolder(context);
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(startServer({ port: 0, dataDir: join(folder, 'file', 'data') }), {
    name: 'StartError',
    message: /^The data folder .* cannot be used \(E\w+\): set DATA_DIR/u,
  });
});

test(
  'demo server rejects a read-only database with one sentence',
  { skip: process.getuid?.() === 0 ? 'the superuser may write everything' : false },
  async (context) => {
    const dataDir = await makeFolder(context);
    await (await startServer({ port: 0, dataDir, speed: 0 })).close();
    await chmod(join(dataDir, 'agent.sqlite'), 0o444);
    await assert.rejects(startServer({ port: 0, dataDir }), {
      name: 'StartError',
      message: /cannot be written/u,
    });
  },
);

test('demo server rejects invalid settings with one sentence', async (context) => {
  for (const [env, reason] of [
    [{ PORT: 'eighty' }, /^PORT is "eighty"/u],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1' }, /^OPENAI_BASE_URL is set but OPENAI_MODEL is not/u],
    [
      { UBIK_API_KEY: 'k', UBIK_BASE_URL: 'ftp://x' },
      /^UBIK_BASE_URL is "ftp:\/\/x": set it to an address/u,
    ],
  ] as const) {
    const { child, readErrors } = run(context, { DATA_DIR: tmpdir(), ...env });
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(readErrors(), reason);
    assert.equal(readErrors().trim().split('\n').length, 1);
  }
});

test(
  'demo server rejects a data folder below /proc with one sentence',
  { skip: process.platform === 'linux' ? false : 'only Linux has /proc' },
  async () => {
    await assert.rejects(startServer({ port: 0, dataDir: '/proc/nope' }), {
      name: 'StartError',
      message: /^The data folder \/proc\/nope cannot be used \(E\w+\): set DATA_DIR/u,
    });
  },
);
