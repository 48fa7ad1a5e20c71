// Kills its process when it uses too much memory. V8's limits do not count memory outside its heap, such as the bytes to which a
// few kilobytes of a PDF file can be inflated.
import { workerData } from 'node:worker_threads';

setInterval(() => {
  if (process.memoryUsage.rss() > workerData.maxMemory) process.kill(process.pid, 'SIGKILL');
}, 10);
