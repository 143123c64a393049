import { APICallError, LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider';
import { NoAnswerError } from './connect-model.ts';

/** What went wrong with the model and what to do, in one or two sentences for the person. */
export function explainFault(error: unknown): string {
  if (error instanceof NoAnswerError) return explainNoAnswer(error);
  if (APICallError.isInstance(error)) {
    if (error.cause instanceof NoAnswerError) return explainNoAnswer(error.cause);
    return explainStatus(error);
  }
  if (NoSuchModelError.isInstance(error) || LoadAPIKeyError.isInstance(error)) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'The model took too long to answer. Try again.';
  return error instanceof Error && error.message ? error.message : 'The model failed without saying why. Try again.';
}

function explainNoAnswer({ host, reached }: NoAnswerError): string {
  return reached
    ? `${host} is there but does not let this page read its answers (CORS). Allow the origin ${location.origin} in its settings.`
    : `${host} cannot be reached. Is the address right, and is the server running?`;
}

function explainStatus({ statusCode, message, responseBody }: APICallError): string {
  switch (statusCode) {
    case 401:
    case 403:
      return `The endpoint refused the key (${statusCode}). Check the key and whether it may use this model.`;
    case 404:
      return 'The endpoint does not know this address or model (404). The address usually ends in /v1.';
    case 429:
      return 'The endpoint is busy or the key has used up its quota (429). Wait a moment and try again.';
    case undefined:
      return `The endpoint could not be asked: ${message}`;
    default:
      return statusCode >= 500
        ? `The endpoint failed (${statusCode}). Try again later.`
        : `The endpoint refused the request (${statusCode}): ${(responseBody || message).slice(0, 300)}`;
  }
}
