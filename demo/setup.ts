/** First import of the page. */
import * as z from 'zod';

// Zod compiles validators with `new Function` where it may; the page's content policy forbids that, so it need not try.
z.config({ jitless: true });
