import { env } from '$env/dynamic/private';
import { renderTranscript } from 'ubik-elements/transcript.js';
import { createUbikBackend } from 'ubik-elements/ubik.js';

export async function load() {
  const baseUrl = `${env['SERVICE_URL']}/api/v1`;
  const backend = createUbikBackend({ baseUrl, getToken: async () => 'token' });
  const { messages } = await backend.loadThread('s1');
  return { baseUrl, html: await renderTranscript(messages, { id: 'conversation' }) };
}
