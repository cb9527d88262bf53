// Reading a diff and commenting on it: folding, panes, comments on lines, findings to settle. What is written is saved on the broker as a
// draft and comes back after a reload.
import { proof, toast, visible } from './actions.js';
import { here } from './keys.js';

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const review = $('[data-review]');
const PAUSE = 600, LONGEST_TEXT = 200 /* enough to recognize a line */, LONGEST_MESSAGE = 4000;
/* A file's name on one line, in which a line break or a tab would look like a space. */
const named = path => visible(path.split('/').pop()).replace(/[\n\t]/g, c => `⟨U+000${c.charCodeAt(0).toString(16).toUpperCase()}⟩`);

/* On a phone the bar scrolls sideways: the chosen entry must be in view. */
const bar = $('.rv-bar'), compared = $('.rv-bar [aria-label=Compare] [aria-current]');
if (bar && compared && compared.getBoundingClientRect().right > innerWidth) bar.scrollLeft = compared.offsetLeft + compared.offsetWidth - bar.clientWidth + 16;

let draft = { reason: '', comments: [], resolved: [], waived: [] }, timer = 0;
const form = () => $('#say-verdict');
/* A comment is on the version that the verdict is about; in another one, lines have other numbers. */
const shown = () => $('[data-region=diff]').dataset.revision;
const isJudged = version => version === form()?.dataset.revision;
const mayComment = () => form() && isJudged(shown());
/* In a comparison, the old side belongs to another round. */
const mayCommentOn = cell => cell.dataset.line && mayComment() && !(review.dataset.compared && cell.dataset.side === 'old');
/** The line that a comment is on, or all that it is on. */
const lines = ({ line, start }) => start < line ? `${start}-${line}` : `${line}`;
const says = text => { const note = $('[data-draft-says]'); if (note) note.textContent = text; };

/* Comments that are being written. They are saved with the draft as if they had been added: after a reload they are drafts. */
const writing = new Set();
const begun = () => [...writing].filter(one => one.comment().message);
const withBegun = () => {
  const edited = new Map(begun().map(one => [one.instead, one.comment()]));
  return [...draft.comments.map(c => edited.get(c) ?? c), ...begun().filter(one => !one.instead).map(one => one.comment())];
};
/* A field that is no longer on the page, because newer lines have replaced it, leaves its comment as a draft. */
const rescue = () => [...writing].filter(one => !one.box.isConnected).forEach(one => { draft.comments = withBegun(); writing.delete(one); });

/* Saves run one after the other, and the note on the page is about the last one. What is not saved yet is sent when the page closes. The
   same tab may load the page again before that arrives, so it keeps a copy until then. */
let last = 0, saved = 0, sent = Promise.resolve();
const outcome = async (response, mine) => { if (response.ok) saved = mine; return response.ok ? 'Draft kept on the broker' : `The draft could not be kept: ${(await response.json()).error}`; };
const whole = () => ({ ...draft, comments: withBegun() });
const post = keepalive => {
  const now = whole(), empty = !now.reason && !now.comments.length && !now.resolved.length && !now.waived.length;
  return fetch(`/reviews/${review.dataset.review}/draft`, { method: 'POST', keepalive, headers: proof(), body: new URLSearchParams({ draft: empty ? '' : JSON.stringify(now) }) });
};
const COPY = `draft of ${review?.dataset.review} by ${$('.who-am')?.textContent.trim()}`;
let copy = sessionStorage.getItem(COPY);
addEventListener('pageshow', () => sessionStorage.removeItem(COPY));
const keep = () => {
  const mine = ++last, report = text => { if (mine === last) says(text); };
  report('Saving the draft');
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    sent = sent.then(() => post(false)).then(response => outcome(response, mine)).then(report, () => report('The draft could not be kept: the broker cannot be reached'));
  }, PAUSE);
};
addEventListener('pagehide', () => {
  if (saved === last) return;
  clearTimeout(timer);
  timer = 0;
  sessionStorage.setItem(COPY, JSON.stringify(whole()));
  post(true).catch(() => { /* too late to report */ });
});

