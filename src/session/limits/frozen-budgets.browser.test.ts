import { createWebWorkerExecutor } from '../../bridge/web-worker-executor.ts';
import { describeFrozenBudgets } from '../test-tools/frozen-budgets.ts';

describeFrozenBudgets('web', createWebWorkerExecutor);
