// Rows can be picked one by one, as a range, or all that match; the bar at the bottom acts on them.
import { toast } from './actions.js';

const boxes = () => [...document.querySelectorAll('[data-row] input[type=checkbox][name=pick]')];
let last = null, matching = null; // matching: how many match the filter, if all of them are picked

const paint = () => {
  const every = boxes(), picked = every.filter(box => box.checked);
  every.forEach(box => { const row = box.closest('[data-row]'), is = String(box.checked); if (row.getAttribute('aria-selected') !== is) row.setAttribute('aria-selected', is); });
  const all = document.querySelector('[data-pick-all]');
  if (all) { all.checked = picked.length > 0 && picked.length === every.length; all.indeterminate = picked.length > 0 && !all.checked; }
  document.querySelectorAll('[data-pick-bar]').forEach(bar => {
    bar.hidden = !picked.length;
    bar.querySelectorAll('[data-pick-count]').forEach(count => { count.textContent = matching ? `all ${matching.count.toLocaleString('en')}` : String(picked.length); });
    bar.querySelectorAll('[data-pick-noun]').forEach(noun => { noun.textContent = noun.dataset.pickNoun + ((matching ? matching.count : picked.length) === 1 ? '' : 's'); });
    bar.querySelectorAll('[data-pick-matching]').forEach(button => { button.hidden = Boolean(matching); });
  });
  document.querySelectorAll('form[data-each]').forEach(form => { if (matching) { form.dataset.matching = matching.at; form.dataset.count = matching.count; } else delete form.dataset.matching; });
  document.querySelectorAll('[data-picked]').forEach(holder => holder.replaceChildren(...picked.map(box => Object.assign(document.createElement('input'), { type: 'hidden', name: holder.dataset.picked, value: box.value }))));
};
/** Picks all that match the page's filter: counted now, and again before an action on them. */
const match = async at => {
  const response = await fetch(`${at}${location.search}`, { cache: 'no-store' }), said = await response.json();
  if (response.ok) { matching = { at, count: said.count }; boxes().forEach(b => { b.checked = true; }); } else toast('bad', 'Too many', said.error);
  paint();
};
const pick = (box, on, range) => {
  matching = null;
  const all = boxes(), from = all.indexOf(last), to = all.indexOf(box);
  (range && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [box]).forEach(b => { b.checked = on; });
  last = box;
  paint();
};

addEventListener('holdfast:pick', e => { const box = e.target.querySelector('input[type=checkbox][name=pick]'); if (box) pick(box, !box.checked, e.detail.range); });
addEventListener('click', e => {
  const box = e.target.closest('input[type=checkbox]');
  if (box?.matches('[data-pick-all]')) { matching = null; boxes().forEach(b => { b.checked = box.checked; }); paint(); } else if (box?.name === 'pick') pick(box, box.checked, e.shiftKey);
  const all = e.target.closest('[data-pick-matching]');
  if (all) match(all.dataset.pickMatching);
  if (matching && e.target.closest('[data-pick-bar] [data-open]')) match(matching.at);
  if (e.target.closest('[data-pick-none]')) { matching = null; boxes().forEach(b => { b.checked = false; }); paint(); }
});
addEventListener('holdfast:swapped', paint);
addEventListener('holdfast:done', e => { if (e.target.matches('form[data-each]')) { matching = null; boxes().forEach(b => { b.checked = false; }); paint(); } });
