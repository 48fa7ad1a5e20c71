// Ends its process when that takes too much memory. The limits of V8 do not count what lies outside of its heap: the bytes that a
// few kilobytes of a PDF file can be inflated to.
import { workerData } from 'node:worker_threads';

setInterval(() => {
  if (process.memoryUsage.rss() > workerData.mostMemory) process.kill(process.pid, 'SIGKILL');
}, 10);
