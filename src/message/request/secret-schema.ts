import type { Json } from '../../model/json.js';

/** Whether a JSON Schema marks a value as secret, which is masked and never stored. */
export function isSecretSchema(schema: Json | undefined): boolean {
  const { format, writeOnly } = Object(schema) as { format?: Json; writeOnly?: Json };
  return format === 'password' || writeOnly === true;
}

/** Whether a JSON Schema marks a value or a part of it, at any level, as secret. */
export function hasSecret(schema: Json | undefined): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return isSecretSchema(schema) || Object.values(schema).some(hasSecret);
}