const entry = (text, remove) => {
  const item = document.createElement('li'), drop = document.createElement('button');
  drop.type = 'button'; drop.className = 'btn quiet sm'; drop.textContent = 'Remove';
  drop.addEventListener('click', () => { remove(); paint(); keep(); });
  item.append(Object.assign(document.createElement('span'), { textContent: text }), drop);
  return item;
};

/** A verdict can settle findings in the same call; what the page says is left is what the draft does not settle. */
const unlock = approve => {
  const settled = new Set([...draft.resolved, ...draft.waived.map(one => one.id)]), isLeft = id => id && !settled.has(id);
  const left = approve.dataset.blocking.split(' ').filter(isLeft), first = `${left.join(', ')} must be resolved or waived first`;
  const why = left.length ? first : approve.dataset.else, stop = $('[data-blockers]');
  if (stop) stop.hidden = !left.length;
  if (stop && left.length) { $('a', stop).textContent = first; $('a', stop).setAttribute('href', $(`.flist [data-finding="${left[0]}"] a`)?.getAttribute('href') ?? `#${left[0]}`); }
  const found = $$('.flist [data-finding]').map(one => one.dataset.finding), open = found.filter(isLeft);
  if (found.length) $('[data-tally]').textContent = open.length ? `${left.length} blocking, ${open.filter(id => !left.includes(id)).length} other open` : 'none open';
  approve.title = why;
  const dock = $('[data-dock-says]');
  dock.textContent = why || 'Nothing blocks approval';
  dock.className = `trunc ${why ? 'port' : 'ok'}`;
  if (why) approve.setAttribute('aria-disabled', 'true'); else approve.removeAttribute('aria-disabled');
  approve.classList.toggle('good', !why);
  $('use', approve).setAttribute('href', `${document.body.dataset.icons}#${why ? 'lock' : 'check'}`);
};

const without = (list, one) => list.splice(list.indexOf(one), 1);

/** Shows what will be sent with the verdict, at its lines and as a list, and fills the form's fields with it. */
const paint = () => {
  const to = form();
  rescue();
  draw();
  if (!to) return;
  $('[data-pending]', to).replaceChildren(
    ...draft.comments.map(c => entry(`${isMoved(c) ? `${named(c.path)} (was line ${c.line})` : `${named(c.path)}${c.line ? `:${lines(c)}` : ''}`} ${c.severity.replace('_', ' ')}: ${c.message}`, () => without(draft.comments, c))),
    ...draft.resolved.map(id => entry(`${id} is resolved`, () => without(draft.resolved, id))),
    ...draft.waived.map(w => entry(`${w.id} is waived: ${w.reason}`, () => without(draft.waived, w))));
  $('[data-findings]', to).value = draft.comments.length ? JSON.stringify(draft.comments.map(raised)) : '';
  $('[data-waived]', to).value = draft.waived.length ? JSON.stringify(draft.waived) : '';
  $('[data-resolved]', to).replaceChildren(...draft.resolved.map(id => Object.assign(document.createElement('input'), { type: 'hidden', name: 'resolved', value: id })));
  const count = draft.comments.length + draft.resolved.length + draft.waived.length;
  unlock($('[data-approve]', to));
  $('[data-pending-count]', to).textContent = count ? `${count} to send` : '';
};

/** Without a reason, the comments serve as the reason of the verdict; the command line does the same. */
addEventListener('htmx:configRequest', e => {
  const { elt, parameters } = e.detail;
  if (elt !== form() || parameters.reason?.trim() || !draft.comments.length) return;
  parameters.reason = draft.comments.map(raised).map(c => `${c.path}${c.line ? `:${lines({ line: c.line, start: c.start_line })}` : ''}: ${c.message}`).join('\n');
});

const restore = () => {
  const field = $('[data-draft-reason]');
  if (!field) return;
  if (last === saved && !writing.size) try { draft = { ...draft, ...JSON.parse(copy || field.dataset.kept || '{}') }; } catch { /* written by another version */ }
  if (copy) { copy = null; keep(); }
  if (!field.value && draft.reason) { field.value = draft.reason; field.defaultValue = draft.reason; }
  paint();
};

