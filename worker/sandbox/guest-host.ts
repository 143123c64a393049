import type { ExecuteRequest } from '../../src/protocol/wire.ts';
import type { ClockRecorder } from './clock-reads.ts';
import type { GuestHost } from './guest.ts';
import { IntlBridge } from './intl-bridge.ts';
import type { Meter } from './meter.ts';
import { listNames, resolveName } from './names.ts';
import { answerUrl } from './url-bridge.ts';

/** Answers what the guest asks during one run. */
export function createGuestHost(request: ExecuteRequest, clock: ClockRecorder, meter: Meter): GuestHost {
  const { names, locale, timeZone } = request;
  const intl = new IntlBridge(locale, timeZone);
  return {
    now: () => clock.read(),
    name: (text) => {
      const [namespace, key] = JSON.parse(text) as [string, string];
      return JSON.stringify(resolveName(names, namespace, key));
    },
    keys: (text) => JSON.stringify(listNames(names, JSON.parse(text) as string)),
    intl: (text) => intl.answer(text),
    url: answerUrl,
    poll: () => meter.poll(),
  };
}
