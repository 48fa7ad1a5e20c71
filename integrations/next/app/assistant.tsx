'use client';
import 'ubik-elements/define.js';

const fetchToken = async () => 'token';

export function Assistant({ baseUrl }: { baseUrl: string }) {
  return <ubik-chat base-url={baseUrl} getToken={fetchToken} />;
}
