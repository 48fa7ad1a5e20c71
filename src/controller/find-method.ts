import type { Backend } from '../backends/backend.js';
import type { BackendMethodName } from '../backends/backend-methods.js';
import { UbikError } from '../errors.js';

/** A method of a backend, bound to it; throws `unsupported` where the service lacks it. */
export function findMethod<N extends BackendMethodName>(
  backend: Backend,
  name: N,
): NonNullable<Backend[N]> {
  const method = backend[name] as ((...args: unknown[]) => unknown) | undefined;
  if (!method) throw new UbikError('unsupported', { offender: name });
  return method.bind(backend) as NonNullable<Backend[N]>;
}
