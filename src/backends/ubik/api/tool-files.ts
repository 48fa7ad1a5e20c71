import { sanitizeFileName } from '../../../model/file-name.js';
import type { ToolFile } from '../../../model/part.js';
import { encodePath } from '../../../transport/http.js';
import { asFields, readString, type Fields } from '../../fields.js';

/** Base URLs of the service. Results refer to files under them, even if the page reaches the service through a proxy. */
const SERVICE_URLS = ['https://app.ubik-agent.com/api/v1', 'https://api.ubik-agent.com/v1'];
/** The documented route of files: tool id, execution id, file name. */
const ROUTE = '/assets/tools/';

/**
 * Characters that a decoded segment must not contain: separators and escapes that a server or proxy may read as another path, and characters
 * that disguise a file name. A segment must not be empty, `.` or `..`, either.
 */
const UNSAFE = /[/\\?#;]|%[\da-f]{2}|\p{Cc}|\p{Bidi_Control}|\p{Surrogate}|^\.{0,2}$/iu;

/**
 * Returns the path of a tool's file below the base URL; null for any other URL. Compares text and resolves nothing, so that dots, escapes,
 * backslashes and queries cannot lead elsewhere.
 *
 * @param baseUrl absolute, without a trailing slash
 */
export function parseToolFilePath(url: string, baseUrl: string): string | null {
  const roots = [baseUrl, baseUrl.replace(/^\w+:\/\/[^/]*/, ''), ...SERVICE_URLS];
  const root = roots.find((each) => url.startsWith(each + ROUTE));
  if (root === undefined || /[?#]/.test(url)) return null;
  return toPath(
    url
      .slice(root.length + ROUTE.length)
      .split('/')
      .map(decode),
  );
}

/** Finds the files in the result of a tool, in order and at any depth. Sends no request. */
export function findToolFiles(result: string, baseUrl: string): readonly ToolFile[] {
  const found: ToolFile[] = [];
  if (!result.includes('media_reference')) return found;
  try {
    JSON.parse(result, (_key, value: unknown) => {
      const fields = asFields(value);
      const file = fields?.['type'] === 'media_reference' && toFile(fields, baseUrl);
      if (file) found.push(file);
      return value;
    });
  } catch {
    // Not JSON, or nested deeper than the parser supports.
  }
  return found;
}

/** Builds the path from the ids. `url` may refer to another host, so it is used only when an id or the name is missing or unsafe. */
function toFile(fields: Fields, baseUrl: string): ToolFile | null {
  const [tool, execution, name, url] = ['tool_id', 'execution_id', 'asset_filename', 'url'].map(
    (field) => readString(fields, field) ?? '',
  ) as [string, string, string, string];
  const path = toPath([tool, execution, name]) ?? parseToolFilePath(url, baseUrl);
  if (path === null)
    return url ? { name: sanitizeFileName(name), address: url, stored: false } : null;
  const file = decode(path.slice(path.lastIndexOf('/') + 1)) ?? '';
  return { name: sanitizeFileName(file), address: baseUrl + path, stored: true };
}

function toPath(segments: readonly (string | null)[]): string | null {
  const [tool, execution, name, ...more] = segments.map((segment) =>
    segment === null || UNSAFE.test(segment) ? null : segment,
  );
  if (tool == null || execution == null || name == null || more.length > 0) return null;
  return encodePath`/assets/tools/${tool}/${execution}/${name}`;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A percent sign starts no valid escape.
    return null;
  }
}
