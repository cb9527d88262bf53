// Puts what is new into a page. Every region and row carries the version that the broker sent (data-v): a region of the same version is
// not even parsed, and such a row stays as and where it is, so that one change among a thousand rows costs one row.
import { retime } from './times.js';

const MARK = / data-v="(\w+)" data-(region|row data-key)="([^"]*)"/g;
const ROW = '[data-row]', SAME = 'data-same';

/* ---- reading ---- */

/** Where regions and rows begin; a match in somebody's text does not count. */
const marks = text => [...text.matchAll(MARK)]
  .map(found => ({ start: text.lastIndexOf('<', found.index), at: found.index, version: found[1], row: found[2] !== 'region', name: found[3] }))
  .filter(mark => text.indexOf('>', mark.start) > mark.at);

/** Parses one region of the text, with only a placeholder for each row that the page already has. */
const read = (text, region, end, rows, have) => {
  let html = '', from = region.start;
  rows.filter(row => have.has(row.version)).forEach(row => {
    const tag = text.slice(row.start + 1, text.indexOf(' ', row.start)), close = `</${tag}>`, over = text.indexOf(close, row.at);
    if (over < 0) return;
    html += `${text.slice(from, row.start)}<${tag} ${SAME}="${row.version}">${close}`;
    from = over + close.length;
  });
  return document.adoptNode(new DOMParser().parseFromString(html + text.slice(from, end), 'text/html').querySelector('[data-region]'));
};

/** What is new in a page: its title, how fresh it is, and the regions that differ, each as a pair of old and new. */
export const news = text => {
  const all = marks(text), regions = all.filter(mark => !mark.row), start = new DOMParser().parseFromString(text.slice(0, regions[0]?.start), 'text/html');
  return {
    title: start.title,
    fresh: start.body.dataset.fresh,
    regions: regions.flatMap((region, i) => {
      const old = document.querySelector(`[data-region="${CSS.escape(region.name)}"]`), end = regions[i + 1]?.start ?? text.length;
      if (!old || old.dataset.v === region.version) return [];
      const have = new Set([...old.querySelectorAll(ROW)].map(row => row.dataset.v));
      return [[old, read(text, region, end, all.filter(mark => mark.row && mark.start > region.start && mark.start < end), have)]];
    }),
  };
};

/* ---- putting it in place ---- */

const attributes = (old, fresh) => {
  [...old.attributes].filter(one => !fresh.hasAttribute(one.name)).forEach(one => old.removeAttribute(one.name));
  [...fresh.attributes].filter(one => old.getAttribute(one.name) !== one.value).forEach(one => old.setAttribute(one.name, one.value));
};

/** The longest increasing subsequence of places: what is in it need not move. */
const inOrder = places => {
  const ends = [], before = [];
  places.forEach((place, i) => {
    let low = 0, high = ends.length;
    while (low < high) { const middle = (low + high) >> 1; if (places[ends[middle]] < place) low = middle + 1; else high = middle; }
    before[i] = low ? ends[low - 1] : -1;
    ends[low] = i;
  });
  const stay = new Set();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i]) stay.add(i);
  return stay;
};

const arrange = (parent, wanted) => {
  const now = new Map([...parent.children].map((child, i) => [child, i])), kept = new Set(wanted);
  [...now.keys()].filter(child => !kept.has(child)).forEach(child => child.remove());
  const known = wanted.filter(child => now.has(child)), order = inOrder(known.map(child => now.get(child))), stay = new Set(known.filter((_, i) => order.has(i)));
  let next = null;
  wanted.toReversed().forEach(child => { if (!stay.has(child)) parent.insertBefore(child, next); next = child; });
};

/** Containers of rows are the same if they have the same name, or the same place among elements of their kind. */
const called = element => element.id || element.dataset.lane || `${element.tagName} ${[...element.parentNode.children].filter(one => one.tagName === element.tagName && !one.dataset.lane && !one.id).indexOf(element)}`;
const holds = element => element.querySelector(`${ROW}, [${SAME}]`);

/** Rows at the end that the waiting new rows have pushed off the page; they stay until those are shown. */
const over = (old, wanted, most) => {
  const keys = new Set(wanted.map(one => one.dataset.key)), all = [...old.children].filter(child => child.matches(ROW));
  return all.slice(all.findLastIndex(row => keys.has(row.dataset.key)) + 1).slice(0, most);
};

/** @param late the new rows that are not put into the page yet; known: the keys of the rows that it has */
const patch = (old, fresh, rows, arrived, late) => {
  const before = new Map([...old.children].filter(child => !child.matches(ROW)).map(child => [called(child), child])), waited = late.count;
  const wanted = [...fresh.children].map(child => {
    if (child.hasAttribute(SAME)) return rows.get(child.getAttribute(SAME));
    if (late.wait && child.matches(ROW) && !late.known.has(child.dataset.key)) { late.count++; return null; }
    const was = child.matches(ROW) ? null : before.get(called(child));
    if (was && holds(child) && was.querySelector(ROW)) { patch(was, child, rows, arrived, late); return was; }
    if (was?.isEqualNode(child)) return was;
    arrived.push(child);
    return child;
  }).filter(Boolean);
  if (late.count > waited && !wanted.some(holds)) wanted.splice(wanted.findLastIndex(child => child.matches(ROW)) + 1, 0, ...over(old, wanted, late.count - waited));
  attributes(old, fresh);
  arrange(old, wanted);
};

/* ---- keeping what somebody did to the replaced parts ---- */

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

/** Whether the beginning of a list is scrolled out of view: rows added there would move what somebody is reading. */
export const isScrolled = region => region.querySelector(ROW)?.getBoundingClientRect().top < document.querySelector('.top').offsetHeight;

/** Shows the new version of a region; in a scrolled list, new rows wait, and data-late says how many. */
export const swap = (old, fresh) => {
  const focused = old.contains(document.activeElement) ? sign(document.activeElement) : null;
  const scrolled = [...old.querySelectorAll('[data-scroll]')].map(e => [e, e.scrollTop, e.scrollLeft]);
  const arrived = [], late = { wait: old.dataset.late !== 'show' && isScrolled(old), known: new Set([...old.querySelectorAll(ROW)].map(row => row.dataset.key)), count: 0 };
  old.querySelectorAll('.n-new').forEach(row => row.classList.remove('n-new'));
  keep(old, fresh);
  let now = old;
  if (holds(fresh) && old.querySelector(ROW)) patch(old, fresh, new Map([...old.querySelectorAll(ROW)].map(row => [row.dataset.v, row])), arrived, late);
  else { old.replaceWith(fresh); now = fresh; arrived.push(fresh); }
  scrolled.filter(([e]) => !e.isConnected).forEach(([e, top, left]) => now.querySelector(`[data-scroll="${CSS.escape(e.dataset.scroll)}"]`)?.scrollTo(left, top));
  if (focused && !now.contains(document.activeElement)) [...now.querySelectorAll('a, button, summary, input')].find(e => sign(e) === focused)?.focus({ preventScroll: true });
  arrived.forEach(part => { retime(part); window.htmx?.process(part); });
  if (late.count) { now.dataset.late = late.count; now.dataset.v = ''; } // not all of this version is shown
  now.dispatchEvent(new CustomEvent('holdfast:swapped', { bubbles: true }));
};
