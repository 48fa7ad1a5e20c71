/** The unchanged samples of docs/guides/token-route.md, with the demo as the service. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort, startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { startProgram, type RunningProgram } from './processes.js';

/** The folder in which `scripts/test-cms.mjs` has installed the packages of `integrations/token-route`. */
const FOLDER = fileURLToPath(new URL('../../.cache/cms/token-route/', import.meta.url));
const KEY = 'a-key-of-the-account';

/** How a sample is run. */
interface Sample {
  readonly name: string;
  /** The first line of the sample without its comment sign, which is the name of its file. */
  readonly file: string;
  readonly language: string;
  /** The sessions of the application: the user is the value of the cookie `user`. */
  readonly session: readonly [file: string, code: string];
  /** Further files. */
  readonly files?: readonly (readonly [file: string, code: string])[];
  readonly command: (port: number) => readonly string[];
  readonly ready: RegExp;
  /** Path of the route. */
  readonly path: string;
}

const NODE_SESSION = [
  'session.mjs',
  `export const currentUserId = ({ headers }) => /\\buser=(\\w+)/.exec(headers.cookie ?? '')?.[1] ?? null;
`,
] as const;

/** Starts a sample and prints `ready` when its port is open, because not all frameworks print that. */
const NODE_STARTER = [
  'start.mjs',
  `import { connect } from 'node:net';
await import(process.argv[2]);
const attempt = () => connect(Number(process.env.PORT), '127.0.0.1')
  .once('connect', function () { this.destroy(); console.log('ready'); })
  .once('error', () => setImmediate(attempt));
attempt();
`,
] as const;

const nodeSample = (name: string, file: string): Sample => ({
  name,
  file,
  language: 'js',
  session: NODE_SESSION,
  files: [NODE_STARTER],
  command: () => [process.execPath, 'start.mjs', `./${file}`],
  ready: /ready/,
  path: '/agent-token',
});

const SAMPLES: readonly Sample[] = [
  {
    name: 'PHP',
    file: 'agent-token.php',
    language: 'php',
    session: [
      'session.php',
      `<?php function current_user_id(): ?string { return $_COOKIE['user'] ?? null; }\n`,
    ],
    command: (port) => ['php', '-S', `127.0.0.1:${String(port)}`],
    ready: /Development Server .* started/,
    path: '/agent-token.php',
  },
  {
    name: 'Python',
    file: 'agent_token.py',
    language: 'python',
    session: [
      'session.py',
      `from http.cookies import SimpleCookie
def current_user_id(environ):
    user = SimpleCookie(environ.get("HTTP_COOKIE", "")).get("user")
    return user.value if user else None
`,
    ],
    files: [
      [
        'serve.py',
        `import os
from wsgiref.simple_server import make_server
from agent_token import application
server = make_server("127.0.0.1", int(os.environ["PORT"]), application)
print("ready", flush=True)
server.serve_forever()
`,
      ],
    ],
    command: () => ['python3', 'serve.py'],
    ready: /ready/,
    path: '/agent-token',
  },
  nodeSample('Express', 'express.mjs'),
  nodeSample('Fastify', 'fastify.mjs'),
  nodeSample('Hono', 'hono.mjs'),
  {
    name: 'Go',
    file: 'main.go',
    language: 'go',
    session: [
      'session.go',
      `package main
import "net/http"
func currentUserID(request *http.Request) string {
	cookie, err := request.Cookie("user")
	if err != nil { return "" }
	return cookie.Value
}
`,
    ],
    files: [
      ['go.mod', 'module example.com/token\n\ngo 1.18\n'],
      [
        'ready.go',
        `package main
import ("fmt"; "net"; "os"; "runtime")
func init() {
	go func() {
		for {
			connection, err := net.Dial("tcp", "127.0.0.1:"+os.Getenv("PORT"))
			if err == nil { connection.Close(); fmt.Println("ready"); return }
			runtime.Gosched()
		}
	}()
}
`,
      ],
    ],
    command: () => ['go', 'run', '.'],
    ready: /ready/,
    path: '/agent-token',
  },
];

let demo: DemoProcess;

before(async () => {
  demo = await startDemo({ DEMO_API_KEY: KEY });
});

after(() => demo.close());

/** The sample of the guide whose first line names a file. */
async function readSample({ file, language }: Sample): Promise<string> {
  const guide = await readFile(
    fileURLToPath(new URL('../../docs/guides/token-route.md', import.meta.url)),
    'utf8',
  );
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))];
  const found = blocks.map(([, code = '']) => code).find((code) => code.includes(` ${file}\n`));
  if (found === undefined) throw new Error(`The guide has no sample for ${file}.`);
  return found;
}

for (const sample of SAMPLES) {
  describe(`the token route in ${sample.name}`, () => {
    let program: RunningProgram;
    let url: string;
    let broken: RunningProgram;
    let brokenUrl: string;
    const folder = join(FOLDER, sample.name.toLowerCase());

    async function start(key: string): Promise<[RunningProgram, string]> {
      const port = await findFreePort();
      const [command = '', ...args] = sample.command(port);
      const started = await startProgram(
        command,
        args,
        sample.ready,
        { PORT: String(port), UBIK_API_KEY: key, UBIK_BASE_URL: `${demo.url}/api/v1` },
        folder,
      );
      return [started, `http://127.0.0.1:${String(port)}${sample.path}`];
    }

    before(async () => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      const files = [
        [sample.file, await readSample(sample)],
        sample.session,
        ...(sample.files ?? []),
      ] as const;
      for (const [name, code] of files) await writeFile(join(folder, name), code);
      [program, url] = await start(KEY);
      [broken, brokenUrl] = await start('a-wrong-key');
    });

    after(async () => {
      await program.stop();
      await broken.stop();
    });

    const request = (
      headers: Record<string, string>,
      method = 'POST',
      to = url,
    ): Promise<Response> =>
      fetch(to, { method, headers: { 'sec-fetch-site': 'same-origin', ...headers } });

    test('issues a token with which the service knows the user', async () => {
      const response = await request({ cookie: 'user=ada' });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('cache-control') ?? '', /no-store/);
      const { access_token: token, ...rest } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(rest, { token_type: 'bearer', expires_in: 3600 });
      const health = await fetch(`${demo.url}/api/v1/health`, {
        headers: { authorization: `Bearer ${String(token)}` },
      });
      assert.deepEqual(await health.json(), { status: 'ok', user: 'ada' });
    });

    test('refuses other methods, other sites and visitors who are not signed in', async () => {
      const cookie = 'user=ada';
      const statuses = [
        (await request({ cookie }, 'GET')).status,
        (await request({ cookie, 'sec-fetch-site': 'cross-site' })).status,
        (await request({})).status,
        // The session has an empty id, as some frameworks give to visitors who are not signed in.
        (await request({ cookie: 'user=' })).status,
      ];
      assert.deepEqual(statuses, [405, 403, 401, 401]);
    });

    test('responds with 502, without the key, when the service rejects the key', async () => {
      const response = await request({ cookie: 'user=ada' }, 'POST', brokenUrl);
      assert.equal(response.status, 502);
      assert.doesNotMatch(await response.text(), /a-wrong-key/);
    });
  });
}
