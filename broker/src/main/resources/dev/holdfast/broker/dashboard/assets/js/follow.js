// For what grows without events, such as a log: fetched again at intervals, and kept scrolled to its end unless somebody scrolled up.
import { refresh, isStale } from './live.js';

const atEnd = box => box.scrollHeight - box.scrollTop - box.clientHeight < 40;
const toEnd = box => { box.scrollTop = box.scrollHeight; };
let following = true;

addEventListener('scroll', e => { if (e.target.matches?.('[data-follow]')) following = atEnd(e.target); }, true);
const follow = () => { if (following) document.querySelectorAll('[data-follow]').forEach(toEnd); };
addEventListener('holdfast:swapped', follow);
follow();

/* A graph wider than its box is scrolled to where something is going on, not to where all is done; a timeline to its end, which is now. */
document.querySelectorAll('.graph').forEach(box => {
  if (box.matches('.when')) { box.scrollLeft = box.scrollWidth; return; }
  const node = box.querySelector('.gn.sel') || box.querySelector('.gn.sea, .gn.port, .gn.brass');
  if (!node || box.scrollLeft || box.scrollWidth <= box.clientWidth) return;
  const at = node.getBoundingClientRect();
  box.scrollLeft = at.left - box.getBoundingClientRect().left - (box.clientWidth - at.width) / 2;
});

const every = Number(document.querySelector('[data-every]')?.dataset.every || 0);
if (every) setInterval(() => { if (!document.hidden && !isStale()) refresh(); }, every * 1000);

addEventListener('click', e => { if (e.target.closest('[data-submit-all]')) e.target.closest('dialog').querySelectorAll('form').forEach(form => form.requestSubmit()); });
