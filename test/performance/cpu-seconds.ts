import { executeServerCommand } from '@web/test-runner-commands';

/** CPU seconds of the page's main thread so far. Other processes do not count. */
export const readCpuSeconds = (): Promise<number> => executeServerCommand('cpu-seconds');
