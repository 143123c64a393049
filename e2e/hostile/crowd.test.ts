import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import { describeCrowd } from './crowd.ts';

describeCrowd(createNodeExecutor);
