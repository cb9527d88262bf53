// Rows that can be picked, one by one, as a range, or all that match; the bar at the bottom acts on them.
const boxes = () => [...document.querySelectorAll('[data-row] input[type=checkbox][name=pick]')];
let last = null;

const paint = () => {
  const picked = boxes().filter(box => box.checked);
  boxes().forEach(box => box.closest('[data-row]').setAttribute('aria-selected', String(box.checked)));
  const all = document.querySelector('[data-pick-all]');
  if (all) { all.checked = picked.length > 0 && picked.length === boxes().length; all.indeterminate = picked.length > 0 && !all.checked; }
  document.querySelectorAll('[data-pick-bar]').forEach(bar => {
    bar.hidden = !picked.length;
    bar.querySelectorAll('[data-pick-count]').forEach(count => { count.textContent = String(picked.length); });
  });
  document.querySelectorAll('[data-picked]').forEach(holder => holder.replaceChildren(...picked.map(box => Object.assign(document.createElement('input'), { type: 'hidden', name: holder.dataset.picked, value: box.value }))));
};
const pick = (box, on, range) => {
  const all = boxes(), from = all.indexOf(last), to = all.indexOf(box);
  (range && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [box]).forEach(b => { b.checked = on; });
  last = box;
  paint();
};

addEventListener('holdfast:pick', e => { const box = e.target.querySelector('input[type=checkbox][name=pick]'); if (box) pick(box, !box.checked, e.detail.range); });
addEventListener('click', e => {
  const box = e.target.closest('input[type=checkbox]');
  if (box?.matches('[data-pick-all]')) { boxes().forEach(b => { b.checked = box.checked; }); paint(); } else if (box?.name === 'pick') pick(box, box.checked, e.shiftKey);
  if (e.target.closest('[data-pick-none]')) { boxes().forEach(b => { b.checked = false; }); paint(); }
});
addEventListener('holdfast:swapped', paint);
addEventListener('holdfast:done', () => { boxes().forEach(b => { b.checked = false; }); paint(); });
