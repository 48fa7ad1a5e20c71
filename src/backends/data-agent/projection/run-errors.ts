import type { ServiceError } from '../../../errors.js';
import type { PartSpec } from './projected-section.js';
import { asFields } from '../../fields.js';
import { formatJson } from './format-json.js';
import { asString, readFirstNonBlank, isBlank } from './read-json.js';

/** An error without any text. */
const UNDESCRIBED: ServiceError = { description: '', advice: '', code: '' };

/**
 * Reads an error in any of its shapes: `{BaseError: {error_code, description, solution, …}}`, the same without the envelope, `{type,
 * error}`, `{error: "text"}`, and a string. Null when there is none. Missing fields are empty.
 */
export function readRunError(value: unknown): ServiceError | null {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return { ...UNDESCRIBED, description: value };
  const record = asFields(value);
  if (!record) return UNDESCRIBED;
  const inner = record['BaseError'] ?? record['error'];
  const error = (isBlank(inner) ? null : readRunError(inner)) ?? UNDESCRIBED;
  return {
    description: readFirstNonBlank(record, 'description', 'message') || error.description,
    advice: asString(record['solution']).trim() || error.advice,
    code: readFirstNonBlank(record, 'error_code', 'code') || error.code,
  };
}

/** Reads the error of an HTTP error response. Null unless it has both a code and a description: a code alone does not help the user. */
export function readResponseError(body: unknown): ServiceError | null {
  const error = asFields(body) && readRunError(body);
  return error && error.description !== '' && error.code !== '' ? error : null;
}

/**
 * Derives the error of a run from the two places where the service reports it, `error` and `message.ext.error`, as one part whose details
 * contain both reports. A report without a description only contributes its code, and only if the other one has none. A stored answer has
 * no `error` (Data Agent 7), so after a reload only `message.ext.error` is shown.
 */
export function deriveRunError(error: unknown, extensionError: unknown): PartSpec[] {
  const errors = [readRunError(error), readRunError(extensionError)].filter(
    (each) => each !== null,
  );
  const described = errors.find(({ description }) => description !== '') ?? errors[0];
  if (!described) return [];
  const { description: message, advice } = described;
  const { code } = described.code ? described : (errors.find((each) => each.code) ?? described);
  const isSingle = errors.length === 1;
  const report = isBlank(error) ? extensionError : error;
  const details = formatJson(isSingle ? report : { error, 'ext.error': extensionError });
  return [
    {
      key: 'error',
      fields: {
        kind: 'error',
        message,
        details,
        ...(code !== '' && { code }),
        ...(advice !== '' && { advice }),
      },
    },
  ];
}
