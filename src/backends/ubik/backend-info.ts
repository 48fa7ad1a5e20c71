import type { Capability } from '../backend.js';
import type { BackendOutline } from '../defer-backend.js';
import type { UbikBackendOptions } from './options.js';

const CAPABILITIES: readonly Capability[] = [
  'threads',
  'rename',
  'delete',
  'stop',
  'rejoin',
  'input',
  'edit',
  'regenerate',
  'branches',
  'checkpoints',
  'documents',
  'upload',
  'link',
  'star',
  'citations',
  'media',
];

/** What is known of the service before anything is asked. */
export function outlineOf({ limits }: UbikBackendOptions): BackendOutline {
  const idleLimit = limits?.idleLimit ?? 45_000;
  return { name: 'ubik', capabilities: new Set(CAPABILITIES), idleLimit };
}
