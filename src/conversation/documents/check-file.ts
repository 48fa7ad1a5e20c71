import type { UploadLimits } from '../../backends/backend.js';

/** Why a file is not sent. `unreadable`: a folder, or something that has no bytes to send. */
export type Refusal =
  'empty' | 'too-large' | 'wrong-type' | 'too-many' | 'duplicate' | 'unreadable';

/** Why a file may not be uploaded; null when it may. `count` documents are there already. */
export function checkFile(file: File, limits: UploadLimits, count: number): Refusal | null {
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

/** What nobody sees but what changes a name: control characters, and those that turn or hide text. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The name of a file as it may be shown and sent: without folders and hidden characters; empty when nothing is left. */
export function cleanName(name: string): string {
  const last = name.replace(HIDDEN, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? '' : last.slice(-200);
}

/** Tells files apart that were chosen here, as well as can be told without reading them. */
export function nameFile({ name, size, lastModified }: File): string {
  return JSON.stringify([name, size, lastModified]);
}
