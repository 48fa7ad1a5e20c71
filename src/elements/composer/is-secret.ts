import type { Json } from '../../model/json.js';

/** Whether a question asks for something that nobody should read over a shoulder or find later, as its JSON schema says. */
export function isSecret(schema: Json | undefined): boolean {
  const { format, writeOnly } = Object(schema) as { format?: Json; writeOnly?: Json };
  return format === 'password' || writeOnly === true;
}
