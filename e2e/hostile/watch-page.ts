/** The longest time in which the page did nothing else, ms. */
export function watchPage(): () => number {
  let last = performance.now();
  let worst = 0;
  const look = (): void => {
    worst = Math.max(worst, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 5);
  return () => {
    look();
    clearInterval(timer);
    return worst;
  };
}
