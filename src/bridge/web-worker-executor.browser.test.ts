import { describeExecutor } from './test-tools/executor-conformance.ts';
import { createWebWorkerExecutor } from './web-worker-executor.ts';

describeExecutor({
  name: 'web',
  create: createWebWorkerExecutor,
  createFrom(text, options) {
    const workerUrl = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    return createWebWorkerExecutor({ ...options, workerUrl, blobFallback: false });
  },
});
