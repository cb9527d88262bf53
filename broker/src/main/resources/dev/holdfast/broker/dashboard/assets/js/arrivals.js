// New rows of a scrolled list wait behind a button, so that nothing moves while somebody reads. They appear on request, or when the
// beginning of the list is in view again.
import { refresh } from './live.js';
import { isScrolled } from './swap.js';

const box = document.getElementById('arrivals'), waiting = new Map();

const come = region => { region.dataset.late = 'show'; return refresh(); };
const button = region => {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'btn pri';
  made.addEventListener('click', async () => { await come(region); region.scrollIntoView({ block: 'start' }); });
  box.append(made);
  return made;
};

addEventListener('holdfast:swapped', e => {
  const region = e.target, late = region.dataset.late;
  if (late && !waiting.has(region)) waiting.set(region, button(region));
  if (late) waiting.get(region).textContent = `${late} new`;
  waiting.forEach((made, one) => { if (!one.isConnected || !one.dataset.late) { made.remove(); waiting.delete(one); } });
});
addEventListener('scroll', () => waiting.forEach((_, region) => { if (region.dataset.late !== 'show' && !isScrolled(region)) come(region); }), { passive: true });
