import type { UploadLimits } from '../../backends/backend.js';
import type { UploadRefusal } from '../controller-types.js';

// Elements import only types from `model`.
export { sanitizeFileName } from '../../model/file-name.js';

/** Returns why a file must not be uploaded: it is empty or exceeds a limit; null when it may be. `count`: the number of documents so far. */
export function checkFile(file: File, limits: UploadLimits, count: number): UploadRefusal | null {
  const { maxFiles = Infinity, maxBytes = Infinity, types = [] } = limits;
  if (file.size === 0) return 'empty';
  if (file.size > maxBytes) return 'too-large';
  if (types.length > 0 && !types.some((type) => matchesType(file, type))) return 'wrong-type';
  return count >= maxFiles ? 'too-many' : null;
}

/** Whether a file matches an extension (`.pdf`), a media type, `image/*` or `*`. */
function matchesType({ name, type }: File, accepted: string): boolean {
  const pattern = accepted.trim().toLowerCase();
  if (pattern.startsWith('.')) return name.toLowerCase().endsWith(pattern);
  const media = type.toLowerCase();
  if (pattern.endsWith('/*')) return media.startsWith(pattern.slice(0, -1));
  return pattern === '*' || media === pattern;
}

const identities = new WeakMap<File, string>();

/**
 * Returns a string that identifies a file by its metadata, without reading it. Cached, because each new file is compared with all others.
 */
export function identifyFile(file: File): string {
  const cached = identities.get(file);
  if (cached !== undefined) return cached;
  const identity = JSON.stringify([file.name, file.size, file.lastModified]);
  identities.set(file, identity);
  return identity;
}
