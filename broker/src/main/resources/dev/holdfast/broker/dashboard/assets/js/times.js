// Times and leases keep running between two fetches, so that nothing on the page goes stale.
const EVERY = 5000, IN_A_FRAME = 4;

const inWords = seconds => {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 86400 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`;
};

const write = (node, text) => { if (node.textContent !== text) node.textContent = text; };

const set = (node, name, value) => { if (node && node.getAttribute(name) !== value) node.setAttribute(name, value); };

const rope = (lease, now) => {
  const from = Number(lease.dataset.from), until = Number(lease.dataset.until);
  const left = Math.min(1, Math.max(0, (until - now) / Math.max(1, until - from)));
  const length = (left * 92).toFixed(1);
  lease.querySelectorAll('rect:not(.trk)').forEach(rect => set(rect, 'width', length));
  set(lease.querySelector('.knot'), 'cx', length);
  lease.classList.toggle('out', left === 0);
  lease.classList.toggle('low', left > 0 && left < 0.2);
  const says = until < now ? `ran out ${inWords((now - until) / 1000)} ago` : `${inWords((until - now) / 1000)} of ${inWords((until - from) / 1000)} left`;
  set(lease, 'aria-label', says);
  const title = lease.querySelector('title');
  if (title) write(title, says);
};

const MOVING = 'time[data-ago], time[data-left], .lease[data-until]';
const move = (node, now) => {
  if (node.dataset.until) rope(node, now);
  else write(node, inWords((node.dataset.left === undefined ? now - Date.parse(node.dateTime) : Date.parse(node.dateTime) - now) / 1000));
};

export const retime = within => { const now = Date.now(); within.querySelectorAll(MOVING).forEach(node => move(node, now)); };

/* A page of a thousand rows is updated over several frames, so that it never freezes. */
const tick = () => {
  const now = Date.now(), all = document.querySelectorAll(MOVING);
  let next = 0;
  const some = () => {
    const until = performance.now() + IN_A_FRAME;
    while (next < all.length && performance.now() < until) move(all[next++], now);
    if (next < all.length) requestAnimationFrame(some);
  };
  some();
};

setInterval(() => { if (!document.hidden) tick(); }, EVERY);
