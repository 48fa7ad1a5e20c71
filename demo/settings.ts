import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from './agent/start-error.js';
import type { ServerOptions } from './server.js';

const OPENAI = 'https://api.openai.com/v1';

/** Options of the command line. */
const OPTIONS = { 'api-key': { type: 'string' } } as const;

/**
 * Reads the settings of the demo from the environment and the command line.
 *
 * - `--api-key KEY`: the same as `DEMO_API_KEY`, over which it takes precedence
 * - `PORT` (8080), `HOST` (this machine only), `DATA_DIR` (`.data` in the project)
 * - `ALLOWED_HOSTS`: further host names of the demo, with commas between them
 * - `DEMO_API_KEY`: the key that this server accepts in `X-API-KEY`, for example from the token route of another server; without it, only
 *   tokens are accepted
 * - `ALLOWED_ORIGINS`: origins of other sites whose pages use the API with a token, with commas between them; also the demo's own origin
 *   if other machines use it over plain http, where browsers do not send `Sec-Fetch-Site`
 * - `DEMO_SPEED`: 1 for a natural pace, 10 for ten times as fast, 0 for no waiting
 * - `DEMO_CONTROLS=1`: tests may choose dialects, faults and pauses
 * - `DATA_AGENT_PREFIX`: serve the Data Agent API below `agent-factory` or `agent-app` only; both by default
 * - `OPENAI_MODEL`: a language model plans and answers, at `OPENAI_BASE_URL` (that of OpenAI by default) with `OPENAI_API_KEY`
 * - `UBIK_API_KEY`, `UBIK_BASE_URL`: forward to the real service
 *
 * @param root The project's folder.
 * @param args The arguments of the command line.
 */
export function readSettings(
  env: NodeJS.ProcessEnv,
  root: string,
  args: readonly string[] = [],
): ServerOptions {
  const host = env['HOST'] ?? '';
  const apiKey = readApiKey(args) ?? notEmpty(env['DEMO_API_KEY']);
  return {
    port: readNumber(env, 'PORT', 8080, 65_535),
    dataDir: notEmpty(env['DATA_DIR']) ?? join(root, '.data'),
    speed: readNumber(env, 'DEMO_SPEED', 1, 1000),
    controls: env['DEMO_CONTROLS'] === '1',
    ...(host === '' ? {} : { host }),
    hosts: readList(env['ALLOWED_HOSTS']),
    ...(apiKey === null ? {} : { apiKey }),
    allowedOrigins: readOrigins(env),
    ...readDataAgent(env),
    ...readModel(env),
    ...readService(env),
  };
}

function readList(text = ''): string[] {
  return text.split(/[\s,]+/u).filter(Boolean);
}

function readOrigins(env: NodeJS.ProcessEnv): string[] {
  const origins = readList(env['ALLOWED_ORIGINS']);
  const wrong = origins.find((each) => !URL.canParse(each) || new URL(each).origin !== each);
  if (wrong !== undefined) {
    throw new StartError(
      `ALLOWED_ORIGINS contains "${wrong}": list origins such as https://www.example.com, without a path.`,
    );
  }
  return origins;
}

function readApiKey(args: readonly string[]): string | null {
  let key: string | undefined;
  try {
    key = parseArgs({ args: [...args], options: OPTIONS }).values['api-key'];
  } catch {
    throw new StartError(
      `The options ${args.join(' ')} are not understood: the only one is --api-key KEY.`,
    );
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/u.test(key)) {
    throw new StartError('The key after --api-key has to be a text without spaces.');
  }
  return key ?? null;
}

function readDataAgent(env: NodeJS.ProcessEnv): Pick<ServerOptions, 'dataAgent'> {
  const prefix = notEmpty(env['DATA_AGENT_PREFIX']);
  if (prefix === null) return {};
  if (prefix !== 'agent-factory' && prefix !== 'agent-app') {
    throw new StartError(`DATA_AGENT_PREFIX is "${prefix}": set it to agent-factory or agent-app.`);
  }
  return { dataAgent: { prefixes: [`/api/${prefix}/v1`] } };
}

function readModel(env: NodeJS.ProcessEnv): Pick<ServerOptions, 'model'> {
  const baseUrl = notEmpty(env['OPENAI_BASE_URL']);
  const model = notEmpty(env['OPENAI_MODEL']);
  const apiKey = env['OPENAI_API_KEY'] ?? '';
  if (model === null) {
    // A key without a URL may be set for another program.
    if (baseUrl === null) return {};
    throw new StartError(
      'OPENAI_BASE_URL is set but OPENAI_MODEL is not: set it to the name of a model.',
    );
  }
  if (baseUrl === null) return { model: { baseUrl: OPENAI, model, apiKey } };
  assertHttpUrl('OPENAI_BASE_URL', baseUrl);
  return { model: { baseUrl, model, apiKey } };
}

function readService(env: NodeJS.ProcessEnv): Pick<ServerOptions, 'service'> {
  const apiKey = notEmpty(env['UBIK_API_KEY']);
  if (apiKey === null) return {};
  const baseUrl = notEmpty(env['UBIK_BASE_URL']);
  if (baseUrl === null) return { service: { apiKey } };
  assertHttpUrl('UBIK_BASE_URL', baseUrl);
  return { service: { apiKey, baseUrl } };
}

function notEmpty(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function readNumber(env: NodeJS.ProcessEnv, name: string, fallback: number, most: number): number {
  const text = notEmpty(env[name]);
  if (text === null) return fallback;
  const value = Number(text);
  if (
    !Number.isFinite(value) ||
    value < 0 ||
    value > most ||
    (name === 'PORT' && !Number.isInteger(value))
  ) {
    throw new StartError(`${name} is "${text}": set it to a number from 0 to ${String(most)}.`);
  }
  return value;
}

function assertHttpUrl(name: string, text: string): void {
  if (!/^https?:\/\//u.test(text) || !URL.canParse(text)) {
    throw new StartError(
      `${name} is "${text}": set it to an address that begins with http:// or https://.`,
    );
  }
}
