// Loads the actions that the controller and the backends import on demand, so that tests with scripted time need not wait for the file system.
import '../../src/backends/data-agent/run/provide-input.js';
import '../../src/controller/checkpoints/checkpoint-actions.js';
import '../../src/controller/documents/document-actions.js';
import '../../src/controller/documents/upload-queue.js';
