export * from '../markdown/markdown-view.js';
