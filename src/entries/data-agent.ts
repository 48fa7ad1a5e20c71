export * from '../backends/data-agent/index.js';
