import { createNodeExecutor } from '../../bridge/node-worker-executor.ts';
import { describeFrozenBudgets } from '../test-tools/frozen-budgets.ts';

describeFrozenBudgets('node', createNodeExecutor);
