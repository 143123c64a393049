/** Loads what pages load later, so that a test of a view need not wait for it. */
import { editParts } from '../approval/edit-parts.ts';
import { highlighter } from '../program/tokens.ts';
import { runPhases } from '../trace/CodeModeRun.tsx';
import { traceView } from '../trace/TracePanel.tsx';

await Promise.all([editParts.load(), highlighter.load(), traceView.load(), runPhases.load()]);
