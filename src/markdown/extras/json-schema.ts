import { Validator } from '@cfworker/json-schema';

/**
 * Validates a value against a JSON Schema (draft 2020-12). Returns why it does not match, in English: the path and the rule of the innermost
 * value that is wrong; empty when it matches.
 */
export function validateBySchema(value: unknown, schema: object): string {
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
  if (valid) return '';
  // Errors of enclosing values come first and only say that something in them is wrong.
  const innermost = errors.reduce((deepest, error) =>
    depthOf(error.instanceLocation) > depthOf(deepest.instanceLocation) ? error : deepest,
  );
  return `${innermost.instanceLocation}: ${innermost.error}`;
}

const depthOf = (location: string): number => location.split('/').length;
