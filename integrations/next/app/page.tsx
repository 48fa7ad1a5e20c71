import { Assistant } from './assistant';

// The address of the service is read when the server runs, not when the app is built.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <Assistant baseUrl={`${process.env.SERVICE_URL}/api/v1`} />;
}
