import type { ServerOptions } from '../server.js';

const TIME_LIMIT_MS = 5000;

/** Returns a sentence for each service that the server depends on and that cannot be reached. Any response counts as reached. */
export async function findUnreachable({ service, model }: ServerOptions): Promise<string[]> {
  const addresses: (readonly [setting: string, url: string])[] = [];
  if (service?.baseUrl !== undefined) addresses.push(['UBIK_BASE_URL', service.baseUrl]);
  if (model !== undefined) addresses.push(['OPENAI_BASE_URL', model.baseUrl]);
  const problems = await Promise.all(
    addresses.map(async ([setting, url]) => {
      const reason = await reasonOf(url);
      return reason === null
        ? []
        : [`${url} cannot be reached (${reason}): start the service, or correct ${setting}.`];
    }),
  );
  return problems.flat();
}

async function reasonOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    await response.body?.cancel();
    return null;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : null;
    return typeof cause?.code === 'string' ? cause.code : 'no response';
  }
}
