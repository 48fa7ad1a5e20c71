import type { StreamFault } from '../agent/wire/connection.js';
import type { Fault } from './fault.js';

const END = /agent_processing_(?:complete|error)|"action":"end"/u;

/** An error of the executor, which the Data Agent server forwards unchanged. */
const RAW_ERROR =
  'data: {"HTTPCode":500,"BaseError":{"error_code":"AgentAPP.InternalError","description":"Internal error.","solution":"Try again later."}}\n\n';

/** Malformed records and events of unknown types. None may change the answer. */
const MALFORMED_RECORDS: readonly string[] = [
  'data: {this is not json\n\n',
  'data: null\n\n',
  'data: []\n\n',
  'data: "text"\n\n',
  'data: {"type":"something_new","content":"from the future"}\n\n',
  'data: {"type":"__proto__","content":"x"}\n\n',
  'event: constructor\ndata: {"constructor":{"prototype":{"polluted":true}}}\n\n',
  'data: {"type":"response_chunk"}\n\n',
  'data: {"type":"response_chunk_delta_sse","chunk_id":"__proto__","chunk_index":0,"total_chunks":2,"chunk_data":"{}"}\n\n',
  'data: {"type":"tool_update","tool_execution_id":null,"tool_name":17,"data":"odd"}\n\n',
  ': just a comment\n\n',
  'unknown-field: x\n\n',
];

/** Creates a fault of one stream. */
export function createStreamFault(fault: Fault): StreamFault {
  let records = 0;
  let bytes = 0;
  return {
    contentType: fault.kind === 'content-type' ? (fault.contentType ?? '') : null,
    throttle:
      fault.kind === 'drip'
        ? { bytes: Math.max(1, fault.bytes ?? 1), milliseconds: fault.milliseconds ?? 5 }
        : null,
    apply: (text, kind) => {
      if (kind === 'comment') return [text];
      records += 1;
      const before = bytes;
      bytes += Buffer.byteLength(text);
      const due = isDue(fault, records, bytes);
      switch (fault.kind) {
        case 'cut':
          // A cut inside a record writes the beginning of the record first.
          if (!due) return [text];
          return fault.events === undefined ? cutInside(text, fault, before) : 'cut';
        case 'end':
          return due ? 'end' : [text];
        case 'stall':
          return due ? 'hold' : [text];
        case 'duplicate':
          return [text, text];
        case 'malformed':
          return [MALFORMED_RECORDS[records % MALFORMED_RECORDS.length] ?? '', text];
        case 'raw-error':
          return records === (fault.events ?? 0) + 1 ? [RAW_ERROR, text] : [text];
        case 'never-end':
          return END.test(text) ? [] : [text];
        default:
          return [text];
      }
    },
  };
}

function isDue(fault: Fault, records: number, bytes: number): boolean {
  if (fault.events !== undefined) return records > fault.events;
  return bytes > (fault.bytes ?? 0);
}

function cutInside(text: string, fault: Fault, before: number): 'cut' | readonly Uint8Array[] {
  const left = (fault.bytes ?? 0) - before;
  return left > 0 ? [Buffer.from(text).subarray(0, left)] : 'cut';
}
