/** The worker's one file starts here, in a web worker as in a thread of Node. */
import { expose } from 'comlink';
import type { Greeting } from '../src/protocol/control.ts';
import { createControl } from './entry-control.ts';
import { findHost } from './entry-host.ts';

const host = findHost();
expose(createControl(host), host.endpoint);
const greeting: Greeting = 'codemode:up';
host.post(greeting);
