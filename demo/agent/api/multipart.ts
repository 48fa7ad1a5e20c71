import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './api-error.js';
import { readBytes } from './body.js';

/** One file of a form. */
export interface FormFile {
  readonly name: string;
  readonly type: string | null;
  readonly bytes: Uint8Array;
}

/** The content of a form. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, FormFile>;
}

/** Parses a multipart form with the platform's parser. Rejects a body over the limit. */
export async function readForm(request: IncomingMessage, limit: number): Promise<Form> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/iu.test(type)) {
    throw invalidRequest([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);
  }
  const bytes = await readBytes(request, limit);
  const form = await parse(bytes, type);
  const fields = new Map<string, string>();
  const files = new Map<string, FormFile>();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.set(name, value);
    else {
      const content = new Uint8Array(await value.arrayBuffer());
      files.set(name, { name: value.name, type: value.type || null, bytes: content });
    }
  }
  return { fields, files };
}

async function parse(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    throw new ApiError(400, 'There was an error parsing the body');
  }
}

/**
 * Returns a file name without folders, control characters and bidirectional controls. Of a long name, the last 200 characters remain, with the
 * extension.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? '';
  const clean = last.replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  const safe = clean === '.' || clean === '..' || clean === '' ? 'file' : clean;
  return safe.slice(-200);
}
