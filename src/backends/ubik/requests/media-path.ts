import { encodePath } from '../../../stream/http.js';

/** Where the files stand that tools have made: `assets/tools/{tool}/{execution}/{file}`, on whatever host the service names. */
const ASSET = /(?:^|\/)assets\/tools\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)(?:[?#].*)?$/;

/** The path of a tool's file below our own base URL; null when the address is of something else. */
export function toAssetPath(url: string): string | null {
  const match = ASSET.exec(url);
  const [tool, execution, file] = (match?.slice(1) ?? []).map(decode);
  if (!tool || !execution || !file) return null;
  return assetPath(tool, execution, file);
}

/** The path of a tool's file below the base URL. */
export function assetPath(toolId: string, executionId: string, fileName: string): string {
  return encodePath`/assets/tools/${toolId}/${executionId}/${fileName}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A per cent sign that escapes nothing is itself.
    return segment;
  }
}
