import type { ServiceError } from '../../../errors.js';
import type { PartSpec } from './view-section.js';
import { asFields } from '../../fields.js';
import { asText, findText, isBlank, printJson } from './read-json.js';

/** An error without a description. */
const UNDESCRIBED: ServiceError = { description: '', advice: '', code: '' };

/**
 * Reads an error in any of its shapes: `{BaseError: {error_code, description, solution, …}}`, the same without its envelope,
 * `{type, error}`, `{error: "text"}`, and a text. Null when there is none. A field that the error lacks is empty.
 */
export function readRunError(value: unknown): ServiceError | null {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return { ...UNDESCRIBED, description: value };
  const record = asFields(value);
  if (!record) return UNDESCRIBED;
  const inner = record['BaseError'] ?? record['error'];
  const error = (isBlank(inner) ? null : readRunError(inner)) ?? UNDESCRIBED;
  return {
    description: findText(record, 'description', 'message') || error.description,
    advice: asText(record['solution']).trim() || error.advice,
    code: findText(record, 'error_code', 'code') || error.code,
  };
}

/** Reads the error of a response that is not a success. Null unless the service describes it: a bare code says nothing to a user. */
export function readResponseError(body: unknown): ServiceError | null {
  const error = asFields(body) && readRunError(body);
  return error && error.description !== '' && error.code !== '' ? error : null;
}

/**
 * Derives the error of a run from the places where the service reports it, `error` and `message.ext.error`: one part, whose details
 * hold all that is reported. A report without a description only adds its code, when the other one has none. A stored answer has no
 * `error` (6.1), so after a reload the part has what `message.ext.error` says.
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
  const details = printJson(isSingle ? report : { error, 'ext.error': extensionError });
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
