import type { Edits } from './edits.ts';
import type { Node } from './ast.ts';
export function blankTypes(_p: Node, _t: string, _e: Edits): { message: string; offset: number } | undefined { return undefined; }
