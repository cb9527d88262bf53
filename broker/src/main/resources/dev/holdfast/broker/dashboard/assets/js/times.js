// Times and leases go on between two looks at the broker: nothing on the page stands still and lies.
const EVERY = 5000;

const inWords = seconds => {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 86400 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`;
};

const write = (node, text) => { if (node.textContent !== text) node.textContent = text; };

const rope = (lease, now) => {
  const from = Number(lease.dataset.from), until = Number(lease.dataset.until);
  const left = Math.min(1, Math.max(0, (until - now) / Math.max(1, until - from)));
  const length = (left * 92).toFixed(1);
  lease.querySelectorAll('rect:not(.trk)').forEach(rect => rect.setAttribute('width', length));
  lease.querySelector('.knot')?.setAttribute('cx', length);
  lease.classList.toggle('out', left === 0);
  lease.classList.toggle('low', left > 0 && left < 0.2);
  const says = until < now ? `ran out ${inWords((now - until) / 1000)} ago` : `${inWords((until - now) / 1000)} of ${inWords((until - from) / 1000)} left`;
  lease.setAttribute('aria-label', says);
  const title = lease.querySelector('title');
  if (title) write(title, says);
};

export const retime = (within = document) => {
  const now = Date.now();
  within.querySelectorAll('time[data-ago]').forEach(time => write(time, inWords((now - Date.parse(time.dateTime)) / 1000)));
  within.querySelectorAll('time[data-left]').forEach(time => write(time, inWords((Date.parse(time.dateTime) - now) / 1000)));
  within.querySelectorAll('.lease[data-until]').forEach(lease => rope(lease, now));
};

setInterval(() => { if (!document.hidden) retime(); }, EVERY);
