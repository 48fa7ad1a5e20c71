/**
 * Two servers with the server kit behind nginx, which buffers responses and sends requests to the servers in turn, as it does by default, and
 * compresses streams and JSON, too.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTokenHandler, createUbikProxy } from '../../server/index.js';
import { findFreePort, startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { runProgram, startProgram, type RunningProgram } from './processes.js';

const KEY = 'a-key-of-the-account';
/** The last event of a run. A paused run has not sent it. */
const END_OF_RUN = /agent_processing_complete/;

let demo: DemoProcess;
let replicas: LocalServer[] = [];
let nginx: RunningProgram;
let folder: string;
let url: string;

/** A server with token route and proxy, as in docs/server.md. */
function startReplica(): Promise<LocalServer> {
  const options = {
    apiKey: KEY,
    baseUrl: `${demo.url}/api/v1`,
    getUser: () => 'ada',
  };
  const proxy = createUbikProxy(options);
  const handleToken = createTokenHandler(options);
  return startLocalServer(async (request, response) => {
    if (request.url === '/agent-token') return handleToken(request, response);
    request.url = (request.url ?? '').slice('/api/ubik'.length);
    if (!(await proxy(request, response))) response.writeHead(404).end();
    return undefined;
  });
}

/**
 * The settings of Debian's `nginx.conf` that concern responses, with a folder and a port of the test. In addition, `gzip_types` has the types
 * of streams and JSON, so that a stream would be compressed if its headers did not prevent it.
 */
const printConfig = (port: number): string => `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  gzip on;
  gzip_types text/event-stream application/json;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream app {
${replicas.map(({ origin }) => `    server ${new URL(origin).host};`).join('\n')}
  }
  server {
    listen 127.0.0.1:${String(port)};
    location / { proxy_pass http://app; }
    # A proxy that buffers although the response forbids it.
    location /buffered/ { proxy_ignore_headers X-Accel-Buffering; proxy_pass http://app/; }
  }
}
`;

before(async () => {
  demo = await startDemo({ DEMO_API_KEY: KEY });
  replicas = [await startReplica(), await startReplica()];
  folder = await mkdtemp(join(tmpdir(), 'ubik-nginx-'));
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, printConfig(port));
  await runProgram('nginx', ['-t', '-q', '-c', file]);
  nginx = await startProgram('nginx', ['-c', file], /start worker process /);
  url = `http://127.0.0.1:${String(port)}`;
});

after(async () => {
  await nginx.stop();
  for (const replica of replicas) await replica.close();
  await demo.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (path: string, body?: object): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'sec-fetch-site': 'same-origin',
      'accept-encoding': 'gzip',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

async function createSession(): Promise<string> {
  const response = await send('/api/ubik/agent-sessions', {});
  return ((await response.json()) as { id: string }).id;
}

/** Sends a message, and pauses its run before its text. */
async function sendPausedMessage(): Promise<ReadableStreamDefaultReader<string>> {
  await demo.control({ pause: { point: 'text' } });
  const session = await createSession();
  const response = await send(`/api/ubik/agent-sessions/${session}/messages`, {
    content: 'What is 12.5 * (3 + 4)^2?',
  });
  assert.equal(response.status, 200);
  assert.ok(response.body);
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
}

async function readToEnd(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
}

test('a stream arrives through nginx while the run is in progress', async () => {
  const reader = await sendPausedMessage();
  const { value: first = '' } = await reader.read();
  assert.notEqual(first, '');
  assert.doesNotMatch(first, END_OF_RUN);
  await demo.control({ resume: true });
  const all = first + (await readToEnd(reader));
  assert.match(all, /612\.5/);
  assert.match(all, END_OF_RUN);
});

test('a proxy that ignores the header of the server kit withholds the stream', async () => {
  await demo.control({ pause: { point: 'text' } });
  const session = await createSession();
  let hasArrived = false;
  const response = send(`/buffered/api/ubik/agent-sessions/${session}/messages`, {
    content: 'What is 12.5 * (3 + 4)^2?',
  }).finally(() => (hasArrived = true));
  await demo.control({ whenPaused: true });
  // The response to this request is sent after the first events of the run.
  await send(`/api/ubik/agent-sessions/${session}`);
  assert.equal(hasArrived, false);
  await demo.control({ resume: true });
  assert.match(await (await response).text(), /612\.5/);
});

test('the requests of a conversation can reach different servers', async () => {
  const before = replicas.map(({ requests }) => requests.length);
  const session = await createSession();
  const path = `/api/ubik/agent-sessions/${session}`;
  const answer = await (await send(`${path}/messages`, { content: 'What is 2 + 3?' })).text();
  assert.match(answer, /5/);
  const responses = [await send(`${path}/messages`), await send(`${path}/messages`)];
  const [one, other] = await Promise.all(responses.map((response) => response.text()));
  assert.equal(one, other);
  const counts = replicas.map(({ requests }, index) => requests.length - (before[index] ?? 0));
  assert.deepEqual(counts, [2, 2]);
});

test('tokens of different servers are valid for the same user', async () => {
  const users = [];
  for (let count = 0; count < 2; count += 1) {
    const response = await send('/agent-token', {});
    const { access_token: token } = (await response.json()) as { access_token: string };
    const health = await fetch(`${demo.url}/api/v1/health`, {
      headers: { authorization: `Bearer ${token}` },
    });
    users.push(((await health.json()) as { user: string }).user);
  }
  assert.deepEqual(users, ['ada', 'ada']);
});
