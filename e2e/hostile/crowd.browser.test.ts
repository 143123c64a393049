import { createWebWorkerExecutor } from '../../src/bridge/web-worker-executor.ts';
import { describeCrowd } from './crowd.ts';

describeCrowd(createWebWorkerExecutor);
