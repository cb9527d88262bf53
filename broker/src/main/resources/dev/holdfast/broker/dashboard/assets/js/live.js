// One event stream per page. It only says that something has changed; the page then reads itself again and swaps the regions
// that differ, but never one that somebody types in.
import { retime } from './times.js';

const SILENCE = 10000, SLOWEST = 30000;
const body = document.body, live = document.getElementById('live'), strip = document.getElementById('stale');
let source = null, heard = Date.now(), pause = 1000, nextTry = 0, timer = 0, reading = null, again = false;

/* ---- swapping ---- */

const fields = region => [...region.querySelectorAll('input, textarea, select')];
const typed = field => field.type === 'checkbox' || field.type === 'radio' ? false
  : field.tagName === 'SELECT' ? [...field.options].some(o => o.selected !== o.defaultSelected) : field.type !== 'hidden' && field.value !== field.defaultValue;
const writing = region => region.contains(document.activeElement) && document.activeElement.matches('input:not([type=checkbox]), textarea, select');
const selected = region => { const s = getSelection(); return s && !s.isCollapsed && region.contains(s.anchorNode); };
const busy = region => writing(region) || selected(region) || fields(region).some(typed) || region.querySelector('dialog[open]');

const sign = node => node.id || node.dataset.key || node.getAttribute('href') || `${node.name || ''}=${node.value || ''}:${node.textContent.trim()}`;
const keep = (old, fresh) => {
  const rows = new Map([...old.querySelectorAll('[data-key]')].map(row => [row.dataset.key, row]));
  fresh.querySelectorAll('[data-key]').forEach(row => {
    const before = rows.get(row.dataset.key);
    if (!before) { if (rows.size) row.classList.add('n-new'); return; }
    if (before.classList.contains('cur')) row.classList.add('cur');
    const was = before.querySelector('input[type=checkbox]'), is = row.querySelector('input[type=checkbox]');
    if (was?.checked && is) { is.checked = true; row.setAttribute('aria-selected', 'true'); }
  });
  const open = new Set([...old.querySelectorAll('details[open][id]')].map(d => d.id));
  fresh.querySelectorAll('details[id]').forEach(d => { if (open.has(d.id)) d.open = true; });
};

const swap = (old, fresh, looks) => {
  sent.set(fresh.dataset.region, looks);
  const focused = old.contains(document.activeElement) ? sign(document.activeElement) : null;
  const scrolled = [...old.querySelectorAll('[data-scroll]')].map(e => [e.dataset.scroll, e.scrollTop, e.scrollLeft]);
  keep(old, fresh);
  old.replaceWith(fresh);
  scrolled.forEach(([name, top, left]) => fresh.querySelector(`[data-scroll="${CSS.escape(name)}"]`)?.scrollTo(left, top));
  if (focused) [...fresh.querySelectorAll('a, button, summary, input')].find(e => sign(e) === focused)?.focus({ preventScroll: true });
  window.htmx?.process(fresh);
  fresh.dispatchEvent(new CustomEvent('holdfast:swapped', { bubbles: true }));
};

const waiting = new Map();
const postpone = (old, fresh, looks) => {
  waiting.set(old, [fresh, looks]);
  if (old.querySelector(':scope > .newer')) return;
  const note = document.createElement('button');
  note.type = 'button';
  note.className = 'newer btn sm';
  note.textContent = 'There is a newer version. Show it';
  note.addEventListener('click', () => { const latest = waiting.get(old); waiting.delete(old); swap(old, ...latest); });
  old.prepend(note);
};

/* What a region looked like as the broker sent it: what somebody folded, opened or began to write since is no news. */
const sent = new Map();
const shape = region => { const copy = region.cloneNode(true); copy.querySelectorAll('.newer').forEach(n => n.remove()); copy.querySelectorAll('time[data-ago], time[data-left]').forEach(t => { t.textContent = ''; }); copy.querySelectorAll('.lease').forEach(l => { l.replaceChildren(); l.removeAttribute('aria-label'); l.removeAttribute('class'); }); copy.querySelectorAll('.cur, .n-new').forEach(r => r.classList.remove('cur', 'n-new')); copy.querySelectorAll('[aria-selected]').forEach(r => r.removeAttribute('aria-selected')); return copy.innerHTML.replaceAll(' class=""', ''); };

/** Reads the page again and shows what is new in it. */
export const refresh = async () => {
  if (reading) { again = true; return reading; }
  reading = (async () => {
    const response = await fetch(location.href, { headers: { 'Holdfast-Live': '1' }, cache: 'no-store', credentials: 'same-origin' });
    if (!response.ok && response.status !== 404) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    document.title = fresh.title;
    body.dataset.fresh = fresh.body.dataset.fresh;
    fresh.querySelectorAll('[data-region]').forEach(region => {
      const old = document.querySelector(`[data-region="${CSS.escape(region.dataset.region)}"]`);
      const looks = shape(region);
      if (!old || sent.get(region.dataset.region) === looks) return;
      if (busy(old)) postpone(old, document.adoptNode(region), looks); else swap(old, document.adoptNode(region), looks);
    });
    retime();
  })().catch(() => { /* the stream tells that the broker is gone */ }).finally(() => { reading = null; });
  await reading;
  if (again) { again = false; await refresh(); }
};

/* ---- the stream ---- */

export const isStale = () => body.classList.contains('stale');
const sayStale = () => {
  const quiet = Date.now() - heard;
  if (quiet < SILENCE || document.hidden) return;
  body.classList.add('stale');
  live.classList.add('stale');
  live.querySelector('.lb').textContent = 'Stale';
  const left = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
  strip.querySelector('span').textContent = `Nothing heard from the broker since ${new Date(heard).toLocaleTimeString()}. What you see may be out of date; actions are disabled. ${left ? `Next try in ${left} s.` : 'Trying.'}`;
  strip.hidden = false;
};
const alive = () => {
  heard = Date.now();
  pause = 1000;
  if (!isStale()) return;
  body.classList.remove('stale');
  live.classList.remove('stale');
  live.querySelector('.lb').textContent = 'Live';
  strip.hidden = true;
};

const stop = () => { source?.close(); source = null; clearTimeout(timer); };
const connect = () => {
  stop();
  nextTry = 0;
  const query = new URLSearchParams({ topics: body.dataset.topics, after: body.dataset.fresh });
  source = new EventSource(`/ui/live?${query}`);
  source.addEventListener('here', alive);
  source.addEventListener('changed', e => { alive(); live.title = `Last event ${new Date().toLocaleTimeString()}`; if (Number(e.data) > Number(body.dataset.fresh)) refresh(); });
  source.onerror = () => {
    stop();
    nextTry = Date.now() + pause;
    timer = setTimeout(connect, pause);
    pause = Math.min(SLOWEST, pause * 2);
  };
};

if (live) {
  document.querySelectorAll('[data-region]').forEach(region => sent.set(region.dataset.region, shape(region)));
  connect();
  setInterval(sayStale, 1000);
  document.addEventListener('visibilitychange', () => { if (document.hidden) stop(); else { heard = Date.now(); connect(); } });
  addEventListener('pagehide', stop);
  addEventListener('pageshow', e => { if (e.persisted) connect(); });
  addEventListener('click', e => { if (e.target.closest('[data-retry]')) { pause = 1000; connect(); } });
}
