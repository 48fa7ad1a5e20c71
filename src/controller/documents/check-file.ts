import type { UploadLimits } from '../../backends/backend.js';
import type { UploadRefusal } from '../controller-types.js';

export { sanitizeFileName } from '../../model/file-name.js';

/** Why a file may not be uploaded; null when it may. `count` documents are there already. */
export function checkFile(file: File, limits: UploadLimits, count: number): UploadRefusal | null {
  const { maxFiles = Infinity, maxBytes = Infinity, types = [] } = limits;
  if (file.size === 0) return 'empty';
  if (file.size > maxBytes) return 'too-large';
  if (types.length > 0 && !types.some((type) => fits(file, type))) return 'wrong-type';
  return count >= maxFiles ? 'too-many' : null;
}

function fits({ name, type }: File, wanted: string): boolean {
  const want = wanted.trim().toLowerCase();
  if (want.startsWith('.')) return name.toLowerCase().endsWith(want);
  const has = type.toLowerCase();
  return want.endsWith('/*') ? has.startsWith(want.slice(0, -1)) : want === '*' || has === want;
}

const names = new WeakMap<File, string>();

/** Tells files apart that were chosen here, as well as can be told without reading them. Each new one is compared with all others. */
export function identifyFile(file: File): string {
  const known = names.get(file);
  if (known !== undefined) return known;
  const name = JSON.stringify([file.name, file.size, file.lastModified]);
  names.set(file, name);
  return name;
}
