// The keyboard: a cursor over the rows of a page, places to go to, and whatever has its own key (data-press). Never while typing.
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const PLACES = { o: '/', r: '/reviews', w: '/work', t: '/tasks', p: '/pool', a: '/agents', e: '/events', s: '/settings' };
const GO_WITHIN = 900;

const rows = () => $$('[data-row]').filter(row => row.getClientRects().length);
const at = all => all.findIndex(row => row.classList.contains('cur'));
export const current = () => $('[data-row].cur');
const move = by => {
  const all = rows();
  if (!all.length) return;
  const now = at(all), next = now < 0 ? 0 : Math.max(0, Math.min(all.length - 1, now + by));
  all[now]?.classList.remove('cur');
  all[next].classList.add('cur');
  all[next].scrollIntoView({ block: 'nearest' });
};
const open = () => { const row = current(); const link = row && (row.matches('a') ? row : $('a[href]', row)); if (link) location.href = link.href; };

/* Files and findings to jump between. A short one at the end of the page never gets to the top of the window: until somebody scrolls,
   the one that was jumped to is the current one, and marked. */
const TOP = 130;
let jumped = null; // by id, because its element may be replaced
const idOf = stop => stop.id || ($('[id]', stop) || stop.closest('[id]'))?.id;
const below = stop => stop.getBoundingClientRect().top - TOP;
const mark = () => $$('[data-stop]').forEach(stop => stop.classList.toggle('here', jumped !== null && jumped.id === idOf(stop)));
/** The one of these that somebody is at; undefined: they are above all of them. */
export const here = what => { const stops = $$(what); return stops.find(stop => jumped && idOf(stop) === jumped.id) || stops.findLast(stop => below(stop) < 70); };
const hop = (by, what) => {
  const stops = $$(what).filter(stop => stop.getClientRects().length), now = jumped ? stops.findIndex(stop => idOf(stop) === jumped.id) : -1;
  if (!stops.length) return;
  const next = now >= 0 ? now + by : by > 0 ? stops.findIndex(stop => below(stop) > 4) : stops.findLastIndex(stop => below(stop) < -4);
  const stop = stops[next < 0 ? (by > 0 ? stops.length - 1 : 0) : Math.min(next, stops.length - 1)];
  stop.scrollIntoView({ block: 'start' });
  jumped = { id: idOf(stop), at: scrollY };
  mark();
};
addEventListener('scroll', () => { if (jumped && jumped.at !== scrollY) { jumped = null; mark(); } }, { passive: true });
addEventListener('holdfast:swapped', mark);
const show = id => { const dialog = document.getElementById(id); if (dialog && !dialog.open) { dialog.showModal(); $('input', dialog)?.focus(); } };

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: () => current()?.dispatchEvent(new CustomEvent('holdfast:pick', { bubbles: true, detail: { range: false } })),
  X: () => current()?.dispatchEvent(new CustomEvent('holdfast:pick', { bubbles: true, detail: { range: true } })),
  n: () => hop(1, '[data-stop=finding]'),
  p: () => hop(-1, '[data-stop=finding]'),
  ']': () => hop(1, '[data-stop=file]'),
  '[': () => hop(-1, '[data-stop=file]'),
  T: () => dispatchEvent(new Event('holdfast:theme')),
  '?': () => show('help'),
  '/': e => { e.preventDefault(); $('[data-search]')?.focus(); },
};

let going = 0;
addEventListener('keydown', e => {
  if ((e.ctrlKey || e.metaKey) && e.key === 'k') { e.preventDefault(); show('palette'); return; }
  if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') { const form = e.target.closest?.('form'); if (form) { e.preventDefault(); form.requestSubmit(); } return; }
  const typing = e.target.closest?.('input:not([type=checkbox]), textarea, select, dialog'), dialog = typing?.closest('dialog');
  if (e.ctrlKey || e.metaKey || e.altKey || (typing && (!dialog || dialog.open))) return; // a field in a dialog that was just closed keeps the focus for a moment
  if (going && Date.now() - going < GO_WITHIN && PLACES[e.key]) { location.href = PLACES[e.key]; return; }
  going = 0;
  if (e.key === 'g') { going = Date.now(); return; }
  if (e.key === 'Enter') { if (document.activeElement === document.body) open(); return; }
  const own = $(`[data-press="${CSS.escape(e.key)}"]`);
  if (own) { e.preventDefault(); own.click(); own.focus?.(); return; }
  KEYS[e.key]?.(e);
});
