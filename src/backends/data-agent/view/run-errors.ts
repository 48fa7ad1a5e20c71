import type { PartSpec } from './view-section.js';
import { asFields } from '../../fields.js';
import { asText, findText, isBlank, printJson } from './read-json.js';

/** What the service says about a failure, in the language that was asked for by `x-language`. */
export interface RunError {
  /** What happened and what to do; empty when the service gives a code only. */
  readonly message: string;
  /** The service's code; empty when it gives none. */
  readonly code: string;
}

/**
 * Reads an error in any of its shapes: `{BaseError: {error_code, description, solution, …}}`, the same without its envelope,
 * `{type, error}`, `{error: "text"}`, and a text. Null when there is none.
 */
export function readRunError(value: unknown): RunError | null {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return { message: value, code: '' };
  const record = asFields(value);
  if (!record) return { message: '', code: '' };
  const inner = record['BaseError'] ?? record['error'];
  const error = isBlank(inner) ? null : readRunError(inner);
  const sentences = [findText(record, 'description', 'message'), asText(record['solution'])];
  const message = sentences.filter((sentence) => sentence.trim() !== '').join(' ');
  const code = findText(record, 'error_code', 'code');
  return { message: message || (error?.message ?? ''), code: code || (error?.code ?? '') };
}

/**
 * Derives the error of a run from the places where the service reports it, `error` and `message.ext.error`: one part, whose details
 * hold all that is reported. A report without a description adds nothing to the message.
 */
export function deriveRunError(error: unknown, extensionError: unknown): PartSpec[] {
  const errors = [readRunError(error), readRunError(extensionError)].filter(
    (each) => each !== null,
  );
  const [first] = errors;
  if (!first) return [];
  const { message } = errors.find((each) => each.message !== '') ?? first;
  const isSingle = errors.length === 1;
  const report = isBlank(error) ? extensionError : error;
  const details = printJson(isSingle ? report : { error, 'ext.error': extensionError });
  return [{ key: 'error', fields: { kind: 'error', message, details } }];
}
