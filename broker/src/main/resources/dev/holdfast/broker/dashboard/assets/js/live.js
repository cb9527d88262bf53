// One event stream per page. It only says that something has changed; the page then fetches itself again and swaps the regions
// that differ. What somebody types stays where it is and as it is.
import { news, swap } from './swap.js';

const SILENCE = 10000, SLOWEST = 30000, LONGEST_REST = 2000;
const body = document.body, live = document.getElementById('live'), strip = document.getElementById('stale');
let source = null, heard = Date.now(), pause = 1000, nextTry = 0, timer = 0, reading = null, again = null;

/* ---- swapping ---- */

const fields = region => [...region.querySelectorAll('input, textarea, select')];
const typed = field => field.type === 'checkbox' || field.type === 'radio' ? false
  : field.tagName === 'SELECT' ? field.selectedIndex !== Math.max(0, [...field.options].findIndex(o => o.defaultSelected)) : field.type !== 'hidden' && field.value !== field.defaultValue;
const writing = field => field === document.activeElement && field.matches('input:not([type=checkbox]), textarea, select');
const selected = region => { const s = getSelection(); return s && !s.isCollapsed && region.contains(s.anchorNode); };
let composing = false; // a character of several keys is lost when its field moves
addEventListener('compositionstart', () => { composing = true; });
addEventListener('compositionend', () => { composing = false; });
const busy = region => selected(region) || region.querySelector('dialog[open], [data-waits]') || composing && region.contains(document.activeElement);

/* ---- what somebody types ---- */

const formOf = field => field.closest('form, [data-settle]');
/** Forms that say the same to the broker, apart from what is typed. */
const about = form => [form.getAttribute('action'), form.getAttribute('hx-post'), form.dataset.settle, ...[...form.querySelectorAll('input[type=hidden]:not([data-findings], [data-waived], [data-resolved] *)')].map(one => `${one.name}=${one.value}`)].join('\n');
const named = field => field.name || field.getAttribute('aria-label');
const twin = (field, region) => formOf(field) && fields(region).find(one => one.type === field.type && named(one) === named(field) && formOf(one) && about(formOf(one)) === about(formOf(field)));

/** Shows a new version of a region with the fields that somebody is typing in; false: it does not have them all. */
const swapAround = (old, fresh) => {
  const kept = fields(old).filter(field => typed(field) || writing(field)).map(field => [field, twin(field, fresh), field.scrollTop]);
  if (kept.some(([field, its]) => !its || formOf(field).matches('[data-sends]'))) return false;
  const focused = kept.find(([field]) => writing(field))?.[0], range = focused && [focused.selectionStart, focused.selectionEnd, focused.selectionDirection];
  kept.forEach(([field, its]) => {
    if (formOf(field).dataset.formKey) formOf(its).dataset.formKey = formOf(field).dataset.formKey;
    its.replaceWith(field);
  });
  swap(old, fresh);
  focused?.focus({ preventScroll: true });
  if (range && range[0] !== null && range[0] !== undefined) focused.setSelectionRange(...range);
  kept.forEach(([field, , top]) => { field.scrollTop = top; });
  return true;
};

/* The newer version of a region that arrived while somebody was busy in it. */
const waiting = new WeakMap();
const postpone = (old, fresh) => {
  waiting.set(old, fresh);
  if (old.querySelector(':scope > .newer')) return;
  const note = document.createElement('button');
  note.type = 'button';
  note.className = 'newer btn sm';
  note.textContent = 'There is a newer version. Show it';
  note.addEventListener('click', () => { note.remove(); swap(old, waiting.get(old)); });
  old.prepend(note);
};

/** Null: the broker cannot be reached, which the stream reports, or it now answers with something else. */
const page = async () => {
  try {
    const response = await fetch(location.href, { headers: { 'Holdfast-Live': '1' }, cache: 'no-store', credentials: 'same-origin' });
    return response.ok || response.status === 404 ? await response.text() : null;
  } catch { return null; }
};

/* Finding what is new and swapping each part are separate tasks, so that the page stays responsive in between. */
const breathe = () => new Promise(rested => { setTimeout(rested); });
const show = async text => {
  const { title, fresh, regions } = news(text);
  let missed = false;
  regions.sort(([a], [b]) => (b.dataset.region === 'dialogs') - (a.dataset.region === 'dialogs')); // a button may open one as soon as it is there
  const versions = regions.map(([old]) => old.dataset.v);
  document.title = title;
  body.dataset.fresh = fresh;
  for (const [i, [old, region]] of regions.entries()) {
    await breathe();
    if (!old.isConnected || old.dataset.v !== versions[i]) missed = true; // somebody has swapped in an earlier version in the meantime
    else if (busy(old) || !swapAround(old, region)) postpone(old, region);
  }
  if (missed) look();
};

/** Fetches the page again and shows what is new in it. */
export const refresh = () => {
  if (reading) return again ||= reading.then(() => { again = null; return refresh(); }); // the fetch in progress may be older than what is asked for
  reading = page().then(text => text === null ? null : show(text)).catch(reportError).finally(() => { reading = null; });
  return reading;
};

/* Between two fetches the page rests for as long as the last one took: its reader comes first, however much happens. */
let looking = false, more = false;
const look = async () => {
  more = true;
  if (looking) return;
  looking = true;
  while (more) {
    more = false;
    const begun = performance.now();
    await refresh();
    const took = performance.now() - begun;
    await new Promise(rested => { setTimeout(rested, Math.min(LONGEST_REST, took)); });
  }
  looking = false;
};

/* ---- the stream ---- */

export const isStale = () => body.classList.contains('stale');
/* A stream does not say why it failed; another request does. */
let signedOut = false;
export const isSignedOut = () => signedOut;
const askWhy = async () => { try { signedOut = (await fetch('/ui/find', { method: 'HEAD', cache: 'no-store' })).status === 401; } catch { signedOut = false; } };
const sayStale = () => {
  const quiet = Date.now() - heard;
  if (quiet < SILENCE || document.hidden) return;
  body.classList.add('stale');
  live.classList.add('stale');
  live.querySelector('.lb').textContent = 'Stale';
  const left = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
  strip.querySelector('[data-sign-in]').hidden = !signedOut;
  strip.querySelector('span').textContent = signedOut ? 'You are signed out. What you see may be out of date; actions are disabled until you sign in again.' : `Nothing heard from the broker since ${new Date(heard).toLocaleTimeString()}. What you see may be out of date; actions are disabled. ${left ? `Next try in ${left} s.` : 'Trying.'}`;
  strip.hidden = false;
};
const alive = () => {
  heard = Date.now();
  signedOut = false;
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
  source.addEventListener('changed', e => { alive(); live.title = `Last event ${new Date().toLocaleTimeString()}`; if (Number(e.data) > Number(body.dataset.fresh)) look(); });
  source.onerror = () => {
    stop();
    nextTry = Date.now() + pause;
    timer = setTimeout(connect, pause);
    pause = Math.min(SLOWEST, pause * 2);
    askWhy();
  };
};

if (live) {
  connect();
  setInterval(sayStale, 1000);
  document.addEventListener('visibilitychange', () => { if (document.hidden) stop(); else { heard = Date.now(); connect(); } });
  addEventListener('pagehide', stop);
  addEventListener('pageshow', e => { if (e.persisted) connect(); });
  addEventListener('click', e => { if (e.target.closest('[data-retry]')) { pause = 1000; connect(); } });
}
