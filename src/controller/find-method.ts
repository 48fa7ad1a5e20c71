import type { Backend } from '../backends/backend.js';
import { UbikError } from '../errors.js';

/** Names of a backend's methods. */
type MethodName = {
  [N in keyof Backend]-?: NonNullable<Backend[N]> extends (...args: never[]) => unknown ? N : never;
}[keyof Backend];

/** A method of a backend, bound to it; throws `unsupported` where the service lacks it. */
export function findMethod<N extends MethodName>(
  backend: Backend,
  name: N,
): NonNullable<Backend[N]> {
  const method = backend[name] as ((...args: unknown[]) => unknown) | undefined;
  if (!method) throw new UbikError('unsupported', { offender: name });
  return method.bind(backend) as NonNullable<Backend[N]>;
}
