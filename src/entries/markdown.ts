export * from '../markdown/markdown.js';