/* ---- comments ---- */

const placed = c => `${named(c.path)}${c.line ? `:${lines(c)}` : ', the whole file'}`;
/* A file that becomes a link is in the diff twice: gone, and new. */
const filesOf = c => $$('[data-path]').filter(file => file.dataset.path === c.path);
const cellOf = c => c.line && !(review.dataset.compared && c.side === 'old') ? filesOf(c).map(file => $(`[data-line="${c.line}"][data-side="${c.side}"]`, file)).find(Boolean) : null;
const fileOf = c => cellOf(c)?.closest('[data-path]') ?? filesOf(c).at(-1);
const textOf = cell => cell.nextElementSibling.textContent.slice(0, LONGEST_TEXT);

/* A comment stays with the line that it was written on. If that was in another version, and this page does not show that the line is still
   there under its number, the comment becomes one on the file and quotes the line. */
const isMoved = c => Boolean(c.line) && !isJudged(c.revision) && !(mayComment() && cellOf(c) && c.text === textOf(cellOf(c)));
const quoted = c => { const quote = `\n\n(It was about line ${c.line} of an earlier version: ${c.text})`; return c.text && c.message.length + quote.length <= LONGEST_MESSAGE ? c.message + quote : c.message; };
const raised = c => isMoved(c) ? { path: c.path, line: 0, side: fileOf(c)?.querySelector('[data-comment-file]')?.dataset.commentFile ?? c.side, severity: c.severity, message: quoted(c) }
  : { path: c.path, line: c.line, ...c.start < c.line && { start_line: c.start }, side: c.side, severity: c.severity, message: c.message };

/** Makes room below a line, on its side, after what is there already. */
const below = (cell, look) => {
  const row = document.createElement('tr'), box = document.createElement('td'), split = cell.closest('table').classList.contains('split');
  row.className = `thread ${look}`;
  box.colSpan = split ? 2 : 3;
  row.append(box);
  if (split) row.insertBefore(Object.assign(document.createElement('td'), { colSpan: 2, className: 'blank' }), cell.dataset.side === 'old' ? null : box);
  let last = cell.closest('tr');
  while (look !== 'composing' && last.nextElementSibling?.classList.contains('thread')) last = last.nextElementSibling;
  last.after(row);
  return box;
};
/** Makes room at the head of a file. */
const above = (file, look) => {
  const box = document.createElement('div');
  box.className = `of-file ${look}`;
  $('.lines', file).prepend(box);
  return box;
};
const gone = box => (box.closest('tr.thread') || box).remove();

