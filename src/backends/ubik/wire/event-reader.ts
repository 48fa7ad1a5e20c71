import { UbikError, type UbikErrorCode } from '../../../errors.js';
import { isDeeperThan } from '../../../stream/canonical.js';
import { createDeltaAssembler, type DeltaLimits } from '../../../stream/delta-assembler.js';
import { asFields, readText } from './fields.js';
import { normalise, type Dialect } from './normalise.js';
import type { WireEvent } from './wire-event.js';

/** What an event reader is made from. */
export interface EventReaderOptions {
  /** The session's stream by default. */
  readonly dialect?: Dialect;
  readonly limits?: DeltaLimits | undefined;
  /** Deepest nesting of an event's data: 100. */
  readonly maxDepth?: number | undefined;
  /** Told of what is skipped. */
  readonly onDiagnostic: (error: UbikError) => void;
}

/** Reads the records of one connection. Never throws. */
export interface EventReader {
  /** The event that a record is or completes; null when it is neither. */
  read(record: { readonly event: string; readonly data: string }): WireEvent | null;
  /** The connection ended: what is incomplete is dropped, each with a diagnostic. */
  end(): void;
}

const SPLIT_SUFFIX = '_delta_sse';
/** A split event may be split again once. */
const MAX_JOINS = 2;

/** A reader for a new connection. */
export function createEventReader(options: EventReaderOptions): EventReader {
  return new JoiningReader(options);
}

class JoiningReader implements EventReader {
  readonly #options: EventReaderOptions;
  readonly #deltas: ReturnType<typeof createDeltaAssembler>;

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.#deltas = createDeltaAssembler({
      limits: options.limits,
      onDiagnostic: options.onDiagnostic,
    });
  }

  read({ event, data }: { readonly event: string; readonly data: string }): WireEvent | null {
    // A harmless hint of the end, in the manner of other services.
    if (data.trim() === '[DONE]') return null;
    return this.#parse(event, data, 0);
  }

  end(): void {
    this.#deltas.end();
  }

  #parse(name: string, text: string, joins: number): WireEvent | null {
    const value = asFields(parseJson(text));
    if (!value) return this.#skip('malformed-event', 'An event is no JSON object.', name);
    if (isDeeperThan(value, this.#options.maxDepth ?? 100)) {
      return this.#skip('too-deep', 'An event is nested too deeply.', name);
    }
    const found = normalise(name, value, this.#options.dialect ?? 'session');
    if (!found) return this.#skip('malformed-event', 'An event has no type.', 'type');
    return found.type.endsWith(SPLIT_SUFFIX) ? this.#join(found, joins) : found;
  }

  #join({ type, fields }: WireEvent, joins: number): WireEvent | null {
    if (joins >= MAX_JOINS)
      return this.#skip('unusable-group', 'An event is split too often.', type);
    const text = this.#deltas.add({
      group: fields['chunk_id'],
      index: fields['chunk_index'],
      total: fields['total_chunks'],
      text: fields['chunk_data'],
    });
    if (text === null) return null;
    const original = readText(fields, 'original_event_type') || type.slice(0, -SPLIT_SUFFIX.length);
    return this.#parse(original, text, joins + 1);
  }

  #skip(code: UbikErrorCode, message: string, offender: string): null {
    this.#options.onDiagnostic(new UbikError(code, message, { offender: offender.slice(0, 80) }));
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Any text may come; the caller says that it is malformed.
    return null;
  }
}
