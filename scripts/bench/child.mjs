// A child process of the benchmark: plays the subject that its argument names.
import { pathToFileURL } from 'node:url';

const [, , bundle = '', loader = '', subject = ''] = process.argv;
const { serve } = await import(pathToFileURL(bundle).href);
const { load } = await import(pathToFileURL(loader).href);
serve(subject, load);
