import type { Json } from '../../model/json.js';

/** Whether a JSON Schema marks a value as secret, which is masked and never stored. */
export function isSecretSchema(schema: Json | undefined): boolean {
  const { format, writeOnly } = Object(schema) as { format?: Json; writeOnly?: Json };
  return format === 'password' || writeOnly === true;
}

/** Whether a JSON Schema marks a value or one of its properties, at any level, as secret. */
export function hasSecret(schema: Json | undefined): boolean {
  const { properties } = Object(schema) as { properties?: Json };
  return isSecretSchema(schema) || Object.values(Object(properties) as object).some(hasSecret);
}
