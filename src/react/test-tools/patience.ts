/** Setup of tests that wait for what a busy machine does when it comes to it: the bounds are for failures only. */
import { configure } from '@testing-library/react';
import { vi } from 'vitest';

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