/** A field to write a comment in; once added, it waits in the draft for the verdict. */
const write = (box, said, gone) => {
  box.append($('#composer').content.cloneNode(true));
  $('[data-where]', box).textContent = placed(said);
  const text = $('textarea', box), severity = $('select', box), before = said.instead?.message ?? '';
  text.value = said.instead?.message ?? said.written ?? '';
  if (said.instead) { severity.value = said.instead.severity; $('[data-add]', box).textContent = 'Save'; }
  const one = { box, text, instead: said.instead, comment: () => ({ path: said.path, line: said.line, start: said.start, side: said.side, text: said.text, revision: said.revision, severity: severity.value, message: text.value.trim() }) };
  const done = () => { const had = one.comment().message; writing.delete(one); gone(); if (had) keep(); };
  const add = () => {
    if (!one.comment().message) { text.focus(); return; }
    if (said.instead) Object.assign(said.instead, one.comment()); else draft.comments.push(one.comment());
    done(); paint();
  };
  writing.add(one);
  $('[data-cancel]', box).addEventListener('click', done);
  $('[data-add]', box).addEventListener('click', add);
  box.addEventListener('input', keep);
  text.addEventListener('keydown', e => { if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') { e.preventDefault(); e.stopPropagation(); add(); } if (e.key === 'Escape' && text.value === before) done(); });
  text.focus();
  return done;
};

/* What would be sent without something that belongs to it is not sent: a verdict, and the comments that were begun. */
const incomplete = sender => {
  const open = begun()[0];
  if (open) {
    toast('bad', 'Not sent yet', `The comment on ${$('[data-where]', open.box).textContent} is not added. Add it or cancel it first.`);
    pane('diff');
    open.text.focus();
  } else if (!sender) {
    toast('bad', 'Not sent yet', 'Choose a verdict: Request changes, Approve or Comment only.');
    $('.go button', form()).focus();
  }
  return open || !sender;
};

const edit = (c, box) => {
  box.replaceChildren();
  (box.closest('tr') || box).classList.replace('drafted', 'composing');
  write(box, { ...c, instead: c }, () => { gone(box); paint(); });
};

/** Shows the comments that wait for the verdict where they will appear. */
const draw = () => {
  $$('.drafted').forEach(one => one.remove());
  if (!mayComment()) return;
  const edited = new Set([...writing].map(one => one.instead));
  draft.comments.filter(c => fileOf(c) && !edited.has(c)).forEach(c => {
    const moved = isMoved(c), cell = cellOf(c);
    if (c.line && !moved && !cell) return; // on another page, or not part of the comparison
    const box = c.line && !moved ? below(cell, 'drafted') : above(fileOf(c), 'drafted');
    box.append($('#draft').content.cloneNode(true));
    $('[data-severity]', box).textContent = c.severity.replace('_', ' ');
    $('[data-severity]', box).classList.add(c.severity.split('_')[0]);
    $('[data-where]', box).textContent = moved ? `its line has changed; it will be about the file (was line ${c.line})` : placed(c);
    $('[data-message]', box).textContent = c.message;
    $('[data-edit]', box).addEventListener('click', () => edit(c, box));
    $('[data-remove]', box).addEventListener('click', () => { without(draft.comments, c); paint(); keep(); });
  });
};

/** A comment on a line, or on a range: from where the selection began or, with shift, from the line clicked before. */
let before = null;
const compose = (cell, further = false) => {
  const row = cell.closest('tr'), file = cell.closest('[data-path]');
  if (row.nextElementSibling?.classList.contains('composing')) { $('textarea', row.nextElementSibling).focus(); return; }
  const selection = getSelection(), first = selection && !selection.isCollapsed && selection.anchorNode.parentElement?.closest('tr');
  const line = Number(cell.dataset.line), more = further && before?.file === file && before.side === cell.dataset.side && before.line < line;
  const from = more ? before.line : first && first.closest('[data-path]') === file ? Number($('[data-line]', first)?.dataset.line) : 0;
  const written = more ? before.take() : '', start = from && from < line ? from : line;
  getSelection()?.removeAllRanges();
  const box = below(cell, 'composing');
  const rows = $$('tr', row.closest('table')).filter(one => { const at = Number($(`[data-side="${cell.dataset.side}"]`, one)?.dataset.line); return one === row || (at >= start && at <= line); });
  rows.forEach(one => one.classList.add('chosen'));
  const done = write(box, { path: file.dataset.path, line, start, side: cell.dataset.side, text: textOf(cell), revision: shown(), written }, () => { gone(box); rows.forEach(one => one.classList.remove('chosen')); });
  before = { file, line: start, side: cell.dataset.side, take: () => { const text = $('textarea', box)?.value ?? ''; done(); return text; } };
};

/** A comment on the whole file, above its lines. */
const composeOnFile = button => {
  const file = button.closest('[data-path]'), open = $('.of-file.composing textarea', file);
  if (open) { open.focus(); return; }
  file.classList.remove('folded');
  $('[data-fold]', file).setAttribute('aria-expanded', 'true');
  const box = above(file, 'composing');
  write(box, { path: file.dataset.path, line: 0, side: button.dataset.commentFile, revision: shown() }, () => gone(box));
};

/** Unfolding a file whose lines were held back gets them: only lines that were shown can be marked as read. */
const fold = button => {
  const file = button.closest('.file'), folded = file.classList.toggle('folded');
  button.setAttribute('aria-expanded', String(!folded));
  if (!folded && !$('table.diff', file)) $('[data-opens]', file)?.click();
};

/* Files whose lines were asked for stay in the address, which the page and a reload fetch again. */
const MOST_OPEN = 50;
const opened = (number, as) => {
  const address = new URL(location.href), open = [...address.searchParams.getAll(as).filter(one => one !== number), number].slice(-MOST_OPEN);
  address.searchParams.delete(as);
  open.forEach(one => address.searchParams.append(as, one));
  history.replaceState(history.state, '', address);
};

const settle = button => {
  const footer = button.closest('[data-settle]'), id = footer.dataset.settle, reason = $('[data-waive-reason]', footer).value.trim();
  draft.resolved = draft.resolved.filter(one => one !== id);
  draft.waived = draft.waived.filter(one => one.id !== id);
  if (button.dataset.settleAs === 'resolved') draft.resolved.push(id);
  else if (reason) draft.waived.push({ id, reason });
  else { $('[data-waive-reason]', footer).focus(); return; }
  $('[data-waive-reason]', footer).value = '';
  paint(); keep();
};

/** On a phone, the diff and what is decided about it are two panes. */
const pane = which => { review.dataset.pane = which; };
/** What a link leads to may be in the other one. */
const paneOf = hash => { const to = hash && document.getElementById(hash.slice(1)); if (to) pane(to.closest('.rail') ? 'rail' : 'diff'); };

if (review) {
  restore();
  paneOf(location.hash);
  addEventListener('click', e => paneOf(e.target.closest('a[href]')?.hash));
  if (review.dataset.narrow && matchMedia('(max-width: 760px)').matches) location.replace(review.dataset.narrow);
  addEventListener('click', e => {
    const target = e.target.closest('[data-fold], [data-line], [data-comment-file], [data-settle-as], [data-pane-to], [data-rail], [data-wrap]');
    if (!target) return;
    if (target.matches('[data-fold]')) fold(target);
    else if (target.matches('[data-line]')) { if (mayCommentOn(target)) compose(target, e.shiftKey); }
    else if (target.matches('[data-comment-file]')) { if (mayComment()) composeOnFile(target); }
    else if (target.matches('[data-settle-as]')) settle(target);
    else if (target.matches('[data-rail]')) review.classList.toggle('with-rail');
    else if (target.matches('[data-wrap]')) target.setAttribute('aria-pressed', String(!review.classList.toggle('nowrap-lines')));
    else { pane(target.dataset.paneTo); scrollTo(0, 0); }
  });
  addEventListener('submit', e => { if (e.target === form() && incomplete(e.submitter)) { e.preventDefault(); e.stopImmediatePropagation(); } }, true);
  addEventListener('input', e => { if (e.target.matches('[data-draft-reason]')) { draft.reason = e.target.value; keep(); } });
  addEventListener('holdfast:done', e => { if (e.target.matches('[data-clears-draft]')) { draft = { reason: '', comments: [], resolved: [], waived: [] }; paint(); keep(); } });
  addEventListener('htmx:afterRequest', e => { const asked = e.detail.requestConfig?.elt?.dataset; if (e.detail.successful && asked?.opens) opened(asked.opens, asked.opensAs || 'open'); });
  addEventListener('htmx:beforeSwap', e => { if (e.detail.requestConfig.verb === 'get') e.detail.shouldSwap = true; }); // an error says in their place why there are no more lines
  addEventListener('holdfast:swapped', e => { if (e.target.matches('[data-region=verdict]')) restore(); else if (e.target.matches('[data-region=diff], [data-region=findings], [data-region=dock]')) paint(); });
  addEventListener('htmx:afterSettle', e => { if (e.target.closest?.('[data-region=diff]')) paint(); });
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.('input, textarea, select, dialog')) return;
    const file = here('[data-stop=file]') || $('[data-stop=file]');
    if (e.key === 'v' && file) $('[data-read]:not(:disabled)', file)?.click();
    if (e.key === 'c' && file) { const cell = $$('[data-line]', file).find(one => mayCommentOn(one) && one.getBoundingClientRect().top > 150); if (cell) { e.preventDefault(); compose(cell); } }
  });
}
