import { isJsonObject, type JsonObject } from '../json.js';
import { invalidRequest, type FieldError } from './api-error.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Reads the fields of a request and collects validation errors. Call `throwIfInvalid` before using the values: the value of an invalid field is
 * arbitrary.
 */
export class Fields {
  readonly #values: JsonObject;
  readonly #place: string;
  readonly #errors: FieldError[] = [];

  /**
   * @param values The received values.
   * @param place Location of the values, for error messages.
   */
  constructor(values: unknown, place: 'body' | 'query' | 'path') {
    this.#place = place;
    this.#values = isJsonObject(values) ? values : {};
    if (!isJsonObject(values)) {
      this.#addError([], 'Input should be a valid dictionary', 'model_attributes_type');
    }
  }

  /** A required string. */
  text(name: string, bounds: { readonly min?: number; readonly max?: number } = {}): string {
    if (this.#values[name] === undefined || this.#values[name] === null) {
      this.#addError([name], 'Field required', 'missing');
      return '';
    }
    return this.optionalText(name, bounds) ?? '';
  }

  /** A string that may be missing or null. */
  optionalText(
    name: string,
    bounds: { readonly min?: number; readonly max?: number } = {},
  ): string | null {
    const value = this.#values[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') {
      this.#addError([name], 'Input should be a valid string', 'string_type');
      return null;
    }
    if (value.length < (bounds.min ?? 0)) {
      const least = bounds.min === 1 ? '1 character' : `${String(bounds.min)} characters`;
      this.#addError([name], `String should have at least ${least}`, 'string_too_short');
    }
    if (value.length > (bounds.max ?? Infinity)) {
      const most = String(bounds.max);
      this.#addError([name], `String should have at most ${most} characters`, 'string_too_long');
    }
    return value;
  }

  /** A required UUID. */
  uuid(name: string): string {
    const value = this.text(name);
    const isText = typeof this.#values[name] === 'string';
    if (isText && !isUuid(value)) this.#addUuidError([name]);
    return value;
  }

  /** A UUID that may be missing or null. */
  optionalUuid(name: string): string | null {
    const value = this.optionalText(name);
    if (value !== null && !isUuid(value)) this.#addUuidError([name]);
    return value;
  }

  /** A list of UUIDs; empty if it is optional and missing or null. */
  uuids(name: string, required: boolean): string[] {
    const value = this.#values[name] ?? null;
    if (value === null) {
      if (required) this.#addError([name], 'Field required', 'missing');
      return [];
    }
    if (!Array.isArray(value)) {
      this.#addError([name], 'Input should be a valid list', 'list_type');
      return [];
    }
    value.forEach((item, index) => {
      if (typeof item !== 'string' || !isUuid(item)) this.#addUuidError([name, index]);
    });
    return value.filter((item): item is string => typeof item === 'string');
  }

  /** A boolean; `fallback` if it is missing or null. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#values[name] ?? null;
    if (value === null) return fallback;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    this.#addError([name], 'Input should be a valid boolean', 'bool_parsing');
    return fallback;
  }

  /** A required boolean. */
  requiredFlag(name: string): boolean {
    if ((this.#values[name] ?? null) === null) this.#addError([name], 'Field required', 'missing');
    return this.flag(name, false);
  }

  /** An integer between two bounds; `fallback` if it is missing or null. */
  integer(name: string, fallback: number, least: number, most: number): number {
    const value = this.#values[name] ?? null;
    if (value === null) return fallback;
    const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
    if (!Number.isInteger(number)) {
      this.#addError([name], 'Input should be a valid integer', 'int_parsing');
      return fallback;
    }
    if (number < least) {
      const limit = String(least);
      this.#addError(
        [name],
        `Input should be greater than or equal to ${limit}`,
        'greater_than_equal',
      );
    } else if (number > most) {
      const limit = String(most);
      this.#addError([name], `Input should be less than or equal to ${limit}`, 'less_than_equal');
    }
    return number;
  }

  /** A JSON object that may be missing or null. */
  optionalObject(name: string): JsonObject | null {
    const value = this.#values[name] ?? null;
    if (value === null) return null;
    if (isJsonObject(value)) return value;
    this.#addError([name], 'Input should be a valid dictionary', 'dict_type');
    return null;
  }

  /** Throws one `ApiError` (422) with all validation errors, if there are any. */
  throwIfInvalid(): void {
    if (this.#errors.length > 0) throw invalidRequest(this.#errors);
  }

  #addUuidError(at: readonly (string | number)[]): void {
    this.#addError(at, 'Input should be a valid UUID', 'uuid_parsing');
  }

  #addError(at: readonly (string | number)[], msg: string, type: string): void {
    this.#errors.push({ loc: [this.#place, ...at], msg, type });
  }
}
