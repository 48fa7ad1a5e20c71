import { Refusal } from './refusal.js';

/** Calls the integrator's own code. Rejects with a `Refusal` of status 500: what that code throws may say more than a page should know. */
export async function askIntegrator<T>(call: () => T | Promise<T>, failed: string): Promise<T> {
  try {
    return await call();
  } catch {
    throw new Refusal(500, failed);
  }
}
