import { renderTranscript } from 'ubik-elements/transcript.js';
import { createUbikBackend } from 'ubik-elements/ubik.js';
import { LiveTranscript } from './live-transcript';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const baseUrl = `${process.env.SERVICE_URL}/api/v1`;
  const backend = createUbikBackend({ baseUrl, getToken: async () => 'token' });
  const { messages } = await backend.loadThread('s1');
  const html = await renderTranscript(messages, { id: 'conversation' });
  return (
    <main>
      <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
      <LiveTranscript baseUrl={baseUrl} />
    </main>
  );
}
